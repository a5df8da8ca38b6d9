"""Reader of ``ck_import.json``: functions of CK's headers, imported from text, compared with compiled ones.

Needs the headers (``layoutalg ck fetch`` or ``LAYOUTALG_CK_ROOT``); without them every case is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.check.from_ck import headers as read_headers
from layoutalg.ck import Index, import_layout
from layoutalg.ck.fetch import find_root
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import TileDistribution, TileDistributionEncoding
from layoutalg.errors import ToolError
from tests.golden.chains import Chain
from tests.golden.tally import Tally
from tests.golden.tile_distributions import encoding as encoding_of

__all__ = ["check", "has_headers", "imported"]


def headers(arch: str) -> Index:
    """CK's headers for a target, read once."""
    return read_headers(find_root(), arch)


def has_headers() -> bool:
    try:
        find_root()
    except ToolError:
        return False
    return True


def imported(case: dict[str, Any]) -> Any:
    """The layout that a case names, from text."""
    bindings = {name.replace("::", "."): value for name, value in case["bindings"].items()}
    bindings |= {f"self.{name}": value for name, value in case.get("data_members", {}).items()}
    function = case["function"]
    if case.get("arguments"):
        function += f"({', '.join(map(str, case['arguments']))})"
    text = f"{case['file']}::{case['cls']}::{function}" if case.get("cls") else f"{case['file']}::{function}"
    return import_layout(text, bindings, index=headers(case["arch"])).layout


def check(tally: Tally, case: dict[str, Any]) -> None:
    """Compare one case."""
    if not has_headers():
        tally.leave_out("cases: no CK headers here (layoutalg ck fetch, or set LAYOUTALG_CK_ROOT)", 1)
        return
    compare(tally, case["name"], imported(case), case["observed"])


def compare(tally: Tally, name: str, made: Any, observed: dict[str, Any]) -> None:
    """Compare a layout with an ``observed`` entry, field by field."""
    kinds = {TensorDescriptor: "descriptor", TileDistribution: "distribution"}
    kinds[TileDistributionEncoding] = "encoding"
    tally.same(f"{name}: type", [observed["type"]], [kinds.get(type(made), "?")])
    if observed["type"] == "descriptor":
        _descriptor(tally, name, made, observed)
        return
    encoding = made.encoding if observed["type"] == "distribution" else made
    for field, value in vars(encoding_of(observed["encoding"])).items():
        tally.same(f"{name}: {field}", value, getattr(encoding, field))
    if "thread_origin" in observed:
        tally.same(f"{name}: x lengths", observed["x_lengths"], made.lengths)
        tally.same(f"{name}: p lengths", observed["p_lengths"], made.p_lengths)
        threads = list(np.indices(observed["p_lengths"]).reshape(len(observed["p_lengths"]), -1))
        zeros = [np.zeros_like(threads[0])] * len(made.y_lengths)
        found = [np.broadcast_to(x, threads[0].shape) for x in made.element(threads, zeros)]
        tally.same(f"{name}: origins", np.asarray(observed["thread_origin"]), np.stack(found, axis=-1))


def _descriptor(tally: Tally, name: str, made: Any, observed: dict[str, Any]) -> None:
    tally.same(f"{name}: lengths", observed["lengths"], made.lengths)
    tally.same(f"{name}: element space", observed["element_space_size"], made.element_space_size)
    chain = Chain(tally, name, made)
    chain.structure(observed["structure"])
    step = observed["table"]["step"]
    rows = np.indices(observed["lengths"], dtype=np.int64).reshape(len(observed["lengths"]), -1)[:, ::step]
    wanted = np.asarray(observed["table"]["offsets"], dtype=np.int64)
    found = np.broadcast_to(made.calculate_offset(list(rows)), wanted.shape)
    tally.same(f"{name}: offsets", wanted, found)
    if "valid" in observed["table"]:
        chain.valid("validity", rows.T, observed["table"]["valid"])
    known = list(made.guaranteed_vectors)
    known += [type(known[0])()] * (made.num_hidden_dimensions - len(known))
    for part in ("length", "stride"):
        key = f"guaranteed_vector_{part}s"
        if key in observed:
            tally.same(f"{name}: {key}", observed[key], [getattr(v, part) for v in known])

"""Reader of ``ck_import.json``: functions of CK's headers, imported from text, compared with compiled ones.

Needs the headers (``layoutalg ck fetch`` or ``LAYOUTALG_CK_ROOT``); without them every case is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.ck import OLD_CK, Index, import_layout
from layoutalg.ck.bindings import flattened
from layoutalg.ck.cpp.headers import headers as read_headers
from layoutalg.ck.fetch import find_root
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import TileDistribution, TileDistributionEncoding
from layoutalg.errors import ToolError
from tests.golden.chains import Chain
from tests.golden.tally import Tally
from tests.golden.tile_distributions import encoding as encoding_of

__all__ = ["bindings_and_arguments", "check", "has_headers", "imported"]


def headers(arch: str) -> Index:
    """CK's headers for a target, read once."""
    return read_headers(find_root(), arch)


def old_headers(arch: str) -> Index:
    """Old CK's headers for a target, read once."""
    return read_headers(find_root(), arch, OLD_CK)


def has_headers() -> bool:
    try:
        find_root()
    except ToolError:
        return False
    return True


def bindings_and_arguments(case: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """What a case binds, and its call's arguments as C++ text.

    A struct that is passed (``kargs``) is a class whose fields are bound: ``kargs.N``. Its fields stand in
    ``bindings`` or ``data_members`` under its name, in the argument itself (``{"kargs": {"N": 4}}``), or,
    where nothing else tells of the struct, they are the ``data_members``.
    """
    found = {name.replace("::", "."): value for name, value in case["bindings"].items()}
    given = case.get("arguments") or []
    entries = [{k: v} for k, v in given.items()] if isinstance(given, dict) else list(given)
    arguments: list[str] = []
    for entry in entries:
        if isinstance(entry, dict):
            ((name, value),) = entry.items()
            found |= flattened({name: value}) if isinstance(value, dict) else {name: value}
            arguments.append(name)
        else:
            arguments.append(str(entry).lower() if isinstance(entry, bool) else str(entry))
    members = case.get("data_members", {})
    structs = [name for name in arguments if name.isidentifier()]
    open_ones = [n for n in structs if not any(k == n or k.startswith(f"{n}.") for k in (*found, *members))]
    for name, value in members.items():
        dotted = name.replace("::", ".")
        if dotted.partition(".")[0] in structs:
            found |= flattened({dotted: value})
        else:
            found[f"{open_ones[0] if len(open_ones) == 1 else 'self'}.{dotted}"] = value
    return found, arguments


def imported(case: dict[str, Any]) -> Any:
    """The layout that a case names, from text."""
    bindings, arguments = bindings_and_arguments(case)
    function = case["function"]
    if arguments:
        function += f"({', '.join(arguments)})"
    text = f"{case['file']}::{case['cls']}::{function}" if case.get("cls") else f"{case['file']}::{function}"
    # a case binds a whole problem, of which a function reads a part
    return import_layout(text, bindings, index=headers(case["arch"]), spare=bindings).layout


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

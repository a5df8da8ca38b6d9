"""Reader of ``descriptors.json`` and ``ck_descriptors.json``."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.build import descriptor
from tests.golden.chains import Chain, columns, coordinates
from tests.golden.tally import Tally

__all__ = ["check", "check_observed"]


def check(tally: Tally, case: dict[str, Any]) -> None:
    """Compare one case."""
    check_observed(tally, case["name"], descriptor(case["build"]), case["observed"])


def check_observed(tally: Tally, name: str, made: Any, observed: dict[str, Any]) -> None:
    """Compare a descriptor with an ``observed`` entry, field by field."""
    same = tally.same
    same(f"{name}: lengths", observed["lengths"], made.lengths)
    same(f"{name}: element space", observed["element_space_size"], made.element_space_size)
    same(f"{name}: element size", observed["element_size"], made.element_size)
    chain = Chain(tally, name, made)
    chain.structure(observed["structure"])
    _table(tally, chain, observed["table"], observed["lengths"])
    if observed.get("hidden_samples"):
        index, hidden = zip(*observed["hidden_samples"], strict=True)
        chain.hidden("hidden index", index, hidden)
    _probes(tally, chain, observed.get("probes", []))
    tally.leave_out(
        "probes of magic division on negative numbers, undefined in CK",
        len(observed.get("probes_negative_magic_division", [])),
    )
    for moves in (observed.get("moves", []), observed.get("moves_24bit_negative", [])):
        with_difference = bool(moves) and len(moves[0]) == 5  # old CK's rows have no such column
        chain.moves(moves, with_difference=with_difference, with_validity=True)
    for field, vectors in (("safe", made.safe_vectors), ("guaranteed", _guaranteed(made))):
        for part in ("length", "stride"):
            key = f"{field}_vector_{part}s"
            if key in observed:
                same(f"{name}: {key}", observed[key], [getattr(v, part) for v in vectors])


def _guaranteed(made: Any) -> list[Any]:
    known = list(made.guaranteed_vectors)
    return known + [type(known[0])()] * (made.num_hidden_dimensions - len(known))


def _table(tally: Tally, chain: Chain, table: dict[str, Any], lengths: list[int]) -> None:
    rows = coordinates(table["coords"], lengths)
    wanted = np.asarray(table["offsets"], dtype=np.int64)
    found = np.broadcast_to(chain.chain.calculate_bottom_index(columns(rows))[0], len(rows))
    tally.same(f"{chain.name}: offsets", wanted, found)
    chain.valid("validity", rows, table["valid"])
    chain.closed_form(rows, wanted.reshape(-1, 1))


def _probes(tally: Tally, chain: Chain, probes: list[Any]) -> None:
    if not probes:
        return
    index, hidden, valid, valid_in_range = zip(*probes, strict=True)
    chain.hidden("probes", index, hidden)
    rows = np.asarray(index, dtype=np.int64)
    chain.valid("validity of probes", rows, list(valid))
    inside = np.broadcast_to(chain.chain.is_index_in_range(columns(rows)), len(rows))
    vouched = np.broadcast_to(chain.chain.is_valid_index(columns(rows)), len(rows))
    both = (inside & vouched).astype(int)
    tally.same(f"{chain.name}: validity of probes in range", valid_in_range, both)

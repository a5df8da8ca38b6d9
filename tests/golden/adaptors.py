"""Reader of ``adaptors.json``."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.build import adaptor
from tests.golden.chains import Chain, columns, coordinates
from tests.golden.tally import Tally

__all__ = ["check"]


def check(tally: Tally, case: dict[str, Any]) -> None:
    """Compare one case."""
    name, observed = case["name"], case["observed"]
    made = adaptor(case["build"])
    tally.same(f"{name}: lengths", observed["top_lengths"], made.lengths)
    tally.same(f"{name}: element size", observed["element_size"], made.element_size)
    chain = Chain(tally, name, made)
    chain.structure(observed["structure"])
    table = observed["table"]
    rows = coordinates(table["coords"], observed["top_lengths"])
    count = len(made.bottom_dimension_hidden_ids)
    wanted = np.asarray(table["bottoms"], dtype=np.int64).reshape(len(rows), count)
    bottoms = made.calculate_bottom_index(columns(rows))
    found = [np.broadcast_to(b, len(rows)) for b in bottoms]
    tally.same(f"{name}: bottoms", wanted, np.array(found).reshape(count, len(rows)).T)
    chain.valid("validity", rows, table["valid"])
    if count:
        chain.closed_form(rows, wanted)
    if observed["hidden_samples"]:
        index, hidden = zip(*observed["hidden_samples"], strict=True)
        chain.hidden("hidden index", index, hidden)
    chain.moves(observed.get("moves", []), with_difference=True, with_validity=False)

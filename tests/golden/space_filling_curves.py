"""Reader of ``space_filling_curves.json``."""

from __future__ import annotations

from typing import Any

from layoutalg.distribution import SpaceFillingCurve
from tests.golden.tally import Tally

__all__ = ["check"]


def check(tally: Tally, case: dict[str, Any]) -> None:
    """Compare one case."""
    name, observed = case["name"], case["observed"]
    curve = SpaceFillingCurve(
        case["lengths"], case["dim_access_order"], case["scalars_per_access"], case["snake"]
    )
    tally.same(f"{name}: accesses", observed["num_access"], curve.num_of_access)
    tally.same(f"{name}: scalars per vector", observed["scalars_per_vector"], curve.scalars_per_vector)
    for i, index in enumerate(observed["index"]):
        tally.same(f"{name}: index {i}", index, curve.index(i))
    for i, step in enumerate(observed["forward_steps"]):
        tally.same(f"{name}: forward step {i}", step, curve.forward_step(i))

"""Proofs by ranges and congruences alone: each side taken as all it could be, ties forgotten.

>>> from layoutalg.claim import Claim, Comparison
>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"row": 64, "col": 32})
>>> offset = 32 * domain["row"] + domain["col"]
>>> prove_by_ranges(Claim("bounds", "rows", domain, (Comparison(offset, "<", 2048),)))
proved by ranges
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.proofs.smt.problem import Problem
from layoutalg.proofs.smt.purification import Purified
from layoutalg.rules.interval import Infinity
from layoutalg.verdict import Proved, Refuted, Unknown, Verdict

if TYPE_CHECKING:
    from layoutalg.claim import Claim

__all__ = ["prove_by_ranges"]


def prove_by_ranges(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Proved where the ranges of both sides are enough, else unknown."""
    del limits
    if claim.witness is not None:
        return _beyond(claim)
    try:
        problem = Problem.of_claim(claim)
    except LayoutError as error:
        return Unknown(error.message)
    if problem.is_shown_by_intervals():
        return Proved("ranges")
    return Unknown("ranges and congruences do not show it")


def _beyond(claim: Claim) -> Verdict:
    """Refuted where an output never comes as far as its targets do; for numbers only."""
    index_map = claim.map
    if index_map is None or claim.domain.parameters:
        return Unknown(NOT_MINE)
    try:
        values = Purified(index_map.domain)
        intervals = [values.interval(values.of(output)) for output in index_map.outputs]
    except LayoutError as error:
        return Unknown(error.message)
    for axis, interval in zip(claim.domain.axes, intervals, strict=True):
        most = interval.high
        if axis.upper is None or not axis.upper.is_Integer or isinstance(most, Infinity):
            continue
        if most + 1 < axis.upper:
            point = {other.name: 0 for other in claim.domain.axes}
            return Refuted(point | {axis.name: max(0, most + 1)}, "", "ranges")
    return Unknown(NOT_MINE)

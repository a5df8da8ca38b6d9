"""A second look before "proved" is said: the claim at a few points, by :mod:`layoutalg.index.pointwise`.

A proof rests on rules, ranges and digits, and each could be wrong. The points are those of
:mod:`layoutalg.domain.probes`: corners and scattered ones, open ends reached out from, pairs of neighbours
for one-to-one; for covers a small size is enumerated whole. They cannot prove, but a proof that fails at
one is none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from layoutalg.domain.probes import probes, small_probes
from layoutalg.errors import LayoutError
from layoutalg.proofs.limits import LIMITS
from layoutalg.proofs.members.by_exhaustion import prove_by_exhaustion
from layoutalg.verdict import Refuted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from layoutalg.claim import Claim, IndexMap

__all__ = ["counterexample"]

SMALL = 2048  # points of a small size that are tried one by one for covers


def counterexample(claim: Claim) -> str | None:
    """Where a claim fails or is not defined, in words, or None where it holds at every point looked at.

    >>> from layoutalg.claim import Claim, Comparison
    >>> from layoutalg.domain import Domain
    >>> domain = Domain.of({"i": "M"}, {"M": (1, None)})
    >>> counterexample(Claim("small", "i", domain, (Comparison(domain["i"], "<", 2),)))
    'i < 2 is false at M=2834, i=2360'
    """
    if claim.witness is not None:
        return _gap(claim)
    if claim.kind == "pairs" and claim.map is not None:
        return _meeting(claim, claim.map)
    return _failing(claim)


def _failing(claim: Claim) -> str | None:
    points = probes(claim.domain).where(claim.when)
    for comparison in claim.then:
        beyond: set[int] = set()
        left, right = (points.at(side, beyond) for side in (comparison.left, comparison.right))
        for point, (one, other) in enumerate(zip(left, right, strict=True)):
            if point in beyond:
                continue
            if one is None or other is None:
                return f"{comparison} is not defined at {points.told(point)}"
            if not {"==": one == other, "<=": one <= other, "<": one < other}[comparison.op]:
                return f"{comparison} is false at {points.told(point)}"
    return None


def _meeting(claim: Claim, index_map: IndexMap) -> str | None:
    """Two points with one output that the claim says to be equal and that are not."""
    sizes, told = [parameter.name for parameter in index_map.domain.parameters], claim.told
    for found in (probes(index_map.domain), small_probes(index_map.domain)):
        points, beyond = found.where(index_map.when), set[int]()
        outputs = [points.at(output, beyond) for output in index_map.outputs]
        equal = [points.at(expression, beyond) for expression in told]
        met: dict[tuple[Any, ...], int] = {}
        for point in range(points.count):
            reached = tuple(values[point] for values in outputs)
            if point in beyond:
                continue
            if None in reached:
                return f"an output is not defined at {points.told(point)}"
            first = met.setdefault((*(points.values[name][point] for name in sizes), *reached), point)
            if any(values[first] != values[point] for values in equal):
                return f"{points.told(first)} and {points.told(point)} both map to {reached}"
    return None


def _gap(claim: Claim) -> str | None:
    """A target that no index reaches, for the lowest sizes or for somewhat larger ones."""
    if not claim.domain.parameters or claim.map is None:
        return _unreached(claim)
    points = small_probes(claim.map.domain)
    names = [parameter.name for parameter in claim.domain.parameters]
    sizes = dict.fromkeys(zip(*(points.values[name] for name in names), strict=True))
    found = (_gap_at(claim, dict(zip(names, values, strict=True))) for values in list(sizes)[:2])
    return next((gap for gap in found if gap), None)


def _gap_at(claim: Claim, sizes: Mapping[str, int]) -> str | None:
    try:
        bound = claim.bind(sizes)
    except LayoutError:  # an axis has no value at these sizes
        return None
    return _unreached(bound)


def _unreached(claim: Claim) -> str | None:
    verdict = prove_by_exhaustion(claim, replace(LIMITS, points=SMALL))
    return f"no index maps to {dict(verdict.point)}" if isinstance(verdict, Refuted) else None

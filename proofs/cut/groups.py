"""Comparisons in two groups: what the normal form shows at once need not hinder the proof of the others.

>>> from layoutalg.claim import Claim, Comparison
>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"i": "M"}, {"M": (1, None)})
>>> i, M = domain["i"], domain["M"]
>>> claim = Claim("in bounds", "i", domain, (Comparison(0 * i, "<=", i), Comparison(i, "<", M)))
>>> [len(part.then) for part in claims_of_groups(claim, Groups((0,)))]
[1, 1]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError

if TYPE_CHECKING:
    from layoutalg.claim import Claim

__all__ = ["Groups", "claims_of_groups"]


@dataclass(frozen=True)
class Groups:
    """The numbers of the comparisons that are proved first, by themselves."""

    first: tuple[int, ...]


def claims_of_groups(claim: Claim, groups: Groups) -> tuple[Claim, Claim]:
    """The claim with some of its comparisons, and with the others."""
    if claim.kind != "comparisons" or claim.witness is not None:
        raise LayoutError("only comparisons are proved in groups")
    first = set(groups.first)
    if not first <= set(range(len(claim.then))):
        raise LayoutError(f"the claim has comparisons 0 to {len(claim.then) - 1}, not {sorted(first)}")
    one, other = (
        tuple(comparison for number, comparison in enumerate(claim.then) if (number in first) == is_first)
        for is_first in (True, False)
    )
    return replace(claim, then=one), replace(claim, then=other)

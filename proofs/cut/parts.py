"""The claims from which a claim follows that is cut, counted, or proved in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.proofs.cut.counting import Counting, claims_of_counting
from layoutalg.proofs.cut.cut import Cut, claims_of_parts
from layoutalg.proofs.cut.groups import Groups, claims_of_groups

if TYPE_CHECKING:
    from layoutalg.claim import Claim

__all__ = ["CutInParts", "claims_of_cut"]

CutInParts = Cut | Counting | Groups


def claims_of_cut(claim: Claim, split: CutInParts) -> tuple[Claim, ...]:
    """What is left to be shown of a claim; refused where the claim cannot be taken apart so."""
    match split:
        case Cut():
            return claims_of_parts(claim, split)
        case Counting():
            return claims_of_counting(claim)
        case Groups():
            return claims_of_groups(claim, split)

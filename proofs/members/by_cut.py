"""Proofs of maps in two parts: at values that validity bounds, each part proved by itself.

>>> from layoutalg.claim import IndexMap
>>> from layoutalg.domain import Domain
>>> from layoutalg.properties import covers_map, one_to_one_map
>>> from layoutalg.rules.from_text import parse
>>> axes = {"bm": "(M + TM - 1)//TM", "bn": "(N + TN - 1)//TN", "i": "TM", "j": "TN"}
>>> domain = Domain.of(axes, dict.fromkeys(("M", "N", "TM", "TN"), (1, None)))
>>> guard = parse("bm*TM + i < M and bn*TN + j < N", domain)
>>> c = IndexMap(domain, (parse("(bm*TM + i)*N + bn*TN + j", domain),), (guard,))
>>> prove_by_cut(one_to_one_map(c, "C")), prove_by_cut(covers_map(c, (parse("M*N", domain),), "C"))
(proved by cut, proved by cut)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError
from layoutalg.proofs.cut.counting import Counting
from layoutalg.proofs.cut.cut import Cut
from layoutalg.proofs.cut.find_cut import cuts
from layoutalg.proofs.cut.groups import Groups
from layoutalg.proofs.cut.parts import CutInParts, claims_of_cut
from layoutalg.proofs.limits import LIMITS, Limits
from layoutalg.proofs.members.by_digits import prove_by_digits
from layoutalg.proofs.members.by_inverse import prove_by_inverse, shown_by_rules
from layoutalg.proofs.members.by_normal_form import prove_by_normal_form, shown_by_normal_form
from layoutalg.proofs.members.by_solver import prove_with_z3_integers
from layoutalg.verdict import Proved, Unknown, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.claim import Claim

__all__ = ["prove_by_cut"]

LEVELS = 3  # cuts inside cuts


def prove_by_cut(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Proved where a cut is found and both parts are proved, else unknown with what is not."""
    return _by_cut(claim, limits, LEVELS)


def _by_cut(claim: Claim, limits: Limits, levels: int) -> Verdict:
    groups = _groups(claim)
    if groups is not None:  # no cut: what is left may be cut as often
        return _all_parts(groups, claim, limits, levels + 1)
    reason = "no value that validity bounds is found to cut at"
    for split in _splits(claim):
        found = _all_parts(split, claim, limits, levels)
        if isinstance(found, Proved):
            return found
        if isinstance(split, Cut) and isinstance(found, Unknown):
            reason = found.reason
    return Unknown(reason)


def _splits(claim: Claim) -> Iterator[Cut | Counting]:
    yield from cuts(claim)
    if claim.kind == "covers":
        yield Counting()


def _groups(claim: Claim) -> Groups | None:
    """What the normal form shows and what it does not, where there is both."""
    if claim.kind != "comparisons" or len(claim.then) == 1:
        return None
    try:
        shown = shown_by_normal_form(claim)
    except LayoutError:
        return None
    return Groups(shown) if 0 < len(shown) < len(claim.then) else None


def _all_parts(split: CutInParts, claim: Claim, limits: Limits, levels: int) -> Verdict:
    try:
        claims = claims_of_cut(claim, split)
    except LayoutError as error:
        return Unknown(error.message)
    parts: list[Verdict] = []
    for part in claims:
        # of maps of fixed sizes others tell sooner, by rank over bits or point by point
        asks_solver = isinstance(split, Counting) and levels == LEVELS and bool(part.domain.parameters)
        verdict = _part(part, limits, levels, asks_solver=asks_solver)
        if not isinstance(verdict, Proved):
            return Unknown(f"of a part it is not shown: {part}")
        parts.append(verdict)
    by = "counting" if isinstance(split, Counting) else "cut"
    return Proved(by, {"split": split, "parts": tuple(parts)})


def _part(part: Claim, limits: Limits, levels: int, *, asks_solver: bool = False) -> Verdict:
    def cut_again(claim: Claim, limits: Limits) -> Verdict:
        return _by_cut(claim, limits, levels - 1) if levels > 1 else Unknown("cuts inside cuts")

    for member in (prove_by_normal_form, prove_by_digits, shown_by_rules, cut_again, prove_by_inverse):
        verdict = member(part, limits)
        if isinstance(verdict, Proved):
            return verdict
    return prove_with_z3_integers(part, limits) if asks_solver else Unknown("no member could tell")

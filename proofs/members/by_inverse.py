"""Proofs that a map covers, by an index for every place: the inverse read from the digits of its outputs.

That the formula leads to the place, within the lengths and under the conditions, is a claim of its own.

>>> from layoutalg.claim import IndexMap
>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.from_text import parse
>>> from layoutalg.properties import covers_map
>>> domain = Domain.of({"m": "M", "k": "(K + 31) // 32 * 32"}, {"M": (1, None), "K": (32, None)})
>>> tail = IndexMap(domain, (parse("m*K + k", domain),), (parse("k < K", domain),))
>>> prove_by_inverse(covers_map(tail, (parse("M*K", domain),), "rows with a masked tail"))
proved by inverse
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError
from layoutalg.proofs.digits.inverse_map import inverse_claim, inverse_of, inverses_of
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.proofs.members.by_normal_form import prove_by_normal_form
from layoutalg.proofs.members.by_solver import prove_with_z3_integers
from layoutalg.verdict import Proved, Unknown, Verdict

if TYPE_CHECKING:
    from layoutalg.claim import Claim

__all__ = ["prove_by_inverse", "shown_by_rules"]

TRIES = 8  # ways back that are tried


def prove_by_inverse(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Proved where the inverse is found and shown to lead back, else unknown."""
    found = shown_by_rules(claim, limits)
    if isinstance(found, Proved) or claim.map is None or claim.witness is None:
        return found
    try:
        inverse = inverse_of(claim)
        if inverse is not None and prove_with_z3_integers(inverse_claim(claim, inverse), limits):
            return Proved("inverse", {"inverse": inverse})
    except LayoutError as error:
        return Unknown(error.message)
    return found


def shown_by_rules(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """The same without asking a solver whether a formula leads back."""
    if claim.map is None or claim.witness is None:
        return Unknown(NOT_MINE)
    reason = "the digits of the outputs do not give the index"
    try:
        for inverse in islice(inverses_of(claim), TRIES):
            if isinstance(prove_by_normal_form(inverse_claim(claim, inverse), limits), Proved):
                return Proved("inverse", {"inverse": inverse})
            reason = "the inverse is not shown to lead back within the lengths"
    except LayoutError as error:
        return Unknown(error.message)
    return Unknown(reason)

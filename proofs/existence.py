"""Whether a claim speaks of any point at all: of none, everything could be proved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.claim import Claim, Comparison
from layoutalg.domain.probes import has_point
from layoutalg.errors import NoPointError
from layoutalg.proofs.limits import LIMITS, Limits
from layoutalg.proofs.members.by_exhaustion import prove_by_exhaustion
from layoutalg.proofs.members.by_normal_form import prove_by_normal_form
from layoutalg.proofs.members.by_solver import prove_with_z3_integers

if TYPE_CHECKING:
    from layoutalg.domain import Domain

__all__ = ["require_points"]

FEW = Limits(points=LIMITS.few, z3=200_000)


def require_points(domain: Domain, when: tuple[Any, ...] = ()) -> None:
    """Refuse a domain without a point at which its facts and the conditions hold, whatever the sizes.

    >>> from layoutalg.domain import Domain
    >>> domain = Domain.of({"i": "N"}, {"N": (4, 8)})
    >>> require_points(domain.where(domain["N"] < 4))
    Traceback (most recent call last):
        ...
    layoutalg.errors.NoPointError: no index exists: ranges, facts and validity contradict each other \
(every claim would hold of it)
    """
    if has_point(domain, when):
        return
    never = (Comparison(sympy.Integer(1), "==", sympy.Integer(0)),)
    claim = Claim("no index exists", "layout", domain, never, when)
    if any(
        member(claim, FEW) for member in (prove_by_normal_form, prove_by_exhaustion, prove_with_z3_integers)
    ):
        msg = "no index exists: ranges, facts and validity contradict each other"
        raise NoPointError(msg, hint="every claim would hold of it")

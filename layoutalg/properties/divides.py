"""Divides: a length is a multiple of what it is cut into."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy

from layoutalg.claim import Claim, Comparison
from layoutalg.domain import Domain
from layoutalg.errors import of_kind
from layoutalg.index import FloorMod
from layoutalg.index.node import as_expression

if TYPE_CHECKING:
    from layoutalg.length import Length

__all__ = ["divides"]


def divides(divisor: Length, number: Length, domain: Domain, subject: str) -> Claim:
    """``number`` is a multiple of ``divisor`` for all parameters; a divisor of 0 divides nothing.

    >>> from layoutalg.domain import Domain
    >>> domain = Domain.of({}, {"K": (64, None, 64)})
    >>> print(divides(32, domain["K"], domain, "K tiles"))
    divides: K tiles: for all 64 <= K, K % 64 == 0: 1 <= 32 and K % 32 == 0
    """
    of_kind(domain, Domain, "divides: domain", "a Domain")
    one, other = as_expression(divisor), as_expression(number)
    positive = Comparison(sympy.Integer(1), "<=", one)
    if one.is_Integer and one < 1:
        return Claim("divides", subject, domain.about(), (positive,))
    exact = Comparison(FloorMod.unchecked(other, one), "==", sympy.Integer(0))
    return Claim("divides", subject, domain.about(one, other), (positive, exact))

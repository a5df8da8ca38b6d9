"""Divides: a length is a multiple of what it is cut into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.claim import Claim, Comparison
from layoutalg.domain import Domain
from layoutalg.index import FloorMod

if TYPE_CHECKING:
    from layoutalg.length import Length

__all__ = ["divides"]


def divides(divisor: Length, number: Length, domain: Domain, subject: str) -> Claim:
    """``number`` is a multiple of ``divisor`` for all parameters; a divisor of 0 divides nothing.

    >>> from layoutalg.domain import Domain
    >>> domain = Domain.of({}, {"K": (64, None, 64)})
    >>> print(divides(32, domain["K"], domain, "K tiles"))
    divides: K tiles: for all one point; for all 64 <= K, K % 64 == 0: 1 <= 32 and K % 32 == 0
    """
    one, other = sympy.sympify(divisor), sympy.sympify(number)
    positive = Comparison(sympy.Integer(1), "<=", one)
    if one.is_Integer and one < 1:
        return Claim("divides", subject, _without_axes(domain), (positive,))
    exact = Comparison(FloorMod.unchecked(other, one), "==", sympy.Integer(0))
    return Claim("divides", subject, _without_axes(domain, one, other), (positive, exact))


def _without_axes(domain: Domain, *used: Any) -> Domain:
    """The domain without the axes that are not spoken of: an axis without points would prove anything."""
    names = {symbol.name for value in used for symbol in value.free_symbols}
    variables = tuple(v for v in domain.variables if v.is_parameter or v.name in names)
    kept = {v.name for v in variables}
    facts = tuple(f for f in domain.facts if {symbol.name for symbol in f.free_symbols} <= kept)
    return Domain(variables, facts)

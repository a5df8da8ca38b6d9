"""Conditions that are bounds of one symbol.

>>> x = sympy.Symbol("x", integer=True)
>>> as_bound(x < 7, x), as_bound(3 <= x, x), as_bound(2 * x < 7, x)
((1, -6), (-1, 3), None)
"""

from __future__ import annotations

from typing import Any

import sympy

__all__ = ["as_bound"]


def as_bound(condition: Any, at: sympy.Symbol) -> tuple[int, int] | None:
    """A condition as s * at + c <= 0 with a sign s; None if it is more than that."""
    if not isinstance(condition, sympy.Gt | sympy.Ge | sympy.Lt | sympy.Le):
        return None
    difference = sympy.expand(condition.lhs - condition.rhs)
    if isinstance(condition, sympy.Gt | sympy.Ge):
        difference = -difference
    difference += int(isinstance(condition, sympy.Gt | sympy.Lt))
    sign, rest = difference.coeff(at, 1), difference.subs(at, 0)
    is_plain = (
        difference.free_symbols == {at} and abs(sign) == 1 and sympy.expand(difference - sign * at) == rest
    )
    return (int(sign), int(rest)) if is_plain and rest.is_Integer else None

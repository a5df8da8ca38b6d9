"""Lengths divided and compared, where symbols leave no doubt.

>>> from layoutalg.length import sizes
>>> M, K = sizes("M K")
>>> quotient(8 * M * K, 4 * K), quotient(M, 4), quotient(12, 5)
(2*M, None, None)
>>> is_at_most(M, 2 * M), is_at_most(M, K), is_at_most(5, 4)
(True, None, False)
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy

from layoutalg.errors import LayoutError
from layoutalg.length import Length

__all__ = ["Mode", "in_order", "is_at_most", "quotient"]

Mode = tuple[Length, Length]  # shape, stride


def quotient(dividend: Length, divisor: Length) -> Length | None:
    """``dividend / divisor`` where the division leaves nothing for all sizes; None where it may."""
    if divisor == 0:
        return None
    if isinstance(dividend, int) and isinstance(divisor, int):
        return dividend // divisor if dividend % divisor == 0 else None
    terms = sympy.Add.make_args(sympy.expand(dividend))
    found = [term / divisor for term in terms]
    if any(term.as_numer_denom()[1] != 1 for term in found):
        return None
    total = sympy.Add(*found)
    return int(total) if total.is_Integer else total


def is_at_most(left: Length, right: Length) -> bool | None:
    """Whether ``left <= right``: True, False, or None where it depends on sizes."""
    if isinstance(left, int) and isinstance(right, int):
        return left <= right
    gap = sympy.expand(right - left)
    if gap.is_nonnegative:
        return True
    return False if gap.is_negative else _at_smallest(gap)


def _at_smallest(gap: sympy.Expr) -> bool | None:
    """A polynomial in lengths that grows with each of them is smallest where all are 1."""
    shifted = sympy.expand(gap.xreplace({symbol: symbol + 1 for symbol in gap.free_symbols}))
    if all(symbol.is_positive for symbol in gap.free_symbols) and not gap.atoms(sympy.Function):
        coefficients = shifted.as_coefficients_dict().values()
        if all(c >= 0 for c in coefficients):
            return True
    return None


def in_order(modes: Iterable[Mode], where: str) -> list[Mode]:
    """Modes by ascending stride; refused where sizes leave the order open."""
    rest, found = list(modes), []
    while rest:
        first = next((mode for mode in rest if all(is_at_most(mode[1], other[1]) for other in rest)), None)
        if first is None:
            strides = ", ".join(str(stride) for _, stride in rest)
            msg = f"{where}: the order of the strides {strides} depends on sizes"
            raise LayoutError(msg, hint="fix some of them with bind(...)")
        rest.remove(first)
        found.append(first)
    return found

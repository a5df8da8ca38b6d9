"""Operators of C++ on sizes that are left open: exact where divisibility is known, else floor division.

>>> from layoutalg.length import sizes
>>> m, k = sizes("m k")
>>> exact_quotient(6 * m * k + 4 * k, 2 * k), exact_quotient(6 * m, 4)
(3*m + 2, None)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Expr

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.open_sizes.ranges import Ranges
from layoutalg.index import BitAnd, BitOr, BitXor, FloorDiv, FloorMod
from layoutalg.index.node import as_expression
from layoutalg.rules.polynomial import Polynomial

__all__ = ["exact_quotient", "size_operation"]

_RELATIONS = {"<": sympy.Lt, ">": sympy.Gt, "<=": sympy.Le, ">=": sympy.Ge, "==": sympy.Eq, "!=": sympy.Ne}
_BITS = {"&": BitAnd, "|": BitOr, "^": BitXor}


def size_operation(
    sign: str, left: Any, right: Any, place: str, *, ranges: Ranges | None, inexact: dict[str, str]
) -> Any:
    """``left sign right`` where one of them is an expression.

    ``ranges`` are what is known of the symbols; a division that may leave a remainder is added to
    ``inexact``, under its place.
    """
    if sign in {"&&", "and", "||", "or"}:
        return (sympy.And if sign in {"&&", "and"} else sympy.Or)(left, right)
    left, right = as_expression(_plain(left)), as_expression(_plain(right))
    if sign in _RELATIONS:
        return _RELATIONS[sign](left, right)
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return sympy.expand(left * right)
        case "/" | "%":
            return _divided(sign, left, right, place, ranges, inexact)
    if sign in _BITS:
        return _BITS[sign](left, right)
    raise NotUnderstoodError(f"{left} {sign} {right} with sizes not known", place)


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _divided(
    sign: str, left: Expr, right: Expr, place: str, ranges: Ranges | None, inexact: dict[str, str]
) -> Expr:
    if right == 0:
        raise RejectedError(f"{left} {sign} 0", place)
    exact = exact_quotient(left, right)
    if exact is not None:
        return exact if sign == "/" else sympy.Integer(0)
    _require_nonnegative(left, place, ranges)
    if sign == "%":
        return FloorMod(left, right)
    inexact[place] = f"{left} / {right} is not known to be exact"
    return FloorDiv(left, right)


def _require_nonnegative(value: Expr, place: str, ranges: Ranges | None) -> None:
    """Refuse values that may be negative: C++ rounds quotients towards zero, ``FloorDiv`` rounds down."""
    low = ranges.ends(sympy.expand(value))[0] if ranges is not None else -1
    if low < 0 and value.is_nonnegative is not True:
        raise NotUnderstoodError(f"{value} is divided and may be negative", place)


def exact_quotient(left: Any, right: Any) -> Expr | None:
    """``left / right`` if that is a polynomial with integer coefficients, else None, as for ``right == 0``.

    What is no sum, product or power, such as a floor division, counts as a variable of the polynomials.
    """
    letters: dict[Expr, int] = {}
    dividend, divisor = _polynomial(left, letters), _polynomial(right, letters)
    if dividend is None or not divisor:
        return None
    quotient, rest = dividend.divided(divisor)
    if rest:
        return None
    named = {number: letter for letter, number in letters.items()}
    return sympy.Add(*(sympy.Mul(c, *(named[n] for n in monomial)) for monomial, c in quotient))


def _polynomial(value: Any, letters: dict[Expr, int]) -> Polynomial | None:
    """An expression as a polynomial; None with a fraction, or with a power other than 0, 1, 2, ..."""
    terms: list[tuple[tuple[int, ...], int]] = []
    for term in sympy.Add.make_args(sympy.expand(value)):
        coefficient, product = term.as_coeff_Mul()
        powers = list(_powers(product))
        if not coefficient.is_Integer or not all(e.is_Integer and e >= 0 for _, e in powers):
            return None
        monomial = [letters.setdefault(base, len(letters)) for base, e in powers for _ in range(int(e))]
        terms.append((tuple(sorted(monomial)), int(coefficient)))
    return Polynomial.sum_of(terms)


def _powers(product: Expr) -> Iterator[tuple[Expr, Expr]]:
    for factor in sympy.Mul.make_args(product):
        if factor != 1:
            yield factor.as_base_exp()

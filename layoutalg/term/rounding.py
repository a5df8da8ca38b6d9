"""Quotients and remainders as texts have them: rounded down or towards zero, by numbers of either sign.

Terms divide by what is positive: a negative number as divisor changes signs instead.

>>> x = Term.symbol("x")
>>> print(quotient(x, Term.integer(-4)), remainder(x, Term.integer(-4)))
-x // 4 -(-x % 4)
>>> print(quotient(x, Term.integer(-4), truncates=True), remainder(x, Term.integer(-4), truncates=True))
-trunc_div(x, 4) trunc_mod(x, 4)
"""

from __future__ import annotations

from layoutalg.term.term import Term

__all__ = ["quotient", "remainder"]

_MINUS_ONE = Term.integer(-1)


def quotient(number: Term, divisor: Term, *, truncates: bool = False) -> Term:
    """``number / divisor``, rounded towards zero or down."""
    if (divisor.as_integer or 0) >= 0:
        return Term("trunc_div" if truncates else "//", (number, divisor))
    if truncates:
        return _minus(quotient(number, _minus(divisor), truncates=True))
    return quotient(_minus(number), _minus(divisor))


def remainder(number: Term, divisor: Term, *, truncates: bool = False) -> Term:
    """What the quotient leaves."""
    if (divisor.as_integer or 0) >= 0:
        return Term("trunc_mod" if truncates else "%", (number, divisor))
    if truncates:
        return remainder(number, _minus(divisor), truncates=True)
    return _minus(remainder(_minus(number), _minus(divisor)))


def _minus(term: Term) -> Term:
    return Term.product(_MINUS_ONE, term)

"""Quotients and remainders as texts have them: rounded down or towards zero, by numbers of either sign.

Terms divide by what is positive: a negative number as divisor changes signs instead.

>>> x = Term.symbol("x")
>>> print(quotient(x, Term.integer(-4)), remainder(x, Term.integer(-4)))
-x // 4 -(-x % 4)
>>> print(quotient(x, Term.integer(-4), truncates=True), remainder(x, Term.integer(-4), truncates=True))
-trunc_div(x, 4) trunc_mod(x, 4)

Where a language has no division towards zero, a choice says it by the one that rounds down:

>>> print(as_choices(quotient(x, Term.integer(4), truncates=True)))
select(0 <= x, x // 4, -(-x // 4))
"""

from __future__ import annotations

from layoutalg.term.term import Term

__all__ = ["FLOORS", "as_choices", "quotient", "remainder"]

FLOORS = {"trunc_div": "//", "trunc_mod": "%"}  # what each is where the number is not negative
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


def as_choices(term: Term) -> Term:
    """The term with a choice by the sign of the number in place of each division towards zero."""
    if not any(part.op in FLOORS for part in term.walk()):
        return term
    done: dict[Term, Term] = {}
    for part in term.walk():
        done[part] = _as_choice(Term(part.op, tuple(done[p] for p in part.args)) if part.parts else part)
    return done[term]


def _as_choice(part: Term) -> Term:
    if part.op not in FLOORS:
        return part
    number, divisor = part.args
    down, up = (Term(FLOORS[part.op], (signed, divisor)) for signed in (number, _minus(number)))
    return Term("select", (Term("<=", (Term.integer(0), number)), down, _minus(up)))


def _minus(term: Term) -> Term:
    return Term.product(_MINUS_ONE, term)

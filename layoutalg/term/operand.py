"""What stands between operators while text is being read: a term, perhaps under a denominator.

SymPy writes ``floor(a/4 + b/8)``; the fraction has no meaning of its own until ``floor`` closes over it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from layoutalg.term.term import Term

__all__ = ["JOINS", "ONE", "Operand", "added", "flag", "multiplied", "total"]

ONE = Term.integer(1)
JOINS = {"&": "and", "|": "or"}  # of conditions, in SymPy's spelling


@dataclass(frozen=True)
class Operand:
    """A term under a denominator (1 but under SymPy's ``/``), or a condition."""

    term: Term
    denominator: Term = ONE
    is_condition: bool = False


def multiplied(left: Operand, right: Operand) -> Operand:
    """The product."""
    below = Term.product(left.denominator, right.denominator)
    return Operand(Term.product(left.term, right.term), below)


def added(left: Operand, right: Operand, op: str) -> Operand:
    """The sum or difference over a common denominator."""
    sign = Term.integer(-1 if op == "-" else 1)
    if left.denominator == right.denominator:
        return Operand(Term.sum(left.term, Term.product(sign, right.term)), left.denominator)
    one, other = left.denominator.as_integer, right.denominator.as_integer
    if one is not None and other is not None:
        common = math.lcm(one, other)
        scales, below = (common // one, common // other), Term.integer(common)
        factors = (Term.integer(scales[0]), Term.integer(scales[1]))
    else:
        factors = (right.denominator, left.denominator)
        below = Term.product(left.denominator, right.denominator)
    first, second = Term.product(factors[0], left.term), Term.product(sign, factors[1], right.term)
    return Operand(Term.sum(first, second), below)


def total(parts: Sequence[tuple[str, Operand]]) -> Operand:
    """All of them added up, each with its sign; none of them has a denominator."""
    minus = Term.integer(-1)
    return Operand(Term.sum(*(o.term if op == "+" else Term.product(minus, o.term) for op, o in parts)))


def flag(term: Term) -> Term | None:
    """A name, or names under ``&`` and ``|``, read as a condition: SymPy prints flags that way."""
    if term.op == "symbol":
        return Term("!=", (term, Term.integer(0)))
    sides = [flag(part) for part in term.args] if term.op in JOINS else [None]
    return Term(JOINS[term.op], tuple(sides)) if all(sides) else None

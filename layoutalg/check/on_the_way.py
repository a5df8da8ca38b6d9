"""Every value a formula computes on its way, as it is written: what must fit an integer type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.index import Select
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.term import Term, interpret_term

if TYPE_CHECKING:
    from layoutalg.domain import Domain

__all__ = ["values_on_the_way"]

ARITHMETIC = {"+", "*", "//", "%", "^", "&", "|", "<<", ">>", "min", "max", "select"}


def values_on_the_way(term: Term, domain: Domain) -> list[Any]:
    """The value of every operation; one that only a branch of a choice computes counts only there.

    >>> from layoutalg.domain import Domain
    >>> from layoutalg.term.parse import parse_term
    >>> values_on_the_way(parse_term("(row*65536 + col) * 4 // 4"), Domain.of({"row": 4, "col": 4}))
    [(4*col + 262144*row) // 4, 4*col + 262144*row, col + 65536*row, 65536*row]
    """
    return list(dict.fromkeys(_values(term, domain, sympy.true)))


def _values(term: Term, domain: Domain, given: Any) -> Iterator[Any]:
    if term.op in ARITHMETIC:
        value = interpret_term(term, SYMBOLIC, domain.__getitem__)
        yield value if given == sympy.true else Select.unchecked(given, value, sympy.Integer(0))
    for place, part in enumerate(term.parts):
        inside = given
        if term.op == "select" and place:
            condition = interpret_term(term.args[0], SYMBOLIC, domain.__getitem__)
            inside = sympy.And(given, condition if place == 1 else sympy.Not(condition))
        yield from _values(part, domain, inside)

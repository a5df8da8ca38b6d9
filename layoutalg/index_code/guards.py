"""What is computed for valid indices alone: an element that exists only where its index is within a table.

A condition that looks a table up stands behind those that keep the index within the table, and the offset
behind all of them. C and Python compute neither where a condition before it fails:

>>> from layoutalg.index.table import Table
>>> from layoutalg.length import sizes
>>> R = sizes("R")
>>> ids, domain = Table.of("ids", (R,), -1, 99), Domain.of({"r": "(R + 31) // 32 * 32"}, {"R": (1, 500)})
>>> r = domain["r"]
>>> valid = valid_program([ids(r) >= 0, r < R], domain)
>>> print(valid)
r < R and 0 <= ids[r]
>>> print(offset_program(ids(r) * 8, valid, domain))
select(r < R, select(0 <= ids[r], 8*ids[r], 0), 0)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.domain import Domain
from layoutalg.errors import MissingFactError
from layoutalg.index.node import conjuncts
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.index.table import tables_in
from layoutalg.index_code.lazily import conjunct_terms
from layoutalg.index_code.row_major import looks_up
from layoutalg.rules import simplify
from layoutalg.rules.normal_form import NormalForm
from layoutalg.term import Term, interpret_term
from layoutalg.term.as_terms import TRUE

if TYPE_CHECKING:
    from sympy import Expr

__all__ = ["behind", "offset_program", "valid_program"]

ZERO = Term.integer(0)


def valid_program(conditions: Sequence[Any], domain: Domain) -> Term:
    """The program of conditions that hold together, each computed where those before it hold."""
    together = sympy.And(*conditions)
    try:
        return simplify(together, domain).program if conditions else TRUE
    except MissingFactError as error:
        if not tables_in(together):
            raise
        return _together(_in_order(together, domain, error))


def offset_program(expression: Expr | Term | str, valid: Term, domain: Domain) -> Term:
    """The cheapest program found of an offset, behind the condition where it is defined there alone."""
    try:
        return simplify(expression, domain).program
    except MissingFactError:
        if valid == TRUE:
            raise
        conditions = (interpret_term(part, SYMBOLIC, domain.__getitem__) for part in conjunct_terms(valid))
        found = simplify(expression, domain.where(*conditions)).program
        if not looks_up(found):
            raise
        return _selected(valid, found)


def behind(valid: Term, offset: Term, domain: Domain) -> Term:
    """A program that is defined where it is valid: itself, or behind the condition if it is not elsewhere."""
    if not looks_up(offset):
        return offset
    form = NormalForm(domain)
    try:
        interpret_term(offset, form, form.symbol)
    except MissingFactError:
        if valid == TRUE:
            raise
        return _selected(valid, offset)
    return offset


def _selected(valid: Term, offset: Term) -> Term:
    """The offset behind conditions, what looks a table up behind what comes before it."""
    conditions = list(conjunct_terms(valid))
    while conditions and looks_up(conditions[-1]):
        offset = Term("select", (conditions.pop(), offset, ZERO))
    if not conditions:
        return offset
    return Term("select", (_together(conditions), offset, ZERO))


def _together(conditions: Iterable[Term]) -> Term:
    return reduce(lambda left, right: Term("and", (left, right)), conditions)


def _in_order(together: Any, domain: Domain, error: MissingFactError) -> Iterator[Term]:
    """The programs of what holds together, each defined where those before it hold; else the error."""
    waiting = sorted(conjuncts(together), key=lambda part: bool(tables_in(part)))
    while waiting:
        for part in waiting:
            try:
                yield simplify(part, domain).program
            except MissingFactError:
                continue
            waiting.remove(part)
            domain = domain.where(part)
            break
        else:
            raise error

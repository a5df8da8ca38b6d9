"""Tables in emitted code: their entries all in a row, the last index fastest, as C keeps an array.

What looks an entry up computes one position, so that its width counts like that of any other value:

>>> from layoutalg.index.table import Table
>>> from layoutalg.length import sizes
>>> B, L, T = sizes("B L T")
>>> page = Term("table", (Table.of("page", (B, L), 0, 99),))
>>> print(in_a_row(Term("entry", (page, Term.symbol("b"), Term.symbol("i")))))
page[b*L + i]

A search for a run goes through all entries, so it is told how many there are:

>>> cu = Term("table", (Table.of("cu", (B + 1,), monotone="rising", first=0, last=T),))
>>> print(in_a_row(Term("run_of", (cu, Term.symbol("t")))))
run_of(cu, t, B + 1)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from layoutalg.errors import LayoutError
from layoutalg.index.table import Table, tables_in
from layoutalg.term import Term
from layoutalg.term.as_terms import to_term

__all__ = ["LOOKUPS", "in_a_row", "looks_up", "position", "tables_of", "with_other_tables"]

LOOKUPS = ("entry", "run_of")


def looks_up(*terms: Term) -> bool:
    """Whether terms read a table."""
    return any(part.op in LOOKUPS for term in terms for part in term.walk())


def tables_of(*terms: Term) -> tuple[Table, ...]:
    """The tables that terms read, each once; refused where two have one name."""
    return tables_in(*(_table(part) for term in terms for part in term.walk() if part.op in LOOKUPS))


def in_a_row(term: Term) -> Term:
    """The term with one position in place of the indices of each entry."""
    return _rebuilt(term, lambda part: _looked_up(part) if part.op in LOOKUPS else part)


def with_other_tables(term: Term, tables: Mapping[Table, Table]) -> Term:
    """The term that reads other tables in place of some."""
    if not tables:
        return term
    return _rebuilt(
        term,
        lambda part: Term("table", (tables.get(part.args[0], part.args[0]),)) if part.op == "table" else part,
    )


def _rebuilt(term: Term, change: Callable[[Term], Term]) -> Term:
    """The term with each part changed after the parts it is made of."""
    if not looks_up(term):
        return term
    done: dict[Term, Term] = {}
    for part in term.walk():
        done[part] = change(Term(part.op, tuple(done[p] for p in part.args)) if part.parts else part)
    return done[term]


def position(table: Table, index: Sequence[Term]) -> Term:
    """Where the entry at an index is among all entries."""
    place = index[0]
    for component, length in zip(index[1:], table.lengths[1:], strict=True):
        place = Term.sum(Term.product(place, to_term(length)), component)
    return place


def _looked_up(part: Term) -> Term:
    table, operands = _table(part), part.args[1:]
    if part.op == "run_of":
        return Term("run_of", (part.args[0], operands[0], to_term(table.lengths[0])))
    return Term("entry", (Term("table", (_row(table),)), position(table, operands)))


def _row(table: Table) -> Table:
    """The table of one index that has the same entries; what held along the last index is left out."""
    if len(table.lengths) == 1:
        return table
    return Table.of(
        table.name,
        (prod(table.lengths),),
        table.lower,
        table.upper,
        one_to_one=table.is_one_to_one,
        multiple_of=table.multiple_of,
    )


def _table(part: Term) -> Table:
    """The table that a term reads; refused where it was left to a name."""
    table = part.args[0].args[0]
    if not isinstance(table, Table):
        raise LayoutError(f"{part}: {table} is no table")
    return table

"""Tables of constants in emitted code: selections by halves, as deep as the logarithm of their length.

>>> from layoutalg.index.table import Table
>>> order = Term("entry", (Term("table", (Table.of_constants("order", (3, 1, 2, 0)),)), Term.symbol("i")))
>>> print(without_constant_tables(order))
select(i <= 1, select(i <= 0, 3, 1), select(i <= 2, 2, 0))
"""

from __future__ import annotations

from layoutalg.index_code.row_major import looks_up, position
from layoutalg.term import Term

__all__ = ["without_constant_tables"]


def without_constant_tables(term: Term) -> Term:
    """The term with selections in place of tables of constants; tables known at run time stay."""
    if not looks_up(term):
        return term
    done: dict[Term, Term] = {}
    for part in term.walk():
        if not part.parts:
            done[part] = part
        elif part.op == "entry":
            done[part] = _selected(part, [done[index] for index in part.args[1:]])
        else:
            done[part] = Term(part.op, tuple(done[operand] for operand in part.args))
    return done[term]


def _selected(part: Term, index: list[Term]) -> Term:
    table = part.args[0].args[0]
    if table.entries is None:
        return Term("entry", (part.args[0], *index))
    return _half(position(table, index), table.entries, 0)


def _half(index: Term, entries: tuple[int, ...], start: int) -> Term:
    if len(set(entries)) == 1:
        return Term.integer(entries[0])
    middle = len(entries) // 2
    below = Term("<=", (index, Term.integer(start + middle - 1)))
    low, high = _half(index, entries[:middle], start), _half(index, entries[middle:], start + middle)
    return Term("select", (below, low, high))

"""Tables of constants in emitted code: selections by halves, as deep as the logarithm of their length.

>>> from layoutalg.index.table import Table
>>> order = Term("entry", (Term("table", (Table.of_constants("order", (3, 1, 2, 0)),)), Term.symbol("i")))
>>> print(without_tables(order))
select(i <= 1, select(i <= 0, 3, 1), select(i <= 2, 2, 0))
"""

from __future__ import annotations

from layoutalg.errors import LayoutError
from layoutalg.term import Term

__all__ = ["without_tables"]


def without_tables(term: Term) -> Term:
    """The term with selections in place of tables of constants; refused for tables known at run time."""
    if not any(part.op in ("entry", "run_of") for part in term.walk()):
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
    entries = getattr(table, "entries", None)
    if entries is None or len(index) > 1:
        msg = f"{part}: code is emitted of tables of constants alone, {part.args[0]} is known at run time"
        raise LayoutError(msg, hint="emit the offset as a function of the entry: make it an axis of its own")
    return _half(index[0], entries, 0)


def _half(index: Term, entries: tuple[int, ...], start: int) -> Term:
    if len(set(entries)) == 1:
        return Term.integer(entries[0])
    middle = len(entries) // 2
    below = Term("<=", (index, Term.integer(start + middle - 1)))
    low, high = _half(index, entries[:middle], start), _half(index, entries[middle:], start + middle)
    return Term("select", (below, low, high))

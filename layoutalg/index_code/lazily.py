"""What is computed only where a condition holds: the branches of selections, and what a condition guards.

In ``r < R and ids[r] >= 0`` the table may have no entry where ``r < R`` fails. Nothing of what stands behind
such a condition may be computed before it:

>>> from layoutalg.index.table import Table
>>> r, R = map(Term.symbol, "rR")
>>> read = Term("entry", (Term("table", (Table.of("ids", (8,)),)), r))
>>> guarded = Term("and", (Term("<", (r, R)), Term("<=", (Term.integer(0), read))))
>>> is_guard(guarded), is_guard(guarded.args[0])
(True, False)
>>> [str(part) for part in conjunct_terms(guarded)]
['r < R', '0 <= ids[r]']
"""

from __future__ import annotations

from collections.abc import Iterator

from layoutalg.index_code.row_major import looks_up
from layoutalg.term import Term

__all__ = ["always_computed", "conjunct_terms", "is_guard"]


def is_guard(term: Term) -> bool:
    """Whether what stands behind the first operand may be undefined where that fails."""
    return term.op == "and" and looks_up(*term.args[1:])


def conjunct_terms(term: Term) -> Iterator[Term]:
    """The conditions that hold together, from the first to the last."""
    if term.op != "and":
        yield term
        return
    for part in term.args:
        yield from conjunct_terms(part)


def always_computed(term: Term) -> tuple[Term, ...]:
    """The operands that are computed wherever the term is."""
    return term.parts[:1] if term.op == "select" or is_guard(term) else term.parts

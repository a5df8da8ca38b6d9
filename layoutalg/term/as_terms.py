"""SymPy expressions as terms: for printing them in Python's syntax and for pricing them as written.

>>> from sympy import Symbol
>>> from layoutalg.index import BitXor, FloorDiv
>>> x = Symbol("x", integer=True, nonnegative=True)
>>> str(to_term(BitXor(FloorDiv(x, 8), 3) + 1))
'(x // 8 ^ 3) + 1'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layoutalg.index.arithmetic import Arithmetic
from layoutalg.index.interpret import interpret
from layoutalg.term.interpretation import interpret_term
from layoutalg.term.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from layoutalg.index.table import Counts, Table

__all__ = ["TERMS", "to_term", "with_tables"]

TRUE = Term("==", (Term.integer(0), Term.integer(0)))
FALSE = Term("==", (Term.integer(0), Term.integer(1)))


class _Terms(Arithmetic[Term]):
    """Terms as numbers: nothing is rewritten but sums and products, which are kept flat."""

    def integer(self, number: int) -> Term:
        return Term.integer(number)

    def add(self, left: Term, right: Term) -> Term:
        return Term.sum(left, right)

    def mul(self, left: Term, right: Term) -> Term:
        return Term.product(left, right)

    def quotient(self, left: Term, right: Term) -> Term:
        return Term("//", (left, right))

    def remainder(self, left: Term, right: Term) -> Term:
        return Term("%", (left, right))

    def truncated_quotient(self, left: Term, right: Term) -> Term:
        return Term("trunc_div", (left, right))

    def truncated_remainder(self, left: Term, right: Term) -> Term:
        return Term("trunc_mod", (left, right))

    def bit_xor(self, left: Term, right: Term) -> Term:
        return Term("^", (left, right))

    def bit_and(self, left: Term, right: Term) -> Term:
        return Term("&", (left, right))

    def bit_or(self, left: Term, right: Term) -> Term:
        return Term("|", (left, right))

    def shift_left(self, left: Term, right: Term) -> Term:
        return Term("<<", (left, right))

    def shift_right(self, left: Term, right: Term) -> Term:
        return Term(">>", (left, right))

    def minimum(self, left: Term, right: Term) -> Term:
        return Term("min", (left, right))

    def maximum(self, left: Term, right: Term) -> Term:
        return Term("max", (left, right))

    def select(self, condition: Any, if_true: Callable[[], Term], if_false: Callable[[], Term]) -> Term:
        return Term("select", (condition, if_true(), if_false()))

    def entry(self, table: Table, index: Sequence[Term]) -> Term:
        return Term("entry", (Term("table", (table,)), *index))

    def run_of(self, table: Table, value: Term) -> Term:
        return Term("run_of", (Term("table", (table,)), value))

    def truth(self, value: bool) -> Term:  # noqa: FBT001
        return TRUE if value else FALSE

    def less(self, left: Term, right: Term) -> Term:
        return Term("<", (left, right))

    def less_equal(self, left: Term, right: Term) -> Term:
        return Term("<=", (left, right))

    def equal(self, left: Term, right: Term) -> Term:
        return Term("==", (left, right))

    def both(self, left: Term, right: Term) -> Term:
        return Term("and", (left, right))

    def negation(self, condition: Term) -> Term:
        return Term("not", (condition,))


TERMS = _Terms()


def to_term(expression: Any) -> Term:
    """The term of a SymPy index expression or condition."""
    return interpret(expression, TERMS, lambda symbol: Term.symbol(symbol.name))


def with_tables(term: Term, table: Callable[[str], Table | Counts | None]) -> Term:
    """The term of a text with tables in place of their names; ``table`` gives the one of a name.

    >>> from layoutalg.term.parse import parse_term
    >>> from layoutalg.index.table import Table
    >>> found = with_tables(parse_term("page[i + 1]"), {"page": Table.of("page", (8,))}.get)
    >>> [part for part in found.walk() if part.op == "table"]
    [Term(page)]
    """
    names = {part.args[0].args[0] for part in term.walk() if part.op in ("entry", "run_of")}
    known = {name: found for name in names if isinstance(name, str) and (found := table(name)) is not None}
    if not known:
        return term
    leaves: dict[str, Any] = known
    return interpret_term(term, TERMS, lambda name: leaves.get(name) or Term.symbol(name))

"""Running terms in an arithmetic: one walk for values, polynomials, solvers and text.

>>> from layoutalg.index.pointwise import Pointwise
>>> from layoutalg.term.parse import parse_term
>>> interpret_term(parse_term("x // 8 * 8 + 1"), Pointwise(3), {"x": [7, 8, 20]}.__getitem__)
[1, 9, 17]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from layoutalg.errors import LayoutError
from layoutalg.index.table import Counts, Table
from layoutalg.term.balance import balanced

if TYPE_CHECKING:
    from collections.abc import Callable

    from layoutalg.index.arithmetic import Arithmetic
    from layoutalg.term.term import Term

__all__ = ["OPERATIONS", "Interpretation", "interpret_term"]

Value = TypeVar("Value")

OPERATIONS = {
    "//": "quotient",
    "exact": "exact_quotient",
    "%": "remainder",
    "trunc_div": "truncated_quotient",
    "trunc_mod": "truncated_remainder",
    "^": "bit_xor",
    "&": "bit_and",
    "|": "bit_or",
    "<<": "shift_left",
    ">>": "shift_right",
    "min": "minimum",
    "max": "maximum",
    "<": "less",
    "<=": "less_equal",
    "==": "equal",
    "and": "both",
}


_MISSING = object()


def interpret_term(term: Term, on: Arithmetic[Value], leaf: Callable[[str], Value]) -> Value:
    """The value of a term in an arithmetic; ``leaf`` gives the value of each symbol by name."""
    found: Value = Interpretation(on, leaf).value(term)
    return found


class Interpretation:
    """Computes terms in one arithmetic, equal terms once."""

    def __init__(self, on: Arithmetic[Any], leaf: Callable[[str], Any]) -> None:
        self.on = on
        self.leaf = leaf
        self.seen: dict[Term, Any] = {}

    def value(self, term: Term) -> Any:
        """The value of a term."""
        found = self.seen.get(term, _MISSING)
        if found is _MISSING:
            found = self.seen[term] = self.compute(term)
        return found

    def in_branch(self) -> Interpretation:
        """Who computes a branch of a selection, where more may be known."""
        return Interpretation(self.on, self.leaf)

    def compute(self, term: Term) -> Any:
        """The value of a term, worked out anew from those of its parts."""
        by_itself = _BY_THEMSELVES.get(term.op)
        if by_itself is not None:
            return by_itself(self, term)
        operation = OPERATIONS.get(term.op)
        if operation is None:
            msg = f"no operation is called {term.op}"
            raise LayoutError(msg)
        return getattr(self.on, operation)(*[self.value(part) for part in term.args])

    def _integer(self, term: Term) -> Any:
        return self.on.integer(term.args[0])

    def _symbol(self, term: Term) -> Any:
        return self.leaf(term.args[0])

    def _table(self, term: Term) -> Any:
        return term.args[0]

    def _sum(self, term: Term) -> Any:
        return balanced(self.on.add, [self.value(part) for part in term.args])

    def _product(self, term: Term) -> Any:
        return balanced(self.on.mul, [self.value(part) for part in term.args])

    def _negation(self, term: Term) -> Any:
        return self.on.negation(self.value(term.args[0]))

    def _unequal(self, term: Term) -> Any:
        return self.on.negation(self.on.equal(*[self.value(part) for part in term.args]))

    def _either(self, term: Term) -> Any:
        on, values = self.on, [self.value(part) for part in term.args]
        return on.negation(on.both(*(on.negation(value) for value in values)))

    def _selection(self, term: Term) -> Any:
        condition, first, second = term.args
        chosen = self.value(condition)
        return self.on.select(
            chosen, lambda: self.in_branch().value(first), lambda: self.in_branch().value(second)
        )

    def _run_of(self, term: Term) -> Any:
        table, value = map(self.value, term.args[:2])
        return self.on.run_of(table, value)

    def _entry(self, term: Term) -> Any:
        on = self.on
        table, *index = map(self.value, term.args)
        if isinstance(table, Counts) and len(index) == 1:
            after = on.entry(table.before, [on.add(index[0], on.integer(1))])
            return on.add(after, on.mul(on.integer(-1), on.entry(table.before, index)))
        return on.entry(_as_table(table, term), index)

    def _conjunction(self, term: Term) -> Any:
        left, right = term.args
        if any((part.as_integer or 0) < 0 for part in term.args):
            return self._masked(left, right)
        found = None
        if left.is_complement or right.is_complement:
            found = self._last_bits(left, right)
        return self.on.bit_and(self.value(left), self.value(right)) if found is None else found

    def _masked(self, left: Term, right: Term) -> Any:
        """``n & -8``: a negative mask takes bits away, ``n // 8 * 8``; so does any, bit by bit."""
        number, mask = (left, right) if (right.as_integer or 0) < 0 else (right, left)
        taken = ~(mask.as_integer or 0)
        on, value = self.on, self.value(number)
        if taken & (taken + 1) == 0:
            power = on.integer(taken + 1)
            return on.mul(on.quotient(value, power), power)
        return on.subtract(value, on.bit_and(value, on.integer(taken)))

    def _last_bits(self, left: Term, right: Term) -> Any:
        """``~n & 7`` is what ``~n``, a negative number, leaves by 8; None for any other mask."""
        number, mask = (right, left) if right.is_complement else (left, right)
        ones = mask.as_integer
        if ones is None or ones & (ones + 1):
            return None
        return self.on.remainder(self.value(number), self.on.integer(ones + 1))


def _as_table(value: Any, term: Term) -> Any:
    if not isinstance(value, Table):
        raise LayoutError(f"{term}: {term.args[0]} is no table")
    if len(value.lengths) != len(term.args) - 1:
        wanted = len(value.lengths)
        raise LayoutError(f"{term}: {value.name} takes {wanted} indices, got {len(term.args) - 1}")
    return value


_BY_THEMSELVES: dict[str, Callable[[Interpretation, Term], Any]] = {
    "integer": Interpretation._integer,
    "symbol": Interpretation._symbol,
    "table": Interpretation._table,
    "run_of": Interpretation._run_of,
    "entry": Interpretation._entry,
    "select": Interpretation._selection,
    "&": Interpretation._conjunction,
    "+": Interpretation._sum,
    "*": Interpretation._product,
    "not": Interpretation._negation,
    "!=": Interpretation._unequal,
    "or": Interpretation._either,
}

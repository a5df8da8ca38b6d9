"""One formula, several arithmetics: what a number must offer so that index formulas run on it.

A transform states its map once, as calls on an :class:`Arithmetic`. Run on ``SYMBOLIC`` the formula
gives a SymPy expression, run on C integers it gives what Composable Kernel computes, run on the
normal form it gives a simplified polynomial. ``interpret`` does the same for a finished SymPy expression,
so each translation (NumPy, Z3, C text) is one table of these operations.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import reduce
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from layoutalg.errors import LayoutError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sympy import Expr

    from layoutalg.index.table import Table

__all__ = ["Arithmetic", "Value"]

Value = TypeVar("Value")


class Arithmetic(ABC, Generic[Value]):
    """The operations of index formulas on one kind of number; conditions are of a kind of their own."""

    @abstractmethod
    def integer(self, number: int) -> Value: ...

    @abstractmethod
    def add(self, left: Value, right: Value) -> Value: ...

    @abstractmethod
    def mul(self, left: Value, right: Value) -> Value: ...

    @abstractmethod
    def quotient(self, left: Value, right: Value) -> Value: ...

    def exact_quotient(self, left: Value, right: Value) -> Value:
        """The quotient of a division that leaves no remainder, as in SymPy's ``K/2`` for an even K."""
        return self.quotient(left, right)

    @abstractmethod
    def remainder(self, left: Value, right: Value) -> Value: ...

    def truncated_quotient(self, left: Value, right: Value) -> Value:
        """The quotient rounded towards zero, as C has it, by a positive divisor."""
        return self.select(
            self.less_equal(self.integer(0), left),
            lambda: self.quotient(left, right),
            lambda: self.negative(self.quotient(self.negative(left), right)),
        )

    def truncated_remainder(self, left: Value, right: Value) -> Value:
        """What C's division leaves: of the sign of the number."""
        return self.select(
            self.less_equal(self.integer(0), left),
            lambda: self.remainder(left, right),
            lambda: self.negative(self.remainder(self.negative(left), right)),
        )

    @abstractmethod
    def bit_xor(self, left: Value, right: Value) -> Value: ...

    @abstractmethod
    def bit_and(self, left: Value, right: Value) -> Value: ...

    @abstractmethod
    def bit_or(self, left: Value, right: Value) -> Value: ...

    @abstractmethod
    def shift_left(self, left: Value, right: Value) -> Value: ...

    @abstractmethod
    def shift_right(self, left: Value, right: Value) -> Value: ...

    @abstractmethod
    def minimum(self, left: Value, right: Value) -> Value: ...

    @abstractmethod
    def maximum(self, left: Value, right: Value) -> Value: ...

    def entry(self, table: Table, index: Sequence[Value]) -> Value:
        """A table at an index; refused by arithmetics that know no entries."""
        del index
        msg = f"{table.name} is a table known at run time: its entries have no values here"
        raise LayoutError(msg, hint="give its entries, or ask what holds for every table")

    def run_of(self, table: Table, value: Value) -> Value:
        """The run of a table in which a value lies; refused as :meth:`entry` is."""
        return self.entry(table, [value])

    @abstractmethod
    def select(self, condition: Any, if_true: Callable[[], Value], if_false: Callable[[], Value]) -> Value:
        """The branch the condition picks; a branch is asked for only where it may be taken."""

    @abstractmethod
    def truth(self, value: bool) -> Any: ...  # noqa: FBT001  the value is the subject

    @abstractmethod
    def less(self, left: Value, right: Value) -> Any: ...

    @abstractmethod
    def equal(self, left: Value, right: Value) -> Any: ...

    @abstractmethod
    def both(self, left: Any, right: Any) -> Any: ...

    @abstractmethod
    def negation(self, condition: Any) -> Any: ...

    def lift(self, number: int | Expr) -> Value:
        """A length, stride or pad as a value of this arithmetic."""
        return self.integer(number) if isinstance(number, int) else self.of_expression(number)

    def of_expression(self, expression: Expr) -> Value:
        """A symbolic length as a value; only arithmetics that know the symbols can say."""
        if expression.is_Integer:
            return self.integer(int(expression))
        msg = f"wanted a number, got the symbolic length {expression}"
        raise LayoutError(msg, hint="give the symbols values first: bind({...})")

    def negative(self, value: Value) -> Value:
        return self.mul(self.integer(-1), value)

    def subtract(self, left: Value, right: Value) -> Value:
        return self.add(left, self.negative(right))

    def less_equal(self, left: Value, right: Value) -> Any:
        return self.negation(self.less(right, left))

    def total(self, values: list[Value]) -> Value:
        return reduce(self.add, values) if values else self.integer(0)

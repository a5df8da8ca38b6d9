"""One formula, several arithmetics: what a number must offer so that index formulas can be run on it.

A transform states its map once, as calls on an :class:`Arithmetic`. Run on :data:`SYMBOLIC` the
formula gives a SymPy expression, run on C integers it gives what Composable Kernel computes, run
on the normal form it gives a simplified polynomial. :func:`fold` does the same for a finished
SymPy expression, so each translation (NumPy, Z3, C text) is one table of these operations.

>>> from sympy import Symbol
>>> x = Symbol("x", integer=True, nonnegative=True)
>>> fold(3 * FloorDiv(x, 4) + 1, SYMBOLIC, lambda symbol: SYMBOLIC.integer(9))
7
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import reduce
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import sympy
from sympy import Add, Expr, Integer, Mul, Pow, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or

from layoutalg.errors import LayoutError
from layoutalg.index import (
    BitAnd,
    BitOr,
    BitXor,
    FloorDiv,
    FloorMod,
    Max,
    Min,
    Select,
    ShiftLeft,
    ShiftRight,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SYMBOLIC", "Arithmetic", "fold"]

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

    @abstractmethod
    def remainder(self, left: Value, right: Value) -> Value: ...

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

    @abstractmethod
    def select(
        self, condition: Any, if_true: Callable[[], Value], if_false: Callable[[], Value]
    ) -> Value:
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


class _Symbolic(Arithmetic[Expr]):
    """SymPy expressions over the index nodes, built without asking for facts."""

    def integer(self, number: int) -> Expr:
        return Integer(number)

    def of_expression(self, expression: Expr) -> Expr:
        return expression

    def add(self, left: Expr, right: Expr) -> Expr:
        return left + right

    def mul(self, left: Expr, right: Expr) -> Expr:
        return left * right

    def quotient(self, left: Expr, right: Expr) -> Expr:
        return FloorDiv.unchecked(left, right)

    def remainder(self, left: Expr, right: Expr) -> Expr:
        return FloorMod.unchecked(left, right)

    def bit_xor(self, left: Expr, right: Expr) -> Expr:
        return BitXor.unchecked(left, right)

    def bit_and(self, left: Expr, right: Expr) -> Expr:
        return BitAnd.unchecked(left, right)

    def bit_or(self, left: Expr, right: Expr) -> Expr:
        return BitOr.unchecked(left, right)

    def shift_left(self, left: Expr, right: Expr) -> Expr:
        return ShiftLeft.unchecked(left, right)

    def shift_right(self, left: Expr, right: Expr) -> Expr:
        return ShiftRight.unchecked(left, right)

    def minimum(self, left: Expr, right: Expr) -> Expr:
        return Min.unchecked(left, right)

    def maximum(self, left: Expr, right: Expr) -> Expr:
        return Max.unchecked(left, right)

    def select(
        self, condition: Any, if_true: Callable[[], Expr], if_false: Callable[[], Expr]
    ) -> Expr:
        if condition in (sympy.true, sympy.false):
            return if_true() if condition == sympy.true else if_false()
        return Select.unchecked(condition, if_true(), if_false())

    def truth(self, value: bool) -> Any:  # noqa: FBT001
        return sympy.true if value else sympy.false

    def less(self, left: Expr, right: Expr) -> Any:
        return sympy.Lt(left, right)

    def less_equal(self, left: Expr, right: Expr) -> Any:
        return sympy.Le(left, right)

    def equal(self, left: Expr, right: Expr) -> Any:
        return sympy.Eq(left, right)

    def both(self, left: Any, right: Any) -> Any:
        return sympy.And(left, right)

    def negation(self, condition: Any) -> Any:
        return sympy.Not(condition)


SYMBOLIC = _Symbolic()

_BINARY = {
    FloorDiv: "quotient",
    FloorMod: "remainder",
    BitXor: "bit_xor",
    BitAnd: "bit_and",
    BitOr: "bit_or",
    ShiftLeft: "shift_left",
    ShiftRight: "shift_right",
    Min: "minimum",
    Max: "maximum",
}


def fold(expression: Any, on: Arithmetic[Value], leaf: Callable[[Symbol], Value]) -> Value:
    """The value of a SymPy index expression in another arithmetic, bottom up.

    ``leaf`` gives the value of each symbol. A node that is not part of the index language is
    refused by name.
    """
    return _Fold(on, leaf).value(expression)


class _Fold(Generic[Value]):
    def __init__(self, on: Arithmetic[Value], leaf: Callable[[Symbol], Value]) -> None:
        self.on = on
        self.leaf = leaf
        self.seen: dict[Any, Any] = {}

    def value(self, node: Any) -> Any:
        if node not in self.seen:
            self.seen[node] = self._compute(node)
        return self.seen[node]

    def branch(self, node: Any) -> Callable[[], Any]:
        """A branch of a selection: its values may hold under the condition only, so none are kept."""
        return lambda: _Fold(self.on, self.leaf).value(node)

    def _compute(self, node: Any) -> Any:
        on = self.on
        if isinstance(node, Symbol):
            return self.leaf(node)
        if isinstance(node, Integer):
            return on.integer(int(node))
        operation = _BINARY.get(type(node))
        if operation is not None:
            left, right = (self.value(arg) for arg in node.args)
            return getattr(on, operation)(left, right)
        if isinstance(node, Add):
            return reduce(on.add, (self.value(arg) for arg in node.args))
        if isinstance(node, Mul):
            return reduce(on.mul, (self.value(arg) for arg in node.args))
        if isinstance(node, Pow) and node.exp.is_Integer and node.exp > 0:
            return reduce(on.mul, [self.value(node.base)] * int(node.exp))
        if isinstance(node, Select):
            condition, if_true, if_false = node.args
            return on.select(self.value(condition), self.branch(if_true), self.branch(if_false))
        return self._condition(node)

    def _condition(self, node: Any) -> Any:
        on = self.on
        if isinstance(node, BooleanTrue | BooleanFalse):
            return on.truth(bool(node))
        if isinstance(node, Not):
            return on.negation(self.value(node.args[0]))
        if isinstance(node, And):
            return reduce(on.both, (self.value(arg) for arg in node.args))
        if isinstance(node, Or):
            negated = [on.negation(self.value(arg)) for arg in node.args]
            return on.negation(reduce(on.both, negated))
        if isinstance(node, Relational):
            return self._relation(node)
        msg = f"{node}: {type(node).__name__} is not part of an integer index expression"
        raise LayoutError(msg, hint="convert SymPy's floor, Mod and Piecewise with from_sympy")

    def _relation(self, node: Any) -> Any:
        on = self.on
        left, right = (self.value(arg) for arg in node.args)
        match node.rel_op:
            case "<":
                return on.less(left, right)
            case "<=":
                return on.less_equal(left, right)
            case ">":
                return on.less(right, left)
            case ">=":
                return on.less_equal(right, left)
            case "==":
                return on.equal(left, right)
            case _:
                return on.negation(on.equal(left, right))

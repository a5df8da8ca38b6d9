"""A finished SymPy index expression computed in another arithmetic, bottom up.

>>> from sympy import Symbol
>>> from layoutalg.index.symbolic import SYMBOLIC
>>> x = Symbol("x", integer=True, nonnegative=True)
>>> interpret(3 * FloorDiv(x, 4) + 1, SYMBOLIC, lambda symbol: SYMBOLIC.integer(9))
7
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, Generic

from sympy import Add, Integer, Mul, Pow, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or

from layoutalg.errors import LayoutError
from layoutalg.index import (
    BitAnd,
    BitOr,
    BitXor,
    Entry,
    FloorDiv,
    FloorMod,
    Max,
    Min,
    RunOf,
    Select,
    ShiftLeft,
    ShiftRight,
)
from layoutalg.index.arithmetic import Arithmetic, Value

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["interpret"]

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


def interpret(expression: Any, on: Arithmetic[Value], leaf: Callable[[Symbol], Value]) -> Value:
    """The value of a SymPy index expression in another arithmetic, bottom up.

    ``leaf`` gives the value of each symbol. A node that is not part of the index language is
    refused by name.
    """
    return _Interpretation(on, leaf).value(expression)


class _Interpretation(Generic[Value]):
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
        return lambda: _Interpretation(self.on, self.leaf).value(node)

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
        if isinstance(node, Entry):
            return on.entry(node.table, [self.value(component) for component in node.index])
        if isinstance(node, RunOf):
            return on.run_of(node.table, self.value(node.args[1]))
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

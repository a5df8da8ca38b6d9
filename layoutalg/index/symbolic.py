"""The arithmetic of SymPy expressions over the index nodes.

>>> from sympy import Symbol
>>> SYMBOLIC.quotient(Symbol("x", integer=True), SYMBOLIC.integer(4))
x // 4
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy
from sympy import Expr, Integer

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
from layoutalg.index.arithmetic import Arithmetic
from layoutalg.index.node import is_shallow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from layoutalg.index.table import Table

__all__ = ["SYMBOLIC"]


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

    def entry(self, table: Table, index: Sequence[Expr]) -> Expr:
        return Entry.unchecked(table, *index)

    def run_of(self, table: Table, value: Expr) -> Expr:
        found: Expr = RunOf.unchecked(table, value)
        return found

    def select(self, condition: Any, if_true: Callable[[], Expr], if_false: Callable[[], Expr]) -> Expr:
        if condition in (sympy.true, sympy.false):
            return if_true() if condition == sympy.true else if_false()
        return Select.unchecked(condition, if_true(), if_false())

    def truth(self, value: bool) -> Any:  # noqa: FBT001
        return sympy.true if value else sympy.false

    def less(self, left: Expr, right: Expr) -> Any:
        return sympy.Lt(left, right, evaluate=is_shallow(left) and is_shallow(right))

    def less_equal(self, left: Expr, right: Expr) -> Any:
        return sympy.Le(left, right, evaluate=is_shallow(left) and is_shallow(right))

    def equal(self, left: Expr, right: Expr) -> Any:
        return sympy.Eq(left, right, evaluate=is_shallow(left) and is_shallow(right))

    def both(self, left: Any, right: Any) -> Any:
        return sympy.And(left, right)

    def negation(self, condition: Any) -> Any:
        return sympy.Not(condition)


SYMBOLIC = _Symbolic()

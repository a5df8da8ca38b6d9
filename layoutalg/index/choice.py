"""The smaller, the larger, and the one a condition selects."""

from __future__ import annotations

from functools import reduce
from typing import Any

from sympy import Expr
from sympy.logic.boolalg import BooleanFalse, BooleanTrue
from sympy.printing.precedence import PRECEDENCE

from layoutalg.errors import LayoutError
from layoutalg.index.condition_text import condition_text
from layoutalg.index.node import IndexNode, as_expression, is_condition

__all__ = ["Extremum", "Max", "Min", "Select"]


class Extremum(IndexNode):
    """The smaller or larger of two integers, spelled as a call."""

    precedence = PRECEDENCE["Func"]

    @classmethod
    def spelled(cls, *operands: Any) -> str:
        return f"{cls.symbol}({', '.join(str(operand) for operand in operands)})"

    def __new__(cls, *args: Any, domain: Any = None) -> Any:
        if len(args) > cls.arity():
            return reduce(lambda left, right: cls(left, right, domain=domain), args)
        return super().__new__(cls, *args, domain=domain)

    def _sympystr(self, printer: Any) -> str:
        return f"{self.symbol}({', '.join(printer._print(arg) for arg in self.args)})"

    def _latex(self, printer: Any) -> str:
        return rf"\{self.symbol}\left({', '.join(printer._print(arg) for arg in self.args)}\right)"


class Min(Extremum):
    """The smaller of two integers (more are nested).

    >>> Min(4, 7), Min(4, 7, 2)
    (4, 2)
    """

    symbol = "min"

    @staticmethod
    def value(left: int, right: int) -> int:
        return min(left, right)

    def _eval_is_nonnegative(self) -> bool | None:
        return all(arg.is_nonnegative for arg in self.args) or None

    def _eval_is_positive(self) -> bool | None:
        return all(arg.is_positive for arg in self.args) or None


class Max(Extremum):
    """The larger of two integers (more are nested).

    >>> Max(4, 7)
    7
    """

    symbol = "max"

    @staticmethod
    def value(left: int, right: int) -> int:
        return max(left, right)

    def _eval_is_nonnegative(self) -> bool | None:
        return any(arg.is_nonnegative for arg in self.args) or None

    def _eval_is_positive(self) -> bool | None:
        return any(arg.is_positive for arg in self.args) or None


class Select(IndexNode):
    """``if_true`` where the condition holds, else ``if_false``.

    >>> from sympy import Symbol
    >>> x = Symbol("x", integer=True, nonnegative=True)
    >>> Select(x < 3, x, 7).subs(x, 5)
    7
    """

    symbol = "if"
    precedence = PRECEDENCE["Func"]

    @classmethod
    def arity(cls) -> int:
        return 3

    @classmethod
    def spelled(cls, *operands: Any) -> str:
        return f"select({', '.join(str(operand) for operand in operands)})"

    @classmethod
    def unchecked(cls, *args: Any) -> Any:
        condition, if_true, if_false = (as_expression(arg) for arg in args)
        if isinstance(condition, BooleanTrue):
            return if_true
        if isinstance(condition, BooleanFalse):
            return if_false
        cls._refuse_certainly_undefined(condition, if_true, if_false)
        return Expr.__new__(cls, condition, if_true, if_false)

    @classmethod
    def _refuse_certainly_undefined(cls, *operands: Any) -> None:
        condition, if_true, if_false = operands
        if not is_condition(condition):
            msg = f"{cls.spelled(*operands)}: {condition} is not a condition"
            raise LayoutError(msg, hint="write a comparison, such as x < 4")
        super()._refuse_certainly_undefined(if_true, if_false)

    @classmethod
    def _require_facts(cls, *operands: Any) -> None:
        super()._require_facts(*operands[1:])

    def _eval_is_nonnegative(self) -> bool | None:
        return all(arg.is_nonnegative for arg in self.args[1:]) or None

    def _eval_is_positive(self) -> bool | None:
        return all(arg.is_positive for arg in self.args[1:]) or None

    def _sympystr(self, printer: Any) -> str:
        condition, *branches = self.args
        parts = (condition_text(condition, printer), *map(printer._print, branches))
        return f"select({', '.join(parts)})"

    def _latex(self, printer: Any) -> str:
        condition, if_true, if_false = (printer._print(arg) for arg in self.args)
        return (
            rf"\begin{{cases}} {if_true} & \text{{if }} {condition} \\ "
            rf"{if_false} & \text{{otherwise}} \end{{cases}}"
        )

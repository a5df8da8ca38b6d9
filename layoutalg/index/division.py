"""Division that rounds down, and its remainder: the two operations merges are made of."""

from __future__ import annotations

from typing import Any

from sympy.printing.precedence import PRECEDENCE

from layoutalg.errors import MissingFactError
from layoutalg.index.node import IndexNode, is_shallow

__all__ = ["FloorDiv", "FloorMod"]


class Division(IndexNode):
    """A quotient or a remainder: defined for a positive divisor only."""

    @classmethod
    def _refuse_certainly_undefined(cls, *operands: Any) -> None:
        super()._refuse_certainly_undefined(*operands)
        if is_shallow(operands[1]) and operands[1].is_positive is False:
            msg = f"{cls.spelled(*operands)}: the divisor {operands[1]} is not positive"
            raise MissingFactError(msg)

    @classmethod
    def _require_facts(cls, *operands: Any) -> None:
        super()._require_facts(*operands)
        if operands[1].is_positive is not True:
            divisor = operands[1]
            msg = f"{cls.spelled(*operands)}: the divisor {divisor} may be 0 or negative"
            raise MissingFactError(
                msg, hint=f"state {divisor} >= 1: Symbol(..., positive=True), or give domain="
            )


class FloorDiv(Division):
    """The quotient rounded down, ``n // d``, for a positive divisor.

    >>> FloorDiv(17, 5), FloorDiv(-1, 4)
    (3, -1)
    """

    symbol = "//"

    @staticmethod
    def value(left: int, right: int) -> int:
        return left // right

    def _eval_is_nonnegative(self) -> bool | None:
        return self.args[0].is_nonnegative or None

    def _latex(self, printer: Any) -> str:
        numerator, divisor = (printer._print(arg) for arg in self.args)
        return rf"\left\lfloor \frac{{{numerator}}}{{{divisor}}} \right\rfloor"


class FloorMod(Division):
    """What ``FloorDiv`` leaves, ``n - d*(n // d)``: never negative, below the divisor.

    >>> FloorMod(17, 5), FloorMod(-1, 4)
    (2, 3)
    """

    symbol = "%"

    @staticmethod
    def value(left: int, right: int) -> int:
        return left % right

    def _eval_is_nonnegative(self) -> bool | None:
        return True

    def _latex(self, printer: Any) -> str:
        left, right = (printer.parenthesize(arg, PRECEDENCE["Mul"]) for arg in self.args)
        return rf"\left({left} \bmod {right}\right)"

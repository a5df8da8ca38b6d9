"""Bit operations on integers that are not negative: swizzles are made of ``BitXor``."""

from __future__ import annotations

from typing import Any

from sympy.printing.precedence import PRECEDENCE

from layoutalg.errors import MissingFactError
from layoutalg.index.node import IndexNode, is_shallow
from layoutalg.reading.input_limits import SHIFT

__all__ = ["BitAnd", "BitNode", "BitOr", "BitXor", "ShiftLeft", "ShiftRight"]


class BitNode(IndexNode):
    """A bit operation on integers that are not negative."""

    @classmethod
    def _refuse_certainly_undefined(cls, *operands: Any) -> None:
        super()._refuse_certainly_undefined(*operands)
        for operand in operands:
            if is_shallow(operand) and operand.is_negative:
                msg = f"{cls.spelled(*operands)}: the operand {operand} is negative"
                raise MissingFactError(msg)

    @classmethod
    def _require_facts(cls, *operands: Any) -> None:
        super()._require_facts(*operands)
        for operand in operands:
            if operand.is_nonnegative is not True:
                msg = f"{cls.spelled(*operands)}: the operand {operand} may be negative"
                raise MissingFactError(
                    msg,
                    hint=f"state {operand} >= 0: Symbol(..., nonnegative=True), or give domain=",
                )

    def _eval_is_nonnegative(self) -> bool | None:
        return True


class BitXor(BitNode):
    """Bitwise exclusive or of two integers that are not negative.

    >>> BitXor(5, 3)
    6
    """

    symbol = "^"
    latex_symbol = r"\oplus"
    precedence = PRECEDENCE["BitwiseXor"]
    operand_precedence = PRECEDENCE["BitwiseXor"]

    @staticmethod
    def value(left: int, right: int) -> int:
        return left ^ right


class BitAnd(BitNode):
    """Bitwise and of two integers that are not negative.

    >>> BitAnd(6, 3)
    2
    """

    symbol = "&"
    latex_symbol = r"\mathbin{\&}"
    precedence = PRECEDENCE["BitwiseAnd"]
    operand_precedence = PRECEDENCE["BitwiseAnd"]

    @staticmethod
    def value(left: int, right: int) -> int:
        return left & right


class BitOr(BitNode):
    """Bitwise or of two integers that are not negative.

    >>> BitOr(6, 3)
    7
    """

    symbol = "|"
    latex_symbol = r"\mathbin{|}"
    precedence = PRECEDENCE["BitwiseOr"]
    operand_precedence = PRECEDENCE["BitwiseOr"]

    @staticmethod
    def value(left: int, right: int) -> int:
        return left | right


class ShiftLeft(BitNode):
    """``n << s``, that is ``n * 2**s``, for operands that are not negative.

    >>> ShiftLeft(3, 4)
    48
    """

    symbol = "<<"
    latex_symbol = r"\ll"
    precedence = PRECEDENCE["Add"] - 1
    operand_precedence = PRECEDENCE["Add"]

    @staticmethod
    def value(left: int, right: int) -> int:
        SHIFT.check(right, "a shift")
        return left << right


class ShiftRight(BitNode):
    """``n >> s``, that is ``n // 2**s``, for operands that are not negative.

    >>> ShiftRight(50, 4)
    3
    """

    symbol = ">>"
    latex_symbol = r"\gg"
    precedence = PRECEDENCE["Add"] - 1
    operand_precedence = PRECEDENCE["Add"]

    @staticmethod
    def value(left: int, right: int) -> int:
        return left >> right

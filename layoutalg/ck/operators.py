"""Operators of C++ on integers and constants: division truncates, and is listed when it is inexact."""

from __future__ import annotations

import operator
from typing import Any

from sympy import Expr
from sympy.logic.boolalg import Boolean

from layoutalg.ck.conversions import constant, is_number
from layoutalg.ck.interpreter import Interpreter
from layoutalg.ck.symbols import symbolic
from layoutalg.ck.trouble import NotUnderstoodError, RejectedError
from layoutalg.ck.values import Builtin, Constant, Enumerator, Sequence, Template, Tuple, Unsigned, key

__all__ = ["binary", "unary"]

_PLAIN = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!="))


def binary(interp: Interpreter, sign: str, left: Any, right: Any, place: str) -> Any:
    """``left sign right``."""
    if isinstance(left, Template) or isinstance(right, Template):
        raise NotUnderstoodError("a template compared with something", place)
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(binary(interp, sign, left.value, right.value, place))
    left, right = constant(left), constant(right)
    if (
        (is_number(left) and is_number(right))
        or isinstance(left, bool | Boolean)
        or isinstance(right, Boolean)
    ):
        return _numbers(interp, sign, left, right, place)
    if sign in {"==", "!="}:
        return _equality(left, right, place) == (sign == "==")
    if isinstance(left, Sequence | Tuple) or isinstance(right, Sequence | Tuple):
        return _elementwise(interp, sign, left, right, place)
    raise NotUnderstoodError(f"{_text(left)} {sign} {_text(right)}", place)


def _equality(left: Any, right: Any, place: str) -> bool:
    kinds = (Enumerator, Sequence, Tuple, Builtin, str)
    if isinstance(left, kinds) and isinstance(right, kinds) and type(left) is type(right):
        return bool(key(left) == key(right))
    raise NotUnderstoodError(f"{_text(left)} == {_text(right)}", place)


def _numbers(interp: Interpreter, sign: str, left: Any, right: Any, place: str) -> Any:
    if isinstance(left, Expr | Boolean) or isinstance(right, Expr | Boolean):
        return symbolic(interp, sign, left, right, place)
    if isinstance(left, float) or isinstance(right, float):
        return left / right if sign == "/" else _PLAIN[sign](left, right)
    wraps = isinstance(left, Unsigned) or isinstance(right, Unsigned)
    if wraps:
        left, right = Unsigned(int(left)), Unsigned(int(right))
    if sign in COMPARISONS:
        return bool(_PLAIN[sign](int(left), int(right)))
    if sign in {"/", "%"}:
        result = _divided(interp, sign, int(left), int(right), place)
    elif sign in {"<<", ">>"}:
        if not 0 <= right < 64:
            raise RejectedError(f"a shift by {right}", place)
        result = int(left) << int(right) if sign == "<<" else int(left) >> int(right)
    else:
        result = _PLAIN[sign](int(left), int(right))
    if wraps:
        return Unsigned(result)
    if not -(2**63) <= result < 2**63:
        raise RejectedError(f"{left} {sign} {right} overflows", place)
    return result


def _divided(interp: Interpreter, sign: str, left: int, right: int, place: str) -> int:
    """As C++ divides: towards zero."""
    if right == 0:
        raise RejectedError(f"{left} {sign} 0", place)
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    remainder = left - quotient * right
    if sign == "/" and remainder:
        interp.log.inexact[place] = f"{left} / {right} = {quotient}, remainder {remainder}"
    return quotient if sign == "/" else remainder


def _elementwise(interp: Interpreter, sign: str, left: Any, right: Any, place: str) -> Any:
    """CK's operators on sequences and tuples."""

    def items(value: Any, count: int) -> tuple[Any, ...]:
        if isinstance(value, Sequence):
            return value.values
        return value.items if isinstance(value, Tuple) else (value,) * count

    size = max(len(items(v, 0)) for v in (left, right))
    pairs = zip(items(left, size), items(right, size), strict=True)
    found = tuple(binary(interp, sign, a, b, place) for a, b in pairs)
    is_sequence = isinstance(left, Sequence) or isinstance(right, Sequence)
    return Sequence(tuple(map(constant, found))) if is_sequence else Tuple(found)


def unary(sign: str, value: Any, place: str) -> Any:
    """``sign value``."""
    if isinstance(value, Constant):
        return Constant(unary(sign, value.value, place))
    if sign in {"!", "not"} and isinstance(value, bool | int):
        return not value
    if sign in {"!", "not"} and isinstance(value, Boolean):
        return ~value
    if isinstance(value, int | float | Expr) and not isinstance(value, Boolean):
        if sign == "-":
            return Unsigned(-value) if isinstance(value, Unsigned) else -value
        if sign == "+":
            return value
        if sign == "~" and isinstance(value, int):
            return Unsigned(~value) if isinstance(value, Unsigned) else ~value
    if sign in {"*", "&"}:
        return value
    raise NotUnderstoodError(f"{sign}{_text(value)}", place)


def _text(value: Any) -> str:
    return f"a {type(value).__name__}" if not is_number(value) else str(value)

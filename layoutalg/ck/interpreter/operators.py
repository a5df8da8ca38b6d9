"""Operators of C++ on numbers, enumerators, sequences and tuples; inexact divisions are noted in the log."""

from __future__ import annotations

import operator
from typing import Any

import sympy
from sympy import Expr
from sympy.logic.boolalg import Boolean

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError, RejectedError
from layoutalg.ck.cpp.integer_types import arithmetic, negated
from layoutalg.ck.interpreter.conversions import constant, is_condition, is_number
from layoutalg.ck.interpreter.cpp_values import Builtin, Constant, Enumerator, Sequence, Template, Tuple, key
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.ck.open_sizes.size_arithmetic import size_operation

__all__ = ["binary", "unary", "with_sizes"]

COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!="))
_FLOATS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
_FLOATS |= {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}
_FLOATS |= {"==": operator.eq, "!=": operator.ne}


def binary(interp: Interpreter, sign: str, left: Any, right: Any, place: str) -> Any:
    """``left sign right``."""
    if isinstance(left, Template) or isinstance(right, Template):
        raise NotUnderstoodError("a template compared with something", place)
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(binary(interp, sign, left.value, right.value, place))
    left, right = constant(left), constant(right)
    if isinstance(left, Enumerator) or isinstance(right, Enumerator):
        left, right = _of_enums(sign, left, right)
    if _is_operand(left) and _is_operand(right):
        return _numbers(interp, sign, left, right, place)
    if sign in {"==", "!="}:
        return _equality(left, right, place) == (sign == "==")
    if isinstance(left, Sequence | Tuple) or isinstance(right, Sequence | Tuple):
        return _elementwise(interp, sign, left, right, place)
    raise NotUnderstoodError(f"{_text(left)} {sign} {_text(right)}", place)


def _is_operand(value: Any) -> bool:
    return is_number(value) or is_condition(value)


def _of_enums(sign: str, left: Any, right: Any) -> tuple[Any, Any]:
    """Operands with numbers for unscoped enumerators, and for two of one enumeration that are compared."""
    if isinstance(left, Enumerator) and isinstance(right, Enumerator):
        if left.enum == right.enum and sign in COMPARISONS:
            return left.value, right.value
        return _number_of(left), _number_of(right)
    return (_number_of(left), right) if isinstance(left, Enumerator) else (left, _number_of(right))


def _number_of(value: Enumerator) -> Any:
    return value if value.is_scoped else value.number


def _equality(left: Any, right: Any, place: str) -> bool:
    kinds = (Enumerator, Sequence, Tuple, Builtin, str)
    if isinstance(left, kinds) and isinstance(right, kinds) and type(left) is type(right):
        return bool(key(left) == key(right))
    raise NotUnderstoodError(f"{_text(left)} == {_text(right)}", place)


def _numbers(interp: Interpreter, sign: str, left: Any, right: Any, place: str) -> Any:
    if not (isinstance(left, int | float) and isinstance(right, int | float)):
        return with_sizes(interp, sign, left, right, place)
    if isinstance(left, float) or isinstance(right, float):
        return _floats(sign, left, right, place)
    try:
        result = arithmetic(sign, left, right)
    except (ArithmeticError, ValueError) as error:
        if interp.types_only:
            return left
        raise RejectedError(str(error), place) from None
    if sign == "/" and (remainder := arithmetic("%", left, right)):
        interp.log.inexact[place] = f"{left} / {right} = {result}, remainder {remainder}"
    return result


def with_sizes(interp: Interpreter, sign: str, left: Any, right: Any, place: str) -> Any:
    """``left sign right`` where one of them is a size that is left open, or a condition on such sizes."""
    ranges = interp.path.ranges if interp.path is not None else None
    return size_operation(sign, left, right, place, ranges=ranges, inexact=interp.log.inexact)


def _floats(sign: str, left: float, right: float, place: str) -> Any:
    if sign not in _FLOATS:
        raise RejectedError(f"{left} {sign} {right}", place)
    try:
        return _FLOATS[sign](left, right)
    except ArithmeticError:
        raise RejectedError(f"{left} {sign} {right} has no value", place) from None


def _elementwise(interp: Interpreter, sign: str, left: Any, right: Any, place: str) -> Any:
    """CK's elementwise operators on sequences and tuples; a single value is repeated."""

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
    if isinstance(value, Enumerator) and not value.is_scoped:
        value = value.number
    if sign in {"!", "not"}:
        if isinstance(value, int | float):
            return not value
        if isinstance(value, Expr | Boolean):
            return sympy.Not(value) if is_condition(value) else sympy.Eq(value, 0)
    if isinstance(value, int) and sign in {"-", "+", "~"}:
        try:
            return negated(sign, value)
        except OverflowError as error:
            raise RejectedError(str(error), place) from None
    if isinstance(value, float | Expr) and sign in {"-", "+"}:
        return -value if sign == "-" else value
    if sign in {"*", "&"}:
        return value
    raise NotUnderstoodError(f"{sign}{_text(value)}", place)


def _text(value: Any) -> str:
    return f"a {type(value).__name__}" if not is_number(value) else str(value)

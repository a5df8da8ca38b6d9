"""Arithmetic on sizes that are not known yet: exact where divisibility is known, else floor division."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.interpreter.interpreter_state import Interpreter
from layoutalg.index import BitAnd, BitOr, BitXor, FloorDiv, FloorMod
from layoutalg.index.node import as_expression

__all__ = ["symbolic"]

_RELATIONS = {"<": sympy.Lt, ">": sympy.Gt, "<=": sympy.Le, ">=": sympy.Ge, "==": sympy.Eq, "!=": sympy.Ne}
_BITS = {"&": BitAnd, "|": BitOr, "^": BitXor}


def symbolic(interp: Interpreter, sign: str, left: Any, right: Any, place: str) -> Any:
    """``left sign right`` where one of them is an expression."""
    if sign in {"&&", "and", "||", "or"}:
        return (sympy.And if sign in {"&&", "and"} else sympy.Or)(left, right)
    left, right = as_expression(_plain(left)), as_expression(_plain(right))
    if sign in _RELATIONS:
        return _RELATIONS[sign](left, right)
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return sympy.expand(left * right)
        case "/":
            return _quotient(interp, left, right, place)
        case "%":
            return _remainder(interp, left, right, place)
    if sign in _BITS:
        return _BITS[sign](left, right)
    raise NotUnderstoodError(f"{left} {sign} {right} with sizes not known", place)


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _quotient(interp: Interpreter, left: Expr, right: Expr, place: str) -> Any:
    exact = sympy.cancel(left / right)
    if _is_integral(exact):
        return exact
    _require_nonnegative(interp, left, place)
    interp.log.inexact[place] = f"{left} / {right} is not known to be exact"
    return FloorDiv(left, right)


def _remainder(interp: Interpreter, left: Expr, right: Expr, place: str) -> Any:
    if _is_integral(sympy.cancel(left / right)):
        return sympy.Integer(0)
    _require_nonnegative(interp, left, place)
    return FloorMod(left, right)


def _require_nonnegative(interp: Interpreter, value: Expr, place: str) -> None:
    """C++ rounds towards zero and our quotients down: the two agree on what is not negative."""
    low = interp.path.ranges.ends(sympy.expand(value))[0] if interp.path is not None else -1
    if low < 0 and value.is_nonnegative is not True:
        raise NotUnderstoodError(f"{value} is divided and may be negative", place)


def _is_integral(value: Expr) -> bool:
    _, denominator = sympy.fraction(sympy.together(value))
    return bool(denominator == 1)

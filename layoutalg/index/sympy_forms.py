"""From SymPy's own integer functions to index nodes, and back.

>>> from sympy import Symbol, floor
>>> x = Symbol("x", integer=True, nonnegative=True)
>>> from_sympy(4 * floor(x / 4) + 3)
4*(x // 4) + 3
>>> to_sympy(from_sympy(floor(x / 4)))
floor(x/4)

Text is a safer way in than SymPy's ``Mod``, which may have rewritten itself wrongly before this
module sees it (sympy#28744); so remainders go out as ``n - d*floor(n/d)`` unless asked otherwise.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import sympy
from sympy import Expr, Piecewise, ceiling, floor, fraction, together
from sympy.core.function import AppliedUndef

from layoutalg.errors import LayoutError
from layoutalg.index import (
    FloorDiv,
    FloorMod,
    IndexNode,
    Max,
    Min,
    Select,
    ShiftLeft,
    ShiftRight,
)
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC

__all__ = ["from_sympy", "to_sympy"]


def from_sympy(expression: Any) -> Any:
    """The same expression with ``floor``, ``ceiling``, ``Mod``, ``Max``, ``Min``, ``Piecewise`` as nodes.

    Conditions are converted too. Refused: a fraction outside ``floor`` and ``ceiling``, and a
    ``Piecewise`` without a last case for everything else.

    >>> import layoutalg as la
    >>> import sympy
    >>> x = sympy.Symbol("x", integer=True, nonnegative=True)
    >>> la.from_sympy(sympy.floor(x / 4) + sympy.Mod(x, 4))
    x // 4 + x % 4
    """
    node = as_expression(expression)
    if not node.args:
        return node
    if isinstance(node, Piecewise):
        return _selections(node)
    if isinstance(node, floor | ceiling):
        return _rounded(node)
    args = [from_sympy(arg) for arg in node.args]
    if isinstance(node, sympy.Mod):
        return SYMBOLIC.remainder(*map(_integer, args))
    if isinstance(node, sympy.Max):
        return reduce(SYMBOLIC.maximum, args)
    if isinstance(node, sympy.Min):
        return reduce(SYMBOLIC.minimum, args)
    if isinstance(node, AppliedUndef) and node.func.__name__ == "xor":
        return reduce(SYMBOLIC.bit_xor, args)
    return node.func(*args)


def _integer(expression: Expr) -> Expr:
    numerator, denominator = fraction(together(expression))
    if denominator != 1:
        msg = f"{expression} is a fraction: an index must be an integer"
        raise LayoutError(msg, hint="put the division under floor or ceiling")
    return numerator


def _rounded(node: Any) -> Expr:
    inside = together(from_sympy(node.args[0]))
    numerator, denominator = fraction(inside)
    if isinstance(node, ceiling):
        numerator = numerator + denominator - 1
    return numerator if denominator == 1 else SYMBOLIC.quotient(numerator, denominator)


def _selections(node: Piecewise) -> Expr:
    *cases, (otherwise, last) = [tuple(pair) for pair in node.args]
    if last != sympy.true:
        msg = f"{node}: nothing is said where {last} does not hold"
        raise LayoutError(msg, hint="end the Piecewise with (value, True)")
    result = from_sympy(otherwise)
    for value, condition in reversed(cases):
        result = Select.unchecked(from_sympy(condition), from_sympy(value), result)
    return result


def to_sympy(expression: Any, *, mod_as_floor: bool = True) -> Any:
    """The same expression in SymPy's own functions.

    Division becomes ``floor``, a selection ``Piecewise``, shifts powers of two; remainders become
    ``n - d*floor(n/d)``, or an unevaluated ``Mod`` with ``mod_as_floor=False``. Bit operations
    have no counterpart in SymPy and are kept.

    >>> import layoutalg as la
    >>> x = la.Domain.of({"x": 64})["x"]
    >>> la.to_sympy(la.FloorDiv(x, 4))
    floor(x/4)
    """
    node = as_expression(expression)
    if not node.args:
        return node
    args = [to_sympy(arg, mod_as_floor=mod_as_floor) for arg in node.args]
    match node:
        case FloorDiv():
            return floor(args[0] / args[1])
        case FloorMod() if mod_as_floor:
            return args[0] - args[1] * floor(args[0] / args[1])
        case FloorMod():
            return sympy.Mod(*args, evaluate=False)
        case Max():
            return sympy.Max(*args)
        case Min():
            return sympy.Min(*args)
        case Select():
            return Piecewise((args[1], args[0]), (args[2], True))
        case ShiftLeft():
            return args[0] * 2 ** args[1]
        case ShiftRight():
            return floor(args[0] / 2 ** args[1])
        case IndexNode():
            return type(node).unchecked(*args)
        case _:
            return node.func(*args)

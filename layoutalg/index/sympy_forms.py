"""From SymPy's own integer functions to index nodes, and back.

>>> from sympy import Symbol, floor
>>> x = Symbol("x", integer=True, nonnegative=True)
>>> from_sympy(4 * floor(x / 4) + 3)
4*(x // 4) + 3
>>> to_sympy(from_sympy(floor(x / 4)))
floor(x/4)

Text is a safer way in than SymPy's ``Mod``, which may have rewritten itself wrongly before this
module sees it: a remainder of a product of remainders (sympy#28744). So remainders go out as
``n - d*floor(n/d)`` unless asked otherwise.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import sympy
from sympy import Expr, Integer, Piecewise, Rational, ceiling, floor, fraction, together
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from layoutalg.errors import LayoutError
from layoutalg.index import (
    Entry,
    FloorDiv,
    FloorMod,
    IndexNode,
    Max,
    Min,
    RunOf,
    Select,
    ShiftLeft,
    ShiftRight,
)
from layoutalg.index.node import as_expression, parts
from layoutalg.index.symbolic import SYMBOLIC

__all__ = ["as_index", "from_sympy", "is_foreign", "to_sympy"]

FOREIGN = (floor, ceiling, sympy.Mod, sympy.Max, sympy.Min, Piecewise)


def as_index(value: Any) -> Any:
    """An integer or expression as :func:`as_expression` takes it, SymPy's own functions made index nodes.

    >>> M = sympy.Symbol("M", integer=True, positive=True)
    >>> as_index((M + 3) // 4 * 4), as_index(M % 8)
    (4*((M + 3) // 4), M % 8)
    """
    found = as_expression(value)
    return from_sympy(found) if is_foreign(found) else found


def is_foreign(expression: Any) -> bool:
    """Whether there is a function of SymPy's own in it, or a fraction that SymPy has left of one."""
    kinds = set(map(type, parts(expression)))
    return any(
        issubclass(kind, FOREIGN) or (issubclass(kind, Rational) and not issubclass(kind, Integer))
        for kind in kinds
    )


def from_sympy(expression: Any) -> Any:
    """The same expression with ``floor``, ``ceiling``, ``Mod``, ``Max``, ``Min``, ``Piecewise`` as nodes.

    Conditions are converted too. Refused: a fraction outside ``floor`` and ``ceiling``, a ``Piecewise``
    without a last case for everything else, and a remainder of a product that has a remainder in it.

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
    if isinstance(node, Entry):
        return Entry.unchecked(node.table, *map(from_sympy, node.index))
    if isinstance(node, RunOf):
        return RunOf.unchecked(node.table, from_sympy(node.args[1]))
    if isinstance(node, sympy.Mod):
        _refuse_rewritten(node)
    args = [from_sympy(arg) for arg in node.args]
    if isinstance(node, Relational):
        return node.func(*_cleared(*args))
    if isinstance(node, sympy.Mod):
        return SYMBOLIC.remainder(*map(_integer, args))
    if isinstance(node, sympy.Max):
        return reduce(SYMBOLIC.maximum, args)
    if isinstance(node, sympy.Min):
        return reduce(SYMBOLIC.minimum, args)
    if isinstance(node, AppliedUndef) and node.func.__name__ == "xor":
        return reduce(SYMBOLIC.bit_xor, args)
    return node.func(*args)


def _cleared(left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """Both sides times the numbers below their fractions: as of M/2 < 9."""
    below = reduce(sympy.ilcm, (fraction(together(side))[1] for side in (left, right)))
    return (left, right) if below == 1 else (sympy.expand(left * below), sympy.expand(right * below))


def _refuse_rewritten(node: Any) -> None:
    """Refuse the remainder of a product of remainders: SymPy squares the inner one (sympy#28744)."""
    dividend = node.args[0]
    for part in dividend.atoms(sympy.Mul, sympy.Pow):
        if part.has(sympy.Mod):
            msg = f"{node}: SymPy rewrites remainders of products of remainders wrongly"
            raise LayoutError(
                msg, hint="build the inner one as la.FloorMod(n, d), or write all of it as text"
            )


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
    if isinstance(node, Entry):
        index = [to_sympy(arg, mod_as_floor=mod_as_floor) for arg in node.index]
        return Entry.unchecked(node.table, *index)
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

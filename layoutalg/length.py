"""Lengths, strides and pads: plain integers, or SymPy expressions for sizes not yet known.

>>> length(256, "merge: low_lengths[0]")
256
>>> length(0, "merge: low_lengths[0]")
Traceback (most recent call last):
    ...
layoutalg.errors.LengthError: merge: low_lengths[0]: wanted a length >= 1, got 0
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any, TypeAlias

import sympy
from sympy import Expr, Symbol, symbols

from layoutalg.errors import LengthError
from layoutalg.index.node import is_condition

__all__ = ["Length", "Lengths", "differ", "length", "lengths", "product", "sizes", "stride"]

Length: TypeAlias = int | Expr
Lengths = tuple[Length, ...]


def sizes(names: str) -> Any:
    """Symbols for lengths: positive integers.

    >>> M, K = sizes("M K")
    >>> M.is_positive
    True
    """
    return symbols(names, integer=True, positive=True)


def stride(value: Any, where: str) -> Length:
    """An integer or an integer expression; ``where`` names the argument in errors."""
    if isinstance(value, bool):
        msg = f"{where}: wanted an integer, got {value}"
        raise LengthError(msg)
    if isinstance(value, Expr):
        return _symbolic(value, where)
    try:
        return operator.index(value)
    except TypeError:
        msg = f"{where}: wanted an integer or a symbolic size, got {value!r}"
        raise LengthError(msg, hint="text is not read here; make symbols with sizes('M K')") from None


def _symbolic(value: Expr, where: str) -> Length:
    if value.is_Integer:
        return int(value)
    if value.is_integer is not True or is_condition(value):
        msg = f"{where}: nothing says that {value} is an integer"
        raise LengthError(msg, hint="make symbols with sizes('M K')")
    return value


def length(value: Any, where: str, *, at_least: int = 1) -> Length:
    """A stride that is known, or may be assumed, to be at least ``at_least``."""
    found = stride(value, where)
    low = found < at_least if isinstance(found, int) else (found - at_least).is_negative
    if low:
        msg = f"{where}: wanted a length >= {at_least}, got {found}"
        raise LengthError(msg)
    if isinstance(found, Symbol) and at_least == 1 and found.is_positive is not True:
        msg = f"{where}: nothing says that {found} is at least 1"
        raise LengthError(msg, hint=f"make it with sizes('{found}')")
    return found


def lengths(values: Any, where: str, *, at_least: int = 1) -> Lengths:
    """A tuple of lengths from a sequence."""
    return tuple(
        length(value, f"{where}[{i}]", at_least=at_least) for i, value in enumerate(sequence(values, where))
    )


def sequence(values: Any, where: str) -> Sequence[Any]:
    """A tuple from any sequence but text."""
    if isinstance(values, str | bytes | Expr) or not isinstance(values, Iterable):
        msg = f"{where}: wanted a sequence of integers, got {values!r}"
        raise LengthError(msg)
    return tuple(values)


def product(values: Iterable[Length]) -> Length:
    """The product of lengths; 1 for none.

    >>> product((4, 64, sizes("K")))
    256*K
    """
    return reduce(operator.mul, values, 1)


def differ(left: Length, right: Length) -> bool | None:
    """Whether two lengths differ: True, False, or None where symbols leave it open."""
    gap = sympy.expand(left - right)
    if gap == 0:
        return False
    return True if gap.is_nonzero else None

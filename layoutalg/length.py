"""Lengths, strides and pads: plain integers, or SymPy expressions for sizes not yet known.

``length``, ``stride`` and their plurals check what a caller gave, ``integer`` where no symbol will do;
``product``, ``quotient``, ``differ`` and ``is_at_most`` compute as far as symbols leave no doubt.

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

from layoutalg.errors import LayoutError, LengthError, of_kind, shown
from layoutalg.index import FloorDiv
from layoutalg.index.node import is_condition
from layoutalg.index.sympy_forms import from_sympy, is_foreign
from layoutalg.reading.signature_note import noted

__all__ = [
    "Length",
    "Lengths",
    "cdiv",
    "differ",
    "integer",
    "integers",
    "is_at_most",
    "length",
    "lengths",
    "product",
    "quotient",
    "round_up",
    "sequence",
    "sizes",
    "stride",
]

Length: TypeAlias = int | Expr
SYMBOLS = "make symbols with la.sizes('M K')"
Lengths = tuple[Length, ...]


@noted
def sizes(names: str) -> Any:
    """Symbols for lengths: positive integers.

    >>> M, K = sizes("M K")
    >>> M.is_positive
    True
    """
    if not of_kind(names, str, "sizes", "one text with names such as 'M K'").strip(" ,"):
        raise LengthError("sizes: wanted names such as 'M K', got none")
    return symbols(names, integer=True, positive=True)


@noted
def cdiv(number: Length, divisor: Length) -> Length:
    """The quotient rounded up: how many tiles of ``divisor`` hold ``number``.

    What ``(M + T - 1) // T`` gives too; the divisor is positive.

    >>> M, T = sizes("M T")
    >>> cdiv(100, 32), cdiv(M, T)
    (4, (M + T - 1) // T)
    """
    top, below = stride(number, "cdiv: number"), stride(divisor, "cdiv: divisor")
    if isinstance(below, int) and below < 1:
        raise LengthError(f"cdiv: divisor: wanted 1 or more, got {below}")
    if isinstance(top, int) and isinstance(below, int):
        return -(-top // below)
    found: Length = FloorDiv.unchecked(top + below - 1, below)
    return found


@noted
def round_up(number: Length, divisor: Length) -> Length:
    """The multiple of ``divisor`` from ``number`` on: a length padded to whole tiles.

    >>> round_up(100, 32), round_up(sizes("M"), 32)
    (128, 32*((M + 31) // 32))
    """
    return cdiv(number, divisor) * divisor


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
        msg = f"{where}: wanted an integer or a symbolic size, got {shown(value)}"
        raise LengthError(msg, hint=_mend(value)) from None


def _mend(value: object) -> str:
    """How to make a length of something that is none."""
    if isinstance(value, str):
        has_digits = any(character.isdigit() for character in value)
        return f"text is not read here; {'numbers stand without quotes' if has_digits else SYMBOLS}"
    if isinstance(value, float):
        return "a // b divides integers, a / b does not"
    return "one number, not several" if isinstance(value, Iterable) else ""


def _symbolic(value: Expr, where: str) -> Length:
    if is_foreign(value):
        try:
            value = from_sympy(value)
        except LayoutError as error:
            raise LengthError(f"{where}: {error.message}", hint=error.hint) from None
    if value.is_Integer:
        return int(value)
    if value.is_integer is not True or is_condition(value):
        msg = f"{where}: nothing says that {value} is an integer"
        is_quotient = value.as_numer_denom()[1] != 1
        hint = "a // b divides integers" if is_quotient else SYMBOLS
        raise LengthError(msg, hint=hint)
    return value


def length(value: Any, where: str, *, at_least: int = 1) -> Length:
    """A length: an integer or an integer expression that is at least ``at_least`` as far as is known."""
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
        msg = f"{where}: wanted a sequence of integers, got {shown(values)}"
        is_one = isinstance(values, int | Expr) and not isinstance(values, bool)
        hint = f"a single one is written ({values!s},)" if is_one else "such as (256, 128)"
        raise LengthError(msg, hint=hint)
    if getattr(values, "ndim", 1) != 1:
        msg = f"{where}: wanted a sequence of integers, got an array of another rank"
        raise LengthError(msg, hint="the lengths of an array are its .shape")
    return tuple(values)


def integers(values: Any, where: str) -> tuple[int, ...]:
    """A tuple of plain integers from any sequence of them: ids, origins, orders.

    >>> integers([0, 2], "shuffle")
    (0, 2)
    >>> integers((0, 1.5), "shuffle")
    Traceback (most recent call last):
        ...
    layoutalg.errors.LengthError: shuffle[1]: wanted an integer, got 1.5 (a float)
    """
    return tuple(integer(value, f"{where}[{i}]") for i, value in enumerate(sequence(values, where)))


def integer(value: Any, where: str) -> int:
    """A plain integer; NumPy's count too, truth values do not."""
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise LengthError(f"{where}: wanted an integer, got {shown(value)}") from None


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


def quotient(dividend: Length, divisor: Length) -> Length | None:
    """``dividend / divisor`` where the division leaves nothing for all sizes; None where it may.

    >>> M, K = sizes("M K")
    >>> quotient(8 * M * K, 4 * K), quotient(M, 4), quotient(12, 5)
    (2*M, None, None)
    """
    if divisor == 0:
        return None
    if isinstance(dividend, int) and isinstance(divisor, int):
        return dividend // divisor if dividend % divisor == 0 else None
    terms = sympy.Add.make_args(sympy.expand(dividend))
    found = [term / divisor for term in terms]
    if any(term.as_numer_denom()[1] != 1 for term in found):
        return None
    total = sympy.Add(*found)
    return int(total) if total.is_Integer else total


def is_at_most(left: Length, right: Length) -> bool | None:
    """Whether ``left <= right``: True, False, or None where it depends on sizes.

    >>> M, K = sizes("M K")
    >>> is_at_most(M, 2 * M), is_at_most(M, K), is_at_most(5, 4)
    (True, None, False)
    """
    if isinstance(left, int) and isinstance(right, int):
        return left <= right
    gap = sympy.expand(right - left)
    if gap.is_nonnegative:
        return True
    return False if gap.is_negative else _at_smallest(gap)


def _at_smallest(gap: sympy.Expr) -> bool | None:
    """A polynomial in lengths that grows with each of them is smallest where all are 1."""
    shifted = sympy.expand(gap.xreplace({symbol: symbol + 1 for symbol in gap.free_symbols}))
    if all(symbol.is_positive for symbol in gap.free_symbols) and not gap.atoms(sympy.Function):
        coefficients = shifted.as_coefficients_dict().values()
        if all(c >= 0 for c in coefficients):
            return True
    return None

"""Arrays of numbers, and the arrays of patterns that lie in memory for them.

>>> half = DataType.named("bf16")
>>> from_numbers([1.0, -2.5], half), to_numbers(from_numbers([1.0, -2.5], half), half)
(array([16256, 49184], dtype=uint16), array([ 1. , -2.5]))
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from layoutalg.data_type.data_type import DataType
from layoutalg.data_type.small_float import SmallFloat
from layoutalg.errors import LayoutError

__all__ = ["from_numbers", "to_numbers"]


def to_numbers(patterns: NDArray[Any], kind: DataType) -> NDArray[np.float64]:
    """What the patterns of a type mean; bytes that hold several elements mean as many numbers.

    >>> to_numbers(np.array([0x42], np.uint8), DataType.named("f4x2"))
    array([1., 2.])
    """
    if kind.packs is not None:
        inner, count = DataType.named(kind.packs[0]), kind.packs[1]
        shifts = inner.bits * np.arange(count)
        each = (np.asarray(patterns)[..., None] >> shifts) & ((1 << inner.bits) - 1)
        return to_numbers(each.reshape(*each.shape[:-2], -1), inner)
    coding = _coding(kind)
    return np.asarray(patterns, np.float64) if coding is None else _values(coding)[patterns]


def from_numbers(numbers: ArrayLike, kind: DataType) -> NDArray[Any]:
    """The nearest patterns, ties to even mantissas; what is too large becomes the largest finite number."""
    exact = np.asarray(numbers, np.float64)
    if kind.packs is not None:
        inner, count = DataType.named(kind.packs[0]), kind.packs[1]
        if not exact.ndim or exact.shape[-1] % count:
            msg = f"{kind.ck}: wanted a multiple of {count} numbers along the last axis, got {exact.shape}"
            raise LayoutError(msg, hint=f"a byte holds {count} of them")
        each = from_numbers(exact, inner).reshape(*exact.shape[:-1], -1, count).astype(np.int64)
        return (each << inner.bits * np.arange(count)).sum(axis=-1).astype(kind.numpy)
    coding = _coding(kind)
    if coding is None:
        return exact.astype(kind.numpy)
    values, patterns = _ascending(coding)
    above = np.clip(np.searchsorted(values, exact), 1, len(values) - 1)
    low, high = values[above - 1], values[above]
    is_even = patterns[above] % 2 == 0
    goes_up = (exact - low > high - exact) | ((exact - low == high - exact) & is_even)
    return np.where(goes_up, patterns[above], patterns[above - 1]).astype(kind.numpy)


def _coding(kind: DataType) -> SmallFloat | None:
    """The coding, of types that NumPy does not have."""
    if kind.parts is not None or kind.by_target:
        msg = f"{kind.ck}: wanted a type with one meaning"
        raise LayoutError(msg, hint="say which one with on(target)" if kind.by_target else "take its parts")
    return None if kind.numpy.startswith(("float", "int")) else kind.coding


@cache
def _values(coding: SmallFloat) -> NDArray[np.float64]:
    return np.array([coding.value(bits) for bits in range(1 << coding.bits)])


@cache
def _ascending(coding: SmallFloat) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """All finite numbers in their order, with their patterns; the negative zero is left out."""
    values = _values(coding)
    patterns = np.flatnonzero(np.isfinite(values) & ~((values == 0) & np.signbit(values)))
    order = patterns[np.argsort(values[patterns], kind="stable")]
    return values[order], order

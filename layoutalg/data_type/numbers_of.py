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
    """What the patterns of a type mean; bytes and words that hold several elements mean as many numbers.

    >>> to_numbers(np.array([0x42], np.uint8), DataType.named("f4x2"))
    array([1., 2.])
    """
    if kind.packs is not None:
        inner = DataType.named(kind.packs[0])
        return to_numbers(_unpacked(np.asarray(patterns), kind, inner.bits), inner)
    coding = _coding(kind)
    return np.asarray(patterns, np.float64) if coding is None else _values(coding)[patterns]


def from_numbers(numbers: ArrayLike, kind: DataType) -> NDArray[Any]:
    """The nearest patterns, ties to even mantissas; what is too large becomes the largest finite number."""
    exact = np.asarray(numbers, np.float64)
    if kind.packs is not None:
        name, count, elements = kind.packs
        if not exact.ndim or exact.shape[-1] % count:
            msg = f"{kind.ck}: wanted a multiple of {count} numbers along the last axis, got {exact.shape}"
            held = f"{kind.bits // 8 * elements} bytes hold" if kind.bits * elements > 8 else "a byte holds"
            raise LayoutError(msg, hint=f"{held} {count} of them")
        inner = DataType.named(name)
        return _packed(from_numbers(exact, inner), kind, inner.bits)
    coding = _coding(kind)
    if coding is None:
        return exact.astype(kind.numpy)
    values, patterns = _ascending(coding)
    above = np.clip(np.searchsorted(values, exact), 1, len(values) - 1)
    low, high = values[above - 1], values[above]
    is_even = patterns[above] % 2 == 0
    goes_up = (exact - low > high - exact) | ((exact - low == high - exact) & is_even)
    return np.where(goes_up, patterns[above], patterns[above - 1]).astype(kind.numpy)


def _unpacked(patterns: NDArray[Any], kind: DataType, bits: int) -> NDArray[np.int64]:
    """Patterns of so many bits that lie one after the other in elements, along the last axis."""
    length = kind.numbers(patterns.shape[-1])
    octets = np.ascontiguousarray(patterns, np.dtype(kind.numpy).newbyteorder("<")).view(np.uint8)
    single = np.unpackbits(octets, axis=-1, bitorder="little").reshape(*patterns.shape[:-1], length, bits)
    return single @ (1 << np.arange(bits))


def _packed(patterns: NDArray[Any], kind: DataType, bits: int) -> NDArray[Any]:
    """The elements in which these lie one after the other."""
    single = patterns[..., None] >> np.arange(bits) & 1
    flat = single.astype(np.uint8).reshape(*patterns.shape[:-1], patterns.shape[-1] * bits)
    octets = np.packbits(flat, axis=-1, bitorder="little")
    return octets.view(np.dtype(kind.numpy).newbyteorder("<")).astype(kind.numpy)


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

"""Conversions between f32 and the floats of 8 and 16 bits that NumPy lacks, bit for bit.

FP8 and BF8 are FNUZ on gfx942 and OCP's on gfx950 (``DataType.on``). Rounding is to nearest even; what is too
large becomes infinite where the type has infinities and NaN where it has none, as with MODE.FP16_OVFL = 0,
which is how kernels start (the reason why CK clamps before it converts).
Sources: AMD Instinct MI300 Instruction Set Architecture, chapter 16 (V_CVT_PK_FP8_F32 and its kin); AMD
Instinct CDNA4 Instruction Set Architecture (V_CVT_PK_BF16_F32); OCP 8-bit Floating Point Specification.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.rows.primitive import primitive
from layoutalg.data_type import DataType

__all__ = [
    "from_small",
    "small_float_borders",
    "small_float_overflow",
    "small_float_values",
    "to_bf16",
    "to_small",
]

U32 = np.uint32


def to_bf16(values: Any) -> Any:
    """f32 to the bits of bf16, to nearest even; a NaN stays one.

    >>> hex(int(to_bf16(np.array([1.00390625], np.float32))[0]))
    '0x3f80'
    """
    bits = values.astype(np.float32).view(U32)
    rounded = (bits + U32(0x7FFF) + (bits >> U32(16) & U32(1))) >> U32(16)
    return np.where(np.isnan(values), bits >> U32(16) | U32(0x40), rounded)


@primitive
def from_small(name: str, bits: Any) -> Any:
    """The numbers that the low bytes mean.

    >>> from_small("f8_ocp", np.array([0x38], np.uint32))
    array([1.], dtype=float32)
    """
    return small_float_values(name)[bits & U32(0xFF)]


@primitive
def to_small(name: str, values: Any) -> Any:
    """f32 to the bits of a float of 8 bits, to nearest even.

    >>> hex(int(to_small("f8_fnuz", np.array([1.0], np.float32))[0])), DataType.named("f8_fnuz").value(0x40)
    ('0x40', 1.0)
    """
    borders, is_even_below, nan = small_float_borders(name)
    sizes = np.abs(np.asarray(values, dtype=np.float64))
    low = np.searchsorted(borders, sizes, side="left")  # a tie stays below
    is_tie = borders[np.minimum(low, len(borders) - 1)] == sizes
    code = low + (is_tie & ~is_even_below[np.minimum(low, len(borders) - 1)])
    too_large = code >= len(borders)
    largest = np.array([small_float_overflow(name)])
    code = np.where(too_large, largest, code)
    sign = np.signbit(values) & ((code != 0) | (nan != 0x80)) & ~(too_large & (nan == 0x80))
    return np.where(np.isnan(values), nan, code | sign.astype(np.int64) << 7).astype(U32)


@cache
def small_float_values(name: str) -> Any:
    """The numbers of all patterns of bits of a type of at most 8, as f32."""
    kind = DataType.named(name)
    return np.array([kind.value(bits) for bits in range(1 << kind.bits)], dtype=np.float32)


@cache
def small_float_borders(name: str) -> tuple[Any, Any, int]:
    """Halfway points above every positive number, whether that number is even, and the code of NaN.

    Above the largest number stands the halfway point to the number that would follow it.
    """
    kind = DataType.named(name)
    numbers = [value for value in map(kind.value, range(128)) if math.isfinite(value)]
    following = [*numbers[1:], 2 * numbers[-1] - numbers[-2]]
    borders = np.array([(low + high) / 2 for low, high in zip(numbers, following, strict=True)])
    nan = 0x80 if name.endswith("fnuz") else 0x7F
    return borders, np.arange(len(numbers)) % 2 == 0, nan


def small_float_overflow(name: str) -> int:
    """The code of what is too large: infinity, or NaN where there is none."""
    kind = DataType.named(name)
    infinite = [bits for bits in range(128) if math.isinf(kind.value(bits))]
    return infinite[0] if infinite else small_float_borders(name)[2]

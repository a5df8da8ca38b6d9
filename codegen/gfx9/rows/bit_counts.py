"""Counting and turning bits, in operations that arrays have and C has.

>>> import numpy as np
>>> int(ones_in(np.uint32(0xF0F))), hex(reversed_bits(np.uint32(1)))
(8, '0x80000000')
>>> first_one_from_above(np.array([1, 0], np.uint32)).tolist()
[31, -1]
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["first_one_from_above", "first_other_than_sign", "ones_in", "reversed_bits"]

U32, I32 = np.uint32, np.int32
HALVES = ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF))


def ones_in(word: Any) -> Any:
    """How many bits of a word are 1."""
    for bits, mask in HALVES:
        word = (word & U32(mask)) + (word >> U32(bits) & U32(mask))
    return (word & U32(0xFFFF)) + (word >> U32(16))


def reversed_bits(word: Any) -> Any:
    """A word with its last bit first."""
    for bits, mask in HALVES:
        word = (word & U32(mask)) << U32(bits) | word >> U32(bits) & U32(mask)
    return word << U32(16) | word >> U32(16)


def first_one_from_above(word: Any) -> Any:
    """How many zeros stand above the highest 1; -1 where there is none."""
    filled = word
    for bits in (1, 2, 4, 8, 16):
        filled = filled | filled >> U32(bits)
    return np.where(word == 0, I32(-1), (U32(32) - ones_in(filled)).astype(I32))


def first_other_than_sign(word: Any) -> Any:
    """How many bits from above are the same as the highest; -1 where all are."""
    return first_one_from_above(np.where(word >> U32(31) != 0, ~word, word))

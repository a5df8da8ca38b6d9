"""Register words as numbers, and words worth trying: the numeric part of the ISA oracle.

A word is what a register holds; a kind (``i16``, ``u64``, ``f32``, ``b32``) says how to read it. Integers
have arbitrary precision and explicit masks; floats are fractions that one function rounds once.
"""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

__all__ = [
    "FLOATS",
    "LANES",
    "M16",
    "M32",
    "cases",
    "field",
    "nearest",
    "number",
    "rounded",
    "signed",
    "width",
    "word_of",
]

LANES = 64
M16, M32, M64 = 2**16 - 1, 2**32 - 1, 2**64 - 1
FLOATS = {"f16": ("<e", 11, -24, 2**16), "f32": ("<f", 24, -149, 2**128), "f64": ("<d", 53, -1074, 2**1024)}


def width(kind: str) -> int:
    return int(kind[1:])


def field(word: int, low: int, bits: int) -> int:
    return word >> low & (1 << bits) - 1


def signed(word: int, bits: int = 32) -> int:
    return bits and field(word, 0, bits) - (field(word, bits - 1, 1) << bits)


def number(kind: str, word: int) -> Any:
    word = field(word, 0, width(kind))
    if kind in FLOATS:
        return struct.unpack(FLOATS[kind][0], word.to_bytes(width(kind) // 8, "little"))[0]
    return signed(word, width(kind)) if kind[0] == "i" else word


def word_of(kind: str, value: float) -> int:
    return int.from_bytes(struct.pack(FLOATS[kind][0], value), "little")


def nearest(kind: str, exact: Fraction) -> float:
    """The float nearest to a fraction other than zero: one rounding, ties to even."""
    _, digits, lowest, limit = FLOATS[kind]
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    exponent -= abs(exact) < Fraction(2) ** exponent
    step = Fraction(2) ** max(exponent - digits + 1, lowest)
    size = round(abs(exact) / step) * step
    return math.copysign(math.inf if size >= limit else float(size), -1 if exact < 0 else 1)


def rounded(kind: str, operation: Callable[..., Any], *numbers: Any) -> int:
    """Exact where operands are finite; Python's doubles give infinities, NaNs and the sign of a zero."""
    exact = operation(*map(Fraction, numbers)) if all(map(math.isfinite, numbers)) else Fraction(0)
    return word_of(kind, nearest(kind, exact) if exact else operation(*numbers))


SMALL = [0, 1, 15, 16, 31, 32, 33, 63, 64]
EDGES = [0x7FFF, 0x8000, M16, 0x7FFFFF, 0x800000, 0x1000001, 0x1000003, 2**31 - 1, 2**31, M32]
WIDE = [2**31, M32, 2**32, 2**63 - 1, 2**63, M64, M64 // 3, M64 // 3 * 2, 0x89ABCDEF01234567]
FIELDS = [a | b << 16 | rest for a in (0, 1, 7, 31) for b in (0, 1, 8, 31, 32) for rest in (0, 0xFF80FFE0)]
POOLS = {
    "b32": [*SMALL, *EDGES, M32 // 3, M32 // 3 * 2],
    "b64": SMALL + WIDE,
    "fields": FIELDS,
    "wide fields": [*FIELDS, *(a | b << 16 for a in (32, 33, 63) for b in (1, 31, 32, 33, 63, 64))],
    "exponents": [
        n & M32
        for m in (
            0,
            1,
            10,
            14,
            15,
            16,
            24,
            25,
            126,
            127,
            128,
            149,
            150,
            278,
            1022,
            1023,
            1075,
            2099,
            2**15 - 1,
            2**15,
            2**31 - 1,
        )
        for n in (m, -m)
    ],
    "flag": [0, 1],
}
CHOSEN = ("fields", "wide fields", "exponents", "flag")  # kinds of words that are drawn from their pool


def corners(kind: str) -> list[int]:
    if kind not in FLOATS:
        return POOLS[kind if kind in POOLS else f"b{max(32, width(kind))}"]
    normal, one, infinite = 1 << FLOATS[kind][1] - 1, word_of(kind, 1.0), word_of(kind, math.inf)
    sizes = [0, 1, normal - 1, normal, one - 1, one, one + 1, infinite - 1, infinite, infinite | normal // 2]
    for _, digits, lowest, limit in [row for row in FLOATS.values() if 1 << row[1] - 1 < normal]:
        overflow, vanishing = (
            word_of(kind, limit - limit * 2.0 ** (-digits - 1)),
            word_of(kind, 2.0 ** (lowest - 1)),
        )
        sizes += [overflow - 1, overflow, vanishing, vanishing + 1]
    return [size | sign for size in sizes for sign in (0, 1 << width(kind) - 1)]


def random_word(kind: str, generator: np.random.Generator) -> int:
    if kind in CHOSEN:
        return int(generator.choice(POOLS[kind]))
    word = int(generator.integers(0, M64, dtype=np.uint64, endpoint=True))
    if kind in FLOATS and word & 1:  # of similar size and with few digits: sums matter, ties are common
        digits = int(generator.integers(1, FLOATS[kind][1], endpoint=True))
        size = int(generator.integers(1 << digits)) * 2.0 ** (int(generator.integers(-14, 14)) - digits)
        return word_of(kind, -size if word & 2 else size)
    word = field(word, 0, width(kind) if kind in FLOATS else max(32, width(kind)))
    return word | (1 << FLOATS[kind][1] - 2 if kind in FLOATS and math.isnan(number(kind, word)) else 0)


@cache
def cases(*kinds: str) -> list[tuple[int, ...]]:
    generator = np.random.default_rng(942)
    fixed = list(itertools.product(*map(corners, kinds)))
    fixed = [fixed[i] for i in generator.permutation(len(fixed))[:6144]]
    more = 8 * LANES + -len(fixed) % LANES
    return fixed + [tuple(random_word(kind, generator) for kind in kinds) for _ in range(more)]

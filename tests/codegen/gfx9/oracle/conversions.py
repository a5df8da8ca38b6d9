"""From one kind of number to another (chapter 16.8, V_CVT and its kin).

``v_cvt_rpi_i32_f32`` is ``floor(S0 + 0.5)``: the guide leaves open whether the sum is rounded first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from tests.codegen.gfx9.words import FLOATS, M16, M32, field, number, rounded, signed, word_of

CONVERSIONS: tuple[str, ...] = (
    "f32_f16",
    "f16_f32",
    "f64_f32",
    "f32_f64",
    "f32_i32",
    "f32_u32",
    "f64_i32",
    "f64_u32",
)
CONVERSIONS += ("f16_i16", "f16_u16")


def towards_zero(value: float, low: int, high: int) -> int:
    if math.isnan(value):
        return 0
    return low if value <= low else high if value >= high else math.trunc(value)


def to_integer(kind: str, low: int, high: int) -> Callable[[int], int]:
    return lambda a: towards_zero(number(kind, a), low, high)


def floored(word: int, add: Fraction) -> int:
    """A float of 32 bits plus something, rounded down to an integer that fits 32 bits."""
    value = number("f32", word)
    exact = math.floor(Fraction(value) + add) if math.isfinite(value) else value
    return towards_zero(exact, -(2**31), 2**31 - 1)


def bf16(word: int) -> int:
    """Half a unit of the last place up, then cut; one less for ties of even numbers. A NaN stays one."""
    if math.isnan(number("f32", word)):
        return word >> 16 | 0x40
    low, rest = word >> 16, word & M16
    return low + (rest > 0x8000 or (rest == 0x8000 and low % 2 == 1))


def cut_to_f16(word: int) -> int:
    """A float of 32 bits as one of 16, rounded towards zero; finite numbers stay finite."""
    value, sign = number("f32", word), word >> 31 << 15
    if not math.isfinite(value):
        return word_of("f16", value)
    _, digits, lowest, limit = FLOATS["f16"]
    exponent = max(math.frexp(value)[1] - digits, lowest)
    size = math.floor(Fraction(abs(value)) / Fraction(2) ** exponent) * Fraction(2) ** exponent
    return sign | word_of("f16", float(min(size, Fraction(limit - limit // 2**digits))))


def to_f16(word: int) -> int:
    return rounded("f16", lambda a: a, number("f32", word))


def within(value: int, low: int, high: int) -> int:
    return min(max(value, low), high) & M16


TO_WORDS: dict[str, Callable[..., int]] = {
    "v_cvt_pk_i16_i32": lambda a, b: (
        within(signed(a), -(2**15), 2**15 - 1) | within(signed(b), -(2**15), 2**15 - 1) << 16
    ),
    "v_cvt_pk_u16_u32": lambda a, b: within(a, 0, M16) | within(b, 0, M16) << 16,
    "v_cvt_pk_bf16_f32": lambda a, b: bf16(a) | bf16(b) << 16,
    "v_cvt_pk_f16_f32": lambda a, b: to_f16(a) | to_f16(b) << 16,
    "v_cvt_pkrtz_f16_f32": lambda a, b: cut_to_f16(a) | cut_to_f16(b) << 16,
    "v_cvt_i32_f32": to_integer("f32", -(2**31), 2**31 - 1),
    "v_cvt_u32_f32": to_integer("f32", 0, M32),
    "v_cvt_i32_f64": to_integer("f64", -(2**31), 2**31 - 1),
    "v_cvt_u32_f64": to_integer("f64", 0, M32),
    "v_cvt_i16_f16": lambda a: towards_zero(number("f16", a), -(2**15), 2**15 - 1) & M16,
    "v_cvt_u16_f16": to_integer("f16", 0, M16),
    "v_cvt_flr_i32_f32": lambda a: floored(a, Fraction(0)),
    "v_cvt_rpi_i32_f32": lambda a: floored(a, Fraction(1, 2)),
    **{f"v_cvt_f32_ubyte{n}": lambda a, *, n=n: word_of("f32", float(field(a, 8 * n, 8))) for n in range(4)},
}

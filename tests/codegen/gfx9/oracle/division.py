"""The steps of a division: scale what is extreme, multiply-add, put special cases right (V_DIV_*).

The guide's text of ``v_div_fmas`` is not consistent with ``v_div_scale`` (it undoes a factor of 2**64 by
2**32, and never a factor that made the quotient larger). What is here undoes it, in the direction that
the exponent of the third operand tells; that LLVM's sequences then give the quotient rounded once is
tested as a law. Where a divisor's reciprocal and the quotient both are denormal, the guide makes the
divisor larger, which gives an infinity; here it is made smaller, as where only the reciprocal is. In
``v_div_scale``, a quotient counts as denormal by its exact value, a reciprocal of 32 bits as such a number.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from tests.codegen.gfx9.words import FLOATS, field, number, rounded, word_of


class Division(NamedTuple):
    """The numbers of one width: bits of the exponent, the factor, when it is wanted."""

    exponent_bits: int
    factor: int
    far: int
    near: int


DIVISIONS = {"f16": Division(5, 0, 0, 0), "f32": Division(8, 64, 96, 23), "f64": Division(11, 128, 768, 53)}


def exponent(kind: str, word: int) -> int:
    """The biased exponent, as it is in the word."""
    return field(word, FLOATS[kind][1] - 1, DIVISIONS[kind].exponent_bits)


def times_two_to(kind: str, word: int, power: int) -> int:
    value = number(kind, word)
    if not math.isfinite(value) or value == 0:
        return word
    return rounded(kind, lambda a: a * Fraction(2) ** power, value)


def is_denormal(kind: str, exact: Fraction) -> bool:
    return 0 < abs(exact) < Fraction(2) ** (FLOATS[kind][2] + FLOATS[kind][1] - 1)


def div_scale(kind: str, s0: int, s1: int, s2: int) -> tuple[int | None, bool | None]:
    """The scaled operand, and whether the quotient must be scaled back.

    Open where a source is no finite number: ``v_div_fixup`` replaces the quotient.
    """
    _, by, far, near = DIVISIONS[kind]
    denominator, numerator = number(kind, s1), number(kind, s2)
    if 0 in (numerator, denominator):
        return word_of(kind, math.nan), False
    if not (math.isfinite(numerator) and math.isfinite(denominator)):
        return None, None
    if exponent(kind, s2) - exponent(kind, s1) >= far:
        return times_two_to(kind, s0, by if s0 == s1 else 0), True
    if is_denormal(kind, Fraction(denominator)):
        return times_two_to(kind, s0, by), False
    reciprocal = is_denormal(kind, 1 / Fraction(denominator))
    quotient = is_denormal(kind, Fraction(numerator) / Fraction(denominator))
    if reciprocal and quotient:
        return times_two_to(kind, s0, -by if s0 == s1 else 0), True
    if reciprocal:
        return times_two_to(kind, s0, -by), False
    if quotient:
        return times_two_to(kind, s0, by if s0 == s2 else 0), True
    return times_two_to(kind, s0, by if exponent(kind, s2) <= near else 0), False


def div_fmas(kind: str) -> Callable[[int, int, int, int], int | None]:
    """Open where the sum overflows before it is made smaller, which no division does."""

    def found(a: int, b: int, c: int, flag: int) -> int | None:
        half = 2 ** (DIVISIONS[kind].exponent_bits - 1) - 1
        power = DIVISIONS[kind].factor * (1 if exponent(kind, c) > half else -1) * flag
        numbers = [number(kind, word) for word in (a, b, c)]
        scale = Fraction(2) ** power if all(map(math.isfinite, numbers)) else 1
        is_open = power < 0 and math.isinf(number(kind, rounded(kind, lambda x, y, z: x * y + z, *numbers)))
        return None if is_open else rounded(kind, lambda x, y, z: (x * y + z) * scale, *numbers)

    return found


def div_fixup(kind: str) -> Callable[[int, int, int], int]:
    """A quotient that overflowed on the way is no number then: infinity, of 32 and 64 bits (by the law)."""

    def found(quotient: int, denominator: int, numerator: int) -> int:
        below, above = number(kind, denominator), number(kind, numerator)
        sign = (denominator ^ numerator) & word_of(kind, -0.0)
        if math.isnan(above) or math.isnan(below):
            return word_of(kind, math.nan)
        if (below == 0 and above == 0) or (math.isinf(below) and math.isinf(above)):
            return word_of(kind, math.nan)
        if below == 0 or math.isinf(above):
            return word_of(kind, math.inf) | sign
        if math.isinf(below) or above == 0:
            return sign
        if kind != "f16" and exponent(kind, numerator) - exponent(kind, denominator) < UNDERFLOW[kind]:
            return sign  # less than half of the least number
        if kind != "f16" and math.isnan(number(kind, quotient)):
            return word_of(kind, math.inf) | sign
        return quotient & ~word_of(kind, -0.0) | sign

    return lambda a, b, c: found(*(field(word, 0, int(kind[1:])) for word in (a, b, c)))


UNDERFLOW = {"f32": -150, "f64": -1075}
DIVISION: dict[str, Callable[..., int | None]] = {
    **{f"v_div_fixup_{kind}": div_fixup(kind) for kind in DIVISIONS},
    **{f"v_div_fmas_{kind}": div_fmas(kind) for kind in ("f32", "f64")},
}
SCALES = {"v_div_scale_f32": "f32", "v_div_scale_f64": "f64"}

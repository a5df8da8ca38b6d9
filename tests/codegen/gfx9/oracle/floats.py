"""Floats: sums, products, orders, integers of floats, significands and exponents (chapters 16.7 to 16.10).

Beside the pseudocode: ``v_fract`` stays below 1, as LLVM takes it to (``matchFractPat`` replaces
``min(x - floor(x), the largest below 1)`` by it), and the exponent of a zero is 0, as C's ``frexp`` wants,
which LLVM lowers to the instruction.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.codegen.gfx9.oracle.conversions import CONVERSIONS
from tests.codegen.gfx9.words import FLOATS, field, number, rounded, signed, word_of


def with_sign(value: Any) -> tuple[Any, float]:
    return value, math.copysign(1, value)


def lesser(*values: float) -> float:
    """The smallest of those that are numbers; the negative zero is the smaller one."""
    numbers = [value for value in values if not math.isnan(value)]
    return min(numbers, key=with_sign) if numbers else math.nan


def greater(*values: float) -> float:
    numbers = [value for value in values if not math.isnan(value)]
    return max(numbers, key=with_sign) if numbers else math.nan


def middle(a: float, b: float, c: float) -> float:
    numbers = sorted((x for x in (a, b, c) if not math.isnan(x)), key=with_sign)
    return math.nan if not numbers else numbers[1] if len(numbers) == 3 else numbers[0]


def whole(rounding: Callable[[Any], int]) -> Callable[[Any], Any]:
    """To an integer; a zero has the sign of what it comes from."""

    def found(a: Any) -> Any:
        if not math.isfinite(a):
            return a
        return Fraction(rounding(a)) or math.copysign(0.0, a)

    return found


def fraction_part(kind: str) -> Callable[[int], int]:
    below_one = 1 - Fraction(2) ** -FLOATS[kind][1]

    def found(word: int) -> int:
        value = number(kind, word)
        if not math.isfinite(value):
            return word_of(kind, math.nan)
        exact = Fraction(value) - math.floor(value)
        return rounded(kind, lambda a: a, min(exact, below_one)) if exact else 0

    return found


def significand(kind: str) -> Callable[[int], int]:
    def found(word: int) -> int:
        value = number(kind, word)
        return word_of(kind, math.frexp(value)[0] if math.isfinite(value) else value)

    return found


def exponent(kind: str, bits: int) -> Callable[[int], int]:
    def found(word: int) -> int:
        value = number(kind, word)
        return field(math.frexp(value)[1] if math.isfinite(value) else 0, 0, bits)

    return found


def scaled(kind: str, bits: int) -> Callable[[int, int], int]:
    """A float times a power of two, rounded once; the power is a signed integer of some bits."""

    def found(word: int, power: int) -> int:
        value, by = number(kind, word), min(max(signed(power, bits), -5000), 5000)
        if not math.isfinite(value) or value == 0:
            return word_of(kind, value)
        return rounded(kind, lambda a: a * Fraction(2) ** by, value)

    return found


def in_two_steps(kind: str) -> Callable[[int, int, int], int | None]:
    """A product and a sum, each rounded; open (None) where a denormal occurs, which may be flushed."""
    least = word_of(kind, 2.0 ** (FLOATS[kind][2] + FLOATS[kind][1] - 1))

    def found(a: int, b: int, c: int) -> int | None:
        product = rounded(kind, lambda x, y: x * y, number(kind, a), number(kind, b))
        total = rounded(kind, lambda x, y: x + y, number(kind, product), number(kind, c))
        sign = least_bit(kind)
        is_tiny = any(0 < word & ~sign < least for word in (a, b, c, product, total))
        return None if is_tiny else total

    return lambda a, b, c: found(field(a, 0, 32), field(b, 0, 32), field(c, 0, 32))


def least_bit(kind: str) -> int:
    """The bit of the sign."""
    return word_of(kind, -0.0)


FLOATING: dict[str, Callable[..., Any]] = {
    **{f"v_add_{kind}": lambda a, b: a + b for kind in FLOATS},
    **{f"v_mul_{kind}": lambda a, b: a * b for kind in FLOATS},
    "v_sub_f32": lambda a, b: a - b,
    "v_sub_f16": lambda a, b: a - b,
    "v_subrev_f32": lambda a, b: b - a,
    "v_subrev_f16": lambda a, b: b - a,
    "v_mul_legacy_f32": lambda a, b: 0.0 if 0 in (a, b) else a * b,
    **{f"v_fma_{kind}": lambda a, b, c: a * b + c for kind in FLOATS},
    **{f"v_fmac_{kind}": lambda a, b, c: a * b + c for kind in FLOATS},
    **{f"v_min_{kind}": lesser for kind in FLOATS},
    **{f"v_max_{kind}": greater for kind in FLOATS},
    **{f"v_min3_{kind}": lesser for kind in ("f16", "f32")},
    **{f"v_max3_{kind}": greater for kind in ("f16", "f32")},
    **{f"v_med3_{kind}": middle for kind in ("f16", "f32")},
    **{f"v_floor_{kind}": whole(math.floor) for kind in FLOATS},
    **{f"v_ceil_{kind}": whole(math.ceil) for kind in FLOATS},
    **{f"v_trunc_{kind}": whole(math.trunc) for kind in FLOATS},
    **{f"v_rndne_{kind}": whole(round) for kind in FLOATS},
    **{f"v_cvt_{k}": lambda a: a for k in CONVERSIONS},
}
FLOAT_WORDS: dict[str, Callable[..., int | None]] = {
    **{f"v_fract_{kind}": fraction_part(kind) for kind in FLOATS},
    **{f"v_frexp_mant_{kind}": significand(kind) for kind in FLOATS},
    "v_frexp_exp_i16_f16": exponent("f16", 16),
    "v_frexp_exp_i32_f32": exponent("f32", 32),
    "v_frexp_exp_i32_f64": exponent("f64", 32),
    "v_ldexp_f16": scaled("f16", 16),
    "v_ldexp_f32": scaled("f32", 32),
    "v_ldexp_f64": scaled("f64", 32),
    **{f"v_{name}_{kind}": in_two_steps(kind) for name in ("mac", "mad") for kind in ("f16", "f32")},
}
WITH_CONSTANT: dict[str, bool] = {  # whether the constant is the factor (else it is what is added)
    f"v_{name}{place}_{kind}": place == "mk"
    for name in ("fma", "mad")
    for place in ("mk", "ak")
    for kind in ("f16", "f32")
}

"""What atomic operations leave in memory (chapters 16.13 to 16.16), from the word before and the data.

A compare-and-swap of global memory has its new word first and then that to compare with; in the LDS it is
the other way round. The payload of a NaN is left open; a sum of ``bf16`` is rounded once, to nearest even.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction

from tests.codegen.gfx9.words import field, number, rounded, signed

__all__ = ["GLOBAL", "LDS", "Meaning"]

Meaning = Callable[..., int | None]


def whole(bits: int) -> dict[str, Meaning]:
    """Operations on integers: the names of global memory."""
    return {
        "swap": lambda old, data: data,
        "add": lambda old, data: field(old + data, 0, bits),
        "sub": lambda old, data: field(old - data, 0, bits),
        "smin": lambda old, data: min(old, data, key=lambda word: signed(word, bits)),
        "smax": lambda old, data: max(old, data, key=lambda word: signed(word, bits)),
        "umin": min,
        "umax": max,
        "and": lambda old, data: old & data,
        "or": lambda old, data: old | data,
        "xor": lambda old, data: old ^ data,
        "inc": lambda old, data: 0 if old >= data else old + 1,
        "dec": lambda old, data: data if old == 0 or old > data else old - 1,
        "cmpswap": lambda old, new, compared: new if old == compared else old,
    }


def added(kind: str) -> Callable[[int, int], int]:
    return lambda old, data: rounded(kind, lambda a, b: a + b, number(kind, old), number(kind, data))


def extreme(kind: str, is_before: Callable[[float, float], bool]) -> Callable[[int, int], int | None]:
    """The lesser or the greater float; open (None) where memory holds no number, or both are zeros."""

    def found(old: int, data: int) -> int | None:
        before, given = number(kind, old), number(kind, data)
        is_open = (math.isnan(before) and not math.isnan(given)) or (before == given == 0 and old != data)
        return None if is_open else data if is_before(given, before) else old

    return found


def in_halves(operation: Callable[[int, int], int]) -> Meaning:
    return lambda old, data: (
        operation(field(old, 0, 16), field(data, 0, 16)) | operation(old >> 16, data >> 16) << 16
    )


def added_bf16(old: int, data: int) -> int:
    """The sum of two numbers that are the upper halves of floats of 32 bits."""
    left, right = (number("f32", word << 16) for word in (old, data))
    if not (math.isfinite(left) and math.isfinite(right)) or left + right == 0:
        return rounded("f32", lambda a, b: a + b, left, right) >> 16
    exact = Fraction(left) + Fraction(right)
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    exponent -= abs(exact) < Fraction(2) ** exponent
    step = Fraction(2) ** max(exponent - 7, -133)
    size = round(abs(exact) / step) * step
    sign = 0x8000 if exact < 0 else 0
    return sign | (0x7F80 if size >= 2**128 else rounded("f32", lambda a: a, float(size)) >> 16)


GLOBAL: dict[str, tuple[str, Meaning]] = {
    **{name: ("b32", meaning) for name, meaning in whole(32).items()},
    **{f"{name}_x2": ("b64", meaning) for name, meaning in whole(64).items()},
    "add_f32": ("f32", added("f32")),
    "add_f64": ("f64", added("f64")),
    "min_f64": ("f64", extreme("f64", operator.lt)),
    "max_f64": ("f64", extreme("f64", operator.gt)),
    "pk_add_f16": ("two f16", in_halves(added("f16"))),
    "pk_add_bf16": ("two bf16", in_halves(added_bf16)),
}
OF_LDS = {
    "add_u": "add", "sub_u": "sub", "inc_u": "inc", "dec_u": "dec", "min_i": "smin", "max_i": "smax",
    "min_u": "umin", "max_u": "umax", "and_b": "and", "or_b": "or", "xor_b": "xor", "wrxchg_b": "swap",
}  # fmt: skip
LDS: dict[str, tuple[str, Meaning]] = {
    **{f"{name}{bits}": (f"b{bits}", whole(bits)[of]) for name, of in OF_LDS.items() for bits in (32, 64)},
    **{f"rsub_u{n}": (f"b{n}", lambda old, data, *, n=n: field(data - old, 0, n)) for n in (32, 64)},
    **{
        f"cmpst_b{bits}": (f"b{bits}", lambda old, compared, new: new if old == compared else old)
        for bits in (32, 64)
    },
    "mskor_b32": ("b32", lambda old, mask, data: old & ~mask | data),
    **{f"add_{kind}": (kind, added(kind)) for kind in ("f32", "f64")},
    **{f"min_{kind}": (kind, extreme(kind, operator.lt)) for kind in ("f32", "f64")},
    **{f"max_{kind}": (kind, extreme(kind, operator.gt)) for kind in ("f32", "f64")},
    "pk_add_f16": GLOBAL["pk_add_f16"],
    "pk_add_bf16": GLOBAL["pk_add_bf16"],
}

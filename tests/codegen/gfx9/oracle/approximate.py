"""Functions that the guide allows to be one unit of the last place off: reciprocals, roots, powers, angles.

The exact value comes from mpmath with 200 bits; angles are in turns, and are reduced exactly first. The sine
and the cosine may further be off by 2**-40, where their exact value is 0. Left open by the guide, and taken
to be kept here: denormal sources and results of the functions of 32 bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath

from tests.codegen.gfx9.words import FLOATS, number

__all__ = ["APPROXIMATE", "is_close"]

PRECISION = 200
UNITS = {"f64": 2}  # the instructions on 64 bits are starting values of iterations, and far less exact
NEAR_ZERO = Fraction(1, 2**40)


def exactly(value: float) -> Any:
    return mpmath.mpf(value)


def reciprocal(a: float) -> Any:
    return (
        math.copysign(math.inf, a) if a == 0 else math.copysign(0.0, a) if math.isinf(a) else 1 / exactly(a)
    )


def root(a: float) -> Any:
    return a if a in (0, math.inf) else math.nan if a < 0 else mpmath.sqrt(exactly(a))


def reciprocal_root(a: float) -> Any:
    if a == 0:
        return math.copysign(math.inf, a)
    return 0.0 if a == math.inf else math.nan if a < 0 else 1 / mpmath.sqrt(exactly(a))


def power_of_two(a: float) -> Any:
    if math.isinf(a):
        return 0.0 if a < 0 else a
    return mpmath.power(2, exactly(min(max(a, -5000.0), 5000.0)))


def logarithm(a: float) -> Any:
    return -math.inf if a == 0 else math.nan if a < 0 else a if a == math.inf else mpmath.log(exactly(a), 2)


def angle(function: Callable[[Any], Any]) -> Callable[[float], Any]:
    """Of turns; beyond 256 of them the guide promises nothing, which is None."""

    def found(a: float) -> Any:
        if math.isinf(a):
            return math.nan
        turns = Fraction(a) % 1
        part = Fraction(a) if abs(a) < 0.25 else turns
        return None if abs(a) > 256 else function(2 * mpmath.mpf(part.numerator) / part.denominator)

    return found


FUNCTIONS: dict[str, tuple[tuple[str, ...], Callable[[float], Any]]] = {
    "v_rcp": (("f16", "f32", "f64"), reciprocal),
    "v_rcp_iflag": (("f32",), reciprocal),
    "v_sqrt": (("f16", "f32", "f64"), root),
    "v_rsq": (("f16", "f32", "f64"), reciprocal_root),
    "v_exp": (("f16", "f32"), power_of_two),
    "v_log": (("f16", "f32"), logarithm),
    "v_sin": (("f16", "f32"), angle(mpmath.sinpi)),
    "v_cos": (("f16", "f32"), angle(mpmath.cospi)),
}
APPROXIMATE = {f"{name}_{kind}": function for name, (kinds, function) in FUNCTIONS.items() for kind in kinds}


def is_close(name: str, word: int, found: int) -> bool:
    """Whether a result is right: special values exactly, others to one unit of the last place."""
    kind = name.rsplit("_", maxsplit=1)[-1]
    value, result = number(kind, word), number(kind, found)
    with mpmath.workprec(PRECISION):
        exact = math.nan if math.isnan(value) else APPROXIMATE[name](value)
        if exact is None:
            return True
        if isinstance(exact, float):
            return same_special(exact, result)
        return not math.isnan(result) and close(kind, exact, result, name.startswith(("v_sin", "v_cos")))


def same_special(exact: float, result: float) -> bool:
    if math.isnan(exact):
        return math.isnan(result)
    return exact == result and math.copysign(1, exact) == math.copysign(1, result)


def close(kind: str, exact: Any, result: float, is_angle: bool) -> bool:
    _, digits, lowest, limit = FLOATS[kind]
    place = int(mpmath.frexp(exact)[1]) - digits if exact else lowest
    unit = mpmath.ldexp(1, max(place, lowest))
    there = mpmath.mpf(limit if result > 0 else -limit) if math.isinf(result) else mpmath.mpf(result)
    allowed = max(
        UNITS.get(kind, 1) * unit, mpmath.mpf(NEAR_ZERO.numerator) / NEAR_ZERO.denominator if is_angle else 0
    )
    if math.isinf(result) and abs(exact) > limit:
        return bool(exact * there > 0)
    return bool(abs(there - exact) <= allowed)

"""Fused multiply-add in NumPy, which has none: a product and a sum that are rounded once.

A sum that was rounded to odd in a wider format can be rounded again to a narrower one without harm.
Source: Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.rows.primitive import primitive

__all__ = ["error_of_sum", "fused_multiply_add", "fused_multiply_add_f64"]

F64, U64 = np.float64, np.uint64
SPLITTER = 2.0**27 + 1
SMALLEST, LARGEST = 2.0**-900, 2.0**900  # where no error term vanishes and no product overflows


@primitive
def fused_multiply_add(left: Any, right: Any, more: Any) -> Any:
    """``left * right + more`` of ``f32`` or ``f16``, widened or not, as an ``f64`` to round once more."""
    product, more = left.astype(F64) * right, more.astype(F64)
    return _to_odd(*_two_sum(product, more))


@primitive
def fused_multiply_add_f64(left: Any, right: Any, more: Any) -> Any:
    """``left * right + more`` of ``f64``, rounded once; by exact fractions where numbers are extreme.

    >>> float(fused_multiply_add_f64(*np.array([[1 + 2.0**-52], [1 - 2.0**-52], [-1.0]]))[0]) == -(2.0**-104)
    True
    """
    left, right, more = np.broadcast_arrays(left, right, more)
    high, low = _two_product(left, right)
    upper, lower = _two_sum(more, low)
    top, rest = _two_sum(high, upper)
    found = np.array(top + _to_odd(*_two_sum(rest, lower)))
    sizes = [np.abs(left), np.abs(right), np.abs(high), np.abs(more)]
    safe = np.logical_and.reduce([(size == 0) | ((size > SMALLEST) & (size < LARGEST)) for size in sizes])
    safe &= high != 0
    for place in zip(*np.nonzero(~safe), strict=True):
        found[place] = _exact(float(left[place]), float(right[place]), float(more[place]))
    return found


def error_of_sum(left: Any, right: Any, more: Any, total: Any) -> Any:
    """By how much ``left * right + more`` is above its rounded ``total``, of ``f64``; the sign is exact."""
    rest, lost = _two_sum(more, -total)
    return fused_multiply_add_f64(left, right, rest) + lost


def _exact(left: float, right: float, more: float) -> float:
    if not all(map(math.isfinite, (left, right, more))):
        return float(F64(left) * F64(right) + F64(more))
    total = Fraction(left) * Fraction(right) + Fraction(more)
    if total == 0:
        return float(F64(left) * F64(right) + F64(more))
    sign = -1.0 if total < 0 else 1.0
    try:
        return math.copysign(float(total), sign)
    except OverflowError:
        return math.copysign(math.inf, sign)


def _two_sum(left: Any, right: Any) -> tuple[Any, Any]:
    total = left + right
    from_left = total - right
    return total, (left - from_left) + (right - (total - from_left))


def _two_product(left: Any, right: Any) -> tuple[Any, Any]:
    product = left * right
    (a, b), (c, d) = _halves(left), _halves(right)
    return product, ((a * c - product) + a * d + b * c) + b * d


def _halves(value: Any) -> tuple[Any, Any]:
    scaled = value * SPLITTER
    high = scaled - (scaled - value)
    return high, value - high


def _to_odd(total: Any, error: Any) -> Any:
    is_even = np.ascontiguousarray(total).view(U64) & U64(1) == 0
    to_odd = is_even & np.isfinite(total) & (error != 0) & np.isfinite(error)
    return np.where(to_odd, np.nextafter(total, np.copysign(np.inf, error)), total)

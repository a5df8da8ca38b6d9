"""Rows of the steps that a division is made of: scaling, the last multiply-add, and what is no number.

A division is ``v_div_scale`` of divisor and dividend, ``v_rcp`` and multiply-adds, ``v_div_fmas``, which
takes the scaling back, and ``v_div_fixup``. The mask of ``v_div_scale`` says whether it is to be taken back.
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 16 (V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP).
What it leaves open (by which power of two V_DIV_FMAS scales, which way a large divisor goes) is set so that
the sequence gives the quotient rounded once, as LLVM relies on (AMDGPULegalizerInfo.cpp, legalizeFDIV32).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.rows.exact_sums import (
    error_of_sum,
    fused_multiply_add,
    fused_multiply_add_f64,
)
from layoutalg.codegen.gfx9.rows.row import VectorRow, row

__all__ = ["DIVISION_ROWS"]


@dataclass(frozen=True)
class Format:
    """A float's layout: its types, the bits of its fraction, exponents, and how far scaling goes."""

    kind: str
    number: Any
    bits: Any
    fraction: int
    exponents: int
    far: int  # exponents of dividend and divisor so far apart are brought nearer
    power: int  # by this power of two
    tiny: int  # exponents of a dividend that is scaled up
    underflow: int

    def exponent(self, value: Any) -> Any:
        """The exponent as it stands in the bits."""
        return (value.view(self.bits) >> self.bits(self.fraction) & self.bits(2 * self.exponents + 1)).astype(
            np.int64
        )

    def is_denormal(self, value: Any) -> Any:
        return (self.exponent(value) == 0) & (value != 0)


F32 = Format("f32", np.float32, np.uint32, 23, 127, 96, 64, 23, -150)
F64 = Format("f64", np.float64, np.uint64, 52, 1023, 768, 128, 53, -1075)


def _scale(form: Format) -> Callable[..., tuple[Any, Any]]:
    up, down = form.number(2.0**form.power), form.number(2.0**-form.power)

    def scaled(chosen: Any, divisor: Any, dividend: Any) -> tuple[Any, Any]:
        """What is scaled is the divisor where ``chosen`` equals it, else the dividend."""
        is_divisor, is_dividend = chosen == divisor, chosen == dividend
        quotient, inverse = dividend / divisor, form.number(1) / divisor
        is_far = form.exponent(dividend) - form.exponent(divisor) >= form.far
        is_nothing = (dividend == 0) | (divisor == 0)
        large_divisor, small_quotient = (
            form.is_denormal(inverse),
            form.is_denormal(quotient) | ((quotient == 0) & ~is_nothing),
        )
        is_tiny = form.exponent(dividend) <= form.tiny
        factor = np.where(is_tiny, up, form.number(1))
        factor = np.where(small_quotient, np.where(is_dividend, up, form.number(1)), factor)
        factor = np.where(large_divisor, down, factor)
        factor = np.where(large_divisor & small_quotient, np.where(is_divisor, down, form.number(1)), factor)
        factor = np.where(form.is_denormal(divisor), up, factor)
        factor = np.where(is_far, np.where(is_divisor, up, form.number(1)), factor)
        found = np.where(is_nothing, form.number(np.nan), chosen * factor)
        takes_back = ~is_nothing & (is_far | (~form.is_denormal(divisor) & small_quotient))
        return found, takes_back

    return scaled


def _factor(form: Format, more: Any, takes_back: Any) -> Any:
    """The power of two that takes the scaling back; 1 where there was none."""
    up, down = np.float64(2.0**form.power), np.float64(2.0**-form.power)
    return np.where(takes_back, np.where(form.exponent(more) > form.exponents, up, down), np.float64(1))


def _multiply_add_f32(left: Any, right: Any, more: Any, takes_back: Any) -> Any:
    """Rounded once: the sum is wider, and rounded to odd, until it is scaled."""
    wide = (value.astype(np.float64) for value in (left, right, more))
    return fused_multiply_add(*wide) * _factor(F32, more, takes_back)


def _multiply_add_f64(left: Any, right: Any, more: Any, takes_back: Any) -> Any:
    """Rounded once: a tie that only the rounding of the sum made goes to where the exact sum is."""
    total, factor = fused_multiply_add_f64(left, right, more), _factor(F64, more, takes_back)
    found = total * factor
    rest, error = total - found / factor, error_of_sum(left, right, more, total)
    half = np.float64(2.0 ** (F64.power - 1075))
    least = np.where((rest == half) & (error > 0), np.float64(2.0**-1074), np.float64(0))
    least = np.where((rest == -half) & (error < 0), np.float64(-(2.0**-1074)), least)
    return np.where(takes_back & (factor < 1) & (least != 0), found + least, found)


def _fixup(form: Format) -> Callable[[Any, Any, Any], Any]:
    def fixed(quotient: Any, divisor: Any, dividend: Any) -> Any:
        one = form.number(1)
        sign = np.where(np.signbit(divisor) != np.signbit(dividend), -one, one)
        size = np.abs(quotient)
        if form.power:  # a quotient beyond the range lost its size on the way
            size = np.where(np.isnan(size), form.number(np.inf), size)
        is_infinite, are_infinite = np.isinf(divisor), np.isinf(dividend)
        size = np.where(
            form.exponent(dividend) - form.exponent(divisor) < form.underflow, form.number(0), size
        )
        size = np.where(is_infinite | (dividend == 0), form.number(0), size)
        size = np.where((divisor == 0) | are_infinite, form.number(np.inf), size)
        none = ((divisor == 0) & (dividend == 0)) | (is_infinite & are_infinite)
        none = none | np.isnan(divisor) | np.isnan(dividend)
        return np.where(none, form.number(np.nan), sign * size)

    return fixed


DIVISION_ROWS: dict[str, VectorRow] = {}
for _form, _added in ((F32, _multiply_add_f32), (F64, _multiply_add_f64)):
    _three = f"{_form.kind} {_form.kind} {_form.kind}"
    DIVISION_ROWS |= {
        f"v_div_scale_{_form.kind}": row(f"{_form.kind} mask = {_three}", _scale(_form)),
        f"v_div_fmas_{_form.kind}": row(f"{_form.kind} = {_three} vcc", _added),
        f"v_div_fixup_{_form.kind}": row(f"{_form.kind} = {_three}", _fixup(_form)),
    }
F16 = Format("f16", np.float16, np.uint16, 10, 15, 0, 0, 0, -100)
DIVISION_ROWS["v_div_fixup_f16"] = row("f16 = f16 f16 f16", _fixup(F16))

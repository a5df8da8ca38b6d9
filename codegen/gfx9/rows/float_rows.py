"""Rows of arithmetic on floats.

Source: AMD Instinct MI300 Instruction Set Architecture, chapters 16.7 to 16.12.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.rows.exact_sums import fused_multiply_add, fused_multiply_add_f64
from layoutalg.codegen.gfx9.rows.row import VectorRow, row

__all__ = ["FLOAT_ROWS", "exponent_of", "maximum", "minimum", "scaled"]

U64, I64, F64 = np.uint64, np.int64, np.float64
UNSIGNED = {2: np.uint16, 4: np.uint32, 8: np.uint64}


def minimum(left: Any, right: Any) -> Any:
    """The smaller number; the other one where one is not a number. Minus zero is below plus zero."""
    return np.where(left == right, np.where(np.signbit(left), left, right), np.fmin(left, right))


def maximum(left: Any, right: Any) -> Any:
    """The larger number; the other one where one is not a number. Plus zero is above minus zero."""
    return np.where(left == right, np.where(np.signbit(left), right, left), np.fmax(left, right))


def _in_ieee_mode(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Of two floats; not a number where one is a NaN that signals (its highest bit of the fraction is 0)."""

    def found(left: Any, right: Any) -> Any:
        nan = left.dtype.type(np.nan)
        return np.where(_signals(left) | _signals(right), nan, operation(left, right))

    return found


def _signals(number: Any) -> Any:
    bits = UNSIGNED[number.dtype.itemsize]
    quiet = bits(1 << np.finfo(number.dtype).nmant - 1)
    return np.isnan(number) & (number.view(bits) & quiet == bits(0))


_least, _greatest = _in_ieee_mode(minimum), _in_ieee_mode(maximum)


def _median(a: Any, b: Any, c: Any) -> Any:
    """The middle one; the smallest of those that are numbers if one is not."""
    nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    middle = maximum(minimum(a, b), minimum(maximum(a, b), c))
    return np.where(nan, _least(_least(a, b), c), middle)


def _of_turns(function: Callable[[Any], Any], turns: Any) -> Any:
    """Sine or cosine of an angle in turns; that of 0 beyond 256 of them, NaN of an infinity."""
    angle = turns.astype(F64)
    part = np.where(np.isfinite(angle) & (np.abs(angle) > 256), F64(0), angle - np.trunc(angle))
    return function(part * F64(2 * math.pi))


def _fract(number: Any) -> Any:
    """What is above the integer below, less than 1: LLVM takes the instruction for that minimum."""
    kind = number.dtype.type
    rest, below_one = number - np.floor(number), kind(1 - 2.0 ** -(np.finfo(kind).nmant + 1))
    return np.where(rest < kind(1), rest, np.where(rest == kind(1), below_one, rest))


def exponent_of(number: Any) -> Any:
    """``e`` where the size of a number is 2**e times 0.5 to 1; 0 of zeros, infinities and NaN."""
    wide = number.astype(F64)
    is_tiny = np.abs(wide) < F64(2.0**-1000)
    bits = np.where(is_tiny, wide * F64(2.0**64), wide).view(U64)
    found = (bits >> U64(52) & U64(0x7FF)).astype(I64) - np.where(is_tiny, I64(1022 + 64), I64(1022))
    return np.where((wide == 0) | ~np.isfinite(wide), I64(0), found)


def _mantissa(number: Any) -> Any:
    """The number without its power of two: 0.5 to 1."""
    wide = number.astype(F64)
    bits = np.where(np.abs(wide) < F64(2.0**-1000), wide * F64(2.0**64), wide).view(U64)
    found = (bits & U64(0x800FFFFFFFFFFFFF) | U64(1022 << 52)).view(F64)
    return np.where((wide == 0) | ~np.isfinite(wide), wide, found)


def scaled(number: Any, power: Any) -> Any:
    """A number of 16 or 32 bits times a power of two, exact: in 64 bits, to be rounded once."""
    return number.astype(F64) * ((np.clip(power.astype(I64), -400, 400) + 1023) << 52).view(F64)


FLOAT_ROWS: dict[str, VectorRow] = {
    "v_add_f32": row("f32 = f32 f32", np.add),
    "v_sub_f32": row("f32 = f32 f32", np.subtract),
    "v_mul_f32": row("f32 = f32 f32", np.multiply),
    "v_fma_f32": row("f32 = f32 f32 f32", fused_multiply_add),
    "v_add_f16": row("f16 = f16 f16", np.add),
    "v_mul_f16": row("f16 = f16 f16", np.multiply),
    "v_fma_f64": row("f64 = f64 f64 f64", fused_multiply_add_f64),
    "v_fmac_f64": row("f64 = f64 f64 old.f64", fused_multiply_add_f64),
    "v_sub_f16": row("f16 = f16 f16", np.subtract),
    "v_fma_f16": row("f16 = f16 f16 f16", fused_multiply_add),
    "v_add_f64": row("f64 = f64 f64", np.add),
    "v_mul_f64": row("f64 = f64 f64", np.multiply),
    "v_mul_legacy_f32": row(
        "f32 = f32 f32", lambda a, b: np.where((a == 0) | (b == 0), a.dtype.type(0), a * b)
    ),
    "v_rcp_iflag_f32": row("f32 = f32", lambda a: a.dtype.type(1) / a),
    "v_ldexp_f32": row("f32 = f32 i32", scaled),
    "v_ldexp_f16": row("f16 = f16 i16", scaled),
    "v_ldexp_f64": row("f64 = f64 i32", np.ldexp),
}
for _kind in ("f16", "f32", "f64"):
    FLOAT_ROWS |= {
        f"v_rcp_{_kind}": row(f"{_kind} = {_kind}", lambda a: a.dtype.type(1) / a),
        f"v_sqrt_{_kind}": row(f"{_kind} = {_kind}", np.sqrt),
        f"v_rsq_{_kind}": row(f"{_kind} = {_kind}", lambda a: F64(1) / np.sqrt(a.astype(F64))),
        f"v_floor_{_kind}": row(f"{_kind} = {_kind}", np.floor),
        f"v_ceil_{_kind}": row(f"{_kind} = {_kind}", np.ceil),
        f"v_trunc_{_kind}": row(f"{_kind} = {_kind}", np.trunc),
        f"v_rndne_{_kind}": row(f"{_kind} = {_kind}", np.rint),
        f"v_fract_{_kind}": row(f"{_kind} = {_kind}", _fract),
        f"v_frexp_mant_{_kind}": row(f"{_kind} = {_kind}", _mantissa),
        f"v_min_{_kind}": row(f"{_kind} = {_kind} {_kind}", _least),
        f"v_max_{_kind}": row(f"{_kind} = {_kind} {_kind}", _greatest),
    }
for _kind in ("f16", "f32"):
    _three = f"{_kind} = {_kind} {_kind} {_kind}"
    FLOAT_ROWS |= {
        f"v_exp_{_kind}": row(f"{_kind} = {_kind}", lambda a: np.exp2(a.astype(F64))),
        f"v_log_{_kind}": row(f"{_kind} = {_kind}", lambda a: np.log2(a.astype(F64))),
        f"v_sin_{_kind}": row(f"{_kind} = {_kind}", lambda a: _of_turns(np.sin, a)),
        f"v_cos_{_kind}": row(f"{_kind} = {_kind}", lambda a: _of_turns(np.cos, a)),
        f"v_subrev_{_kind}": row(f"{_kind} = {_kind} {_kind}", lambda a, b: b - a),
        f"v_min3_{_kind}": row(_three, lambda a, b, c: _least(_least(a, b), c)),
        f"v_max3_{_kind}": row(_three, lambda a, b, c: _greatest(_greatest(a, b), c)),
        f"v_med3_{_kind}": row(_three, _median),
        f"v_mad_{_kind}": row(_three, lambda a, b, c: a * b + c),
        f"v_mac_{_kind}": row(f"{_kind} = {_kind} {_kind} old.{_kind}", lambda a, b, c: a * b + c),
        f"v_madmk_{_kind}": row(_three, lambda a, k, b: a * k + b),
        f"v_madak_{_kind}": row(_three, lambda a, b, k: a * b + k),
        f"v_fmac_{_kind}": row(f"{_kind} = {_kind} {_kind} old.{_kind}", fused_multiply_add),
        f"v_fmamk_{_kind}": row(_three, fused_multiply_add),
        f"v_fmaak_{_kind}": row(_three, fused_multiply_add),
    }

"""Rows that convert between types.

Source: AMD Instinct MI300 Instruction Set Architecture, chapters 16.7 to 16.12.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.rows.float_rows import exponent_of
from layoutalg.codegen.gfx9.rows.row import VectorRow, row
from layoutalg.codegen.gfx9.rows.small_floats import to_bf16

__all__ = ["CONVERSION_ROWS"]

U16, U32, I32 = np.uint16, np.uint32, np.int32
F16, F32, F64 = np.float16, np.float32, np.float64


def _to_integer(kind: Any) -> Callable[[Any], Any]:
    """Towards zero, to the nearest that the type has; 0 for what is not a number."""
    info = np.iinfo(kind)
    return lambda a: np.nan_to_num(np.clip(np.trunc(a.astype(F64)), info.min, info.max), nan=0.0).astype(kind)


def _halves(low: Any, high: Any) -> Any:
    return low.view(U16).astype(U32) | high.view(U16).astype(U32) << U32(16)


def _half_towards_zero(number: Any) -> Any:
    """The half of the nearest size that is not larger; what is too large stays the largest half."""
    near = number.astype(F16)
    is_larger = (np.abs(near.astype(F64)) > np.abs(number.astype(F64))) & np.isfinite(number)
    return np.where(is_larger, near.view(U16) - U16(1), near.view(U16)).view(F16)


CONVERSION_ROWS: dict[str, VectorRow] = {
    "v_cvt_i32_f32": row("i32 = f32", _to_integer(I32)),
    "v_cvt_u32_f32": row("u32 = f32", _to_integer(U32)),
    "v_cvt_i32_f64": row("i32 = f64", _to_integer(I32)),
    "v_cvt_f64_i32": row("f64 = i32", lambda a: a),
    "v_cvt_f64_u32": row("f64 = u32", lambda a: a),
    "v_cvt_pk_f16_f32": row("u32 = f32 f32", lambda a, b: _halves(a.astype(F16), b.astype(F16))),
    "v_cvt_pk_bf16_f32": row("u32 = f32 f32", lambda a, b: to_bf16(a) | to_bf16(b) << U32(16)),
    "v_cvt_pk_i16_i32": row(
        "u32 = i32 i32",
        lambda a, b: _halves(*(np.clip(x, -(2**15), 2**15 - 1).astype(np.int16) for x in (a, b))),
    ),
    "v_cvt_off_f32_i4": row("f32 = u32", lambda a: (a << U32(28)).view(I32).astype(F32) * F32(2.0**-32)),
    "v_cvt_f32_f16": row("f32 = f16", lambda a: a),
    "v_cvt_f16_f32": row("f16 = f32", lambda a: a),
    "v_cvt_f32_i32": row("f32 = i32", lambda a: a),
    "v_cvt_f32_u32": row("f32 = u32", lambda a: a),
    "v_cvt_f64_f32": row("f64 = f32", lambda a: a),
    "v_cvt_f32_f64": row("f32 = f64", lambda a: a),
    "v_cvt_u32_f64": row("u32 = f64", _to_integer(U32)),
    "v_cvt_i16_f16": row("i16 = f16", _to_integer(np.int16)),
    "v_cvt_u16_f16": row("u16 = f16", _to_integer(U16)),
    "v_cvt_f16_i16": row("f16 = i16", lambda a: a),
    "v_cvt_f16_u16": row("f16 = u16", lambda a: a),
    "v_cvt_rpi_i32_f32": row("i32 = f32", lambda a: _to_integer(I32)(np.floor(a.astype(F64) + F64(0.5)))),
    "v_cvt_flr_i32_f32": row("i32 = f32", lambda a: _to_integer(I32)(np.floor(a))),
    "v_cvt_pkrtz_f16_f32": row(
        "u32 = f32 f32", lambda a, b: _halves(_half_towards_zero(a), _half_towards_zero(b))
    ),
    "v_cvt_pk_u16_u32": row(
        "u32 = u32 u32", lambda a, b: _halves(*(np.minimum(x, U32(0xFFFF)).astype(U16) for x in (a, b)))
    ),
    "v_frexp_exp_i32_f32": row("i32 = f32", exponent_of),
    "v_frexp_exp_i32_f64": row("i32 = f64", exponent_of),
    "v_frexp_exp_i16_f16": row("i16 = f16", exponent_of),
    **{
        f"v_cvt_f32_ubyte{number}": row("f32 = u32", lambda a, first=8 * number: a >> U32(first) & U32(0xFF))
        for number in range(4)
    },
}

"""Rows of arithmetic on floats.

Source: AMD Instinct MI300 Instruction Set Architecture, chapters 16.7 to 16.12.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.rows.exact_sums import fused_multiply_add, fused_multiply_add_f64
from layoutalg.codegen.gfx9.rows.row import VectorRow, row

__all__ = ["FLOAT_ROWS", "maximum", "minimum"]


def minimum(left: Any, right: Any) -> Any:
    """The smaller number; the other one where one is not a number. Minus zero is below plus zero."""
    return np.where(left == right, np.where(np.signbit(left), left, right), np.fmin(left, right))


def maximum(left: Any, right: Any) -> Any:
    """The larger number; the other one where one is not a number. Plus zero is above minus zero."""
    return np.where(left == right, np.where(np.signbit(left), right, left), np.fmax(left, right))


def _median(a: Any, b: Any, c: Any) -> Any:
    """The middle one; the smallest of those that are numbers if one is not."""
    nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    middle = maximum(minimum(a, b), minimum(maximum(a, b), c))
    return np.where(nan, minimum(minimum(a, b), c), middle)


FLOAT_ROWS: dict[str, VectorRow] = {
    "v_add_f32": row("f32 = f32 f32", np.add),
    "v_sub_f32": row("f32 = f32 f32", np.subtract),
    "v_subrev_f32": row("f32 = f32 f32", lambda a, b: b - a),
    "v_mul_f32": row("f32 = f32 f32", np.multiply),
    "v_max_f32": row("f32 = f32 f32", maximum),
    "v_min_f32": row("f32 = f32 f32", minimum),
    "v_fma_f32": row("f32 = f32 f32 f32", fused_multiply_add),
    "v_fmac_f32": row("f32 = f32 f32 old.f32", fused_multiply_add),
    "v_add_f16": row("f16 = f16 f16", np.add),
    "v_mul_f16": row("f16 = f16 f16", np.multiply),
    "v_fma_f64": row("f64 = f64 f64 f64", fused_multiply_add_f64),
    "v_fmac_f64": row("f64 = f64 f64 old.f64", fused_multiply_add_f64),
    "v_med3_f32": row("f32 = f32 f32 f32", _median),
    "v_sub_f16": row("f16 = f16 f16", np.subtract),
    "v_fma_f16": row("f16 = f16 f16 f16", fused_multiply_add),
    "v_add_f64": row("f64 = f64 f64", np.add),
    "v_mul_f64": row("f64 = f64 f64", np.multiply),
}

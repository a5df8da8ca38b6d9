"""Rows of comparisons: a bit a lane.

Source: AMD Instinct MI300 Instruction Set Architecture, chapters 16.7 to 16.12.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.rows.row import VectorRow, row

__all__ = ["COMPARISON_ROWS"]

COMPARISON_ROWS: dict[str, VectorRow] = {}
_COMPARISONS: dict[str, Any] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lg": lambda a, b: (a < b) | (a > b),
    "neq": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "u": lambda a, b: np.isnan(a) | np.isnan(b),
    "o": lambda a, b: ~(np.isnan(a) | np.isnan(b)),
    "nlg": lambda a, b: ~((a < b) | (a > b)),
    "nlt": lambda a, b: ~(a < b),
    "nle": lambda a, b: ~(a <= b),
    "ngt": lambda a, b: ~(a > b),
    "nge": lambda a, b: ~(a >= b),
}
_FLOATS_ONLY = {"lg", "neq", "u", "o", "nlg", "nlt", "nle", "ngt", "nge"}
_INTEGERS = ("u32", "i32", "u64", "i64", "u16", "i16")
_FLOATS = ("f32", "f64", "f16")
for _name, _meaning in _COMPARISONS.items():
    for _type in _FLOATS if _name in _FLOATS_ONLY else _INTEGERS if _name == "ne" else _INTEGERS + _FLOATS:
        COMPARISON_ROWS[f"v_cmp_{_name}_{_type}"] = row(f"mask = {_type} {_type}", _meaning)

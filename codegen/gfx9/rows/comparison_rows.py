"""Rows of comparisons: a bit a lane.

Source: AMD Instinct MI300 Instruction Set Architecture, chapters 16.7 to 16.12.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.rows.row import VectorRow, row

__all__ = ["COMPARISON_ROWS"]

U32 = np.uint32
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

_BITS: dict[str, tuple[Any, int, int]] = {  # the type of the bits, those of the fraction, of the exponent
    "f16": (np.uint16, 10, 5),
    "f32": (np.uint32, 23, 8),
    "f64": (np.uint64, 52, 11),
}


def _is_of_class(kind: str) -> Any:
    """Whether the mask has the bit of a number's class, from signalling NaN (0) to plus infinity (9)."""
    unsigned, fraction, exponent = _BITS[kind]
    ones = unsigned(2**exponent - 1)

    def found(number: Any, mask: Any) -> Any:
        bits = number.view(unsigned)
        power, rest = bits >> unsigned(fraction) & ones, bits & unsigned(2**fraction - 1)
        is_negative = np.signbit(number)
        size = np.where(
            power == 0, np.where(rest == 0, U32(6), U32(7)), np.where(power == ones, U32(9), U32(8))
        )
        signed = np.where(is_negative, U32(11) - size, size)
        is_quiet = rest >> unsigned(fraction - 1) != 0
        place = np.where((power == ones) & (rest != 0), np.where(is_quiet, U32(1), U32(0)), signed)
        return mask.astype(U32) >> place & U32(1) != 0

    return found


for _type in _FLOATS:
    COMPARISON_ROWS[f"v_cmp_class_{_type}"] = row(f"mask = {_type} u32", _is_of_class(_type))
for _name, _compared in list(COMPARISON_ROWS.items()):  # into the lanes that are on as well
    COMPARISON_ROWS[_name.replace("v_cmp_", "v_cmpx_", 1)] = row(
        f"mask exec = {' '.join(_compared.sources)}",
        lambda *values, compared=_compared: (compared.meaning(*values),) * 2,
    )

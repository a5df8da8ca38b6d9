"""Rows of atomic operations: what memory holds afterwards, from what it held and the lane's data.

Sources: AMD Instinct MI300 Instruction Set Architecture, chapters 9.4 (atomics), 11 and 16.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.rows.float_rows import maximum, minimum
from layoutalg.codegen.gfx9.rows.row import VectorRow, row
from layoutalg.codegen.gfx9.rows.small_floats import to_bf16

__all__ = ["GLOBAL_ATOMICS", "LDS_ATOMICS"]

U16, U32 = np.uint16, np.uint32
ZERO, ONE = 0, 1


def _increment(old: Any, most: Any) -> Any:
    return np.where(old >= most, old.dtype.type(0), old + old.dtype.type(1))


def _decrement(old: Any, most: Any) -> Any:
    return np.where((old == 0) | (old > most), most, old - old.dtype.type(1))


def _pairs(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """An operation on each half of a word."""

    def both(old: Any, data: Any) -> Any:
        low, high = (
            operation(*((word >> U32(first)).astype(U16) for word in (old, data))) for first in (0, 16)
        )
        return low.astype(U32) | high.astype(U32) << U32(16)

    return both


def _add_f16(old: Any, data: Any) -> Any:
    return (old.view(np.float16) + data.view(np.float16)).view(U16)


def _add_bf16(old: Any, data: Any) -> Any:
    left, right = ((bits.astype(U32) << U32(16)).view(np.float32) for bits in (old, data))
    return to_bf16(left + right)


WHOLE: dict[str, tuple[str, Callable[..., Any]]] = {  # the kind of a number, and what becomes of it
    "add": ("u", np.add),
    "sub": ("u", np.subtract),
    "smin": ("i", np.minimum),
    "smax": ("i", np.maximum),
    "umin": ("u", np.minimum),
    "umax": ("u", np.maximum),
    "and": ("u", np.bitwise_and),
    "or": ("u", np.bitwise_or),
    "xor": ("u", np.bitwise_xor),
    "swap": ("u", lambda _old, data: data),
    "inc": ("u", _increment),
    "dec": ("u", _decrement),
}
OF_LDS = {  # names in the LDS, their kinds in full
    "add_u": "add",
    "sub_u": "sub",
    "min_i": "smin",
    "max_i": "smax",
    "min_u": "umin",
    "max_u": "umax",
    "and_b": "and",
    "or_b": "or",
    "xor_b": "xor",
    "inc_u": "inc",
    "dec_u": "dec",
}
GLOBAL_ATOMICS: dict[str, VectorRow] = {  # by the name behind "atomic_"
    "cmpswap": row("u32 = u32 u32 u32", lambda old, data, same: np.where(old == same, data, old)),
    "cmpswap_x2": row("u64 = u64 u64 u64", lambda old, data, same: np.where(old == same, data, old)),
    "add_f32": row("f32 = f32 f32", np.add),
    "add_f64": row("f64 = f64 f64", np.add),
    "min_f64": row("f64 = f64 f64", minimum),
    "max_f64": row("f64 = f64 f64", maximum),
    "pk_add_f16": row("u32 = u32 u32", _pairs(_add_f16)),
    "pk_add_bf16": row("u32 = u32 u32", _pairs(_add_bf16)),
}
LDS_ATOMICS: dict[str, VectorRow] = {  # by the name behind "ds_", without "_rtn"
    "cmpst_b32": row("u32 = u32 u32 u32", lambda old, same, data: np.where(old == same, data, old)),
    "cmpst_b64": row("u64 = u64 u64 u64", lambda old, same, data: np.where(old == same, data, old)),
    "mskor_b32": row("u32 = u32 u32 u32", lambda old, mask, data: old & ~mask | data),
    "add_f32": row("f32 = f32 f32", np.add),
    "add_f64": row("f64 = f64 f64", np.add),
    "pk_add_f16": row("u32 = u32 u32", _pairs(_add_f16)),
    "pk_add_bf16": row("u32 = u32 u32", _pairs(_add_bf16)),
}
for _bits, _more in ((32, ""), (64, "_x2")):
    for _name, (_kind, _meaning) in WHOLE.items():
        GLOBAL_ATOMICS[_name + _more] = row(f"{_kind}{_bits} = {_kind}{_bits} {_kind}{_bits}", _meaning)
    for _name, _of in OF_LDS.items():
        LDS_ATOMICS[f"{_name}{_bits}"] = GLOBAL_ATOMICS[_of + _more]
    LDS_ATOMICS[f"wrxchg_b{_bits}"] = GLOBAL_ATOMICS["swap" + _more]
    LDS_ATOMICS[f"rsub_u{_bits}"] = row(f"u{_bits} = u{_bits} u{_bits}", lambda old, data: data - old)
    for _name, _meaning in (("min", minimum), ("max", maximum)):
        LDS_ATOMICS[f"{_name}_f{_bits}"] = row(f"f{_bits} = f{_bits} f{_bits}", _meaning)

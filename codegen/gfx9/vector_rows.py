"""The table of vector arithmetic: an instruction's operand types and its meaning, a row each.

Types: ``u32 i32 f32 u16 i16 f16`` one register, ``u64 i64 f64`` two, ``mask`` a bit a lane in two scalar
registers, ``old`` the register written, as it was. Source: AMD Instinct MI300 Instruction Set
Architecture, chapters 16.7 to 16.12.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.exact_sums import fused_multiply_add, fused_multiply_add_f64
from layoutalg.codegen.gfx9.small_floats import to_bf16

__all__ = ["TYPES", "VECTOR_ROWS", "VectorRow", "maximum", "minimum"]

U16, U32, I32, U64, I64 = np.uint16, np.uint32, np.int32, np.uint64, np.int64
F16, F32, F64 = np.float16, np.float32, np.float64
ZERO = np.False_  # no carry comes in
TYPES: dict[str, Any] = {
    "u32": U32,
    "i32": I32,
    "f32": F32,
    "u64": U64,
    "i64": I64,
    "f64": F64,
    "u16": U16,
    "i16": np.int16,
    "f16": F16,
}


@dataclass(frozen=True)
class VectorRow:
    """Result types (usually one), source types, and the meaning on arrays.

    ``low_from_low``: the low word of a 64-bit result depends on low words alone, so a compiler may
    leave the high word of a source without a value where only the low word is used.
    """

    results: tuple[str, ...]
    sources: tuple[str, ...]
    meaning: Callable[..., Any]
    low_from_low: bool = False


def _row(signature: str, meaning: Callable[..., Any], *, low_from_low: bool = False) -> VectorRow:
    results, _, sources = signature.partition("=")
    return VectorRow(tuple(results.split()), tuple(sources.split()), meaning, low_from_low)


def _carry(left: Any, right: Any, carry: Any = ZERO) -> tuple[Any, Any]:
    total = left.astype(U64) + right.astype(U64) + carry.astype(U64)
    return total.astype(U32), total >> U64(32) != 0


def _borrow(left: Any, right: Any, borrow: Any = ZERO) -> tuple[Any, Any]:
    total = left.astype(I64) - right.astype(I64) - borrow.astype(I64)
    return total.astype(U32), total < 0


def _permute(high: Any, low: Any, selector: Any) -> Any:
    """Each byte of the selector picks a byte of ``high:low``, or a constant."""
    both = high.astype(U64) << U64(32) | low.astype(U64)
    result = selector & U32(0)
    for position in range(4):
        pick = selector >> U32(8 * position) & U32(0xFF)
        byte = both >> (np.minimum(pick, 7).astype(U64) * U64(8)) & U64(0xFF)
        sign = both >> (((np.clip(pick, 8, 11) - 8).astype(U64) * U64(16)) + U64(15)) & U64(1)
        byte = np.where(pick <= 7, byte, np.where(pick <= 11, sign * U64(0xFF), U64(0xFF)))
        byte = np.where(pick == 12, U64(0), byte)
        result = result | (byte << U64(8 * position)).astype(U32)
    return result


def _shift_left(bits: int) -> Callable[[Any, Any], Any]:
    kind = U64 if bits == 64 else U32
    return lambda amount, value: value << (amount & U32(bits - 1)).astype(kind)


def _shift_right(bits: int) -> Callable[[Any, Any], Any]:
    kind = U64 if bits == 64 else U32
    return lambda amount, value: value >> (amount & U32(bits - 1)).astype(kind)


def _shift_right_signed(bits: int) -> Callable[[Any, Any], Any]:
    kind = I64 if bits == 64 else I32
    return lambda amount, value: value >> (amount & U32(bits - 1)).astype(kind)


def _field(value: Any, position: Any, width: Any) -> Any:
    ones = (U64(1) << (width & U32(31)).astype(U64)) - U64(1)
    return (value.astype(U64) >> (position & U32(31)).astype(U64) & ones).astype(U32)


def _signed_field(value: Any, position: Any, width: Any) -> Any:
    """Copies of bit 31 stand above the value; the field's highest bit is copied upward."""
    size = (width & U32(31)).astype(I64)
    shifted = value.view(I32).astype(I64) >> (position & U32(31)).astype(I64)
    unused = 64 - np.maximum(size, 1)
    return np.where(size > 0, shifted << unused >> unused, 0).astype(I32)


def _multiply_add(left: Any, right: Any, more: Any) -> tuple[Any, Any]:
    total = left * right + more
    return total, total < more


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


def _integer_median(a: Any, b: Any, c: Any) -> Any:
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def _to_integer(kind: Any) -> Callable[[Any], Any]:
    """Towards zero, to the nearest that the type has; 0 for what is not a number."""
    info = np.iinfo(kind)
    return lambda a: np.nan_to_num(np.clip(np.trunc(a.astype(F64)), info.min, info.max), nan=0.0).astype(kind)


def _low24(value: Any) -> Any:
    return value & U32(0xFFFFFF)


def _signed24(value: Any) -> Any:
    return (value << U32(8)).astype(U32).view(I32).astype(I64) >> 8


def _halves(low: Any, high: Any) -> Any:
    return low.view(U16).astype(U32) | high.view(U16).astype(U32) << U32(16)


VECTOR_ROWS: dict[str, VectorRow] = {
    "v_mov_b32": _row("u32 = u32", lambda a: a),
    "v_mov_b64": _row("u64 = u64", lambda a: a, low_from_low=True),
    "v_accvgpr_read_b32": _row("u32 = u32", lambda a: a),
    "v_accvgpr_write_b32": _row("u32 = u32", lambda a: a),
    "v_accvgpr_mov_b32": _row("u32 = u32", lambda a: a),
    "v_not_b32": _row("u32 = u32", np.invert),
    "v_add_u32": _row("u32 = u32 u32", np.add),
    "v_sub_u32": _row("u32 = u32 u32", np.subtract),
    "v_subrev_u32": _row("u32 = u32 u32", lambda a, b: b - a),
    "v_add_co_u32": _row("u32 mask = u32 u32", _carry),
    "v_addc_co_u32": _row("u32 mask = u32 u32 mask", _carry),
    "v_sub_co_u32": _row("u32 mask = u32 u32", _borrow),
    "v_subb_co_u32": _row("u32 mask = u32 u32 mask", _borrow),
    "v_subrev_co_u32": _row("u32 mask = u32 u32", lambda a, b: _borrow(b, a)),
    "v_subbrev_co_u32": _row("u32 mask = u32 u32 mask", lambda a, b, c: _borrow(b, a, c)),
    "v_add3_u32": _row("u32 = u32 u32 u32", lambda a, b, c: a + b + c),
    "v_mul_lo_u32": _row("u32 = u32 u32", np.multiply),
    "v_mul_hi_u32": _row("u32 = u32 u32", lambda a, b: a.astype(U64) * b.astype(U64) >> U64(32)),
    "v_mul_hi_i32": _row("i32 = i32 i32", lambda a, b: a.astype(I64) * b.astype(I64) >> 32),
    "v_mul_u32_u24": _row("u32 = u32 u32", lambda a, b: _low24(a) * _low24(b)),
    "v_mul_i32_i24": _row("u32 = u32 u32", lambda a, b: _signed24(a) * _signed24(b)),
    "v_mad_u32_u24": _row("u32 = u32 u32 u32", lambda a, b, c: _low24(a) * _low24(b) + c),
    "v_mad_i32_i24": _row("u32 = u32 u32 u32", lambda a, b, c: _signed24(a) * _signed24(b) + c),
    "v_mad_u64_u32": _row(
        "u64 mask = u32 u32 u64",
        lambda a, b, c: _multiply_add(a.astype(U64), b.astype(U64), c),
        low_from_low=True,
    ),
    "v_mad_i64_i32": _row(
        "i64 mask = i32 i32 i64",
        lambda a, b, c: _multiply_add(a.astype(I64), b.astype(I64), c),
        low_from_low=True,
    ),
    "v_and_b32": _row("u32 = u32 u32", np.bitwise_and),
    "v_or_b32": _row("u32 = u32 u32", np.bitwise_or),
    "v_xor_b32": _row("u32 = u32 u32", np.bitwise_xor),
    "v_xnor_b32": _row("u32 = u32 u32", lambda a, b: ~(a ^ b)),
    "v_or3_b32": _row("u32 = u32 u32 u32", lambda a, b, c: a | b | c),
    "v_and_or_b32": _row("u32 = u32 u32 u32", lambda a, b, c: a & b | c),
    "v_xad_u32": _row("u32 = u32 u32 u32", lambda a, b, c: (a ^ b) + c),
    "v_bfi_b32": _row("u32 = u32 u32 u32", lambda a, b, c: a & b | ~a & c),
    "v_bfe_u32": _row("u32 = u32 u32 u32", _field),
    "v_bfe_i32": _row("i32 = u32 u32 u32", _signed_field),
    "v_perm_b32": _row("u32 = u32 u32 u32", _permute),
    "v_alignbit_b32": _row(
        "u32 = u32 u32 u32",
        lambda a, b, c: (a.astype(U64) << U64(32) | b) >> (c & U32(31)).astype(U64),
    ),
    "v_alignbyte_b32": _row(
        "u32 = u32 u32 u32",
        lambda a, b, c: (a.astype(U64) << U64(32) | b) >> ((c & U32(3)) * U32(8)).astype(U64),
    ),
    "v_lshlrev_b32": _row("u32 = u32 u32", _shift_left(32)),
    "v_lshrrev_b32": _row("u32 = u32 u32", _shift_right(32)),
    "v_ashrrev_i32": _row("i32 = u32 i32", _shift_right_signed(32)),
    "v_lshlrev_b64": _row("u64 = u32 u64", _shift_left(64), low_from_low=True),
    "v_lshrrev_b64": _row("u64 = u32 u64", _shift_right(64)),
    "v_ashrrev_i64": _row("i64 = u32 i64", _shift_right_signed(64)),
    "v_lshl_add_u32": _row("u32 = u32 u32 u32", lambda a, b, c: (a << (b & U32(31))) + c),
    "v_lshl_add_u64": _row(
        "u64 = u64 u32 u64", lambda a, b, c: (a << (b & U32(7)).astype(U64)) + c, low_from_low=True
    ),
    "v_add_lshl_u32": _row("u32 = u32 u32 u32", lambda a, b, c: (a + b) << (c & U32(31))),
    "v_lshl_or_b32": _row("u32 = u32 u32 u32", lambda a, b, c: a << (b & U32(31)) | c),
    "v_min_u32": _row("u32 = u32 u32", np.minimum),
    "v_max_u32": _row("u32 = u32 u32", np.maximum),
    "v_min_i32": _row("i32 = i32 i32", np.minimum),
    "v_max_i32": _row("i32 = i32 i32", np.maximum),
    "v_cndmask_b32": _row("u32 = u32 u32 mask", lambda a, b, chosen: np.where(chosen, b, a)),
    "v_pack_b32_f16": _row("u32 = u16 u16", lambda a, b: a.astype(U32) | b.astype(U32) << U32(16)),
    "v_add_u16": _row("u16 = u16 u16", np.add),
    "v_sub_u16": _row("u16 = u16 u16", np.subtract),
    "v_mul_lo_u16": _row("u16 = u16 u16", np.multiply),
    "v_lshlrev_b16": _row("u16 = u16 u16", lambda a, b: b << (a & U16(15))),
    "v_lshrrev_b16": _row("u16 = u16 u16", lambda a, b: b >> (a & U16(15))),
    "v_ashrrev_i16": _row("i16 = u16 i16", lambda a, b: b >> (a & U16(15)).astype(np.int16)),
    "v_add_f32": _row("f32 = f32 f32", np.add),
    "v_sub_f32": _row("f32 = f32 f32", np.subtract),
    "v_subrev_f32": _row("f32 = f32 f32", lambda a, b: b - a),
    "v_mul_f32": _row("f32 = f32 f32", np.multiply),
    "v_max_f32": _row("f32 = f32 f32", maximum),
    "v_min_f32": _row("f32 = f32 f32", minimum),
    "v_fma_f32": _row("f32 = f32 f32 f32", fused_multiply_add),
    "v_fmac_f32": _row("f32 = f32 f32 old.f32", fused_multiply_add),
    "v_add_f16": _row("f16 = f16 f16", np.add),
    "v_mul_f16": _row("f16 = f16 f16", np.multiply),
    "v_fma_f64": _row("f64 = f64 f64 f64", fused_multiply_add_f64),
    "v_fmac_f64": _row("f64 = f64 f64 old.f64", fused_multiply_add_f64),
    "v_med3_f32": _row("f32 = f32 f32 f32", _median),
    "v_med3_i32": _row("i32 = i32 i32 i32", _integer_median),
    "v_med3_u32": _row("u32 = u32 u32 u32", _integer_median),
    "v_min3_u32": _row("u32 = u32 u32 u32", lambda a, b, c: np.minimum(np.minimum(a, b), c)),
    "v_max3_u32": _row("u32 = u32 u32 u32", lambda a, b, c: np.maximum(np.maximum(a, b), c)),
    "v_sub_f16": _row("f16 = f16 f16", np.subtract),
    "v_fma_f16": _row("f16 = f16 f16 f16", fused_multiply_add),
    "v_cvt_i32_f32": _row("i32 = f32", _to_integer(I32)),
    "v_cvt_u32_f32": _row("u32 = f32", _to_integer(U32)),
    "v_cvt_i32_f64": _row("i32 = f64", _to_integer(I32)),
    "v_cvt_f64_i32": _row("f64 = i32", lambda a: a),
    "v_cvt_f64_u32": _row("f64 = u32", lambda a: a),
    "v_cvt_pk_f16_f32": _row("u32 = f32 f32", lambda a, b: _halves(a.astype(F16), b.astype(F16))),
    "v_cvt_pk_bf16_f32": _row("u32 = f32 f32", lambda a, b: to_bf16(a) | to_bf16(b) << U32(16)),
    "v_cvt_pk_i16_i32": _row(
        "u32 = i32 i32",
        lambda a, b: _halves(*(np.clip(x, -(2**15), 2**15 - 1).astype(np.int16) for x in (a, b))),
    ),
    "v_cvt_f32_f16": _row("f32 = f16", lambda a: a),
    "v_cvt_f16_f32": _row("f16 = f32", lambda a: a),
    "v_cvt_f32_i32": _row("f32 = i32", lambda a: a),
    "v_cvt_f32_u32": _row("f32 = u32", lambda a: a),
    "v_cvt_f64_f32": _row("f64 = f32", lambda a: a),
    "v_cvt_f32_f64": _row("f32 = f64", lambda a: a),
    "v_add_f64": _row("f64 = f64 f64", np.add),
    "v_mul_f64": _row("f64 = f64 f64", np.multiply),
}

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
        VECTOR_ROWS[f"v_cmp_{_name}_{_type}"] = _row(f"mask = {_type} {_type}", _meaning)

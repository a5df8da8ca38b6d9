"""Rows of arithmetic on integers and bits.

Source: AMD Instinct MI300 Instruction Set Architecture, chapters 16.7 to 16.12.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.rows.row import VectorRow, row

__all__ = ["INTEGER_ROWS"]

U16, U32, I32, U64, I64 = np.uint16, np.uint32, np.int32, np.uint64, np.int64
ZERO = np.False_  # no carry comes in


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


def _integer_median(a: Any, b: Any, c: Any) -> Any:
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def _low24(value: Any) -> Any:
    return value & U32(0xFFFFFF)


def _signed24(value: Any) -> Any:
    return (value << U32(8)).astype(U32).view(I32).astype(I64) >> 8


INTEGER_ROWS: dict[str, VectorRow] = {
    "v_mov_b32": row("u32 = u32", lambda a: a),
    "v_mov_b64": row("u64 = u64", lambda a: a, low_from_low=True),
    "v_accvgpr_read_b32": row("u32 = u32", lambda a: a),
    "v_accvgpr_write_b32": row("u32 = u32", lambda a: a),
    "v_accvgpr_mov_b32": row("u32 = u32", lambda a: a),
    "v_not_b32": row("u32 = u32", np.invert),
    "v_add_u32": row("u32 = u32 u32", np.add),
    "v_sub_u32": row("u32 = u32 u32", np.subtract),
    "v_subrev_u32": row("u32 = u32 u32", lambda a, b: b - a),
    "v_add_co_u32": row("u32 mask = u32 u32", _carry),
    "v_addc_co_u32": row("u32 mask = u32 u32 mask", _carry),
    "v_sub_co_u32": row("u32 mask = u32 u32", _borrow),
    "v_subb_co_u32": row("u32 mask = u32 u32 mask", _borrow),
    "v_subrev_co_u32": row("u32 mask = u32 u32", lambda a, b: _borrow(b, a)),
    "v_subbrev_co_u32": row("u32 mask = u32 u32 mask", lambda a, b, c: _borrow(b, a, c)),
    "v_add3_u32": row("u32 = u32 u32 u32", lambda a, b, c: a + b + c),
    "v_mul_lo_u32": row("u32 = u32 u32", np.multiply),
    "v_mul_hi_u32": row("u32 = u32 u32", lambda a, b: a.astype(U64) * b.astype(U64) >> U64(32)),
    "v_mul_hi_i32": row("i32 = i32 i32", lambda a, b: a.astype(I64) * b.astype(I64) >> 32),
    "v_mul_u32_u24": row("u32 = u32 u32", lambda a, b: _low24(a) * _low24(b)),
    "v_mul_i32_i24": row("u32 = u32 u32", lambda a, b: _signed24(a) * _signed24(b)),
    "v_mad_u32_u24": row("u32 = u32 u32 u32", lambda a, b, c: _low24(a) * _low24(b) + c),
    "v_mad_i32_i24": row("u32 = u32 u32 u32", lambda a, b, c: _signed24(a) * _signed24(b) + c),
    "v_mad_u64_u32": row(
        "u64 mask = u32 u32 u64",
        lambda a, b, c: _multiply_add(a.astype(U64), b.astype(U64), c),
        low_from_low=True,
    ),
    "v_mad_i64_i32": row(
        "i64 mask = i32 i32 i64",
        lambda a, b, c: _multiply_add(a.astype(I64), b.astype(I64), c),
        low_from_low=True,
    ),
    "v_and_b32": row("u32 = u32 u32", np.bitwise_and),
    "v_or_b32": row("u32 = u32 u32", np.bitwise_or),
    "v_xor_b32": row("u32 = u32 u32", np.bitwise_xor),
    "v_xnor_b32": row("u32 = u32 u32", lambda a, b: ~(a ^ b)),
    "v_or3_b32": row("u32 = u32 u32 u32", lambda a, b, c: a | b | c),
    "v_and_or_b32": row("u32 = u32 u32 u32", lambda a, b, c: a & b | c),
    "v_xad_u32": row("u32 = u32 u32 u32", lambda a, b, c: (a ^ b) + c),
    "v_bfi_b32": row("u32 = u32 u32 u32", lambda a, b, c: a & b | ~a & c),
    "v_bfe_u32": row("u32 = u32 u32 u32", _field),
    "v_bfe_i32": row("i32 = u32 u32 u32", _signed_field),
    "v_perm_b32": row("u32 = u32 u32 u32", _permute),
    "v_alignbit_b32": row(
        "u32 = u32 u32 u32",
        lambda a, b, c: (a.astype(U64) << U64(32) | b) >> (c & U32(31)).astype(U64),
    ),
    "v_alignbyte_b32": row(
        "u32 = u32 u32 u32",
        lambda a, b, c: (a.astype(U64) << U64(32) | b) >> ((c & U32(3)) * U32(8)).astype(U64),
    ),
    "v_lshlrev_b32": row("u32 = u32 u32", _shift_left(32)),
    "v_lshrrev_b32": row("u32 = u32 u32", _shift_right(32)),
    "v_ashrrev_i32": row("i32 = u32 i32", _shift_right_signed(32)),
    "v_lshlrev_b64": row("u64 = u32 u64", _shift_left(64), low_from_low=True),
    "v_lshrrev_b64": row("u64 = u32 u64", _shift_right(64)),
    "v_ashrrev_i64": row("i64 = u32 i64", _shift_right_signed(64)),
    "v_lshl_add_u32": row("u32 = u32 u32 u32", lambda a, b, c: (a << (b & U32(31))) + c),
    "v_lshl_add_u64": row(
        "u64 = u64 u32 u64", lambda a, b, c: (a << (b & U32(7)).astype(U64)) + c, low_from_low=True
    ),
    "v_add_lshl_u32": row("u32 = u32 u32 u32", lambda a, b, c: (a + b) << (c & U32(31))),
    "v_lshl_or_b32": row("u32 = u32 u32 u32", lambda a, b, c: a << (b & U32(31)) | c),
    "v_min_u32": row("u32 = u32 u32", np.minimum),
    "v_max_u32": row("u32 = u32 u32", np.maximum),
    "v_min_i32": row("i32 = i32 i32", np.minimum),
    "v_max_i32": row("i32 = i32 i32", np.maximum),
    "v_cndmask_b32": row("u32 = u32 u32 mask", lambda a, b, chosen: np.where(chosen, b, a)),
    "v_pack_b32_f16": row("u32 = u16 u16", lambda a, b: a.astype(U32) | b.astype(U32) << U32(16)),
    "v_add_u16": row("u16 = u16 u16", np.add),
    "v_sub_u16": row("u16 = u16 u16", np.subtract),
    "v_mul_lo_u16": row("u16 = u16 u16", np.multiply),
    "v_lshlrev_b16": row("u16 = u16 u16", lambda a, b: b << (a & U16(15))),
    "v_lshrrev_b16": row("u16 = u16 u16", lambda a, b: b >> (a & U16(15))),
    "v_ashrrev_i16": row("i16 = u16 i16", lambda a, b: b >> (a & U16(15)).astype(np.int16)),
    "v_med3_i32": row("i32 = i32 i32 i32", _integer_median),
    "v_med3_u32": row("u32 = u32 u32 u32", _integer_median),
    "v_min3_u32": row("u32 = u32 u32 u32", lambda a, b, c: np.minimum(np.minimum(a, b), c)),
    "v_max3_u32": row("u32 = u32 u32 u32", lambda a, b, c: np.maximum(np.maximum(a, b), c)),
}

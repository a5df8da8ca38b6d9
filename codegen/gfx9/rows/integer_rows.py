"""Rows of arithmetic on integers and bits.

Source: AMD Instinct MI300 Instruction Set Architecture, chapters 16.7 to 16.12.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.rows.bit_counts import (
    first_one_from_above,
    first_other_than_sign,
    ones_in,
    reversed_bits,
)
from layoutalg.codegen.gfx9.rows.row import VectorRow, row

__all__ = ["INTEGER_ROWS"]

U16, U32, I16, I32, U64, I64 = np.uint16, np.uint32, np.int16, np.int32, np.uint64, np.int64
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


def _signed_multiply_add(product: Any, more: Any) -> tuple[Any, Any]:
    """The low 64 bits of a sum, and its bit 64: the sign of the exact sum."""
    total = product + more
    has_overflowed = ((product ^ total) & (more ^ total)) < 0
    return total, (total < 0) ^ has_overflowed


def _multiply_add(left: Any, right: Any, more: Any) -> tuple[Any, Any]:
    total = left * right + more
    return total, total < more


def _integer_median(a: Any, b: Any, c: Any) -> Any:
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def _low24(value: Any) -> Any:
    return value & U32(0xFFFFFF)


def _signed24(value: Any) -> Any:
    return (value << U32(8)).astype(U32).view(I32).astype(I64) >> 8


def _exact(operation: Callable[[Any, Any], Any], kind: Any) -> Callable[[Any, Any], Any]:
    """The nearest to the exact result that a type has."""
    info = np.iinfo(kind)
    return lambda a, b: np.clip(operation(a.astype(I64), b.astype(I64)), info.min, info.max)


def _below(lane: Any) -> Any:
    """Ones below a bit of 0 to 31; all where it is beyond."""
    return np.where(lane < 32, (U32(1) << (lane & U32(31))) - U32(1), U32(0xFFFFFFFF))


def _sum_of_differences(left: Any, right: Any, bits: int) -> Any:
    total = left & U32(0)
    for first in range(0, 32, bits):
        a, b = (value >> U32(first) & U32(2**bits - 1) for value in (left, right))
        total = total + (np.maximum(a, b) - np.minimum(a, b))
    return total


def _dot(left: Any, right: Any, bits: int, *, is_signed: bool) -> Any:
    """The sum of products of parts of two words."""
    total = left & U32(0)
    for first in range(0, 32, bits):
        a, b = (value >> U32(first) & U32(2**bits - 1) for value in (left, right))
        if is_signed:
            half = U32(2 ** (bits - 1))
            a, b = ((value ^ half) - half for value in (a, b))
        total = total + a * b
    return total


INTEGER_ROWS: dict[str, VectorRow] = {
    "v_mov_b32": row("u32 = u32", lambda a: a),
    "v_mov_b64": row("u64 = u64", lambda a: a, low_from_low=True),
    "v_accvgpr_read_b32": row("u32 = u32", lambda a: a),
    "v_accvgpr_write_b32": row("u32 = u32", lambda a: a),
    "v_accvgpr_mov_b32": row("u32 = u32", lambda a: a),
    "v_not_b32": row("u32 = u32", np.invert),
    "v_add_u32": row("u32 = u32 u32", np.add, saturated=_exact(np.add, U32)),
    "v_sub_u32": row("u32 = u32 u32", np.subtract, saturated=_exact(np.subtract, U32)),
    "v_subrev_u32": row(
        "u32 = u32 u32", lambda a, b: b - a, saturated=lambda a, b: _exact(np.subtract, U32)(b, a)
    ),
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
        lambda a, b, c: _signed_multiply_add(a.astype(I64) * b.astype(I64), c),
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
    "v_add_u16": row("u16 = u16 u16", np.add, saturated=_exact(np.add, U16)),
    "v_sub_u16": row("u16 = u16 u16", np.subtract, saturated=_exact(np.subtract, U16)),
    "v_mul_lo_u16": row("u16 = u16 u16", np.multiply),
    "v_lshlrev_b16": row("u16 = u16 u16", lambda a, b: b << (a & U16(15))),
    "v_lshrrev_b16": row("u16 = u16 u16", lambda a, b: b >> (a & U16(15))),
    "v_ashrrev_i16": row("i16 = u16 i16", lambda a, b: b >> (a & U16(15)).astype(np.int16)),
    "v_med3_i32": row("i32 = i32 i32 i32", _integer_median),
    "v_med3_u32": row("u32 = u32 u32 u32", _integer_median),
    "v_min3_u32": row("u32 = u32 u32 u32", lambda a, b, c: np.minimum(np.minimum(a, b), c)),
    "v_max3_u32": row("u32 = u32 u32 u32", lambda a, b, c: np.maximum(np.maximum(a, b), c)),
    "v_add_i32": row("i32 = i32 i32", np.add, saturated=_exact(np.add, I32)),
    "v_sub_i32": row("i32 = i32 i32", np.subtract, saturated=_exact(np.subtract, I32)),
    "v_add_i16": row("i16 = i16 i16", np.add, saturated=_exact(np.add, I16)),
    "v_sub_i16": row("i16 = i16 i16", np.subtract, saturated=_exact(np.subtract, I16)),
    "v_subrev_u16": row("u16 = u16 u16", lambda a, b: b - a),
    "v_mad_u16": row("u16 = u16 u16 u16", lambda a, b, c: a * b + c),
    "v_mad_legacy_u16": row("u16 = u16 u16 u16", lambda a, b, c: a * b + c),
    "v_mad_i16": row("i16 = i16 i16 i16", lambda a, b, c: a * b + c),
    "v_min_u16": row("u16 = u16 u16", np.minimum),
    "v_max_u16": row("u16 = u16 u16", np.maximum),
    "v_min_i16": row("i16 = i16 i16", np.minimum),
    "v_max_i16": row("i16 = i16 i16", np.maximum),
    "v_min3_i32": row("i32 = i32 i32 i32", lambda a, b, c: np.minimum(np.minimum(a, b), c)),
    "v_max3_i32": row("i32 = i32 i32 i32", lambda a, b, c: np.maximum(np.maximum(a, b), c)),
    "v_min3_u16": row("u16 = u16 u16 u16", lambda a, b, c: np.minimum(np.minimum(a, b), c)),
    "v_max3_u16": row("u16 = u16 u16 u16", lambda a, b, c: np.maximum(np.maximum(a, b), c)),
    "v_min3_i16": row("i16 = i16 i16 i16", lambda a, b, c: np.minimum(np.minimum(a, b), c)),
    "v_max3_i16": row("i16 = i16 i16 i16", lambda a, b, c: np.maximum(np.maximum(a, b), c)),
    "v_med3_u16": row("u16 = u16 u16 u16", _integer_median),
    "v_med3_i16": row("i16 = i16 i16 i16", _integer_median),
    "v_mul_hi_u32_u24": row(
        "u32 = u32 u32", lambda a, b: _low24(a).astype(U64) * _low24(b).astype(U64) >> U64(32)
    ),
    "v_mul_hi_i32_i24": row("u32 = u32 u32", lambda a, b: _signed24(a) * _signed24(b) >> 32),
    "v_bfm_b32": row("u32 = u32 u32", lambda a, b: ((U32(1) << (a & U32(31))) - U32(1)) << (b & U32(31))),
    "v_bfrev_b32": row("u32 = u32", reversed_bits),
    "v_bcnt_u32_b32": row("u32 = u32 u32", lambda a, b: ones_in(a) + b),
    "v_mbcnt_lo_u32_b32": row("u32 = u32 u32 lane", lambda a, b, lane: ones_in(a & _below(lane)) + b),
    "v_mbcnt_hi_u32_b32": row(
        "u32 = u32 u32 lane",
        lambda a, b, lane: ones_in(np.where(lane < 32, U32(0), a & _below(lane - U32(32)))) + b,
    ),
    "v_ffbh_u32": row("i32 = u32", first_one_from_above),
    "v_ffbl_b32": row("i32 = u32", lambda a: first_one_from_above(reversed_bits(a))),
    "v_ffbh_i32": row("i32 = u32", first_other_than_sign),
    "v_sad_u8": row("u32 = u32 u32 u32", lambda a, b, c: _sum_of_differences(a, b, 8) + c),
    "v_sad_hi_u8": row("u32 = u32 u32 u32", lambda a, b, c: (_sum_of_differences(a, b, 8) << U32(16)) + c),
    "v_sad_u16": row("u32 = u32 u32 u32", lambda a, b, c: _sum_of_differences(a, b, 16) + c),
    "v_sad_u32": row("u32 = u32 u32 u32", lambda a, b, c: _sum_of_differences(a, b, 32) + c),
    "v_dot4_i32_i8": row("u32 = u32 u32 u32", lambda a, b, c: _dot(a, b, 8, is_signed=True) + c),
    "v_dot4_u32_u8": row("u32 = u32 u32 u32", lambda a, b, c: _dot(a, b, 8, is_signed=False) + c),
    "v_dot8_i32_i4": row("u32 = u32 u32 u32", lambda a, b, c: _dot(a, b, 4, is_signed=True) + c),
    "v_dot8_u32_u4": row("u32 = u32 u32 u32", lambda a, b, c: _dot(a, b, 4, is_signed=False) + c),
    "v_dot2_i32_i16": row("u32 = u32 u32 u32", lambda a, b, c: _dot(a, b, 16, is_signed=True) + c),
    "v_dot2_u32_u16": row("u32 = u32 u32 u32", lambda a, b, c: _dot(a, b, 16, is_signed=False) + c),
    "v_swap_b32": row("u32 u32 = old old1", lambda a, b: (b, a)),
}

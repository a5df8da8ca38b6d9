"""The table of scalar arithmetic: one value a wave, a row an instruction.

A meaning returns the result, or the result and the new condition code, or the condition code alone
(for comparisons). Source: AMD Instinct MI300 Instruction Set Architecture, chapters 16.1 to 16.4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.rows.bit_counts import first_other_than_sign, ones_in, reversed_bits

__all__ = ["LOGIC", "SCALAR_ROWS", "TYPES", "ScalarRow"]

U32, I32, U64, I64 = np.uint32, np.int32, np.uint64, np.int64
TYPES: dict[str, Any] = {"u32": U32, "i32": I32, "u64": U64, "i64": I64, "scc": np.bool_}


@dataclass(frozen=True)
class ScalarRow:
    """A scalar instruction: types of its result (empty for a comparison) and sources, and its meaning.

    ``writes_scc``: whether the meaning returns the condition code as well.
    """

    result: str
    sources: tuple[str, ...]
    meaning: Callable[..., Any]
    writes_scc: bool = False


def _row(signature: str, meaning: Callable[..., Any]) -> ScalarRow:
    """``"u32,scc = u32 u32"`` and a meaning."""
    result, _, sources = signature.partition("=")
    results = [word.strip() for word in result.split(",")]
    kind = "" if results == ["scc"] else results[0]
    return ScalarRow(kind, tuple(sources.split()), meaning, "scc" in results)


def _with_zero_flag(meaning: Callable[..., Any]) -> Callable[..., Any]:
    """Logic and shifts set the condition code where the result is not zero."""

    def both(*values: Any) -> tuple[Any, Any]:
        result = meaning(*values)
        return result, result != 0

    return both


def _add(left: Any, right: Any, carry: Any = np.False_) -> tuple[Any, Any]:
    total = left.astype(U64) + right.astype(U64) + carry.astype(U64)
    return total.astype(U32), total >> U64(32) != 0


def _shift_add(left: Any, right: Any, power: int) -> tuple[Any, Any]:
    """The condition code is set by bits that the shift pushes out, too."""
    total = (left.astype(U64) << U64(power)) + right.astype(U64)
    return total.astype(U32), total >> U64(32) != 0


def _subtract(left: Any, right: Any, borrow: Any = np.False_) -> tuple[Any, Any]:
    total = left.astype(I64) - right.astype(I64) - borrow.astype(I64)
    return total.astype(U32), total < 0


def _signed(operation: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Signed addition and subtraction set the condition code on overflow."""

    def both(left: Any, right: Any) -> tuple[Any, Any]:
        exact = operation(left.astype(I64), right.astype(I64))
        return exact.astype(I32), exact != exact.astype(I32)

    return both


def _shift(bits: int) -> Any:
    return lambda amount: (amount & U32(bits - 1)).astype(U64 if bits == 64 else U32)


def _extract(value: Any, control: Any) -> Any:
    """Bit field: position in bits 4:0 of the control, width in bits 22:16."""
    position, width = control & U32(31), control >> U32(16) & U32(127)
    ones = (U64(1) << np.minimum(width, 32).astype(U64)) - U64(1)
    return (value.astype(U64) >> position.astype(U64) & ones).astype(U32)


def _extract_signed(value: Any, control: Any) -> Any:
    """As above with copies of bit 31 above it, and the field's highest bit copied upward."""
    width = np.minimum(control >> U32(16) & U32(127), 32).astype(I64)
    shifted = value.view(I32).astype(I64) >> (control & U32(31)).astype(I64)
    return (shifted << 64 - np.maximum(width, 1) >> 64 - np.maximum(width, 1)) * (width > 0)


def _find_first_one(value: Any) -> Any:
    lowest = (value & (~value + U32(1))).astype(np.float64)
    return np.where(value == 0, -1, np.log2(np.maximum(lowest, 1))).astype(I32)


def _count_leading(value: Any) -> Any:
    length = np.floor(np.log2(np.maximum(value, 1).astype(np.float64))).astype(I64) + 1
    return np.where(value == 0, -1, 32 - length).astype(I32)


def _low(value: Any) -> Any:
    return value.astype(U32)


def _high(value: Any) -> Any:
    return (value >> U64(32)).astype(U32)


def _reversed64(value: Any) -> Any:
    return reversed_bits(_low(value)).astype(U64) << U64(32) | reversed_bits(_high(value)).astype(U64)


def _find_first_one64(value: Any) -> Any:
    low, high = _find_first_one(_low(value)), _find_first_one(_high(value))
    return np.where(low >= 0, low, np.where(high >= 0, high + I32(32), I32(-1)))


def _extract64(value: Any, control: Any) -> Any:
    """Bit field of 64 bits: position in bits 5:0 of the control, width in bits 22:16."""
    width = np.minimum(control >> U32(16) & U32(127), 64).astype(U64)
    ones = np.where(width >= U64(64), ~U64(0), (U64(1) << (width & U64(63))) - U64(1))
    return value >> _shift(64)(control) & ones


def _extract_signed64(value: Any, control: Any) -> Any:
    """As above with copies of bit 63 above it, and the field's highest bit copied upward."""
    width = np.minimum(control >> U32(16) & U32(127), 64).astype(I64)
    shifted = value.view(I64) >> _shift(64)(control).astype(I64)
    unused = 64 - np.maximum(width, 1)
    return np.where(width > 0, shifted << unused >> unused, I64(0))


def _any_of_four(value: Any) -> Any:
    """The lowest of every four bits, set where any of them is."""
    return (value | value >> U64(1) | value >> U64(2) | value >> U64(3)) & U64(0x1111111111111111)


def _quads(value: Any) -> Any:
    """A bit for each four, together at the low end."""
    found = _any_of_four(value)
    for bits, mask in (
        (3, 0x0303030303030303),
        (6, 0x000F000F000F000F),
        (12, 0x000000FF000000FF),
        (24, 0xFFFF),
    ):
        found = (found | found >> U64(bits)) & U64(mask)
    return found


SCALAR_ROWS: dict[str, ScalarRow] = {
    "s_mov_b32": _row("u32 = u32", lambda a: a),
    "s_mov_b64": _row("u64 = u64", lambda a: a),
    "s_movk_i32": _row("u32 = k16", lambda a: a),
    "s_cmov_b32": _row("u32 = u32 old scc", lambda a, old, scc: np.where(scc, a, old)),
    "s_add_u32": _row("u32,scc = u32 u32", _add),
    "s_addc_u32": _row("u32,scc = u32 u32 scc", _add),
    "s_sub_u32": _row("u32,scc = u32 u32", _subtract),
    "s_subb_u32": _row("u32,scc = u32 u32 scc", _subtract),
    "s_add_i32": _row("i32,scc = i32 i32", _signed(np.add)),
    "s_sub_i32": _row("i32,scc = i32 i32", _signed(np.subtract)),
    "s_addk_i32": _row("i32,scc = old k16", lambda a, b: _signed(np.add)(a.view(I32), b.view(I32))),
    "s_mulk_i32": _row("u32 = old k16", lambda a, b: a * b),
    "s_mul_i32": _row("u32 = u32 u32", lambda a, b: a * b),
    "s_mul_hi_u32": _row("u32 = u32 u32", lambda a, b: a.astype(U64) * b.astype(U64) >> U64(32)),
    "s_mul_hi_i32": _row("i32 = i32 i32", lambda a, b: a.astype(I64) * b.astype(I64) >> 32),
    "s_abs_i32": _row("i32,scc = i32", _with_zero_flag(np.abs)),
    "s_not_b32": _row("u32,scc = u32", _with_zero_flag(np.invert)),
    "s_not_b64": _row("u64,scc = u64", _with_zero_flag(np.invert)),
    "s_lshl_b32": _row("u32,scc = u32 u32", _with_zero_flag(lambda a, b: a << _shift(32)(b))),
    "s_lshl_b64": _row("u64,scc = u64 u32", _with_zero_flag(lambda a, b: a << _shift(64)(b))),
    "s_lshr_b32": _row("u32,scc = u32 u32", _with_zero_flag(lambda a, b: a >> _shift(32)(b))),
    "s_lshr_b64": _row("u64,scc = u64 u32", _with_zero_flag(lambda a, b: a >> _shift(64)(b))),
    "s_ashr_i32": _row("i32,scc = i32 u32", _with_zero_flag(lambda a, b: a >> _shift(32)(b).astype(I32))),
    "s_ashr_i64": _row("i64,scc = i64 u32", _with_zero_flag(lambda a, b: a >> _shift(64)(b).astype(I64))),
    "s_bfe_u32": _row("u32,scc = u32 u32", _with_zero_flag(_extract)),
    "s_bfe_i32": _row("i32,scc = u32 u32", _with_zero_flag(_extract_signed)),
    "s_bfm_b32": _row("u32 = u32 u32", lambda a, b: ((U32(1) << (a & U32(31))) - U32(1)) << (b & U32(31))),
    "s_sext_i32_i8": _row("i32 = u32", lambda a: a.astype(np.uint8).view(np.int8)),
    "s_sext_i32_i16": _row("i32 = u32", lambda a: a.astype(np.uint16).view(np.int16)),
    "s_ff1_i32_b32": _row("i32 = u32", _find_first_one),
    "s_flbit_i32_b32": _row("i32 = u32", _count_leading),
    "s_bcnt1_i32_b32": _row("u32,scc = u32", _with_zero_flag(ones_in)),
    "s_bcnt1_i32_b64": _row("u32,scc = u64", _with_zero_flag(lambda a: ones_in(_low(a)) + ones_in(_high(a)))),
    "s_bcnt0_i32_b32": _row("u32,scc = u32", _with_zero_flag(lambda a: ones_in(~a))),
    "s_bcnt0_i32_b64": _row(
        "u32,scc = u64", _with_zero_flag(lambda a: ones_in(~_low(a)) + ones_in(~_high(a)))
    ),
    "s_brev_b32": _row("u32 = u32", reversed_bits),
    "s_brev_b64": _row("u64 = u64", _reversed64),
    "s_ff0_i32_b32": _row("i32 = u32", lambda a: _find_first_one(~a)),
    "s_ff0_i32_b64": _row("i32 = u64", lambda a: _find_first_one64(~a)),
    "s_ff1_i32_b64": _row("i32 = u64", _find_first_one64),
    "s_flbit_i32": _row("i32 = u32", first_other_than_sign),
    "s_flbit_i32_b64": _row("i32 = u64", lambda a: _find_first_one64(_reversed64(a))),
    "s_flbit_i32_i64": _row(
        "i32 = u64", lambda a: _find_first_one64(_reversed64(np.where(a >> U64(63) != 0, ~a, a)))
    ),
    "s_bitset0_b32": _row("u32 = u32 old", lambda a, old: old & ~(U32(1) << (a & U32(31)))),
    "s_bitset1_b32": _row("u32 = u32 old", lambda a, old: old | U32(1) << (a & U32(31))),
    "s_bfm_b64": _row("u64 = u32 u32", lambda a, b: ((U64(1) << _shift(64)(a)) - U64(1)) << _shift(64)(b)),
    "s_bfe_u64": _row("u64,scc = u64 u32", _with_zero_flag(_extract64)),
    "s_bfe_i64": _row("i64,scc = u64 u32", _with_zero_flag(_extract_signed64)),
    "s_absdiff_i32": _row("u32,scc = i32 i32", _with_zero_flag(lambda a, b: np.abs(a - b).view(U32))),
    "s_cmov_b64": _row("u64 = u64 old64 scc", lambda a, old, scc: np.where(scc, a, old)),
    "s_cmovk_i32": _row("u32 = k16 old scc", lambda a, old, scc: np.where(scc, a, old)),
    "s_bitcmp0_b64": _row("scc = u64 u32", lambda a, b: a >> _shift(64)(b) & U64(1) == 0),
    "s_bitcmp1_b64": _row("scc = u64 u32", lambda a, b: a >> _shift(64)(b) & U64(1) == 1),
    "s_quadmask_b64": _row("u64,scc = u64", _with_zero_flag(_quads)),
    "s_wqm_b64": _row("u64,scc = u64", _with_zero_flag(lambda a: _any_of_four(a) * U64(15))),
    "s_min_u32": _row("u32,scc = u32 u32", lambda a, b: (np.minimum(a, b), a < b)),
    "s_max_u32": _row("u32,scc = u32 u32", lambda a, b: (np.maximum(a, b), a >= b)),
    "s_min_i32": _row("i32,scc = i32 i32", lambda a, b: (np.minimum(a, b), a < b)),
    "s_max_i32": _row("i32,scc = i32 i32", lambda a, b: (np.maximum(a, b), a >= b)),
    "s_cselect_b32": _row("u32 = u32 u32 scc", lambda a, b, scc: np.where(scc, a, b)),
    "s_cselect_b64": _row("u64 = u64 u64 scc", lambda a, b, scc: np.where(scc, a, b)),
    "s_pack_ll_b32_b16": _row("u32 = u32 u32", lambda a, b: a & U32(0xFFFF) | b << U32(16)),
    "s_pack_lh_b32_b16": _row("u32 = u32 u32", lambda a, b: a & U32(0xFFFF) | b & U32(0xFFFF0000)),
    "s_pack_hh_b32_b16": _row("u32 = u32 u32", lambda a, b: a >> U32(16) | b & U32(0xFFFF0000)),
    "s_bitcmp0_b32": _row("scc = u32 u32", lambda a, b: a >> (b & U32(31)) & U32(1) == 0),
    "s_bitcmp1_b32": _row("scc = u32 u32", lambda a, b: a >> (b & U32(31)) & U32(1) == 1),
}

LOGIC: dict[str, Callable[[Any, Any], Any]] = {
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "andn2": lambda a, b: a & ~b,
    "orn2": lambda a, b: a | ~b,
    "nand": lambda a, b: ~(a & b),
    "nor": lambda a, b: ~(a | b),
    "xnor": lambda a, b: ~(a ^ b),
}
for _name, _meaning in LOGIC.items():
    for _bits, _type in (("b32", "u32"), ("b64", "u64")):
        SCALAR_ROWS[f"s_{_name}_{_bits}"] = _row(f"{_type},scc = {_type} {_type}", _with_zero_flag(_meaning))
for _power in (1, 2, 3, 4):
    SCALAR_ROWS[f"s_lshl{_power}_add_u32"] = _row(
        "u32,scc = u32 u32", lambda a, b, power=_power: _shift_add(a, b, power)
    )
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "eq": np.equal,
    "lg": np.not_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "lt": np.less,
    "le": np.less_equal,
}
for _name, _meaning in _COMPARE.items():
    for _type in ("u32", "i32"):
        SCALAR_ROWS[f"s_cmp_{_name}_{_type}"] = _row(f"scc = {_type} {_type}", _meaning)
    SCALAR_ROWS[f"s_cmpk_{_name}_u32"] = _row("scc = u32 u32", _meaning)
    SCALAR_ROWS[f"s_cmpk_{_name}_i32"] = _row(
        "scc = i32 k16", lambda a, b, compare=_meaning: compare(a, b.view(I32))
    )
for _name in ("eq", "lg"):
    SCALAR_ROWS[f"s_cmp_{_name}_u64"] = _row("scc = u64 u64", _COMPARE[_name])

"""Integers and bits in vector registers (chapters 16.7 to 16.10)."""

from __future__ import annotations

from collections.abc import Callable

from tests.codegen.gfx9.oracle.scalar import LOGIC, first_unlike_the_sign
from tests.codegen.gfx9.words import M16, field, number, signed, width


def permuted(data: int, selector: int) -> int:
    if selector >= 12:
        return 0xFF if selector > 12 else 0
    return 0xFF * field(data, 16 * (selector - 8) + 15, 1) if selector >= 8 else field(data, 8 * selector, 8)


def low_half(operation: Callable[..., int]) -> Callable[..., int]:
    return lambda a, b: operation(a, b) & M16


def of_sorted(kind: str, what: str, count: int) -> Callable[..., int]:
    """The first, the middle or the last of two or three integers, as a word of their width."""
    place = {"min": 0, "med": 1, "max": count - 1}[what]

    def chosen(*words: int) -> int:
        return field(sorted(number(kind, word) for word in words)[place], 0, width(kind))

    return chosen


def parts(kind: str, word: int) -> list[int]:
    return [number(kind, word >> place) for place in range(0, 32, width(kind))]


def dot(kind: str) -> Callable[[int, int, int], int]:
    return lambda a, b, c: c + sum(x * y for x, y in zip(parts(kind, a), parts(kind, b), strict=True))


def distance(bits: int, by: int) -> Callable[[int, int, int], int]:
    kind = f"u{bits}"
    return lambda a, b, c: (
        (sum(abs(x - y) for x, y in zip(parts(kind, a), parts(kind, b), strict=True)) << by) + c
    )


VECTOR_SUMS: dict[str, Callable[[int, int], int]] = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b}
CARRIES: dict[str, Callable[..., int]] = {  # the exact result, from which the carry follows
    "v_add_co_u32": lambda a, b: a + b,
    "v_sub_co_u32": lambda a, b: a - b,
    "v_subrev_co_u32": lambda a, b: b - a,
    "v_addc_co_u32": lambda a, b, c: a + b + c,
    "v_subb_co_u32": lambda a, b, c: a - b - c,
    "v_subbrev_co_u32": lambda a, b, c: b - a - c,
}
INTEGERS: dict[str, Callable[..., int]] = {
    **{f"v_accvgpr_{way}_b32": lambda a: a for way in ("read", "write", "mov")},
    "v_pack_b32_f16": lambda a, b: a & M16 | (b & M16) << 16,
    **{f"v_{name}_b32": LOGIC[name] for name in ("and", "or", "xor", "xnor")},
    **{f"v_mov_b{bits}": lambda a: a for bits in (32, 64)},
    "v_not_b32": lambda a: ~a,
    "v_add_u32": lambda a, b: a + b,
    "v_sub_u32": lambda a, b: a - b,
    "v_subrev_u32": lambda a, b: b - a,
    "v_add3_u32": lambda a, b, c: a + b + c,
    "v_mul_lo_u32": lambda a, b: a * b,
    "v_mul_hi_u32": lambda a, b: a * b >> 32,
    "v_mul_hi_i32": lambda a, b: signed(a) * signed(b) >> 32,
    "v_mul_u32_u24": lambda a, b: field(a, 0, 24) * field(b, 0, 24),
    "v_mul_i32_i24": lambda a, b: signed(a, 24) * signed(b, 24),
    "v_mad_u32_u24": lambda a, b, c: field(a, 0, 24) * field(b, 0, 24) + c,
    "v_mad_i32_i24": lambda a, b, c: signed(a, 24) * signed(b, 24) + c,
    "v_mad_u64_u32": lambda a, b, c: a * b + c,
    "v_mad_i64_i32": lambda a, b, c: signed(a) * signed(b) + c,
    "v_or3_b32": lambda a, b, c: a | b | c,
    "v_and_or_b32": lambda a, b, c: a & b | c,
    "v_xad_u32": lambda a, b, c: (a ^ b) + c,
    "v_bfi_b32": lambda a, b, c: a & b | ~a & c,
    "v_bfe_u32": lambda a, b, c: field(a, b & 31, c & 31),
    "v_bfe_i32": lambda a, b, c: signed(signed(a) >> (b & 31), c & 31),
    "v_perm_b32": lambda a, b, c: sum(permuted(a << 32 | b, c >> 8 * i & 255) << 8 * i for i in range(4)),
    "v_alignbit_b32": lambda a, b, c: (a << 32 | b) >> (c & 31),
    "v_alignbyte_b32": lambda a, b, c: (a << 32 | b) >> 8 * (c & 3),
    "v_lshlrev_b32": lambda a, b: b << (a & 31),
    "v_lshrrev_b32": lambda a, b: b >> (a & 31),
    "v_ashrrev_i32": lambda a, b: signed(b) >> (a & 31),
    "v_lshlrev_b64": lambda a, b: b << (a & 63),
    "v_lshrrev_b64": lambda a, b: b >> (a & 63),
    "v_ashrrev_i64": lambda a, b: signed(b, 64) >> (a & 63),
    "v_lshl_add_u32": lambda a, b, c: (a << (b & 31)) + c,
    "v_lshl_add_u64": lambda a, b, c: (a << (b & 7)) + c,
    "v_add_lshl_u32": lambda a, b, c: a + b << (c & 31),
    "v_lshl_or_b32": lambda a, b, c: a << (b & 31) | c,
    "v_min_u32": min,
    "v_max_u32": max,
    "v_min_i32": lambda a, b: min(signed(a), signed(b)),
    "v_max_i32": lambda a, b: max(signed(a), signed(b)),
    "v_add_u16": lambda a, b: a + b & M16,
    "v_sub_u16": lambda a, b: a - b & M16,
    "v_mul_lo_u16": lambda a, b: a * b & M16,
    "v_lshlrev_b16": lambda a, b: b << (a & 15) & M16,
    "v_lshrrev_b16": lambda a, b: (b & M16) >> (a & 15),
    "v_ashrrev_i16": lambda a, b: (signed(b & M16, 16) >> (a & 15)) & M16,
    "v_cndmask_b32": lambda a, b, c: b if c else a,
    "v_med3_i32": lambda a, b, c: sorted(map(signed, (a, b, c)))[1],
    "v_med3_u32": lambda a, b, c: sorted((a, b, c))[1],
    "v_min3_u32": lambda a, b, c: min((a, b, c)),
    "v_max3_u32": lambda a, b, c: max((a, b, c)),
    **{f"v_{what}_i32": VECTOR_SUMS[what] for what in ("add", "sub")},
    **{f"v_{what}_i16": low_half(VECTOR_SUMS[what]) for what in ("add", "sub")},
    "v_subrev_u16": lambda a, b: b - a & M16,
    **dict.fromkeys(("v_mad_i16", "v_mad_u16", "v_mad_legacy_u16"), lambda a, b, c: a * b + c & M16),
    **{
        f"v_{what}{count}_{kind}": of_sorted(kind, what, int(count or 2))
        for what, count in (("min", ""), ("max", ""), ("min", "3"), ("max", "3"), ("med", "3"))
        for kind in ("i16", "u16")
    },
    "v_min3_i32": of_sorted("i32", "min", 3),
    "v_max3_i32": of_sorted("i32", "max", 3),
    "v_bcnt_u32_b32": lambda a, b: a.bit_count() + b,
    "v_bfm_b32": lambda a, b: (1 << (a & 31)) - 1 << (b & 31),
    "v_bfrev_b32": lambda a: int(f"{a:032b}"[::-1], 2),
    "v_ffbh_u32": lambda a: f"{a:032b}".find("1"),
    "v_ffbh_i32": lambda a: first_unlike_the_sign(a, 32),
    "v_ffbl_b32": lambda a: f"{a:032b}"[::-1].find("1"),
    "v_mul_hi_u32_u24": lambda a, b: field(a, 0, 24) * field(b, 0, 24) >> 32,
    "v_mul_hi_i32_i24": lambda a, b: signed(a, 24) * signed(b, 24) >> 32,
    **{f"v_dot{32 // bits}_u32_u{bits}": dot(f"u{bits}") for bits in (16, 8, 4)},
    **{f"v_dot{32 // bits}_i32_i{bits}": dot(f"i{bits}") for bits in (16, 8, 4)},
    **{f"v_sad_u{bits}": distance(bits, 0) for bits in (8, 16, 32)},
    "v_sad_hi_u8": distance(8, 16),
}
BY_LANE: dict[str, Callable[[int, int, int], int]] = {  # the number of the lane comes first
    "v_mbcnt_lo_u32_b32": lambda lane, a, b: (a & ((1 << lane) - 1)).bit_count() + b,
    "v_mbcnt_hi_u32_b32": lambda lane, a, b: ((a << 32) & ((1 << lane) - 1)).bit_count() + b,
}

"""The scalar ALU: results and the condition code SCC (chapter 5, and 16.1 to 16.4)."""

from __future__ import annotations

from collections.abc import Callable

from tests.codegen.gfx9.oracle.comparisons import ORDER, compared
from tests.codegen.gfx9.words import M16, M32, field, signed


def digits(word: int, bits: int) -> str:
    """The bits of a word, the highest first."""
    return f"{word:0{bits}b}"


def from_below(word: int, bits: int) -> int:
    return int(digits(word, bits)[::-1], 2)


def first_unlike_the_sign(word: int, bits: int) -> int:
    text = digits(word, bits)
    return text.find("1" if text[0] == "0" else "0")


LOGIC: dict[str, Callable[..., int]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "andn2": lambda a, b: a & ~b,
    "orn2": lambda a, b: a | ~b,
    "nand": lambda a, b: ~(a & b),
    "nor": lambda a, b: ~(a | b),
    "xnor": lambda a, b: ~(a ^ b),
}
SETS_SCC_IF_NOT_ZERO: dict[str, Callable[..., int]] = {
    **{f"s_{name}_b{bits}": logic for name, logic in LOGIC.items() for bits in (32, 64)},
    **{f"s_not_b{bits}": lambda a: ~a for bits in (32, 64)},
    "s_lshl_b32": lambda a, b: a << (b & 31),
    "s_lshl_b64": lambda a, b: a << (b & 63),
    "s_lshr_b32": lambda a, b: a >> (b & 31),
    "s_lshr_b64": lambda a, b: a >> (b & 63),
    "s_ashr_i32": lambda a, b: signed(a) >> (b & 31),
    "s_ashr_i64": lambda a, b: signed(a, 64) >> (b & 63),
    "s_bfe_u32": lambda a, b: field(a, b & 31, field(b, 16, 7)),
    "s_bfe_i32": lambda a, b: signed(signed(a) >> (b & 31), field(b, 16, 7)),
    "s_abs_i32": lambda a: abs(signed(a)),
    "s_absdiff_i32": lambda a, b: abs(signed(a - b)),
    "s_bfe_u64": lambda a, b: field(a, b & 63, field(b, 16, 7)),
    "s_bfe_i64": lambda a, b: signed(signed(a, 64) >> (b & 63), field(b, 16, 7)),
    **{f"s_bcnt0_i32_b{bits}": lambda a, *, bits=bits: bits - a.bit_count() for bits in (32, 64)},
    **{f"s_bcnt1_i32_b{bits}": lambda a: a.bit_count() for bits in (32, 64)},
    "s_quadmask_b64": lambda a: sum(bool(field(a, 4 * i, 4)) << i for i in range(16)),
    "s_wqm_b64": lambda a: sum(0xF * bool(field(a, 4 * i, 4)) << 4 * i for i in range(16)),
}
KEEPS_SCC: dict[str, Callable[..., int]] = {
    **{f"s_mov_b{bits}": lambda a: a for bits in (32, 64)},
    "s_mul_i32": lambda a, b: signed(a) * signed(b),
    "s_mul_hi_u32": lambda a, b: a * b >> 32,
    "s_mul_hi_i32": lambda a, b: signed(a) * signed(b) >> 32,
    "s_bfm_b32": lambda a, b: (1 << (a & 31)) - 1 << (b & 31),
    "s_sext_i32_i8": lambda a: signed(a, 8),
    "s_sext_i32_i16": lambda a: signed(a, 16),
    "s_ff1_i32_b32": lambda a: (a & -a).bit_length() - 1,
    "s_flbit_i32_b32": lambda a: 32 - a.bit_length() if a else -1,
    "s_bfm_b64": lambda a, b: (1 << (a & 63)) - 1 << (b & 63),
    "s_bitset0_b32": lambda a, b: a & ~(1 << (b & 31)),
    "s_bitset1_b32": lambda a, b: a | 1 << (b & 31),
    **{f"s_brev_b{bits}": lambda a, *, bits=bits: from_below(a, bits) for bits in (32, 64)},
    **{f"s_ff0_i32_b{bits}": lambda a, *, bits=bits: digits(a, bits)[::-1].find("0") for bits in (32, 64)},
    "s_ff1_i32_b64": lambda a: digits(a, 64)[::-1].find("1"),
    "s_flbit_i32_b64": lambda a: digits(a, 64).find("1"),
    "s_flbit_i32": lambda a: first_unlike_the_sign(a, 32),
    "s_flbit_i32_i64": lambda a: first_unlike_the_sign(a, 64),
    "s_pack_ll_b32_b16": lambda a, b: a & M16 | b << 16,
    "s_pack_lh_b32_b16": lambda a, b: a & M16 | b >> 16 << 16,
    "s_pack_hh_b32_b16": lambda a, b: a >> 16 | b >> 16 << 16,
}
GIVES_SCC: dict[str, Callable[..., tuple[int, bool]]] = {  # the last operand is SCC before
    "s_add_u32": lambda a, b, c: (a + b, a + b > M32),
    "s_addc_u32": lambda a, b, c: (a + b + c, a + b + c > M32),
    "s_sub_u32": lambda a, b, c: (a - b, b > a),
    "s_subb_u32": lambda a, b, c: (a - b - c, b + c > a),
    "s_add_i32": lambda a, b, c: (a + b, signed(a) + signed(b) != signed(a + b)),
    "s_sub_i32": lambda a, b, c: (a - b, signed(a) - signed(b) != signed(a - b)),
    **{
        f"s_lshl{n}_add_u32": lambda a, b, c, *, n=n: ((a << n) + b, (a << n) + b > M32) for n in (1, 2, 3, 4)
    },
    "s_min_u32": lambda a, b, c: (min(a, b), a < b),
    "s_max_u32": lambda a, b, c: (max(a, b), a >= b),
    "s_min_i32": lambda a, b, c: (min(signed(a), signed(b)), signed(a) < signed(b)),
    "s_max_i32": lambda a, b, c: (max(signed(a), signed(b)), signed(a) >= signed(b)),
    **{f"s_cselect_b{bits}": lambda a, b, c: (a if c else b, c) for bits in (32, 64)},
    **{f"s_cmov_b{bits}": lambda a, b, c: (b if c else a, c) for bits in (32, 64)},
    **{
        f"s_bitcmp{bit}_b{bits}": lambda a, b, c, *, bit=bit, bits=bits: (0, a >> b % bits & 1 == bit)
        for bit in (0, 1)
        for bits in (32, 64)
    },
}


def compares_with_immediate(relation: str, kind: str) -> Callable[[int, int, int], tuple[int, bool]]:
    """An immediate of 16 bits is extended as the kind says."""
    return lambda a, k, c: (a, compared(f"{relation}_{kind}", a, signed(k, 16) if kind == "i32" else k))


WITH_IMMEDIATE: dict[str, Callable[[int, int, int], tuple[int, bool | int]]] = {  # destination, SIMM16, SCC
    "s_cmovk_i32": lambda a, k, c: (signed(k, 16) if c else a, c),
    "s_movk_i32": lambda a, k, c: (signed(k, 16), c),
    "s_mulk_i32": lambda a, k, c: (signed(a) * signed(k, 16), c),
    "s_addk_i32": lambda a, k, c: (a + signed(k, 16), signed(a) + signed(k, 16) != signed(a + signed(k, 16))),
    **{
        f"s_cmpk_{relation}_{kind}": compares_with_immediate(relation, kind)
        for relation in ORDER
        for kind in ("i32", "u32")
    },
}

"""What the ISA guide says single instructions do, computed one lane at a time in exact Python numbers.

The oracle follows the AMD Instinct MI300 (CDNA3) Instruction Set Architecture reference guide: chapter 5
(scalar ALU: what writes SCC), chapter 6 (vector ALU: operand modifiers, inline constants, "Literal Expansion
to 64 bits", rounding and denormal modes) and chapter 12, whose pseudocode the lambdas below restate. It
shares no code with the executor: integers have arbitrary precision and explicit masks, floats are fractions
that one function rounds once, to nearest even.

Assumed beside the pseudocode: MODE is what the compiler sets for gfx9 kernels (denormals are kept, the IEEE
bit is on), and a 16-bit result clears the high half of its register (LLVM's ``zeroesHigh16BitsOfDest``).
The payload of a NaN is left open.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from tests.codegen.gfx9.words import FLOATS, M16, M32, field, number, signed


def _negation(relation: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda a, b: not relation(a, b)


ORDER = ("eq", "lg", "lt", "le", "gt", "ge")
RELATIONS = {"neq": operator.ne, "lg": lambda a, b: a < b or a > b, "ne": operator.ne, "eq": operator.eq}
RELATIONS |= {name: getattr(operator, name) for name in ORDER[2:]}
RELATIONS |= {"u": lambda a, b: math.isnan(a) or math.isnan(b)}
NEGATED = {"o": "u", "nlg": "lg", "nlt": "lt", "nle": "le", "ngt": "gt", "nge": "ge"}
RELATIONS |= {name: _negation(RELATIONS[of]) for name, of in NEGATED.items()}
INTEGERS = ("u16", "i16", "u32", "i32", "u64", "i64")
COMPARISONS = [f"v_cmp_{relation}_{kind}" for relation in ("ne", "eq", *ORDER[2:]) for kind in INTEGERS]
COMPARISONS += [f"v_cmp_{relation}_{kind}" for relation in (*ORDER, "neq", "u", *NEGATED) for kind in FLOATS]
SCALAR_COMPARISONS = [f"s_cmp_{relation}_{kind}" for relation in ORDER for kind in ("u32", "i32")]
SCALAR_COMPARISONS += ["s_cmp_eq_u64", "s_cmp_lg_u64"]


def permuted(data: int, selector: int) -> int:
    if selector >= 12:
        return 0xFF if selector > 12 else 0
    return 0xFF * field(data, 16 * (selector - 8) + 15, 1) if selector >= 8 else field(data, 8 * selector, 8)


def compared(name: str, a: int, b: int) -> bool:
    relation, kind = name.split("_")[-2:]
    return RELATIONS[relation](number(kind, a), number(kind, b))


def towards_zero(value: float, low: int, high: int) -> int:
    if math.isnan(value):
        return 0
    return low if value <= low else high if value >= high else math.trunc(value)


def middle(a: float, b: float, c: float) -> float:
    numbers = sorted((x for x in (a, b, c) if not math.isnan(x)), key=with_sign)
    return math.nan if not numbers else numbers[1] if len(numbers) == 3 else numbers[0]


def bf16(word: int) -> int:
    """Half a unit of the last place up, then cut; one less for ties of even numbers. A NaN stays one."""
    if math.isnan(number("f32", word)):
        return word >> 16 | 0x40
    low, rest = word >> 16, word & M16
    return low + (rest > 0x8000 or (rest == 0x8000 and low % 2 == 1))


def with_sign(value: Any) -> tuple[Any, float]:
    return value, math.copysign(1, value)


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
    "s_cmov_b32": lambda a, b, c: (b if c else a, c),
    "s_bitcmp0_b32": lambda a, b, c: (0, not a >> (b & 31) & 1),
    "s_bitcmp1_b32": lambda a, b, c: (0, a >> (b & 31) & 1),
}


def compares_with_immediate(relation: str, kind: str) -> Callable[[int, int, int], tuple[int, bool]]:
    """An immediate of 16 bits is extended as the kind says."""
    return lambda a, k, c: (a, compared(f"{relation}_{kind}", a, signed(k, 16) if kind == "i32" else k))


WITH_IMMEDIATE: dict[str, Callable[[int, int, int], tuple[int, bool | int]]] = {  # destination, SIMM16, SCC
    "s_movk_i32": lambda a, k, c: (signed(k, 16), c),
    "s_mulk_i32": lambda a, k, c: (signed(a) * signed(k, 16), c),
    "s_addk_i32": lambda a, k, c: (a + signed(k, 16), signed(a) + signed(k, 16) != signed(a + signed(k, 16))),
    **{
        f"s_cmpk_{relation}_{kind}": compares_with_immediate(relation, kind)
        for relation in ORDER
        for kind in ("i32", "u32")
    },
}
CARRIES: dict[str, Callable[..., int]] = {  # the exact result, from which the carry follows
    "v_add_co_u32": lambda a, b: a + b,
    "v_sub_co_u32": lambda a, b: a - b,
    "v_subrev_co_u32": lambda a, b: b - a,
    "v_addc_co_u32": lambda a, b, c: a + b + c,
    "v_subb_co_u32": lambda a, b, c: a - b - c,
    "v_subbrev_co_u32": lambda a, b, c: b - a - c,
}
VECTOR: dict[str, Callable[..., int]] = {
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
    "v_cvt_pk_i16_i32": lambda a, b: (
        (min(max(signed(a), -(2**15)), 2**15 - 1) & M16)
        + ((min(max(signed(b), -(2**15)), 2**15 - 1) & M16) << 16)
    ),
    "v_cvt_pk_bf16_f32": lambda a, b: bf16(a) | bf16(b) << 16,
    "v_cvt_i32_f32": lambda a: towards_zero(number("f32", a), -(2**31), 2**31 - 1),
    "v_cvt_u32_f32": lambda a: towards_zero(number("f32", a), 0, M32),
    "v_cvt_i32_f64": lambda a: towards_zero(number("f64", a), -(2**31), 2**31 - 1),
}
CONVERSIONS = ("f32_f16", "f16_f32", "f64_f32", "f32_f64", "f32_i32", "f32_u32", "f64_i32", "f64_u32")
FLOATING: dict[str, Callable[..., Any]] = {
    **{f"v_add_{kind}": lambda a, b: a + b for kind in FLOATS},
    **{f"v_mul_{kind}": lambda a, b: a * b for kind in FLOATS},
    "v_sub_f32": lambda a, b: a - b,
    "v_sub_f16": lambda a, b: a - b,
    "v_med3_f32": middle,
    **{f"v_fma_{kind}": lambda a, b, c: a * b + c for kind in FLOATS},
    "v_fmac_f64": lambda a, b, c: a * b + c,
    "v_subrev_f32": lambda a, b: b - a,
    "v_min_f32": lambda a, b: b if math.isnan(a) else a if math.isnan(b) else min(a, b, key=with_sign),
    "v_max_f32": lambda a, b: b if math.isnan(a) else a if math.isnan(b) else max(a, b, key=with_sign),
    "v_fmac_f32": lambda a, b, c: a * b + c,
    **{f"v_cvt_{k}": lambda a: a for k in CONVERSIONS},
}

"""A law: what LLVM makes of a division gives the quotient rounded once, whatever the numbers are.

The sequences are those that clang compiles ``a / b`` to for gfx942 (``AMDGPULegalizerInfo.cpp``,
``legalizeFDIV32`` and ``legalizeFDIV64``). The guide leaves open, and contradicts itself, by which power of
two ``v_div_fmas`` scales and which way ``v_div_scale`` goes; the law decides it.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.codegen.gfx9.snippet import run_snippet
from tests.codegen.gfx9.words import FLOATS, LANES, M32, cases, number, rounded, width, word_of

SEQUENCES = {
    "f32": """
        v_div_scale_f32 v20, s[0:1], v12, v12, v10
        v_rcp_f32_e32 v22, v20
        v_div_scale_f32 v24, vcc, v10, v12, v10
        v_fma_f32 v26, -v20, v22, 1.0
        v_fmac_f32_e32 v22, v26, v22
        v_mul_f32_e32 v26, v24, v22
        v_fma_f32 v28, -v20, v26, v24
        v_fmac_f32_e32 v26, v28, v22
        v_fma_f32 v20, -v20, v26, v24
        v_div_fmas_f32 v20, v20, v22, v26
        v_div_fixup_f32 v2, v20, v12, v10
        """,
    "f64": """
        v_div_scale_f64 v[20:21], s[0:1], v[12:13], v[12:13], v[10:11]
        v_rcp_f64_e32 v[22:23], v[20:21]
        v_fma_f64 v[24:25], -v[20:21], v[22:23], 1.0
        v_fmac_f64_e32 v[22:23], v[22:23], v[24:25]
        v_fma_f64 v[24:25], -v[20:21], v[22:23], 1.0
        v_div_scale_f64 v[26:27], vcc, v[10:11], v[12:13], v[10:11]
        v_fmac_f64_e32 v[22:23], v[22:23], v[24:25]
        v_mul_f64 v[24:25], v[26:27], v[22:23]
        v_fma_f64 v[20:21], -v[20:21], v[24:25], v[26:27]
        v_div_fmas_f64 v[20:21], v[20:21], v[22:23], v[24:25]
        v_div_fixup_f64 v[2:3], v[20:21], v[12:13], v[10:11]
        """,
    "f16": """
        v_cvt_f32_f16_e32 v20, v12
        v_cvt_f32_f16_e32 v22, v10
        v_rcp_f32_e32 v24, v20
        v_mul_f32_e32 v22, v22, v24
        v_fma_mix_f32 v26, -v12, v22, v10 op_sel_hi:[1,0,1]
        v_fmac_f32_e32 v22, v26, v24
        v_fma_mix_f32 v26, -v12, v22, v10 op_sel_hi:[1,0,1]
        v_mul_f32_e32 v24, v26, v24
        v_and_b32_e32 v24, 0xff800000, v24
        v_add_f32_e32 v22, v24, v22
        v_cvt_f16_f32_e32 v22, v22
        v_div_fixup_f16 v2, v22, v12, v10
        """,
}
WORKGROUP = 16 * LANES
BITS_OF_FRACTION = {kind: row[1] - 1 for kind, row in FLOATS.items()}


def quotient(kind: str, above: int, below: int) -> int:
    a, b = number(kind, above), number(kind, below)
    if math.isnan(a) or math.isnan(b) or (a == 0 and b == 0) or (math.isinf(a) and math.isinf(b)):
        return word_of(kind, math.nan)
    sign = math.copysign(1, a) * math.copysign(1, b)
    if b == 0 or math.isinf(a):
        return word_of(kind, math.copysign(math.inf, sign))
    if a == 0 or math.isinf(b):
        return word_of(kind, math.copysign(0.0, sign))
    found = rounded(kind, lambda x, y: Fraction(x) / Fraction(y), a, b)
    return found or word_of(kind, math.copysign(0.0, sign))


def divided(kind: str, table: list[tuple[int, int]], *, in_c: bool) -> list[int]:
    """What the instructions make of dividends and divisors, a workgroup of them at a time."""
    found: list[int] = []
    for first in range(0, len(table), WORKGROUP):
        part = table[first : first + WORKGROUP]
        part = [*part, *[part[-1]] * (-len(part) % LANES)]
        columns = np.array(part, dtype=np.uint64).reshape(-1, LANES, 2)
        registers = {
            base + half: columns[:, :, side] >> np.uint64(32 * half) & np.uint64(M32)
            for side, base in enumerate((10, 12))
            for half in range(2)
        }
        run = run_snippet(SEQUENCES[kind], v=registers, waves=len(columns), in_c=in_c)
        words = run.waves.vector[2].astype(object)
        if kind == "f64":
            words = words + run.waves.vector[3].astype(object) * 2**32
        found.extend(words.reshape(-1))
    return found[: len(table)]


def require_quotients(kind: str, table: list[tuple[int, int]], *, in_c: bool = False) -> None:
    found = divided(kind, table, in_c=in_c)
    wrong = [
        (hex(above), hex(below), hex(got), hex(wanted))
        for (above, below), got in zip(table, found, strict=True)
        if got != (wanted := quotient(kind, above, below))
        and not (math.isnan(number(kind, got)) and math.isnan(number(kind, wanted)))
    ]
    assert not wrong, f"{len(wrong)} of {len(table)}; dividend, divisor, found, wanted: {wrong[:3]}"


def with_exponents(kind: str, generator: np.random.Generator, exponents: list[tuple[int, ...]]) -> list[Any]:
    """Random significands, with few digits half of the time, and given biased exponents."""
    bits, table = BITS_OF_FRACTION[kind], []
    for pair in exponents:
        words = []
        for exponent in pair:
            dropped = int(generator.integers(0, bits)) if generator.integers(2) else 0
            fraction = int(generator.integers(0, 2**bits)) >> dropped << dropped
            sign = int(generator.integers(2)) << width(kind) - 1
            words.append(sign | exponent << bits | fraction)
        table.append((words[0], words[1]))
    return table


def chosen_exponents(kind: str) -> list[int]:
    """The ends of the range, and what lies around the distances at which numbers are scaled."""
    top = 2 ** (width(kind) - BITS_OF_FRACTION[kind] - 1) - 1
    places = [0, 1, 2, 22, 23, 24, 53, 54, top // 2, top // 2 + 1, top - 3, top - 2, top - 1]
    places += [p for d in (24, 96, 126, 150, 768, 1022, 1074) if d < top for p in (d - 1, d, d + 1, top - d)]
    return sorted({place for place in places if 0 <= place < top})


@pytest.mark.parametrize("kind", SEQUENCES)
def test_quotients_of_special_and_random_numbers(kind):
    require_quotients(kind, [(a, b) for a, b in cases(kind, kind)])


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_quotients_of_numbers_of_all_sizes(kind):
    generator = np.random.default_rng(32)
    exponents: list[tuple[int, ...]] = list(itertools.product(chosen_exponents(kind), repeat=2))
    require_quotients(kind, with_exponents(kind, generator, exponents))


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_quotients_that_are_denormal_are_rounded_once(kind):
    generator = np.random.default_rng(64)
    bias = 2 ** (width(kind) - BITS_OF_FRACTION[kind] - 2) - 1
    apart = generator.integers(bias - 1, bias + BITS_OF_FRACTION[kind] + 2, size=4096)
    lower = [int(generator.integers(1, 2 * bias - int(distance))) for distance in apart]
    exponents: list[tuple[int, ...]] = [
        (low, low + int(distance)) for low, distance in zip(lower, apart, strict=True)
    ]
    require_quotients(kind, with_exponents(kind, generator, exponents), in_c=True)


@pytest.mark.slow_sample(8)
@pytest.mark.parametrize("kind", ["f32", "f64"])
@pytest.mark.parametrize("seed", range(8))
def test_many_quotients(kind, seed):
    generator = np.random.default_rng(seed)
    top = 2 ** (width(kind) - BITS_OF_FRACTION[kind] - 1) - 1
    exponents: list[tuple[int, ...]] = [
        (int(a), int(b)) for a, b in generator.integers(0, top, size=(30_000, 2))
    ]
    require_quotients(kind, with_exponents(kind, generator, exponents))

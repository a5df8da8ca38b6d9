"""Block scales of matrix instructions, for numbers of 8, 6 and 4 bits as ml_dtypes has them."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from layoutalg.codegen.gfx9.registers import LANES
from layoutalg.mma import MatrixInstruction
from tests.codegen.gfx9.snippet import run_snippet

SMALL = {  # the code of a type of f8f6f4: bits, registers, and numbers by pattern as ml_dtypes has them
    0: (8, 8, ml_dtypes.float8_e4m3fn),
    1: (8, 8, ml_dtypes.float8_e5m2),
    2: (6, 6, ml_dtypes.float6_e2m3fn),
    3: (6, 6, ml_dtypes.float6_e3m2fn),
    4: (4, 4, ml_dtypes.float4_e2m1fn),
}


def in_registers(patterns, bits):
    """Patterns of a lane one after the other, low bits first, as words."""
    held = (patterns[..., None] >> np.arange(bits) & 1).reshape(len(patterns), -1)
    return np.packbits(held.astype(np.uint8), axis=1, bitorder="little").view(np.uint32)


@pytest.mark.parametrize("codes", [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (0, 4), (4, 1), (3, 2)])
@pytest.mark.parametrize(("rows", "k", "bytes_"), [(16, 128, (1, 2)), (32, 64, (3, 0))])
def test_blocks_of_32_are_scaled_by_powers_of_two(rows, k, bytes_, codes):
    """Whatever the bytes of a scale's register that are not chosen; in Python and in C."""
    rng = np.random.default_rng(codes)
    held: dict[int, Any] = {}
    sides = []
    lane, element = np.arange(LANES)[:, None], np.arange(32)[None, :]
    group = lane // rows
    for side, code in enumerate(codes):
        bits, count, kind = SMALL[code]
        patterns = rng.integers(0, 1 << bits, (rows, k))
        numbers = patterns.astype(np.uint8).view(kind).astype(np.float64)
        patterns[~np.isfinite(numbers)], numbers[~np.isfinite(numbers)] = 0, 0
        scales = rng.integers(120, 135, (rows, k // 32))
        # CK, mx_mfma_op.hpp: two runs of 16, or one of 32
        runs = k // 2 * (element // 16) + 16 * group + element % 16
        at = runs if bits == 8 else 32 * group + element
        words = in_registers(patterns[lane % rows, at], bits)
        shift = np.uint64(8 * bytes_[side])
        other = rng.integers(0, 2**32, LANES, dtype=np.uint64) & ~(np.uint64(0xFF) << shift)
        scale = scales[lane[:, 0] % rows, lane[:, 0] // rows].astype(np.uint64) << shift
        held |= {20 * side + number: word for number, word in enumerate(words.T)}
        held[20 * side + count] = (other | scale).astype(np.uint32)
        sides.append(np.repeat(2.0 ** (scales - 127.0), 32, axis=1) * numbers)
    end, other_end = (SMALL[code][1] for code in codes)
    sums = 4 if rows == 16 else 16
    low, high = ([byte >> bit & 1 for byte in bytes_] for bit in (0, 1))
    text = (
        f"v_mfma_scale_f32_{rows}x{rows}x{k}_f8f6f4 v[40:{39 + sums}], v[0:{end - 1}],"
        f" v[20:{19 + other_end}], 0, v{end}, v{20 + other_end}"
        f" op_sel:[{low[0]},{low[1]},0] op_sel_hi:[{high[0]},{high[1]},0]"
        f" cbsz:{codes[0]} blgp:{codes[1]}"
    )
    state = run_snippet(text, v=held, target="gfx950")
    wanted = (sides[0] @ sides[1].T).astype(np.float32)
    found = np.stack([state.v(40 + i) for i in range(sums)], axis=1).view(np.float32)
    name = f"v_mfma_f32_{rows}x{rows}x{k}_f8f6f4"
    row, column = MatrixInstruction.named(name, "gfx950").element("D", lane, np.arange(sums)[None, :])
    assert np.array_equal(found, wanted[row, column])


def test_a_scale_without_a_value_leaves_the_result_without_one():
    text = "v_mfma_scale_f32_16x16x128_f8f6f4 v[20:23], v[0:3], v[4:7], 0, v8, v9 cbsz:4 blgp:4"
    state = run_snippet(text, v=dict.fromkeys(range(9), 0), target="gfx950")
    assert not state.waves.vector_set[20:24].any()


def test_a_scale_of_no_number_makes_none():
    text = "v_mfma_scale_f32_16x16x128_f8f6f4 v[20:23], v[0:3], v[4:7], 0, v8, v9 cbsz:4 blgp:4"
    state = run_snippet(text, v=dict.fromkeys(range(9), 0) | {8: 0xFF, 9: 127}, target="gfx950")
    assert np.isnan(state.v(20).view(np.float32)).all()

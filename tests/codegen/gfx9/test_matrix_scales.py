"""Block scales of matrix instructions, for numbers of 8, 6 and 4 bits as ml_dtypes has them."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from layoutalg.codegen.gfx9.device_memory import GlobalMemory, LocalMemory
from layoutalg.codegen.gfx9.registers import LANES
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.mma import MatrixInstruction
from tests.codegen.gfx9.test_matrix_cores import execute

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


@pytest.mark.parametrize("code", SMALL)
@pytest.mark.parametrize(("rows", "k", "bytes_"), [(16, 128, (1, 2)), (32, 64, (3, 0))])
def test_blocks_of_32_are_scaled_by_powers_of_two(rows, k, bytes_, code):
    """Whatever the bytes of a scale's register that are not chosen."""
    rng = np.random.default_rng(code)
    bits, registers_of_lane, kind = SMALL[code]
    patterns = rng.integers(0, 1 << bits, (2, rows, k))
    numbers = patterns.astype(np.uint8).view(kind).astype(np.float64)
    patterns[~np.isfinite(numbers)], numbers[~np.isfinite(numbers)] = 0, 0
    scales = rng.integers(120, 135, (2, rows, k // 32))
    state = Waves(1, 64, 0, GlobalMemory(), LocalMemory(1, 0), workgroup=np.zeros(1, dtype=np.int64))
    lane, element = np.arange(LANES)[:, None], np.arange(32)[None, :]
    group, runs = lane // rows, 2 if bits == 8 else 1  # CK, mx_mfma_op.hpp: two runs of 16, or one of 32
    at = k // 2 * (element // 16) + 16 * group + element % 16 if runs == 2 else 32 * group + element
    for side in range(2):
        words = in_registers(patterns[side][lane % rows, at], bits)
        other = rng.integers(0, 2**32, LANES, dtype=np.uint64)
        shift = 8 * bytes_[side]
        scale = scales[side][lane[:, 0] % rows, lane[:, 0] // rows].astype(np.uint64) << np.uint64(shift)
        held = other & ~np.uint64(0xFF << shift) & np.uint64(2**32 - 1) | scale
        for number, word_ in enumerate([*words.T, held.astype(np.uint32)]):
            state.write_vector(20 * side + number, slice(None), word_[None, :], np.ones((1, LANES), bool))
    end, sums = registers_of_lane, 4 if rows == 16 else 16
    low, high = ([byte >> bit & 1 for byte in bytes_] for bit in (0, 1))
    text = (
        f"v_mfma_scale_f32_{rows}x{rows}x{k}_f8f6f4 v[40:{39 + sums}], v[0:{end - 1}], v[20:{19 + end}], 0,"
        f" v{end}, v{20 + end} op_sel:[{low[0]},{low[1]},0] op_sel_hi:[{high[0]},{high[1]},0]"
        f" cbsz:{code} blgp:{code}"
    )
    execute(text, "gfx950", state)
    a, b = (np.repeat(2.0 ** (scales[side] - 127.0), 32, axis=1) * numbers[side] for side in range(2))
    wanted = (a @ b.T).astype(np.float32)
    found = np.stack([state.vector[40 + i, 0] for i in range(sums)], axis=1).view(np.float32)
    row, column = MatrixInstruction.named(f"v_mfma_f32_{rows}x{rows}x{k}_f8f6f4", "gfx950").element(
        "D", lane, np.arange(sums)[None, :]
    )
    assert np.array_equal(found, wanted[row, column])


def test_a_scale_without_a_value_leaves_the_result_without_one():
    state = Waves(1, 64, 0, GlobalMemory(), LocalMemory(1, 0), workgroup=np.zeros(1, dtype=np.int64))
    for register in range(9):
        state.write_vector(register, slice(None), np.zeros((1, LANES), np.uint32), np.ones((1, LANES), bool))
    text = "v_mfma_scale_f32_16x16x128_f8f6f4 v[20:23], v[0:3], v[4:7], 0, v8, v9 cbsz:4 blgp:4"
    execute(text, "gfx950", state)
    assert not state.vector_set[20:24].any()

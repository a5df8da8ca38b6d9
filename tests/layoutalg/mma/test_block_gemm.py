"""Blocks of matrix instructions: equal to CK's own encodings, owned once, and the wrapper's 8 dimensions."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from layoutalg.distribution import make_static_tile_distribution
from layoutalg.errors import LayoutError
from layoutalg.layout import make_layout
from layoutalg.mma import MATRIX_INSTRUCTIONS, BlockGemm, MatrixInstruction
from layoutalg.proofs import prove
from layoutalg.properties import owned, tile_bounds
from layoutalg.tensor import (
    GemmTraits,
    make_blockwise_gemm_xdl_c_local_partition,
    make_blockwise_gemm_xdl_c_vgpr,
    make_tensor,
)
from layoutalg.verdict import Proved
from tests.golden.tile_distributions import encoding
from tests.refusals import refused

GOLDEN = Path(__file__).parents[2] / "golden" / "data"
MFMA_32 = MatrixInstruction.named("v_mfma_f32_32x32x8_f16", "gfx942")
MFMA_16 = MatrixInstruction.named("v_mfma_f32_16x16x16_f16", "gfx942")


def golden(file, name):
    cases = json.loads((GOLDEN / f"{file}.json").read_text())["cases"]
    return encoding(next(case for case in cases if case["name"] == name)["encoding"])


def same_map(left, right):
    one, other = (make_static_tile_distribution(each) for each in (left, right))
    assert one.p_lengths == other.p_lengths
    ps = [p[:, None] for p in np.indices(list(map(int, one.p_lengths))).reshape(len(one.p_lengths), -1)]
    found = []
    for each in (one, other):
        ys = np.indices(list(map(int, each.y_lengths))).reshape(len(each.y_lengths), -1)
        found.append(
            [np.broadcast_to(x, (len(ps[0]), ys.shape[1])) for x in each.element(ps, [y[None] for y in ys])]
        )
    return all(np.array_equal(a, b) for a, b in zip(*found, strict=True))


@pytest.mark.parametrize(
    ("name", "operand", "block"),
    [
        ("embed_c_256x128_4x1_32x32", "c", BlockGemm(MFMA_32, (4, 1), (2, 4))),
        ("embed_c_128x128_2x2_16x16", "c", BlockGemm(MFMA_16, (2, 2), (4, 4))),
        ("embed_a_reg_128x32_2x2", "a", BlockGemm(MFMA_32, (2, 2), (2, 1), 4)),
        ("embed_b_reg_64x32_16", "b", BlockGemm(MFMA_16, (2, 2), (1, 2), 2)),
        ("embed_c_ct_64x64_2x1", "c", BlockGemm(MFMA_32, (2, 1), (1, 2), is_c_transposed=True)),
    ],
)
def test_blocks_are_those_of_ck(name, operand, block):
    assert getattr(block, operand) == golden("tile_distribution_ops", name)


def test_swizzled_operands_of_ck_hold_two_steps_of_k():
    block = BlockGemm(MFMA_32, (1, 1), (1, 1), k_steps=2, k_per_lane=2)
    wanted = golden("tile_distributions", "warp_mfma_f16_32x32x16_swizzleb_ct_B")
    assert block.b.x_lengths == wanted.x_lengths
    assert block.b.y_lengths[-1:] == wanted.y_lengths


@pytest.mark.sample(12)
@pytest.mark.parametrize("is_c_transposed", [False, True])
@pytest.mark.parametrize("target", ["gfx908", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"])
def test_every_element_of_a_b_and_c_is_owned_as_often_as_meant(target, is_c_transposed):
    for row in MATRIX_INSTRUCTIONS:
        if row.target != target or row.blocks != 1 or row.name.count(":") > 1:
            continue
        block = BlockGemm(row, (2, 1), (1, 2), 2, is_c_transposed=is_c_transposed)
        for each in (block.a, block.b, block.c):
            distribution = make_static_tile_distribution(each)
            claims = (*owned(distribution), tile_bounds(distribution))
            assert all(isinstance(prove(claim), Proved) for claim in claims), (row.name, each)


@pytest.mark.parametrize(
    ("traits", "tile", "threads", "block"),
    [
        (GemmTraits(32, 32, 4, 2, 8), (256, 128), 256, BlockGemm(MFMA_32, (2, 2), (4, 2))),
        (GemmTraits(32, 32, 2, 2, 4), (64, 128), 128, BlockGemm(MFMA_32, (1, 2), (2, 2))),
        (GemmTraits(16, 16, 2, 4, 8), (64, 128), 256, BlockGemm(MFMA_16, (2, 2), (2, 4))),
    ],
)
def test_the_wrapper_and_ck_tile_give_a_thread_the_same_elements_in_the_same_registers(
    traits, tile, threads, block
):
    c = make_tensor("Lds", np.arange(tile[0] * tile[1]), make_layout(tile, (tile[1], 1)))
    registers = make_blockwise_gemm_xdl_c_vgpr("f16", tile, traits, threads)
    distribution = make_static_tile_distribution(block.c)
    assert registers.layout.size == distribution.ys_to_d.element_space_size
    ys = np.indices(list(map(int, distribution.y_lengths))).reshape(4, -1)
    for thread in range(threads):
        part = make_blockwise_gemm_xdl_c_local_partition(c, "f16", traits, threads, thread)
        assert part.layout.shape == registers.layout.shape
        m0, n0, groups, size = ys
        zero = np.zeros_like(m0)
        offsets = part.layout((m0, n0, zero, zero, groups, zero, size, zero))
        rows, columns = distribution.element(divmod(thread, 64), tuple(ys))
        assert np.array_equal(offsets, rows * tile[1] + columns)
        places = registers.layout((m0, n0, zero, zero, groups, zero, size, zero))
        assert np.array_equal(places, np.arange(len(m0)))


def test_blocks_that_do_not_fit_are_refused():
    with refused(LayoutError):
        make_blockwise_gemm_xdl_c_vgpr("f16", (100, 128), GemmTraits(32, 32, 4, 2, 8), 256)
    with refused(LayoutError, "4", "128"):
        make_blockwise_gemm_xdl_c_vgpr("f16", (256, 128), GemmTraits(32, 32, 4, 2, 8), 128)
    with refused(LayoutError, "64x64"):
        make_blockwise_gemm_xdl_c_vgpr("f16", (256, 128), GemmTraits(64, 64, 2, 1, 8), 256)
    with refused(LayoutError, "2"):
        BlockGemm(MatrixInstruction.named("v_mfma_f32_32x32x4_2b_f16", "gfx942"), (1, 1), (1, 1))
    with refused(LayoutError, "3"):
        BlockGemm(MFMA_32, (1, 1), (1, 1), 3, 2)

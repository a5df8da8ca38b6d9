"""A GEMM whose tiles lie in the LDS swizzled: C = A * B^T, 128 x 128 a workgroup, four waves as 2 x 2.

A row of 64 f16 is as long as 32 banks: unswizzled, what threads read of a column lies in the same banks.
CK's XOR descriptor moves the pieces of eight f16 that a thread reads at once: piece p of row m lies at
p ^ (m % 8). Where there are 64 banks, two rows lie side by side, 16 pieces. No two threads that are served
together meet in a bank, and no element is spent on padding.
"""

import layoutalg as la
from layoutalg.distribution import TileDistributionEncoding as Encoding
from layoutalg.distribution import make_embed_tile_distribution_encoding as embed
from layoutalg.tile import (
    TensorView,
    TileProgram,
    allocate_lds,
    block_gemm,
    block_sync_lds,
    clear_tile,
    get_block_id,
    load_tile,
    make_naive_tensor_view,
    make_naive_tensor_view_packed,
    make_static_distributed_tensor,
    make_tile_window,
    move_tile_window,
    pointer,
    size,
    store_tile,
    tile_loop,
    tile_program,
    transform_tensor_view,
)

# DRAM, A as B: 128 = 4 x 4 waves x 8 rows, 64 = 8 threads x 8
DRAM = Encoding((), ((4, 4, 8), (8, 8)), ((1,), (1, 2)), ((1,), (2, 0)), (1, 2), (0, 1))
# two m32n32k8 one after the other, so that a thread has eight neighbours of k; C is transposed
OPERAND = Encoding((), ((32,), (2, 8)), ((2, 1),), ((0, 0),), (2,), (1,))
WARP_C = Encoding((), ((32,), (4, 2, 4)), ((2, 1),), ((1, 0),), (2, 2), (0, 2))
# 128 = 2 x 2 waves x 32 of A and of B, 64 = 4 x 16; waves of a row have the same of A
A_BLOCK = embed(Encoding((2,), ((2, 2), (4,)), ((1, 0),), ((1, 0),), (1, 2), (0, 0)), OPERAND)
B_BLOCK = embed(Encoding((2,), ((2, 2), (4,)), ((0, 1),), ((0, 1),), (1, 2), (0, 0)), OPERAND)
C_BLOCK = embed(Encoding((), ((2, 2), (2, 2)), ((1, 2),), ((1, 1),), (1, 2), (0, 0)), WARP_C)


def xor_lds(rows: int, k: int, banks: int) -> TensorView:
    """CK's LDS descriptor with a xor; ``layers``: the rows that lie side by side, CK's ``MLdsLayer``."""
    layers, pieces, each = max(1, banks * 2 // k), k // 8, la.make_pass_through_transform
    view = make_naive_tensor_view_packed(
        allocate_lds(rows * k, "f16"), (rows // layers, pieces * layers, 8), 8
    )
    swizzle = la.make_xor_transform((rows // layers, pieces * layers))
    view = transform_tensor_view(view, [swizzle, each(8)], [[0, 1], [2]], [[0, 1], [2]])
    apart = la.make_unmerge_transform((layers, pieces))
    view = transform_tensor_view(
        view, [each(rows // layers), apart, each(8)], [[0], [1], [2]], [[0], [1, 2], [3]]
    )
    joined = [la.make_merge_transform((rows // layers, layers)), la.make_merge_transform((pieces, 8))]
    return transform_tensor_view(view, joined, [[0, 1], [2, 3]], [[0], [1]])


def gemm(banks: int) -> TileProgram:
    """The GEMM for an LDS with so many banks: 32, or 64 on gfx950."""

    @tile_program(256, grid=["N//128", "M//128"], facts=["M*K < 2**31", "N*K < 2**31", "M*N < 2**31"])
    def xor_gemm(
        a: pointer("f16"),
        b: pointer("f16"),
        c: pointer("f32", is_output=True),
        M: size(128, 2**20, 128),
        N: size(128, 2**20, 128),
        K: size(64, 2**20, 64),
    ):
        """C = A * B^T through swizzled LDS."""
        m, n = get_block_id(1) * 128, get_block_id(0) * 128
        a_dram = make_tile_window(make_naive_tensor_view(a, (M, K), (K, 1), 8, 1), (128, 64), (m, 0), DRAM)
        b_dram = make_tile_window(make_naive_tensor_view(b, (N, K), (K, 1), 8, 1), (128, 64), (n, 0), DRAM)
        a_lds, b_lds = xor_lds(128, 64, banks), xor_lds(128, 64, banks)
        c_tile = make_static_distributed_tensor("f32", C_BLOCK)
        clear_tile(c_tile)
        for _ in tile_loop(K // 64):
            store_tile(make_tile_window(a_lds, (128, 64), (0, 0)), load_tile(a_dram))
            store_tile(make_tile_window(b_lds, (128, 64), (0, 0)), load_tile(b_dram))
            move_tile_window(a_dram, (0, 64))
            move_tile_window(b_dram, (0, 64))
            block_sync_lds()
            a_tile = load_tile(make_tile_window(a_lds, (128, 64), (0, 0), A_BLOCK))
            b_tile = load_tile(make_tile_window(b_lds, (128, 64), (0, 0), B_BLOCK))
            block_gemm(c_tile, a_tile, b_tile, (WARP_C, OPERAND, OPERAND))
            block_sync_lds()
        c_view = make_naive_tensor_view(c, (M, N), (N, 1), 4, 1)
        store_tile(make_tile_window(c_view, (128, 128), (m, n)), c_tile)

    return xor_gemm


xor_gemm, xor_gemm_of_64_banks = gemm(32), gemm(64)

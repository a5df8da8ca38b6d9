"""A GEMM whose tiles lie in the LDS with padding: C = A * B^T, 128 x 128 a workgroup, four waves as 2 x 2.

CK's LDS descriptor of A is (K / 8, M, 8) with the stride (M + 1) * 8 of its first dimension: columns of eight
f16 that a thread reads and writes at once, and eight of padding behind each. Seen as (M, K) by a merge.
"""

import layoutalg as la
from layoutalg.distribution import TileDistributionEncoding as Encoding
from layoutalg.distribution import make_embed_tile_distribution_encoding as embed
from layoutalg.tile import (
    TensorView,
    allocate_lds,
    block_gemm,
    block_sync_lds,
    clear_tile,
    get_block_id,
    load_tile,
    make_naive_tensor_view,
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

# DRAM, A as B: 128 = 2 x 4 waves x 16 rows, 32 = 4 threads x 8
DRAM = Encoding((), ((2, 4, 16), (4, 8)), ((1,), (1, 2)), ((1,), (2, 0)), (1, 2), (0, 1))
# two m32n32k8 one after the other, so that a thread has eight neighbours of k; C is transposed
OPERAND = Encoding((), ((32,), (2, 8)), ((2, 1),), ((0, 0),), (2,), (1,))
WARP_C = Encoding((), ((32,), (4, 2, 4)), ((2, 1),), ((1, 0),), (2, 2), (0, 2))
# 128 = 2 x 2 waves x 32 of A and of B, 32 = 2 x 16; waves of a row have the same of A
A_BLOCK = embed(Encoding((2,), ((2, 2), (2,)), ((1, 0),), ((1, 0),), (1, 2), (0, 0)), OPERAND)
B_BLOCK = embed(Encoding((2,), ((2, 2), (2,)), ((0, 1),), ((0, 1),), (1, 2), (0, 0)), OPERAND)
C_BLOCK = embed(Encoding((), ((2, 2), (2, 2)), ((1, 2),), ((1, 1),), (1, 2), (0, 0)), WARP_C)


def padded_lds(rows: int, k: int) -> TensorView:
    """CK's ``MakeALdsBlockDescriptor``: (k / 8, rows, 8), padded, as (rows, k)."""
    lds = make_naive_tensor_view(
        allocate_lds(k // 8 * (rows + 1) * 8, "f16"), (k // 8, rows, 8), ((rows + 1) * 8, 8, 1), 8, 1
    )
    transforms = [la.make_pass_through_transform(rows), la.make_merge_transform((k // 8, 8))]
    return transform_tensor_view(lds, transforms, [[1], [0, 2]], [[0], [1]])


@tile_program(256, grid=["N//128", "M//128"], facts=["M*K < 2**31", "N*K < 2**31", "M*N < 2**31"])
def padded_gemm(
    a: pointer("f16"),
    b: pointer("f16"),
    c: pointer("f32", is_output=True),
    M: size(128, 2**20, 128),
    N: size(128, 2**20, 128),
    K: size(32, 2**20, 32),
):
    """C = A * B^T through padded LDS."""
    m, n = get_block_id(1) * 128, get_block_id(0) * 128
    a_dram = make_tile_window(make_naive_tensor_view(a, (M, K), (K, 1), 8, 1), (128, 32), (m, 0), DRAM)
    b_dram = make_tile_window(make_naive_tensor_view(b, (N, K), (K, 1), 8, 1), (128, 32), (n, 0), DRAM)
    a_lds, b_lds = padded_lds(128, 32), padded_lds(128, 32)
    c_tile = make_static_distributed_tensor("f32", C_BLOCK)
    clear_tile(c_tile)
    for _ in tile_loop(K // 32):
        store_tile(make_tile_window(a_lds, (128, 32), (0, 0)), load_tile(a_dram))
        store_tile(make_tile_window(b_lds, (128, 32), (0, 0)), load_tile(b_dram))
        move_tile_window(a_dram, (0, 32))
        move_tile_window(b_dram, (0, 32))
        block_sync_lds()
        a_tile = load_tile(make_tile_window(a_lds, (128, 32), (0, 0), A_BLOCK))
        b_tile = load_tile(make_tile_window(b_lds, (128, 32), (0, 0), B_BLOCK))
        block_gemm(c_tile, a_tile, b_tile, (WARP_C, OPERAND, OPERAND))
        block_sync_lds()
    c_view = make_naive_tensor_view(c, (M, N), (N, 1), 4, 1)
    store_tile(make_tile_window(c_view, (128, 128), (m, n)), c_tile)

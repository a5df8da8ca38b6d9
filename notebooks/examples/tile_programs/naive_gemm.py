"""The GEMM of CK Tile's tutorial 01_naive_gemm: C = A * B^T in f16, added up in f32.

256 threads multiply a tile of A, 256 x 32, by one of B, 128 x 32, on MFMA m32n32k8, four waves one below the
other. ``transposed_c`` is the tutorial's default, CK_TILE_ENABLE_TRANSPOSED_C_DISTRIBUTION=1: a thread holds
four neighbours of a row of C and stores them at once; ``standard_c`` is 0: neighbours of a column.
"""

from layoutalg.distribution import TileDistributionEncoding as Encoding
from layoutalg.distribution import make_embed_tile_distribution_encoding as embed
from layoutalg.tile import (
    TileProgram,
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
)

# DRAM: M = M0 x M1 x M2, K = K0 x K1; P0 = wave -> M1, P1 = lane -> (M2, K0); Y0 = M0, Y1 = K1
A_DRAM = Encoding((), ((4, 4, 16), (4, 8)), ((1,), (1, 2)), ((1,), (2, 0)), (1, 2), (0, 1))
B_DRAM = Encoding((), ((2, 4, 16), (4, 8)), ((1,), (1, 2)), ((1,), (2, 0)), (1, 2), (0, 1))
# the operands of m32n32k8, and its result: rows in the registers, or columns
OPERAND = Encoding((), ((32,), (2, 4)), ((2, 1),), ((0, 0),), (2,), (1,))
STANDARD_C = Encoding((), ((4, 2, 4), (32,)), ((1, 2),), ((1, 0),), (1, 1), (0, 2))
TRANSPOSED_C = Encoding((), ((32,), (4, 2, 4)), ((2, 1),), ((1, 0),), (2, 2), (0, 2))
# waves and repetitions around them: 256 = 2 x 4 waves x 32, 128 = 4 x 32, 32 = 4 x 8
A_BLOCK = embed(Encoding((), ((2, 4), (4,)), ((1,),), ((1,),), (1, 2), (0, 0)), OPERAND)
B_BLOCK = embed(Encoding((4,), ((4,), (4,)), ((0,),), ((0,),), (1, 2), (0, 0)), OPERAND)
C_WAVES = Encoding((), ((2, 4), (4,)), ((1,),), ((1,),), (1, 2), (0, 0))


def gemm(warp_c: Encoding) -> TileProgram:
    """The tutorial's GEMM where the result of a warp is distributed like this."""

    @tile_program(256, ["(M//256)*(N//128)"], ["M*K < 2**31", "N*K < 2**31", "M*N < 2**31"])
    def naive_gemm(
        a: pointer("f16"),
        b: pointer("f16"),
        c: pointer("f32", is_output=True),
        M: size(256, 2**20, 256),
        N: size(128, 2**20, 128),
        K: size(32, 2**20, 32),
    ):
        """C = A * B^T, a tile of 256 x 128 a workgroup."""
        m, n = get_block_id() // (N // 128) * 256, get_block_id() % (N // 128) * 128
        a_dram = make_tile_window(make_naive_tensor_view(a, (M, K), (K, 1), 8, 1), (256, 32), (m, 0), A_DRAM)
        b_dram = make_tile_window(make_naive_tensor_view(b, (N, K), (K, 1), 8, 1), (128, 32), (n, 0), B_DRAM)
        a_lds = make_naive_tensor_view(allocate_lds(256 * 32, "f16"), (256, 32), (32, 1), 8, 1)
        b_lds = make_naive_tensor_view(allocate_lds(128 * 32, "f16"), (128, 32), (32, 1), 8, 1)
        a_copy, b_copy = (make_tile_window(lds, lds.lengths, (0, 0)) for lds in (a_lds, b_lds))
        a_gemm = make_tile_window(a_lds, (256, 32), (0, 0), A_BLOCK)
        b_gemm = make_tile_window(b_lds, (128, 32), (0, 0), B_BLOCK)
        c_tile = make_static_distributed_tensor("f32", embed(C_WAVES, warp_c))
        clear_tile(c_tile)
        for _ in tile_loop(K // 32):
            store_tile(a_copy, load_tile(a_dram))
            store_tile(b_copy, load_tile(b_dram))
            move_tile_window(a_dram, (0, 32))
            move_tile_window(b_dram, (0, 32))
            block_sync_lds()
            block_gemm(c_tile, load_tile(a_gemm), load_tile(b_gemm), (warp_c, OPERAND, OPERAND))
            block_sync_lds()
        c_view = make_naive_tensor_view(c, (M, N), (N, 1), 4, 1)
        store_tile(make_tile_window(c_view, (256, 128), (m, n)), c_tile)

    return naive_gemm


transposed_c = gemm(TRANSPOSED_C)
standard_c = gemm(STANDARD_C)

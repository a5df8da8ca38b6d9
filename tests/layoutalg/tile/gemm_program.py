"""A small GEMM as a tile program, with places where it can be broken."""

from __future__ import annotations

from layoutalg.distribution import TileDistributionEncoding as Encoding
from layoutalg.tile import (
    allocate_lds,
    block_gemm,
    block_sync_lds,
    cast_tile,
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

DRAM = Encoding((1,), ((4, 16), (4, 8)), ((1, 2),), ((1, 0),), (1, 2), (0, 1))  # 64x32, one wave
WARP = Encoding((), ((32,), (2, 4)), ((2, 1),), ((0, 0),), (2,), (1,))
WARP_C = Encoding((), ((4, 2, 4), (32,)), ((1, 2),), ((1, 0),), (1, 1), (0, 2))
OPERAND = Encoding((), ((2, 32), (4, 2, 4)), ((2, 1),), ((1, 1),), (1, 2, 2), (0, 0, 2))
RESULT = Encoding((), ((2, 4, 2, 4), (2, 32)), ((1, 2),), ((2, 1),), (1, 2, 1, 1), (0, 0, 1, 3))
PITCH = 36  # elements from row to row in the LDS

SIZES = {"M": 64, "N": 64, "K": 32}


def gemm(*, syncs=2, step=32, column=64, result=RESULT, kind="f32", is_twice=False, low=64):
    """C = A * B^T in tiles of 64x64x32 by one wave; the arguments break it."""
    grid = ("(M + 63)//64", "(N + 63)//64")
    facts = ("M*K < 2**31", "N*K < 2**31", "M*N < 2**31")

    @tile_program(block_size=64, grid=grid, facts=facts)
    def tiled(
        a: pointer("f16"),
        b: pointer("f16"),
        c: pointer(kind, is_output=True),
        M: size(low, 65536, low),
        N: size(64, 65536, 64),
        K: size(32, 65536, 32),
    ):
        """C = A * B^T."""
        m, n = get_block_id(0) * 64, get_block_id(1) * column
        sources = [
            make_tile_window(make_naive_tensor_view(x, (rows, K), (K, 1), 8, 1), (64, 32), (at, 0), DRAM)
            for x, rows, at in ((a, M, m), (b, N, n))
        ]
        rooms = [
            make_naive_tensor_view(allocate_lds(64 * PITCH, "f16"), (64, 32), (PITCH, 1), 4, 1)
            for _ in range(2)
        ]
        total = make_static_distributed_tensor("f32", result)
        clear_tile(total)
        for _ in tile_loop(K // 32):
            for source, room in zip(sources, rooms, strict=True):
                store_tile(make_tile_window(room, (64, 32), (0, 0)), load_tile(source))
                move_tile_window(source, (0, step))
            if syncs > 0:
                block_sync_lds()
            operands = [load_tile(make_tile_window(room, (64, 32), (0, 0), OPERAND)) for room in rooms]
            block_gemm(total, operands[0], operands[1], (WARP_C, WARP, WARP))
            if syncs > 1:
                block_sync_lds()
        target = make_tile_window(make_naive_tensor_view(c, (M, N), (N, 1)), (64, 64), (m, n))
        store_tile(target, total if kind == "f32" else cast_tile(total, kind))
        if is_twice:
            beside = make_tile_window(make_naive_tensor_view(c, (M, N), (N, 1)), (64, 64), (0, 0))
            store_tile(beside, total)

    return tiled

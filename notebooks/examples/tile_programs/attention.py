"""Attention, forward: O = softmax(Q * K^T / sqrt(D)) * V, head by head, with an online softmax.

A workgroup has 64 queries of a head, a wave 16 of them; in each turn it takes 64 keys. The scores are
multiplied in the transposed distribution of m16n16k16: a lane has one query, and four neighbours of 16 keys.
That is how the second product wants its operand, so that P is never moved. V lies in the LDS and is read by
columns.
"""

from operator import add

from layoutalg.distribution import TileDistributionEncoding as Encoding
from layoutalg.distribution import make_embed_tile_distribution_encoding as embed
from layoutalg.distribution import make_reduce_tile_distribution_encoding as reduced
from layoutalg.tile import (
    TileProgram,
    allocate_lds,
    block_gemm,
    block_sync_lds,
    block_tile_reduce,
    block_tile_reduce_sync,
    cast_tile,
    clear_tile,
    exp,
    get_block_id,
    load_tile,
    make_naive_tensor_view,
    make_static_distributed_tensor,
    make_tile_window,
    maximum,
    move_tile_window,
    pointer,
    scalar,
    set_tile,
    size,
    store_tile,
    sweep_tile,
    tile_elementwise_in,
    tile_elementwise_inout,
    tile_loop,
    tile_program,
)

# m16n16k16: 16 of k are 4 lanes x 4; so are 16 columns of a transposed result
WARP = Encoding((), ((16,), (4, 4)), ((2, 1),), ((0, 0),), (2,), (1,))


def operand(rows: int, columns: int, waves: int) -> Encoding:
    """Rows by columns: each of 4 waves has a part of the rows, or all of them where ``waves`` is 1."""
    shape = (rows // 16 // waves, waves), (columns // 16,)
    return embed(Encoding((4 // waves,), shape, ((0, 1),), ((0, 1),), (1, 2), (0, 0)), WARP)


def attention_of(D: int) -> TileProgram:
    """Attention for heads of D = 32 or 64."""
    dram = Encoding((), ((D // 32, 4, 512 // D), (D // 8, 8)), ((1,), (1, 2)), ((1,), (2, 0)), (1, 2), (0, 1))

    @tile_program(256, grid=["Q//64", "H"], facts=[f"H*Q*{D} < 2**31", f"H*K*{D} < 2**31"])
    def attention(  # noqa: PLR0913, PLR0917  as a kernel has arguments
        q: pointer("f16"),
        k: pointer("f16"),
        v: pointer("f16"),
        o: pointer("f32", is_output=True),
        scale: scalar("f32"),
        H: size(1, 2**16),
        Q: size(64, 2**20, 64),
        K: size(64, 2**20, 64),
    ):
        """O = softmax(scale * Q * K^T) * V for H heads, Q queries and K keys."""
        first, head = get_block_id(1) * Q + get_block_id(0) * 64, get_block_id(1)
        q_view, o_view = (make_naive_tensor_view(one, (H * Q, D), (D, 1), 8, 1) for one in (q, o))
        k_view, v_view = (make_naive_tensor_view(one, (H * K, D), (D, 1), 8, 1) for one in (k, v))
        k_dram, v_dram = (make_tile_window(one, (64, D), (head * K, 0), dram) for one in (k_view, v_view))
        k_room, v_room = (allocate_lds(64 * (D + 8), "f16") for _ in "kv")
        k_lds, v_lds = (make_naive_tensor_view(one, (64, D), (D + 8, 1), 8, 1) for one in (k_room, v_room))
        v_columns = make_naive_tensor_view(v_room, (D, 64), (1, D + 8))
        q_tile = load_tile(make_tile_window(q_view, (64, D), (first, 0), operand(64, D, 4)))
        o_tile = make_static_distributed_tensor("f32", operand(64, D, 4))
        of_rows = reduced(operand(64, D, 4), (1,))
        largest, total = (make_static_distributed_tensor("f32", of_rows) for _ in range(2))
        for tile, value in ((largest, float("-inf")), (total, 0), (o_tile, 0)):
            set_tile(tile, value)
        for _ in tile_loop(K // 64):
            for dram_window, lds in ((k_dram, k_lds), (v_dram, v_lds)):
                store_tile(make_tile_window(lds, (64, D), (0, 0)), load_tile(dram_window))
                move_tile_window(dram_window, (64, 0))
            block_sync_lds()
            p = make_static_distributed_tensor("f32", operand(64, 64, 4))
            clear_tile(p)
            k_tile = load_tile(make_tile_window(k_lds, (64, D), (0, 0), operand(64, D, 1)))
            block_gemm(p, q_tile, k_tile, (WARP, WARP, WARP))
            found = block_tile_reduce(p, (1,), maximum, float("-inf"))
            block_tile_reduce_sync(found, maximum)
            found = tile_elementwise_in(maximum, found, largest)
            less = tile_elementwise_in(lambda old, new: exp((old - new) * scale), largest, found)
            largest.assign(found)
            for i, j in sweep_tile(p):
                p[i, j] = exp((p[i, j] - largest[i]) * scale)
            more = block_tile_reduce(p, (1,), add, 0)
            block_tile_reduce_sync(more, add)
            tile_elementwise_inout(lambda old, factor, new: old * factor + new, total, less, more)
            for i, j in sweep_tile(o_tile):
                o_tile[i, j] *= less[i]
            v_tile = load_tile(make_tile_window(v_columns, (D, 64), (0, 0), operand(D, 64, 1)))
            block_gemm(o_tile, cast_tile(p, "f16"), v_tile, (WARP, WARP, WARP))
            block_sync_lds()
        for i, j in sweep_tile(o_tile):
            o_tile[i, j] /= total[i]
        store_tile(make_tile_window(o_view, (64, D), (first, 0)), o_tile)

    return attention


attention, attention_of_64 = attention_of(32), attention_of(64)

"""Layer normalisation: a workgroup has a row of up to 2048 numbers, four waves side by side.

Lanes join their sums, then waves do, through the LDS. The variance is that of the differences from the mean;
beyond the end of a row they are 0.
"""

from operator import add

from layoutalg.distribution import TileDistributionEncoding as Encoding
from layoutalg.tile import (
    StaticDistributedTensor,
    block_reduce_cross_warp_sync,
    block_tile_reduce,
    block_tile_reduce_sync,
    get_block_id,
    load_tile,
    make_naive_tensor_view,
    make_tile_window,
    pad_tensor_view,
    pointer,
    scalar,
    set_tile_if,
    size,
    sqrt,
    store_tile,
    sweep_tile,
    tile_elementwise_in,
    tile_program,
)

# 1 row, 2048 = 8 x 4 waves x 64 lanes; gamma and beta are held by the same threads
ROW = Encoding((), ((1,), (8, 4, 64)), ((2,), (2,)), ((1,), (2,)), (1, 2), (0, 0))
WEIGHTS = Encoding((), ((8, 4, 64),), ((1,), (1,)), ((1,), (2,)), (1,), (0,))


def row_sum(tile: StaticDistributedTensor) -> StaticDistributedTensor:
    """The sum of a row, in all threads."""
    total = block_tile_reduce(tile, (1,), add, 0)
    block_tile_reduce_sync(total, add)
    block_reduce_cross_warp_sync(total, add)
    return total


@tile_program(256, grid=["M"], facts=["M*N < 2**31 - 2048"])
def layernorm(
    x: pointer("f32"),
    gamma: pointer("f32"),
    beta: pointer("f32"),
    y: pointer("f32", is_output=True),
    epsilon: scalar("f32"),
    M: size(1, 2**24),
    N: size(1, 2048),
):
    """Y = (X - mean) / sqrt(variance + epsilon) * gamma + beta, row by row."""

    def rows(buffer, distribution=None):
        view = pad_tensor_view(make_naive_tensor_view(buffer, (M, N), (N, 1)), (1, 2048), (False, True))
        return make_tile_window(view, (1, 2048), (get_block_id(), 0), distribution)

    def weights(buffer):
        view = pad_tensor_view(make_naive_tensor_view(buffer, (N,), (1,)), (2048,), (True,))
        return load_tile(make_tile_window(view, (2048,), (0,), WEIGHTS))

    tile, scale, shift = load_tile(rows(x, ROW)), weights(gamma), weights(beta)
    mean = tile_elementwise_in(lambda total: total / N, row_sum(tile))
    for i, j in sweep_tile(tile):
        tile[i, j] -= mean[i]
    set_tile_if(tile, 0, lambda _, column: column >= N)
    squares = tile_elementwise_in(lambda one: one * one, tile)
    deviation = tile_elementwise_in(lambda total: sqrt(total / N + epsilon), row_sum(squares))
    for i, j in sweep_tile(tile):
        tile[i, j] = tile[i, j] / deviation[i] * scale[j] + shift[j]
    store_tile(rows(y), tile)

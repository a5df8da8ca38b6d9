"""Softmax of rows: a wave has a row of up to 1024 numbers, four rows a workgroup, any number of rows.

A row that is shorter than the tile is padded with -inf, whose exponential is 0. Lanes join what they have
of a row, largest number and sum, without the LDS.
"""

from operator import add

from layoutalg.distribution import TileDistributionEncoding as Encoding
from layoutalg.tile import (
    block_tile_reduce,
    block_tile_reduce_sync,
    exp,
    get_block_id,
    load_tile,
    make_naive_tensor_view,
    make_tile_window,
    maximum,
    pad_tensor_view,
    pointer,
    size,
    store_tile,
    sweep_tile,
    tile_program,
)

# 4 rows = 4 waves, 1024 = 16 x 64 lanes
ROWS = Encoding((), ((4,), (16, 64)), ((1,), (2,)), ((0,), (1,)), (2,), (0,))


@tile_program(256, grid=["cdiv(M, 4)"], facts=["M*N < 2**30"])
def row_softmax(x: pointer("f32"), y: pointer("f32", is_output=True), M: size(1, 2**24), N: size(1, 1024)):
    """Y = exp(X - max) / sum of exp(X - max), row by row."""

    def window(buffer, distribution=None):
        view = make_naive_tensor_view(buffer, (M, N), (N, 1), invalid_element_value=float("-inf"))
        view = pad_tensor_view(view, (4, 1024), (True, True))
        return make_tile_window(view, (4, 1024), (get_block_id() * 4, 0), distribution)

    tile = load_tile(window(x, ROWS))
    largest = block_tile_reduce(tile, (1,), maximum, float("-inf"))
    block_tile_reduce_sync(largest, maximum)
    for row, column in sweep_tile(tile):
        tile[row, column] = exp(tile[row, column] - largest[row])
    total = block_tile_reduce(tile, (1,), add, 0)
    block_tile_reduce_sync(total, add)
    for row, column in sweep_tile(tile):
        tile[row, column] /= total[row]
    store_tile(window(y), tile)

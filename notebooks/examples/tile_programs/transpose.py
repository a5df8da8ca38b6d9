"""The transpose of the TensorDescriptor blog: 8 x 8 threads, each turns 4 x 4 floats in its registers.

The blog's matrix has 2560 x 32 floats, which 80 workgroups turn over, one for each compute unit of an MI308X.
A thread reads four rows of four neighbours and writes four rows of four neighbours: no LDS and no sync.
"""

from layoutalg.distribution import TileDistributionEncoding as Encoding
from layoutalg.tile import (
    get_block_id,
    load_tile,
    make_naive_tensor_view,
    make_static_distributed_tensor,
    make_tile_window,
    pointer,
    size,
    store_tile,
    tile_program,
    transpose_tile2d,
)

# 32 x 32 = (8 threads x 4) x (8 threads x 4); in the transposed tile the threads count the other way round
ROWS = Encoding((), ((8, 4), (8, 4)), ((1, 2),), ((0, 0),), (1, 2), (1, 1))
COLUMNS = Encoding((), ((8, 4), (8, 4)), ((2, 1),), ((0, 0),), (1, 2), (1, 1))


@tile_program(64, grid=["M//32", "K//32"], facts=["M*K < 2**31"])
def transpose(
    source: pointer("f32"),
    target: pointer("f32", is_output=True),
    M: size(32, 2**20, 32),
    K: size(32, 2**20, 32),
):
    """B = A^T, a tile of 32 x 32 a workgroup."""
    m, k = get_block_id(0) * 32, get_block_id(1) * 32
    rows = make_naive_tensor_view(source, (M, K), (K, 1), 4, 1)
    columns = make_naive_tensor_view(target, (K, M), (M, 1), 4, 1)
    turned = make_static_distributed_tensor("f32", COLUMNS)
    transpose_tile2d(turned, load_tile(make_tile_window(rows, (32, 32), (m, k), ROWS)))
    store_tile(make_tile_window(columns, (32, 32), (k, m)), turned)

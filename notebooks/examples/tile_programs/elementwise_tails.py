"""Element by element over matrices of any size: tiles hang over the edges, padding takes care of the tails.

A workgroup has a tile of 16 x 256. ``pad_tensor_view`` makes lengths whole multiples of it: what is read
beyond the edge is 0 and what is written there is dropped. Rows may begin anywhere, so that accesses are of
one element. A function of elements is an argument, as CK's ``Operation`` is.
"""

from collections.abc import Callable

from layoutalg.distribution import TileDistributionEncoding as Encoding
from layoutalg.tile import (
    Element,
    TileProgram,
    exp,
    get_block_id,
    load_tile,
    make_naive_tensor_view,
    make_tile_window,
    pad_tensor_view,
    pointer,
    size,
    store_tile,
    tile_elementwise_in,
    tile_program,
)

# 16 = 4 x 4 waves, 256 = 4 x 64 lanes: neighbours read neighbours
TILE = Encoding((), ((4, 4), (4, 64)), ((1,), (2,)), ((1,), (1,)), (1, 2), (0, 0))


def elementwise(operation: Callable[[Element, Element], Element]) -> TileProgram:
    """Z = operation(X, Y) for M x N elements."""

    @tile_program(256, grid=["cdiv(M, 16)", "cdiv(N, 256)"], facts=["(M + 16)*(N + 256) < 2**31"])
    def elementwise_tails(
        x: pointer("f32"),
        y: pointer("f32"),
        z: pointer("f32", is_output=True),
        M: size(1, 2**20),
        N: size(1, 2**20),
    ):
        """Z = operation(X, Y), tails by padding."""
        origin = get_block_id(0) * 16, get_block_id(1) * 256

        def window(buffer, distribution=None):
            view = pad_tensor_view(make_naive_tensor_view(buffer, (M, N), (N, 1)), (16, 256), (True, True))
            return make_tile_window(view, (16, 256), origin, distribution)

        x_tile, y_tile = load_tile(window(x, TILE)), load_tile(window(y, TILE))
        store_tile(window(z), tile_elementwise_in(operation, x_tile, y_tile))

    return elementwise_tails


square_and_add = elementwise(lambda x, y: x * x + y)
quick_gelu_and_add = elementwise(lambda x, y: x / (1 + exp(-1.702 * x)) + y)

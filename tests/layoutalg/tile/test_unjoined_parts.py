"""Parts of a result that nobody joined are not taken for the result, whatever is made of them."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.distribution import TileDistributionEncoding as Encoding
from layoutalg.errors import LayoutError
from layoutalg.tile import (
    block_tile_reduce,
    block_tile_reduce_sync,
    cast_tile,
    load_tile,
    make_naive_tensor_view_packed,
    make_static_distributed_tensor,
    make_tile_window,
    maximum,
    pointer,
    program_claims,
    shuffle_tile,
    store_tile,
    sweep_tile,
    tile_elementwise_in,
    tile_elementwise_inout,
    tile_program,
)
from tests.refusals import refused

ROWS = Encoding((), ((16, 4), (16,)), ((1, 2),), ((1, 0),), (1,), (0,))  # 64x16 by a wave, 16 lanes a row
GIVEN = np.random.default_rng(3).integers(-50, 50, (64, 16)).astype(np.float32)
LARGEST = GIVEN.max(1)


def window(memory):
    """All 64x16 elements of an array."""
    return make_tile_window(make_naive_tensor_view_packed(memory, (64, 16)), (64, 16), (0, 0), ROWS)


def less_it(tile, parts):
    """``t[r, c] -= m[r]``: each thread holds one element of 16 rows."""
    for place in range(tile.thread_buffer_size):
        tile[place] = tile[place] - parts[place]
    return tile


def by_places(parts):
    made = make_static_distributed_tensor("f32", parts.distribution)
    for place in range(parts.thread_buffer_size):
        made[place] = parts[place]
    return made


def assigned(parts):
    made = make_static_distributed_tensor("f32", parts.distribution)
    made.assign(parts)
    return made


def shuffled(parts):
    made = make_static_distributed_tensor("f32", parts.distribution)
    shuffle_tile(made, parts)
    return made


def changed(parts):
    tile_elementwise_inout(lambda a: a + 0.0, parts)
    return parts


# What may stand between a reduction and a store, and what is right where parts are joined before it.
MAKES = {
    "itself": (lambda _, parts: parts, LARGEST),
    "a function of it": (lambda _, parts: tile_elementwise_in(lambda a: a * 2, parts), LARGEST * 2),
    "a cast": (lambda _, parts: cast_tile(cast_tile(parts, "f16"), "f32"), LARGEST),
    "changed in place": (lambda _, parts: changed(parts), LARGEST),
    "place by place": (lambda _, parts: by_places(parts), LARGEST),
    "assigned": (lambda _, parts: assigned(parts), LARGEST),
    "shuffled": (lambda _, parts: shuffled(parts), LARGEST),
    "rows less it": (less_it, GIVEN - LARGEST[:, None]),
}


def program_of(name, *, is_joined):
    make, wanted = MAKES[name]

    @tile_program(block_size=64)
    def written(x: pointer("f32"), y: pointer("f32", is_output=True)):
        tile = load_tile(window(x))
        parts = block_tile_reduce(tile, (1,), maximum, -1000.0)
        if is_joined:
            block_tile_reduce_sync(parts, maximum)
        made = make(tile, parts)
        view = make_naive_tensor_view_packed(y, wanted.shape)
        store_tile(make_tile_window(view, wanted.shape, (0,) * wanted.ndim), made)

    return written


@pytest.mark.parametrize("name", MAKES)
def test_what_is_made_of_parts_is_not_stored(name):
    with refused(LayoutError, "lanes", hint="block_tile_reduce_sync"):
        program_claims(program_of(name, is_joined=False))


@pytest.mark.parametrize("name", MAKES)
def test_what_is_made_of_the_whole_is_right(name):
    wanted = MAKES[name][1]
    done = program_of(name, is_joined=True).run(x=GIVEN, y=np.zeros(wanted.shape, np.float32))
    assert np.array_equal(done["y"].reshape(wanted.shape), wanted)


def test_a_function_reads_no_tile_that_it_is_not_given():
    @tile_program(block_size=64)
    def less(x: pointer("f32"), y: pointer("f32", is_output=True)):
        first, second = window(x), window(y)
        tile = load_tile(first)
        store_tile(second, tile_elementwise_in(lambda a: a - tile[0], tile))

    with refused(LayoutError, hint="sweep_tile"):
        program_claims(less)


def test_a_tile_that_is_filled_anew_is_whole():
    """No alarm where nothing of the parts is left."""

    @tile_program(block_size=64)
    def filled(x: pointer("f32"), y: pointer("f32", is_output=True)):
        source, target = window(x), window(y)
        tile = load_tile(source)
        parts = block_tile_reduce(tile, (1,), maximum, -1000.0)
        for index in sweep_tile(tile):
            tile[index] = parts[0]
        load_tile(source, tile)
        store_tile(target, tile)

    done = filled.run(x=GIVEN, y=np.zeros_like(GIVEN))
    assert np.array_equal(done["y"].reshape(GIVEN.shape), GIVEN)


def test_an_input_is_not_written():
    @tile_program(block_size=64)
    def turned(x: pointer("f32"), y: pointer("f32", is_output=True)):
        first, second = window(x), window(y)
        store_tile(second, load_tile(first))
        store_tile(first, load_tile(first))

    with refused(LayoutError, "x", hint="is_output"):
        program_claims(turned)

"""Ragged tiles: what is masked is what the window says is not valid."""

from __future__ import annotations

import itertools
import re

import pytest

from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
from layoutalg.distribution import make_static_tile_distribution, make_tile_window, read_encoding
from layoutalg.length import sizes
from layoutalg.pictures import as_svg, view_of
from layoutalg.pictures.view import Tile
from layoutalg.pictures.views.distribution import thread_grid

HELD = make_static_tile_distribution(
    read_encoding(
        "tile_distribution_encoding<sequence<>, tuple<sequence<2, 4>, sequence<2, 4>>, "
        "tuple<sequence<1, 2>>, tuple<sequence<1, 0>>, sequence<1, 2>, sequence<0, 1>>"
    )
)
ROWS = make_naive_tensor_descriptor_packed((13, 11))


@pytest.mark.parametrize("origin", [(0, 0), (8, 0), (8, 8), (0, 8)])
@pytest.mark.parametrize("tensor", [ROWS, ROWS.pad(0, 0, 3).pad(1, 0, 5)], ids=["beyond", "padded"])
def test_what_is_masked_is_not_valid(tensor, origin):
    window = make_tile_window(tensor, (8, 8), origin, HELD)
    [tile] = [part for part in view_of(window).parts if isinstance(part, Tile)]
    for (row, column), (thread, register) in holders().items():
        ps, ys = (thread,), divmod(register, 4)
        index = tuple(map(int, window.calculate_bottom_index(ps, ys)))
        is_there = index[0] < 13 and index[1] < 11
        assert tile.owner(row, column) == (thread if is_there else None)
        assert tile.offset is not None
        assert tile.offset(row, column) == (index[0] * 11 + index[1] if is_there else None)
        assert ("masked" in tile.path(row, column)) == (not is_there)
    text = as_svg(view_of(window))
    is_ragged = origin != (0, 0)
    assert bool(re.search('class="la-masked"', text)) == is_ragged
    assert ("struck through: masked" in text) == is_ragged


def holders():
    """Thread and register by element."""
    grid = thread_grid(HELD)
    places = itertools.product(range(len(grid.rows)), range(len(grid.columns)))
    return {tuple(map(int, grid.cell(*place).text.split(","))): place for place in places}


def test_a_window_at_a_symbolic_place_has_its_closed_form():
    m = sizes("m")
    window = make_tile_window(ROWS, (8, 8), (m, 0), HELD)
    assert [part.kind for part in view_of(window).parts] == ["text", "formulas"]
    assert "text/html" in window._repr_mimebundle_()

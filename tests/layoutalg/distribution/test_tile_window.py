"""Tile windows and the order of their accesses, against NumPy arrays."""

# mypy: disable-error-code="arg-type"

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import Domain, LayoutError, make_naive_tensor_descriptor
from layoutalg.distribution import (
    SpaceFillingCurve,
    TileDistributionEncoding,
    make_static_tile_distribution,
    make_tile_window,
    move_tile_window,
)
from layoutalg.index.evaluate import evaluate
from layoutalg.length import sizes
from tests.distribution_strategies import box, element, encodings
from tests.refusals import refused

M, K = sizes("M K")
WAVE = TileDistributionEncoding((), ((4, 16), (4, 8)), ((1, 2),), ((1, 0),), (1, 2), (0, 1))
SMALL = st.integers(0, 5)


def memory(m, n):
    """A row-major tensor that promises vectors of 8, and its offsets as an array."""
    made = make_naive_tensor_descriptor(
        (m, n), (n, 1), guaranteed_vector_length=8, guaranteed_vector_stride=1
    )
    return made, np.arange(m * n).reshape(m, n)


@given(encodings(dimensions=2, most=40), SMALL, SMALL, SMALL, SMALL)
def test_a_window_reads_its_part_of_the_tensor(encoding, row, column, down, right):
    height, width = encoding.x_lengths
    descriptor, array = memory(height + row + down, width + column + right)
    tile = make_static_tile_distribution(encoding)
    window = make_tile_window(descriptor, (height, width), (row, column), tile)
    moved = move_tile_window(window, (down, right))
    assert window.moved((down, right)) == moved
    for ps, ys in itertools.product(box(encoding.p_lengths), box(encoding.y_lengths)):
        x, y = element(encoding, ps, ys)
        assert window.calculate_offset(ps, ys) == array[row + x, column + y]
        assert moved.calculate_offset(ps, ys) == array[row + down + x, column + right + y]
        assert window.calculate_bottom_index(ps, ys) == (row + x, column + y)


@given(st.integers(1, 70), st.integers(1, 40), st.integers(0, 2))
def test_padding_is_not_valid(m, n, block):
    padded = make_naive_tensor_descriptor((m, n), (n, 1)).pad(0, 0, 192 - m).pad(1, 0, 64 - n)
    window = make_tile_window(padded, (64, 32), (64 * block, 0), make_static_tile_distribution(WAVE))
    lanes, *ys = np.meshgrid(range(64), range(4), range(8), indexing="ij")
    valid = window.is_valid_index((lanes,), tuple(ys))
    rows, columns = 64 * block + 16 * ys[0] + lanes // 4, 8 * (lanes % 4) + ys[1]
    assert (np.broadcast_to(valid, rows.shape) == ((rows < m) & (columns < n))).all()
    offsets = np.broadcast_to(window.calculate_offset((lanes,), tuple(ys)), rows.shape)
    assert (offsets == rows * n + columns).all()


@given(st.integers(0, 3), st.integers(0, 63), st.integers(0, 3), st.integers(0, 7))
def test_a_symbolic_origin_is_every_origin(block, lane, y0, y1):
    descriptor, array = memory(256, 32)
    where = Domain.of({"block": 4})
    tile = make_static_tile_distribution(WAVE)
    window = make_tile_window(descriptor, (64, 32), (64 * where["block"], 0), tile, where)
    values = {"block": block, "lane": lane, "y0": y0, "y1": y1}
    (offset,) = (evaluate(each, values) for each in window.index_map().outputs)
    assert offset == array[64 * block + 16 * y0 + lane // 4, 8 * (lane % 4) + y1]
    index = tuple(evaluate(each, values) for each in window.tensor_map().outputs)
    assert array[index] == offset
    fixed = make_tile_window(descriptor, (64, 32), (64 * block, 0), tile)
    assert fixed.calculate_offset((lane,), (y0, y1)) == offset


def test_padding_is_a_condition_of_the_map():
    padded = make_naive_tensor_descriptor((60, 32), (32, 1)).pad(0, 0, 4)
    window = make_tile_window(padded, (64, 32), (0, 0), make_static_tile_distribution(WAVE))
    (valid,) = window.index_map().when
    for lane, y0 in itertools.product(range(64), range(4)):
        held = evaluate(valid, {"lane": lane, "y0": y0, "y1": 0})
        assert bool(held) == (16 * y0 + lane // 4 < 60)


def test_vectors_lie_along_the_registers_that_are_neighbours_in_memory():
    descriptor, _ = memory(64, 32)
    tile = make_static_tile_distribution(WAVE)
    window = make_tile_window(descriptor, (64, 32), (0, 0), tile)
    assert (window.vector_dim_y, window.scalars_per_vector) == (1, 8)
    assert window.accesses == ((0, 0), (1, 0), (2, 0), (3, 0))
    unpromised = make_tile_window(make_naive_tensor_descriptor((64, 32), (32, 1)), (64, 32), (0, 0), tile)
    assert unpromised.scalars_per_vector == 1
    assert unpromised.accesses == tuple(box((4, 8)))
    narrow = make_naive_tensor_descriptor(
        (64, 32), (32, 1), guaranteed_vector_length=2, guaranteed_vector_stride=1
    )
    assert make_tile_window(narrow, (64, 32), (0, 0), tile).accesses == tuple(
        (i, 2 * j) for i in range(4) for j in range(4)
    )


def test_neighbours_that_are_not_next_to_each_other_make_no_vector():
    strided = make_naive_tensor_descriptor(
        (64, 32), (64, 2), guaranteed_vector_length=8, guaranteed_vector_stride=2
    )
    assert make_tile_window(strided, (64, 32), (0, 0), TILE).scalars_per_vector == 1


@given(encodings(dimensions=2, most=60, complete=True))
def test_accesses_take_every_register_once(encoding):
    descriptor, _ = memory(*encoding.x_lengths)
    window = make_tile_window(descriptor, encoding.x_lengths, (0, 0), make_static_tile_distribution(encoding))
    taken = []
    for begin in window.accesses:
        for lane in range(window.scalars_per_vector):
            place = list(begin)
            if place:
                place[window.vector_dim_y] += lane
            taken.append(tuple(place))
    assert sorted(taken) == list(box(encoding.y_lengths))
    assert list(window.accesses) == sorted(window.accesses)


def test_symbolic_tiles_have_windows_and_are_bound_later():
    tile = make_static_tile_distribution(
        TileDistributionEncoding((), ((M, 4), (2, K)), ((1, 2),), ((1, 0),), (1, 2), (0, 1))
    )
    descriptor = make_naive_tensor_descriptor((8 * M, 4 * K), (4 * K, 1))
    window = make_tile_window(descriptor, (4 * M, 2 * K), (4 * M, 2 * K), tile)
    (offset,) = window.index_map().outputs
    for m, k in ((1, 1), (2, 3), (3, 4)):
        array = np.arange(32 * m * k).reshape(8 * m, 4 * k)
        for lane, y0, y1 in itertools.product(range(8), range(m), range(k)):
            found = evaluate(offset, {"M": m, "K": k, "lane": lane, "y0": y0, "y1": y1})
            assert found == array[4 * m + 4 * y0 + lane // 2, 2 * k + k * (lane % 2) + y1]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.data())
def test_curves_visit_every_access_once_one_step_at_a_time(counts, data):
    scalars = [data.draw(st.sampled_from([1, 2])) for _ in counts]
    order = data.draw(st.permutations(range(len(counts))))
    lengths = [n * s for n, s in zip(counts, scalars, strict=True)]
    snake, plain = (SpaceFillingCurve(lengths, order, scalars, curved) for curved in (True, False))
    visited = [snake.index(i) for i in range(snake.num_of_access)]
    assert sorted(visited) == list(
        itertools.product(*(range(0, n, s) for n, s in zip(lengths, scalars, strict=True)))
    )
    for i, (a, b) in enumerate(itertools.pairwise(visited)):
        assert sum(x != y for x, y in zip(a, b, strict=True)) == 1
        assert snake.forward_step(i) == tuple(y - x for x, y in zip(a, b, strict=True))
        assert snake.backward_step(i + 1) == tuple(x - y for x, y in zip(a, b, strict=True))
    rows = [plain.index(i) for i in range(plain.num_of_access)]
    assert rows == sorted(rows, key=lambda index: [index[dim] for dim in order])


TILE = make_static_tile_distribution(WAVE)
DESCRIPTOR = memory(64, 32)[0]
WINDOW = make_tile_window(DESCRIPTOR, (64, 32), (0, 0), TILE)


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (
            lambda: make_tile_window(DESCRIPTOR, (64, 16), (0, 0), TILE),
            "16 1 32",
        ),
        (lambda: make_tile_window(DESCRIPTOR, (64,), (0, 0), TILE), "2 1"),
        (lambda: make_tile_window(DESCRIPTOR, (64, 32), (0,), TILE), "2 1"),
        (lambda: make_tile_window(DESCRIPTOR, (64, 32), ("a", 0), TILE), "origin[0]"),
        (lambda: make_tile_window(DESCRIPTOR, (64, 32), (1.5, 0), TILE), "origin[0]"),
        (lambda: make_tile_window(None, (64, 32), (0, 0), TILE), "NoneType TileDistribution"),
        (lambda: make_tile_window(DESCRIPTOR, (64, 32), (0, 0), WAVE), "TileDistributionEncoding"),
        (
            lambda: make_tile_window(DESCRIPTOR, (64, 32), (M, 0), TILE).calculate_offset((0,), (0, 0)),
            "",
        ),
        (lambda: WINDOW.calculate_offset((0, 0), (0, 0)), "3 4"),
        (lambda: WINDOW.moved((1,)), "move_tile_window 2 1"),
        (lambda: WINDOW.moved((1.5, 0)), "step[0]"),
        (lambda: WINDOW.moved(1), "step"),
        (lambda: SpaceFillingCurve((4, 4), (0, 1), (1, 3)), "3 4"),
        (lambda: SpaceFillingCurve((4, 4), (0, 0), (1, 1)), "2"),
        (lambda: SpaceFillingCurve((4, 4), (0, 1), (1,)), "scalars_per_access 2 1"),
        (lambda: SpaceFillingCurve((M, 4), (0, 1), (1, 1)), "tensor_lengths M"),
        (
            lambda: SpaceFillingCurve((4, 4), (0, 1), (1, 1)).index(16),
            "16 0 15",
        ),
        (lambda: SpaceFillingCurve((4, 4), (0, 1), (1, 1)).index(1.5), "1.5"),
        (lambda: SpaceFillingCurve((4, 4), (0, 1), (1, 1)).forward_step(15), "16"),
    ],
)
def test_bad_input_is_one_clear_error(call, facts):
    with refused(LayoutError, *facts.split()):
        call()

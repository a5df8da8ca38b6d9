"""Local tiles, local partitions and copies against plain NumPy arrays."""

# mypy: disable-error-code="arg-type"

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Symbol

from layoutalg import LayoutError
from layoutalg.layout import make_layout, pad
from layoutalg.tensor import (
    access_order,
    block_to_tile,
    copy,
    make_local_partition,
    make_local_tile,
    make_register_tensor,
    make_tensor,
    slice_,
)
from tests.refusals import refused

THREAD, BLOCK = (Symbol(name, integer=True, nonnegative=True) for name in ("t", "b"))
SMALL = st.integers(1, 4)


def cube(*lengths):
    """Row-major global memory that counts up, and the same as an array."""
    array = np.arange(np.prod(lengths))
    strides = tuple(int(n) for n in np.cumprod((1, *lengths[:0:-1]))[::-1])
    return make_tensor("Global", array, make_layout(lengths, strides)), array.reshape(lengths)


def as_array(tensor):
    shape = tensor.layout.shape
    return np.array([tensor[index] for index in itertools.product(*map(range, shape))]).reshape(shape)


@pytest.mark.slow
@settings(max_examples=50)
@given(st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=3), st.data())
def test_partitions_of_all_threads_cover_the_tensor_once(sides, data):
    counts, shares = zip(*sides, strict=True)
    tensor, array = cube(*(count * share for count, share in sides))
    order = data.draw(st.permutations(range(len(sides))))
    strides, step = [0] * len(sides), 1
    for dim in order:
        strides[dim] = step
        step *= counts[dim]
    threads = make_layout(counts, tuple(strides))
    seen = []
    for place in itertools.product(*map(range, counts)):
        number = sum(i * stride for i, stride in zip(place, strides, strict=True))
        part = as_array(make_local_partition(tensor, threads, number))
        box = tuple(slice(i * share, (i + 1) * share) for i, share in zip(place, shares, strict=True))
        assert part.tolist() == array[box].tolist()
        seen += part.ravel().tolist()
    assert sorted(seen) == array.ravel().tolist()


def test_a_symbolic_thread_is_each_thread():
    tensor, _ = cube(8, 8)
    threads = make_layout((4, 2), (2, 1))
    symbolic = make_local_partition(tensor, threads, THREAD)
    for number in range(8):
        numbered = make_local_partition(tensor, threads, number)
        assert as_array(symbolic.bind({THREAD: number})).tolist() == as_array(numbered).tolist()


def test_projected_threads_hold_the_same_part():
    tensor, array = cube(8, 6)
    threads = make_layout((4, 2, 3), (6, 3, 1))
    for m, n, k in itertools.product(range(4), range(2), range(3)):
        part = make_local_partition(tensor, threads, 6 * m + 3 * n + k, (1, slice_(2), 1))
        assert as_array(part).tolist() == array[2 * m : 2 * m + 2, 2 * k : 2 * k + 2].tolist()


def test_a_single_thread_along_a_dimension_needs_no_stride():
    tensor, _ = cube(2, 4)
    part = make_local_partition(tensor, make_layout((1, 4), (0, 1)), 3)
    assert as_array(part).tolist() == [[3], [7]]


def test_the_example_in_cks_comment():
    """Block 5 of a grid of 5x4, two rows first, is tile (1, 2)."""
    assert block_to_tile((5 // 4, 5 % 4), (5, 4), 2) == (1, 2)


def ck_tile(number, rows, columns, rows_first):
    """Down ``rows_first`` rows, then right; the rows that are left over likewise."""
    order = []
    for first in range(0, rows, rows_first):
        group = range(first, min(first + rows_first, rows))
        order += [(m, n) for n in range(columns) for m in group]
    return order[number]


@given(st.integers(1, 20), st.integers(1, 6), st.sampled_from([1, 2, 3, 8]))
def test_blocks_visit_every_tile_once_in_cks_order(rows, columns, rows_first):
    grid = list(itertools.product(range(rows), range(columns)))
    found = [block_to_tile(block, (rows, columns), rows_first) for block in grid]
    assert found == [ck_tile(i, rows, columns, rows_first) for i in range(len(grid))]
    assert sorted(found) == grid


@pytest.mark.slow
@settings(max_examples=50)
@given(st.integers(1, 12), SMALL, SMALL, SMALL)
def test_tiles_of_all_blocks_cover_a_matrix_once(grid_m, grid_n, m, n):
    tensor, array = cube(grid_m * m, grid_n * n)
    seen = []
    for i, j in itertools.product(range(grid_m), range(grid_n)):
        tile = as_array(make_local_tile(tensor, (m, n), (i, j)))
        row, column = ck_tile(i * grid_n + j, grid_m, grid_n, 8)
        assert tile.tolist() == array[row * m : (row + 1) * m, column * n : (column + 1) * n].tolist()
        seen += tile.ravel().tolist()
    assert sorted(seen) == array.ravel().tolist()


def test_one_or_three_indices_are_taken_as_they_come():
    tensor, array = cube(8, 6, 4)
    for i, j, k in itertools.product(range(4), range(2), range(2)):
        tile = make_local_tile(tensor, (2, 3, 2), (i, j, k))
        box = array[2 * i : 2 * i + 2, 3 * j : 3 * j + 3, 2 * k : 2 * k + 2]
        assert as_array(tile).tolist() == box.tolist()
    flat, line = cube(12)
    assert as_array(make_local_tile(flat, (4,), (2,))).tolist() == line[8:].tolist()


def test_projections_give_the_operands_of_a_product():
    """Tiles of A (M, K) and B (N, K) for block (i, j) are those that tile (i, j) of C needs."""
    (a, rows), (b, columns), (c, _) = cube(32, 4), cube(12, 4), cube(32, 12)
    for i, j in itertools.product(range(16), range(3)):
        blocks = (i, j, slice_())
        m, n = divmod(as_array(make_local_tile(c, (2, 4), (i, j)))[0, 0], 12)
        tile_a = make_local_tile(a, (2, 4, 4), blocks, (1, slice_(12), 1))
        tile_b = make_local_tile(b, (2, 4, 4), blocks, (slice_(32), 1, 1))
        assert as_array(tile_a).tolist() == rows[m : m + 2].tolist()
        assert as_array(tile_b).tolist() == columns[n : n + 4].tolist()


@pytest.mark.parametrize(("rows", "columns"), [(16, 2), (11, 3), (5, 2)])
def test_a_symbolic_block_is_each_block(rows, columns):
    tensor, _ = cube(2 * rows, 2 * columns)
    symbolic = make_local_tile(tensor, (2, 2), (BLOCK, 1))
    for block in range(rows):
        numbered = make_local_tile(tensor, (2, 2), (block, 1))
        assert as_array(symbolic.bind({BLOCK: block})).tolist() == as_array(numbered).tolist()


@given(SMALL, SMALL, st.sampled_from([1, 2, 4]), st.permutations([0, 1]), st.integers(0, 1))
def test_copies_move_every_element_in_any_order(m, n, width, order, dim):
    lengths = [m, n]
    lengths[dim] *= width
    strides = (lengths[1], 1) if dim else (1, lengths[0])
    source = make_tensor("Global", np.arange(m * n * width), make_layout(tuple(lengths), strides))
    target = make_register_tensor("Vgpr", "i32", make_layout(tuple(lengths)))
    copy(source, target, order, dim, width)
    assert as_array(target).tolist() == as_array(source).tolist()
    accesses = access_order(source, order, dim, width)
    assert accesses.num_of_access == m * n
    visited = [accesses.index(i) for i in range(m * n)]
    steps = [width if d == dim else 1 for d in range(2)]
    assert sorted(visited) == list(
        itertools.product(*(range(0, x, s) for x, s in zip(lengths, steps, strict=True)))
    )
    moved = [sum(a != b for a, b in zip(*pair, strict=True)) for pair in itertools.pairwise(visited)]
    assert moved == [1] * (m * n - 1)
    if lengths[order[1]] // steps[order[1]] > 1:
        assert visited[1][order[0]] == 0


def test_vectors_lie_along_the_last_dimension_if_nothing_is_said():
    source, array = cube(2, 8)
    target = make_tensor("Lds", np.zeros(16, dtype=int), source.layout)
    copy(source, target, scalar_per_vector=4)
    assert as_array(target).tolist() == array.tolist()
    assert access_order(source, scalar_per_vector=4).scalars_per_access == (1, 4)


def test_padding_reads_as_zero_and_is_not_written():
    padded = pad(make_layout((3, 3), (3, 1)), (4, 4))
    source = make_tensor("Global", np.arange(1, 10), padded)
    registers = make_register_tensor("Vgpr", "i32", make_layout((4, 4)))
    copy(source, registers)
    wanted = np.zeros((4, 4), dtype=int)
    wanted[:3, :3] = np.arange(1, 10).reshape(3, 3)
    assert as_array(registers).tolist() == wanted.tolist()
    target = make_tensor("Global", np.zeros(9, dtype=int), padded)
    copy(registers, target)
    assert target.data.tolist() == list(range(1, 10))


TENSOR = cube(8, 8)[0]
NESTED = make_tensor("Global", np.arange(64), make_layout((8, (2, 4)), (8, (1, 2))))
REGISTERS = make_register_tensor("Vgpr", "f32", make_layout((8, 8)))
THREADS = make_layout((4, 2), (2, 1))


def test_nested_tensors_are_tiled_by_whole_dimensions_and_copied():
    tile = make_local_tile(NESTED, (4, 4), (1, 0))
    assert as_array(tile).tolist() == as_array(make_local_tile(TENSOR, (4, 4), (1, 0))).tolist()
    target = make_tensor("Lds", np.zeros(64, dtype=int), TENSOR.layout)
    copy(NESTED, target, None, 1, 2)
    assert as_array(target).tolist() == np.arange(64).reshape(8, 8).tolist()


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (lambda: make_local_tile(TENSOR, (4, 4), (2, 0)), "2 0 1"),
        (lambda: make_local_tile(TENSOR, (4, 4), (0, -1)), "-1"),
        (lambda: make_local_tile(TENSOR, (4, 4), (0, 1.5)), "make_local_tile block"),
        (lambda: make_local_tile(TENSOR, (0, 4), (0, 1)), "tile_shape[0] 1"),
        (lambda: make_local_tile(TENSOR, (3, 4), (0, 1)), "3 8"),
        (lambda: make_local_tile(TENSOR, (4,), (0, 1)), "1 2"),
        (lambda: make_local_tile(TENSOR, (4, 4), (0, 1), (1, slice_(4))), "2 1"),
        (lambda: make_local_tile(TENSOR, (4, 2, 4), (0, 0, 0), (1, 2, 1)), "1"),
        (
            lambda: make_local_tile(TENSOR, (4, 2, 4), (0, 0, 0), (1, slice_(), 1)),
            "projection",
        ),
        (
            lambda: make_local_tile(TENSOR, (4, 2, 4), (0, 0, slice_()), (1, slice_(2), 1)),
            "",
        ),
        (lambda: make_local_tile(REGISTERS, (4, 4), (0, 0)), ""),
        (lambda: block_to_tile((16, 0), (16, 4)), "16 0 15"),
        (lambda: block_to_tile((0, 0), (0, 4)), "grid[0] 1"),
        (lambda: make_local_partition(TENSOR, THREADS, -1), "thread_id 0 -1"),
        (lambda: make_local_partition(TENSOR, THREADS, "a"), "thread_id"),
        (lambda: make_local_partition(TENSOR, THREADS, None), "thread_id"),
        (lambda: make_local_partition(TENSOR, None, 0), ""),
        (lambda: make_local_partition(TENSOR, NESTED.layout, 0), ""),
        (lambda: make_local_partition(TENSOR, make_layout((3, 2)), 0), "3 8"),
        (lambda: make_local_partition(TENSOR, make_layout((4, 2), (0, 1)), 0), "1 0"),
        (lambda: make_local_partition(TENSOR, make_layout((4, 2, 2)), 0), "3"),
        (lambda: make_local_partition(TENSOR, THREADS, 0, (1,)), "2 1"),
        (lambda: make_local_partition(REGISTERS, THREADS, 0), ""),
        (lambda: copy(TENSOR, NESTED, (1, 0), 0, 4), "0 8 16 24"),
        (lambda: copy(TENSOR, NESTED, (0, 0)), "2 0"),
        (lambda: copy(TENSOR, NESTED, ("a", 1)), "dim_access_order[0]"),
        (lambda: copy(TENSOR, NESTED, None, 2), "2"),
        (lambda: copy(TENSOR, NESTED, None, 1, 3), "3 8"),
        (lambda: copy(TENSOR, NESTED, None, 1, 0), "1 0"),
        (lambda: copy(TENSOR, cube(4, 16)[0]), "(8,8) (4,16)"),
        (lambda: copy(TENSOR, None), "copy None"),
    ],
)
def test_bad_input_is_one_clear_error(call, facts):
    with refused(LayoutError, *facts.split()):
        call()

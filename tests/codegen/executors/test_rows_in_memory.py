"""Arrays with padding between their rows: laid out, read back, and what was changed between them counted."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.codegen.executors.rows_in_memory import (
    as_memory_has_it,
    changed_between_rows,
    laid_out,
    rows_in,
)


@given(
    shape=st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple),
    more=st.integers(0, 3),
    kind=st.sampled_from(["u1", "f2", "f4", "f8"]),
)
def test_an_array_is_read_back_from_where_its_index_says(shape, more, kind):
    array = np.arange(math.prod(shape)).reshape(shape).astype(kind)
    leading = shape[-1] + more
    steps = (*(leading * math.prod(shape[axis + 1 : -1]) for axis in range(len(shape) - 1)), 1)
    memory = laid_out(array, steps)
    assert np.array_equal(rows_in(memory, shape, steps), array)
    for index in np.ndindex(shape):
        row = np.ravel_multi_index(index[:-1], shape[:-1]) if len(shape) > 1 else 0
        assert memory[row * leading + index[-1]] == array[index]
    assert memory.size == (array.size // shape[-1] - 1) * leading + shape[-1]
    assert changed_between_rows(memory, shape, steps) == 0
    assert as_memory_has_it(array, steps) is array


@given(count=st.integers(1, 4), stride=st.integers(0, 20))
def test_matrices_of_a_batch_lie_as_far_apart_as_is_said(count, stride):
    array = np.arange(count * 6).reshape(count, 2, 3)
    steps = (stride, 4, 1)
    memory = laid_out(array, steps)
    held = as_memory_has_it(array, steps)
    assert np.array_equal(rows_in(memory, array.shape, steps), held)
    assert memory.size == (count - 1) * stride + 7
    assert np.array_equal(as_memory_has_it(held, steps), held)
    if stride >= 7:
        assert np.array_equal(held, array)
    if stride == 0:
        assert all(np.array_equal(one, held[0]) for one in held)


@pytest.mark.parametrize("place", range(11))
def test_every_byte_between_rows_is_looked_at(place):
    memory = laid_out(np.zeros((3, 3), np.uint8), (4, 1))
    memory[place] = 7
    assert changed_between_rows(memory, (3, 3), (4, 1)) == (place in {3, 7})


def test_what_lies_between_is_no_number():
    memory = laid_out(np.zeros((2, 2), np.float16), (3, 1))
    assert np.isnan(memory[2])
    assert laid_out(np.zeros((2, 2)), None).shape == (2, 2)

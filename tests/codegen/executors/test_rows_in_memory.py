"""Arrays with padding between their rows: laid out, read back, and what was changed between them counted."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.codegen.executors.rows_in_memory import changed_between_rows, laid_out, rows_in


@given(
    shape=st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple),
    more=st.integers(0, 3),
    kind=st.sampled_from(["u1", "f2", "f4", "f8"]),
)
def test_an_array_is_read_back_from_where_its_index_says(shape, more, kind):
    array = np.arange(math.prod(shape)).reshape(shape).astype(kind)
    leading = shape[-1] + more
    memory = laid_out(array, leading)
    assert np.array_equal(rows_in(memory, shape, leading), array)
    for index in np.ndindex(shape):
        row = np.ravel_multi_index(index[:-1], shape[:-1]) if len(shape) > 1 else 0
        assert memory[row * leading + index[-1]] == array[index]
    assert memory.size == (array.size // shape[-1] - 1) * leading + shape[-1]
    assert changed_between_rows(memory, shape, leading) == 0


@pytest.mark.parametrize("place", range(11))
def test_every_byte_between_rows_is_looked_at(place):
    memory = laid_out(np.zeros((3, 3), np.uint8), 4)
    memory[place] = 7
    assert changed_between_rows(memory, (3, 3), 4) == (place in {3, 7})


def test_what_lies_between_is_no_number():
    memory = laid_out(np.zeros((2, 2), np.float16), 3)
    assert np.isnan(memory[2])
    assert laid_out(np.zeros((2, 2)), None).shape == (2, 2)

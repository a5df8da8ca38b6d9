"""CK wrapper's tensors against plain NumPy arrays."""

# mypy: disable-error-code="arg-type"

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import LayoutError, make_naive_tensor_descriptor
from layoutalg.layout import make_layout, pad
from layoutalg.length import sizes
from layoutalg.tensor import (
    MemoryType,
    clear,
    layout,
    make_register_tensor,
    make_tensor,
    slice_,
)
from tests.layout_strategies import compact_layouts, indices, offsets
from tests.refusals import refused

M = sizes("M")
NESTED = make_layout((4, (2, 4)), (2, (1, 8)))


def counting(made):
    """Global memory in which each element holds its own offset."""
    return make_tensor("Global", np.arange(made.element_space_size), made)


def rows(m, n):
    return counting(make_layout((m, n), (n, 1)))


def elements(tensor):
    """All elements, the first dimension fastest."""
    return [tensor[i] for i in range(tensor.layout.size)]


def test_the_example_of_the_documentation_prints_what_it_says():
    tensor = make_tensor(MemoryType.GENERIC, np.zeros(32, dtype=np.int32), NESTED)
    for w in range(size := 32):
        tensor[w] = w
    assert layout(tensor) == NESTED
    assert size == layout(tensor).size
    part = tensor(slice_(1, 3), (slice_(), slice_()))
    printed = [[part(h, w) for w in range(8)] for h in range(2)]
    assert printed == [[1, 5, 9, 13, 17, 21, 25, 29], [2, 6, 10, 14, 18, 22, 26, 30]]


@given(compact_layouts(), st.data())
def test_an_element_is_read_and_written_by_every_nesting_of_its_index(made, data):
    tensor = counting(made)
    index = data.draw(indices(made.shape))
    assert tensor[index] == made(index)
    assert elements(tensor) == offsets(made)
    tensor[index] = -1
    assert elements(tensor).count(-1) == 1
    assert tensor[index] == -1


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_slices_are_those_of_an_array_with_the_last_element_counted_in(m, n, data):
    array = np.arange(m * n).reshape(m, n)
    bounds, python = [], []
    for length in (m, n):
        begin = data.draw(st.integers(0, length - 1))
        end = data.draw(st.integers(begin + 1, length))
        negative = data.draw(st.booleans())
        bounds.append(slice_(begin, end - length - 1 if negative else end))
        python.append(slice(begin, end))
    part = rows(m, n)[tuple(bounds)]
    wanted = array[tuple(python)]
    assert part.layout.shape == wanted.shape
    assert [[part[i, j] for j in range(wanted.shape[1])] for i in range(wanted.shape[0])] == wanted.tolist()


def test_slices_count_from_zero_and_a_negative_end_includes_the_last():
    tensor = rows(8, 8)
    assert tensor[slice_(3), 0].layout.shape == (3,)
    assert tensor[slice_(3), 0][0] == 0
    assert elements(tensor[0, slice_(1, -1)]) == [1, 2, 3, 4, 5, 6, 7]
    assert elements(tensor[0, slice_(-2)]) == [0, 1, 2, 3, 4, 5, 6]
    assert elements(tensor[0, 1:-1]) == [1, 2, 3, 4, 5, 6]
    assert elements(tensor[0, 2:]) == [2, 3, 4, 5, 6, 7]
    assert elements(tensor[0, :]) == elements(tensor[0, slice_()])


def test_nested_dimensions_are_sliced_part_by_part():
    tensor = counting(NESTED)
    whole = [[[tensor[i, (j, k)] for k in range(4)] for j in range(2)] for i in range(4)]
    array = np.array(whole)
    for index, cut in (
        ((slice_(1, 3), (1, slice_(1, 3))), np.s_[1:3, 1, 1:3]),
        ((slice_(), (slice_(), 2)), np.s_[:, :, 2]),
        ((2, (slice_(0, 1), slice_(2, -1))), np.s_[2, 0:1, 2:]),
        ((slice_(1, 2), 5), np.s_[1:2, 1, 2]),
        ((slice_(2, 4), slice_()), np.s_[2:4, :, :]),
    ):
        part = tensor[index]
        assert elements(part) == array[cut].ravel(order="F").tolist()


def test_slices_of_slices_and_of_padding_keep_their_elements():
    padded = counting(pad(make_layout((13, 7), (7, 1)), (4, 4)))
    corner = padded[slice_(8, 16), slice_(4, 8)]
    inner = corner[slice_(1, -1), slice_(1, 3)]
    for i, j in itertools.product(range(7), range(2)):
        real = (9 + i < 13) and (5 + j < 7)
        assert inner.is_valid_index((i, j)) == real
        if real:
            assert inner[i, j] == 7 * (9 + i) + 5 + j


def test_slicing_leaves_the_tensor_alone_and_shares_its_memory():
    tensor = rows(4, 4)
    part = tensor[slice_(2, 4), slice_(1, 3)]
    part[0, 0] = 99
    assert tensor[2, 1] == 99
    assert tensor[0, 0] == 0


def test_symbolic_bounds_are_bound_later():
    part = rows(8, 8)[slice_(M), 1]
    assert part.layout.shape == (M,)
    assert elements(part.bind({M: 3})) == [1, 9, 17]


@given(compact_layouts(most=24))
def test_registers_begin_at_zero_and_are_cleared(made):
    registers = make_register_tensor(MemoryType.VGPR, "f32", made)
    assert elements(registers) == [0.0] * made.size
    registers[made.size - 1] = 2.5
    assert sum(elements(registers)) == 2.5
    clear(registers)
    assert elements(registers) == [0.0] * made.size


def test_elements_have_the_type_of_their_memory():
    assert make_register_tensor("Sgpr", "f16", make_layout(4)).data.dtype == np.float16
    assert isinstance(rows(2, 2)[0, 1], int)
    assert make_tensor("Lds", [1.5, 2.5], make_layout(2))[1] == 2.5


TENSOR, REGISTERS = rows(8, 8), make_register_tensor("Vgpr", "f32", make_layout((2, 4)))


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (lambda: make_tensor("Hbm", np.zeros(32), NESTED), "Generic Global Lds"),
        (lambda: make_tensor("Vgpr", np.zeros(32), NESTED), "Vgpr"),
        (lambda: make_tensor("Lds", np.zeros(31), NESTED), "32 shape (31,)"),
        (lambda: make_tensor("Lds", np.zeros((4, 8)), NESTED), ""),
        (lambda: make_tensor("Lds", np.zeros(8), make_layout((M, 2))), "2*M"),
        (lambda: make_tensor("Lds", np.zeros(8), None), "make_tensor"),
        (
            lambda: make_tensor("Lds", np.zeros(8), make_naive_tensor_descriptor((8,), (1,))),
            "",
        ),
        (lambda: make_register_tensor("Lds", "f32", NESTED), "Lds"),
        (lambda: make_register_tensor("Vgpr", "f33", NESTED), "'f33'"),
        (lambda: make_register_tensor("Vgpr", np.float32, NESTED), ""),
        (lambda: make_register_tensor("Vgpr", "f32", make_layout(M)), "M"),
        (lambda: clear(TENSOR), "clear Global"),
        (lambda: TENSOR[8, 0], "(8,0) (8,8)"),
        (lambda: TENSOR[0, 8], "(0,8)"),
        (lambda: TENSOR[-1, 8], "(-1,8)"),
        (lambda: TENSOR[64], "64"),
        (lambda: REGISTERS[2, 0], "(2,0) (2,4)"),
        (lambda: TENSOR[M, 0], ""),
        (lambda: TENSOR[np.arange(3), 0], ""),
        (lambda: TENSOR[1.0, 0], "index"),
        (lambda: TENSOR[True, 0], "index True"),
        (lambda: TENSOR[..., 1], "index"),
        (lambda: TENSOR[1, 2, 3], "(1,2,3)"),
        (lambda: TENSOR[:], "slice 1 (8,8)"),
        (lambda: TENSOR[slice_(3, 9), 0], "slice(3 9) 0 8"),
        (lambda: TENSOR[slice_(3, 3), 0], "3"),
        (lambda: TENSOR[slice_(-3, -1), 0], "-3 8"),
        (lambda: TENSOR[slice_(2, -9), 0], "2 0"),
        (lambda: TENSOR[slice_("a"), 0], "slice to"),
        (lambda: TENSOR[0:8:2, 0], "slice 1 2"),
        (lambda: slice_(1, 2, 3), "3"),
        (lambda: TENSOR[slice_(), 9], "slice 9 8"),
        (lambda: TENSOR[slice_(), "a"], "slice index"),
        (lambda: counting(NESTED)[slice_(), slice_(1, 3)], "(2,4)"),
        (lambda: counting(NESTED)[slice_(), (1, 2, 0)], "(1,2,0) (2,4)"),
        (lambda: REGISTERS[slice_(), 1], ""),
        (
            lambda: TENSOR.__setitem__((slice_(), 1), 0),
            "",
        ),
        (lambda: counting(pad(make_layout((3, 3)), (4, 4)))[3, 0], "(3,0)"),
        (
            lambda: make_tensor("Lds", np.zeros(9), make_layout((4, 2), (-1, 4)))[3, 0],
            "-3",
        ),
    ],
)
def test_bad_input_is_one_clear_error(call, facts):
    with refused(LayoutError, *facts.split()):
        call()


def test_shapes_and_memory_agree_on_the_number_of_elements():
    tensor = counting(make_layout((3, (2, 5))))
    assert sorted(elements(tensor)) == list(range(math.prod((3, 2, 5))))

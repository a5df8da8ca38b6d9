"""The class of nested layouts and CK wrapper's functions of it, against offsets counted by hand."""

# mypy: disable-error-code="arg-type"

from __future__ import annotations

import itertools

import numpy as np
import pycute
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import LayoutError, make_naive_tensor_descriptor
from layoutalg.errors import LengthError
from layoutalg.layout import Layout, depth, get, make_layout, pad, rank, shape, size, unmerge
from layoutalg.layout.nest import flatten, nested_as
from layoutalg.length import sizes
from tests.layout_strategies import indices, layouts, offsets, profiles, pycute_layout, shapes
from tests.refusals import refused

M, K = sizes("M K")
NESTED = make_layout((4, (2, 4)), (2, (1, 8)))
FLAT = make_layout((6, 4), (4, 1))


@given(layouts(), st.data())
def test_offsets_equal_pycute_for_every_nesting_of_the_index(layout, data):
    index = data.draw(indices(layout.shape))
    assert layout(index) == pycute_layout(layout)(index)
    if isinstance(index, tuple) and len(index) > 1:
        assert layout(*index) == layout(list(index)) == layout(index)


@given(layouts())
def test_one_integer_counts_all_indices_with_the_first_leaf_fastest(layout):
    assert [layout(i) for i in range(layout.size)] == offsets(layout)
    assert layout(np.arange(layout.size)).tolist() == offsets(layout)


@given(layouts(), st.data())
def test_a_descriptor_has_the_same_offsets_in_every_profile(layout, data):
    profile = data.draw(profiles(layout.shape))
    made = layout.as_descriptor(profile)
    points = list(itertools.product(*(range(int(n)) for n in made.lengths)))
    index = [nested_as(point, profile) if isinstance(profile, tuple) else point[0] for point in points]
    assert [made.calculate_offset(point) for point in points] == [layout(i) for i in index]
    assert layout.as_descriptor_1d().lengths == (layout.size,)


@given(shapes())
def test_left_out_strides_are_packed_column_major(made_of):
    layout = make_layout(made_of)
    assert offsets(layout) == list(range(layout.size))
    assert layout.stride == pycute.Layout(made_of).stride


@given(layouts())
def test_sizes_of_the_whole_and_of_its_parts(layout):
    theirs = pycute_layout(layout)
    assert (size(layout), rank(layout), shape(layout)) == (theirs.size(), len(theirs), theirs.shape)
    assert layout.cosize == theirs.cosize() == 1 + offsets(layout)[-1]
    assert layout.element_space_size == 1 + max(offsets(layout))
    for i, mode in enumerate(layout.modes):
        assert (mode.shape, mode.stride) == (theirs[i].shape, theirs[i].stride)
        assert get(layout, i) == mode
        assert size(layout, i) == mode.size == len(offsets(mode))
        assert get(shape(layout), i) == shape(mode)


def test_parts_are_named_one_number_a_level():
    assert get(NESTED, 1, 1) == make_layout(4, 8)
    assert (size(NESTED, 1, 0), rank(NESTED, 1), depth(NESTED), depth(NESTED, 1)) == (2, 2, 2, 1)
    assert (depth(5), depth(()), rank(5), size(())) == (0, 1, 1, 1)
    assert size([4, [2, 4]]) == 32
    assert size((M, (2, K))) == 2 * M * K


def test_a_mode_of_a_mode_is_found_behind_others():
    layout = make_layout(((2, 3), ((4, 5), 6)), ((1, 10), ((100, 1000), 7)))
    assert layout.mode(1, 0, 1) == make_layout(5, 1000)
    assert layout.mode(1, 1) == make_layout(6, 7)


def test_lists_and_numpy_integers_are_as_good_as_tuples():
    assert make_layout([4, [2, np.int64(4)]], [2, [1, 8]]) == NESTED
    assert Layout([4, [2, 4]], NESTED.unrolled_descriptor) == NESTED
    assert NESTED.as_descriptor([0, [0, 0]]).lengths == (4, 2, 4)
    assert make_layout(range(1, 4)) == make_layout((1, 2, 3))


def test_narrow_arrays_do_not_overflow():
    wide = make_layout((100, 100), (100, 1))
    assert wide(np.array([99], dtype=np.int8), np.array([99], dtype=np.uint8)).tolist() == [9999]


def test_huge_numbers_stay_exact():
    huge = make_layout((10**30, 10**30))
    assert huge(10**29, 10**29) == 10**29 + 10**59


def test_odd_shapes_are_layouts_too():
    assert (make_layout(())(0), make_layout(()).size, make_layout(()).modes) == (0, 1, ())
    assert repr(make_layout(((), 2))) == "((),2):((),1)"
    assert make_layout((4, 2), (-1, 4))(3, 1) == 1
    assert make_layout((4,))((1,)) == make_layout((4,))(1) == 1


@given(st.lists(st.integers(1, 7), min_size=1, max_size=3), st.data())
def test_padding_adds_indices_without_elements(lengths, data):
    tile = data.draw(st.lists(st.integers(1, 5), min_size=len(lengths), max_size=len(lengths)))
    padded = pad(make_layout(tuple(lengths)), tile)
    assert padded.shape == tuple(-(-n // t) * t for n, t in zip(lengths, tile, strict=True))
    for index in itertools.product(*map(range, padded.shape)):
        inside = all(i < n for i, n in zip(index, lengths, strict=True))
        assert padded.unrolled_descriptor.is_valid_index(index) == inside
        if inside:
            assert padded(index) == make_layout(tuple(lengths))(index)


def test_a_mode_of_a_padded_layout_is_padded():
    columns = pad(FLAT, (4, 3)).mode(1)
    assert [columns.unrolled_descriptor.is_valid_index((i,)) for i in range(6)] == [True] * 4 + [False] * 2


def test_symbolic_lengths_are_padded_too():
    padded = pad(make_layout((M, 7)), (4, 4))
    for rows in range(1, 10):
        assert padded.bind({M: rows}) == pad(make_layout((rows, 7)), (4, 4))


@pytest.mark.parametrize("places", [((0, 2), 1), ((2, 0), 1), ((1, 2), 0)])
def test_unmerge_puts_each_dimension_where_it_is_told(places):
    split = unmerge(FLAT, 0, (2, 3), places)
    (slow, fast), other = places
    for i, j, k in itertools.product(range(2), range(3), range(4)):
        index = [0, 0, 0]
        index[slow], index[fast], index[other] = i, j, k
        assert split(index) == FLAT(3 * i + j, k)


def test_a_symbolic_layout_takes_numbers_and_symbols():
    layout = make_layout((M, K))
    assert layout(3, 2) == 2 * M + 3
    assert layout(M, 1) == 2 * M
    assert layout.bind({"M": 4}).stride == (1, 4)
    assert layout.bind({M: 4, K: 3}) == make_layout((4, 3))


def test_equal_layouts_are_equal_and_hash_alike():
    again = make_layout((4, (2, 4)), (2, (1, 8)))
    assert again == NESTED
    assert hash(NESTED) == hash(again)
    assert make_layout((4, (2, 4)), (2, (1, 9))) != NESTED


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (lambda: make_layout(4, (1,)), "4 (1)"),
        (lambda: make_layout((4, 2), ((1,), 2)), ""),
        (lambda: make_layout((4, 0)), "shape[1] 1 0"),
        (lambda: make_layout(True), "shape True"),
        (lambda: make_layout((4, 2), (1.5, 2)), "strides[0]"),
        (lambda: make_layout((4, "2")), ""),
        (lambda: make_layout(None), "shape"),
        (lambda: make_layout(sympy.Symbol("q")), "q"),
        (NESTED, "()"),
        (lambda: NESTED(1, 2, 3), "(1,2,3) (4,(2,4))"),
        (lambda: NESTED((1, 2), 3), "(1,2) 4"),
        (lambda: NESTED(1.5), "index"),
        (lambda: NESTED("a"), "index"),
        (lambda: NESTED(True), "index True"),
        (lambda: NESTED(np.arange(4.0), 1), "index"),
        (lambda: NESTED(sympy.Symbol("q"), 1), "q"),
        (lambda: NESTED(M, np.arange(3)), ""),
        (lambda: make_layout((M, 2))(np.arange(3), 0), ""),
        (lambda: NESTED.mode(2), "get<2> 2"),
        (lambda: NESTED.mode(1, 2), "get<1 2>"),
        (lambda: get(NESTED, -1), "-1"),
        (lambda: size(NESTED, 1, 5), "size 5 (2,4)"),
        (lambda: size("abc"), "lengths"),
        (lambda: size(None), "lengths"),
        (lambda: depth(4.5), "lengths"),
        (lambda: NESTED.as_descriptor((0, 0, 0)), "(0,0,0)"),
        (lambda: NESTED.as_descriptor(((0, 0), 0)), "(0,0) 4"),
        (lambda: Layout((4, 2), NESTED.unrolled_descriptor), ""),
        (lambda: Layout((4, 2, 5), NESTED.unrolled_descriptor), "(4,2,5)"),
        (lambda: Layout((4, 2, 4), None), "NoneType"),
        (lambda: NESTED.bind({"M": 1}), "M"),
        (lambda: make_layout((M, 2)).bind({M: 0}), "1 0"),
        (lambda: pad(NESTED, (4, 4)), "(4,(2,4))"),
        (lambda: pad(FLAT, (4,)), "pad 2 1"),
        (lambda: pad(FLAT, (0, 4)), "tile_lengths[0] 1"),
        (lambda: unmerge(FLAT, 2, (2, 3), (0, 1)), "2 0 1"),
        (lambda: unmerge(FLAT, 0, (2, 4), ((0, 2), 1)), "8"),
        (lambda: unmerge(FLAT, 0, (2, 3), ((0, 2), None)), "unmerge new_indexes"),
        (lambda: unmerge(FLAT, 0, (2, 3), ((0, 1), 1)), "1"),
        (lambda: unmerge(NESTED, 0, (2, 2), ((0, 2), 1)), ""),
    ],
)
def test_bad_input_is_one_clear_error(call, facts):
    with refused(LengthError, *facts.split()):
        call()


def test_strides_of_what_has_none_are_refused_with_the_reason():
    xored = make_naive_tensor_descriptor((4, 4), (4, 1)).xor(0, 1)
    with refused(LayoutError, "i0 ^ i1"):
        _ = Layout((4, 4), xored).stride
    with refused(LayoutError):
        _ = pad(FLAT, (4, 4)).stride
    shifted = make_naive_tensor_descriptor((4, 4), (4, 1)).slice(0, 1, 3)
    with refused(LayoutError, "4", "0"):
        _ = Layout((2, 4), shifted).stride
    assert repr(Layout((2, 4), shifted)) == "(2,4):[4*i0 + i1 + 4]"
    assert flatten(shape(Layout((2, 4), shifted))) == (2, 4)

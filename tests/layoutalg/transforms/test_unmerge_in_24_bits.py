"""CK's 24-bit unmerge against its C++ formula, written down once more in 32-bit integers."""

from __future__ import annotations

import ctypes
import math

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import (
    evaluate,
    make_naive_tensor_descriptor_packed,
    make_tensor_coordinate,
    move_tensor_coordinate,
)
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.proofs import prove
from layoutalg.properties import fits_24bit_unmerge
from layoutalg.transforms import Unmerge
from layoutalg.verdict import Proved, Refuted

MASK = 0x00FFFFFF
LENGTHS = st.lists(st.sampled_from([1, 2, 3, 4, 7, 16, 300, 5000]), min_size=1, max_size=4)


def int32(value):
    return ctypes.c_int32(value & 0xFFFFFFFF).value


def calculate_lower_index(lengths, upper):
    """coordinate_transform.hpp, ``unmerge::calculate_lower_index``, the branch of 24 bits."""
    scan = [1]
    for length in lengths[:0:-1]:
        scan.insert(0, scan[0] * length)
    low = upper[-1]
    for i in range(len(upper) - 1):
        low = int32((low & MASK) + int32((upper[i] & MASK) * (scan[i] & MASK)))
    return low


@given(LENGTHS, st.data())
def test_a_moved_coordinate_is_ck_s_whatever_the_sign_of_the_step(lengths, data):
    start = tuple(data.draw(st.integers(0, n - 1)) for n in lengths)
    end = tuple(data.draw(st.integers(0, n - 1)) for n in lengths)
    step = tuple(e - s for s, e in zip(start, end, strict=True))
    rows = make_naive_tensor_descriptor_packed((Unmerge(tuple(lengths)).lower_lengths[0],))
    split = rows.transform([Unmerge(tuple(lengths), use_24bit=True)], [(0,)], [tuple(range(len(lengths)))])
    coordinate = make_tensor_coordinate(split, start)
    wanted = coordinate.offset + calculate_lower_index(lengths, step)
    assert move_tensor_coordinate(coordinate, step).offset == wanted


@given(LENGTHS, st.data())
def test_an_index_is_flattened_as_ck_does_and_the_map_agrees(lengths, data):
    upper = tuple(data.draw(st.integers(0, 2**12)) for _ in lengths)
    transform = Unmerge(tuple(lengths), use_24bit=True)
    (found,) = transform.lower(upper, C_INTEGERS)
    assert int32(found) == calculate_lower_index(lengths, upper)
    symbolic = transform.lower([sympy.Integer(i) for i in upper], SYMBOLIC)[0]
    assert evaluate(symbolic, {}) == found


@pytest.mark.parametrize(
    ("step", "grows"), [((-1, 0, 0), 16777208), ((0, -1, 0), 67108860), ((0, 0, -1), 2**24 - 1)]
)
def test_the_sum_so_far_is_cut_too(step, grows):
    assert Unmerge((2, 2, 4), use_24bit=True).moved(step, (0, 0, 0), (0,), C_INTEGERS) == (grows,)


@pytest.mark.parametrize(
    ("lengths", "fits"),
    [
        ((2, 2**22), True),
        ((4, 2**20, 3), True),
        ((2, 6, 2**21), True),  # the last sum is not cut
        ((2, 2, 2**24), False),  # a stride of 2**24 is cut to 0
        ((2**12, 2, 2**13), False),  # the sum of the last and the first is cut
        ((2**25,), True),  # a single index is not multiplied
    ],
)
def test_the_claim_names_all_that_is_cut(lengths, fits):
    size = math.prod(lengths)
    rows = make_naive_tensor_descriptor_packed((size,))
    split = rows.transform([Unmerge(lengths, use_24bit=True)], [(0,)], [tuple(range(len(lengths)))])
    last = tuple(n - 1 for n in lengths)
    assert (int(Unmerge(lengths, use_24bit=True).lower(last, C_INTEGERS)[0]) == size - 1) == fits
    claim = fits_24bit_unmerge(split)
    if len(lengths) == 1:
        assert not claim
    else:
        assert isinstance(prove(claim), Proved if fits else Refuted)

"""Descriptors: closed forms equal evaluation, coordinates move as fresh ones, spellings agree."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from layoutalg import (
    Domain,
    LengthError,
    MissingFactError,
    evaluate,
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_packed,
    make_naive_tensor_descriptor_with_offset,
    make_tensor_coordinate,
    sizes,
)
from layoutalg.transforms import Modulo, VectorHint
from tests.refusals import refused
from tests.strategies import descriptors


def all_indices(descriptor):
    lengths = [int(n) for n in descriptor.lengths]
    return list(np.indices(lengths).reshape(len(lengths), math.prod(lengths)))


@given(descriptors())
def test_the_closed_form_is_the_offset_of_every_valid_index(descriptor):
    columns = all_indices(descriptor)
    count = int(descriptor.element_size)
    valid = np.broadcast_to(descriptor.is_valid_index(columns), count)
    values = dict(zip(descriptor.index, [c[valid] for c in columns], strict=True))
    expected = np.broadcast_to(descriptor.calculate_offset(columns), count)[valid]
    assert np.array_equal(np.broadcast_to(evaluate(descriptor.offset, values), len(expected)), expected)


@given(descriptors())
def test_the_validity_is_that_of_the_evaluator(descriptor):
    columns = all_indices(descriptor)
    count = int(descriptor.element_size)
    values = dict(zip(descriptor.index, columns, strict=True))
    expected = np.broadcast_to(descriptor.is_valid_index(columns), count)
    assert np.array_equal(np.broadcast_to(evaluate(descriptor.validity, values), count), expected)


@given(descriptors(most=300), st.data())
def test_a_moved_coordinate_is_a_fresh_one(descriptor, data):
    assume(not any(isinstance(t, Modulo) for t in descriptor.transforms))
    lengths = [int(n) for n in descriptor.lengths]
    start, end = ([data.draw(st.integers(0, n - 1)) for n in lengths] for _ in range(2))
    moved = make_tensor_coordinate(descriptor, start).moved([b - a for a, b in zip(start, end, strict=True)])
    fresh = make_tensor_coordinate(descriptor, end)
    assert moved.hidden_index == fresh.hidden_index
    assert moved.is_valid == fresh.is_valid == bool(descriptor.is_valid_index(end))


@given(descriptors())
def test_hidden_ids_connect_every_dimension_once(descriptor):
    produced = [*descriptor.bottom_dimension_hidden_ids]
    produced += [i for ids in descriptor.upper_dimension_hidden_idss for i in ids]
    assert sorted(produced) == list(range(descriptor.num_hidden_dimensions))
    consumed = [i for ids in descriptor.lower_dimension_hidden_idss for i in ids]
    assert sorted([*consumed, *descriptor.top_dimension_hidden_ids]) == sorted(produced)


def test_binding_symbols_is_building_with_numbers():
    M, K = sizes("M K")

    def build(m, k):
        return make_naive_tensor_descriptor((4 * m, k), (k, 1)).unmerge(0, (4, m)).pad(2, 1, 2)

    assert build(M, K).bind({M: 8, "K": 16}) == build(8, 16)
    assert build(M, K).bind({"K": 16}).free_symbols == {M}
    with refused(LengthError, "N"):
        build(M, K).bind({"N": 8})


def test_facts_about_symbols_simplify_more():
    N = Domain.of({}, {"N": (64, None, 64)})
    n = N["N"]
    rows = make_naive_tensor_descriptor_packed((4, n)).assuming(N)
    assert str(rows.parameters) == "Domain: 64 <= N, N % 64 == 0"
    assert str(rows.offset) == "N*i0 + i1"


def test_offsets_of_their_own_are_kept_apart_from_the_space():
    made = make_naive_tensor_descriptor_with_offset((4, 8), (8, 1), 100)
    assert made.element_space_size == 32
    assert made.base_offset == 100
    assert made.calculate_hidden_index((1, 2)) == (110, 10, 1, 2)


def test_vector_hints_follow_ck():
    made = make_naive_tensor_descriptor(
        (8, 64), (64, 1), guaranteed_vector_length=8, guaranteed_vector_stride=1
    )
    assert made.safe_vectors == (VectorHint(), VectorHint(8, 1))
    assert made.unmerge(1, (16, 4)).safe_vectors[-1] == VectorHint(4, 1)
    assert made.merge(0, 1).safe_vectors == (VectorHint(8, 1),)
    assert made.pad(1, 0, 8).safe_vectors[-1] == VectorHint()
    assert made.permute(1, 0).safe_vectors[0] == VectorHint(8, 1)


def test_short_spellings_are_stages():
    made = make_naive_tensor_descriptor_packed((4, 6, 8))
    assert made.slice(1, 2, 5).lengths == (4, 3, 8)
    assert made.freeze(1, 3).lengths == (4, 8)
    assert made.freeze(1, 3).calculate_offset((1, 2)) == made.calculate_offset((1, 3, 2))
    assert made.merge(0, 2).lengths == (32, 6)
    assert made.merge(2, 0).lengths == (6, 32)
    assert made.xor(0, 2).calculate_offset((3, 1, 5)) == made.calculate_offset((3, 1, 5 ^ 3))
    assert made.permute(2, 0, 1).lengths == (8, 4, 6)


def test_arrays_broadcast():
    made = make_naive_tensor_descriptor_packed((4, 6))
    found = made.calculate_offset((np.arange(4)[:, None], np.arange(6)))
    assert found.tolist() == [[6 * i + j for j in range(6)] for i in range(4)]
    assert list(itertools.chain(*found)) == list(range(24))


@pytest.mark.parametrize("padded", [0, 1])
def test_a_padded_index_above_an_xor_has_a_closed_form_where_it_is_valid(padded):
    swizzled = make_naive_tensor_descriptor((8, 8), (8, 1)).xor(0, 1).pad(padded, 2, 0)
    valid = 0
    for index in itertools.product(*map(range, swizzled.lengths)):
        point = {f"i{place}": value for place, value in enumerate(index)}
        if swizzled.is_valid_index(index):
            valid += 1
            assert evaluate(swizzled.offset, point) == swizzled.calculate_offset(index)
    assert valid == 64
    if padded:  # code would compute the xor of a negative number
        with refused(MissingFactError):
            swizzled.code("python")

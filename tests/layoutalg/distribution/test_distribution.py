"""Encodings and what they mean: maps counted from the definition, operations, derived fields."""

# mypy: disable-error-code="arg-type, dict-item"

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import LayoutError
from layoutalg.distribution import (
    TileDistributionEncoding,
    make_embed_tile_distribution_encoding,
    make_reduce_tile_distribution_encoding,
    make_static_tile_distribution,
    shuffle_tile_distribution_encoding,
)
from layoutalg.index.evaluate import evaluate
from layoutalg.length import sizes
from tests.distribution_strategies import box, element, encodings
from tests.refusals import refused

M, K = sizes("M K")
SYMBOLIC = TileDistributionEncoding((), ((M, 4), (2, K)), ((1, 2),), ((1, 0),), (1, 2), (0, 1))
A_DRAM = TileDistributionEncoding((1,), ((4, 4, 16), (4, 8)), ((1,), (1, 2)), ((1,), (2, 0)), (1, 2), (0, 1))


def where(encoding):
    """All threads, and all registers of a thread."""
    return list(box(encoding.p_lengths)), list(box(encoding.y_lengths))


@given(encodings())
def test_elements_are_those_of_the_definition(encoding):
    distribution = make_static_tile_distribution(encoding)
    threads, registers = where(encoding)
    for ps in threads:
        for ys in registers:
            assert distribution.element(ps, ys) == element(encoding, ps, ys)
        assert distribution.calculate_index(ps) == element(encoding, ps, (0,) * encoding.num_y)
    positions = [distribution.buffer_offset(ys) for ys in registers]
    assert positions == list(range(math.prod(encoding.y_lengths)))


@given(encodings(most=60), st.data())
def test_the_closed_form_is_the_map(encoding, data):
    distribution = make_static_tile_distribution(encoding)
    ps, ys = (
        tuple(data.draw(st.integers(0, n - 1)) for n in of) for of in (encoding.p_lengths, encoding.y_lengths)
    )
    named = dict(zip((str(s) for s in distribution.ps + distribution.ys), ps + ys, strict=True))
    assert tuple(evaluate(x, named) for x in distribution.x) == element(encoding, ps, ys)
    outputs = distribution.index_map().outputs
    assert tuple(evaluate(x, named) for x in outputs) == element(encoding, ps, ys)


@given(encodings(complete=True))
def test_each_element_is_held_once_by_each_copy(encoding):
    threads, registers = where(encoding)
    held = [element(encoding, ps, ys) for ps in threads for ys in registers]
    copies = make_static_tile_distribution(encoding).copies
    assert sorted(held) == sorted(x for x in box(encoding.x_lengths) for _ in range(copies))


@given(encodings())
def test_threads_of_the_same_element_differ_in_their_copy(encoding):
    distribution = make_static_tile_distribution(encoding)
    seen = set()
    for ps in box(encoding.p_lengths):
        copy = distribution.calculate_rs_index_from_ps_index(ps)
        assert all((r == -1) != (i in encoding.owned_rs) for i, r in enumerate(copy))
        seen.add((distribution.calculate_index(ps), copy))
    assert len(seen) == math.prod(encoding.p_lengths)


@given(encodings())
def test_derived_fields_follow_from_their_meaning(encoding):
    detail = make_static_tile_distribution(encoding).detail
    rows = (encoding.rs_lengths, *encoding.hs_lengthss)
    for major, row in enumerate(rows):
        of_major = [(minor, y) for y, (m, minor) in enumerate(encoding.ys_factors) if m == major]
        for minor in range(len(row)):
            y = dict(of_major).get(minor, -1)
            assert detail.rhs_major_minor_to_ys[major][minor] == y
            place = -1 if y == -1 else sum(other < minor for other, _ in of_major)
            assert detail.rhs_major_minor_to_span_minor[major][minor] == place
    spans = detail.distributed_spans_lengthss
    assert [math.prod(s) for s in spans] == [
        math.prod(row[m] for M_, m in encoding.ys_factors if major == M_)
        for major, row in enumerate(rows)
        if major
    ]
    for p, factors in enumerate(encoding.ps_factors):
        for r in range(encoding.num_r):
            step = detail.ps_over_rs_derivative[p][r]
            assert detail.does_p_own_r[p][r] == ((0, r) in factors) == (step > 0)
            if step:
                behind = factors[factors.index((0, r)) + 1 :]
                assert step == math.prod(rows[major][minor] for major, minor in behind)


@given(encodings(dimensions=2, most=12), encodings(dimensions=2, most=12))
def test_embedding_puts_an_inner_tile_at_every_outer_element(outer, inner):
    both = make_embed_tile_distribution_encoding(outer, inner)
    assert both.x_lengths == tuple(a * b for a, b in zip(outer.x_lengths, inner.x_lengths, strict=True))
    for p, q in zip(where(outer)[0], where(inner)[0] * 99, strict=False):
        for y, z in zip(where(outer)[1] * 3, where(inner)[1] * 5, strict=False):
            far, near = element(outer, p, y), element(inner, q, z)
            wanted = tuple(f * n + x for f, n, x in zip(far, inner.x_lengths, near, strict=True))
            assert element(both, p + q, y + z) == wanted


@given(encodings(), st.data())
def test_reducing_leaves_out_dimensions_and_their_registers(encoding, data):
    reduced = data.draw(st.sets(st.integers(0, encoding.num_x - 1)))
    found = make_reduce_tile_distribution_encoding(encoding, sorted(reduced))
    kept = [x for x in range(encoding.num_x) if x not in reduced]
    assert found.x_lengths == tuple(encoding.x_lengths[x] for x in kept)
    assert found.p_lengths == encoding.p_lengths
    threads = [
        length
        for x in sorted(reduced)
        for minor, length in enumerate(encoding.hs_lengthss[x])
        if (x + 1, minor) not in encoding.ys_factors
    ]
    assert found.rs_lengths == (*encoding.rs_lengths, *threads)
    ys_kept = [i for i, major in enumerate(encoding.ys_to_rhs_major) if major - 1 in kept]
    for ps in where(encoding)[0]:
        for ys in where(encoding)[1]:
            whole = element(encoding, ps, ys)
            assert element(found, ps, [ys[i] for i in ys_kept]) == tuple(whole[x] for x in kept)


@given(encodings(), st.data())
def test_shuffling_reorders_registers_only(encoding, data):
    order = data.draw(st.permutations(range(encoding.num_y)))
    found = shuffle_tile_distribution_encoding(encoding, order)
    for ps in where(encoding)[0]:
        for ys in where(encoding)[1]:
            assert element(found, ps, [ys[i] for i in order]) == element(encoding, ps, ys)


@given(st.integers(1, 4), st.integers(1, 4))
def test_symbolic_lengths_are_bound_later(m, k):
    numbers = TileDistributionEncoding((), ((m, 4), (2, k)), ((1, 2),), ((1, 0),), (1, 2), (0, 1))
    for values in ({"M": m, "K": k}, {M: m, K: k}):
        assert SYMBOLIC.bind(values) == numbers
        bound = make_static_tile_distribution(SYMBOLIC).bind(values)
        assert bound.lengths == (4 * m, 2 * k)
        assert bound.element((5,), (m - 1, k - 1)) == element(numbers, (5,), (m - 1, k - 1))


def test_arrays_of_threads_are_mapped_at_once():
    distribution = make_static_tile_distribution(A_DRAM)
    rows, columns = distribution.element((0, np.arange(64)), (1, 2))
    assert rows.tolist() == [64 + lane // 4 for lane in range(64)]
    assert columns.tolist() == [8 * (lane % 4) + 2 for lane in range(64)]


def test_numpy_integers_are_as_good_as_numbers():
    again = TileDistributionEncoding([], [[4, np.int64(2)]], [[np.int64(1)]], [[0]], [1], [1])
    assert again == TileDistributionEncoding((), ((4, 2),), ((1,),), ((0,),), (1,), (1,))


ONE = ((4, 2),)
C_WARP = TileDistributionEncoding((), ((4, 2, 4), (32,)), ((1, 2),), ((1, 0),), (1, 1), (0, 2))


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (((), ONE, ((),), ((),), (1,), (0,)), "P0"),
        ((1, ONE, ((1,),), ((0,),), (), ()), "rs_lengths"),
        (((1,), (4,), ((1,),), ((0,),), (), ()), "hs_lengthss[0]"),
        (((1,), ONE, (1,), (0,), (), ()), "ps_to_rhss_major[0]"),
        (((1,), ONE, ((1,),), ((0,), (1,)), (), ()), "ps_to_rhss_major 1 ps_to_rhss_minor 2"),
        (((1,), ONE, ((1, 1),), ((0,),), (), ()), "P0 2 1"),
        (((1,), ONE, ((1,),), ((0,),), (1,), (1, 1)), "ys_to_rhs_major 1 ys_to_rhs_minor 2"),
        (
            ((1,), ONE, ((1,),), ((2,),), (), ()),
            "P0 2 X0 0 R 1",
        ),
        (((1,), ONE, ((2,),), ((0,),), (), ()), "P0 0 X1"),
        (((1,), ONE, ((-1,),), ((0,),), (), ()), "P0 0 -1"),
        (((1,), ONE, ((1,),), ((-1,),), (), ()), "P0 -1 X0"),
        (((1,), ONE, ((1,),), ((0,),), (1, 1), (1, 1)), "Y0 Y1 1 X0"),
        (((1,), ONE, ((1,),), ((0,),), (1,), (0,)), "P0 Y0 0 X0"),
        (((2,), ONE, ((1,),), ((0,),), (0,), (0,)), "Y R"),
        (((1,), ((4, 0),), ((1,),), ((0,),), (), ()), "hs_lengthss[0][1] 1"),
        (((1,), ONE, ((True,),), ((0,),), (), ()), "True"),
        (((1,), ONE, ((1.0,),), ((0,),), (), ()), "1.0"),
        (("a", ONE, ((1,),), ((0,),), (), ()), "rs_lengths 'a'"),
    ],
)
def test_a_malformed_encoding_is_one_clear_error(arguments, facts):
    with refused(LayoutError, *facts.split()):
        TileDistributionEncoding(*arguments)


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (lambda: make_static_tile_distribution("text"), ""),
        (lambda: make_static_tile_distribution(C_WARP).element((1, 2), (0, 0)), "3 4"),
        (
            lambda: make_static_tile_distribution(C_WARP).element(1, (0, 0)),  # type: ignore[call-overload]
            "element ps",
        ),
        (lambda: make_static_tile_distribution(C_WARP).element((1.5,), (0, 0)), "1.5"),
        (lambda: make_static_tile_distribution(C_WARP).domain_of((4, 64)), "P 2"),
        (
            lambda: make_static_tile_distribution(SYMBOLIC).element((1,), (0, 0)),
            "",
        ),
        (lambda: SYMBOLIC.bind({"N": 1}), "bind N"),
        (lambda: SYMBOLIC.bind({M: 2.5}), "bind M"),
        (lambda: make_static_tile_distribution(SYMBOLIC).bind({M: 2.5}), "bind M"),
        (lambda: SYMBOLIC.bind({M: 0}), "bind M 1 0"),
        (
            lambda: shuffle_tile_distribution_encoding(C_WARP, (0, 0)),
            "2 Y 0",
        ),
        (lambda: shuffle_tile_distribution_encoding(C_WARP, ("a", 0)), "shuffle[0]"),
        (lambda: shuffle_tile_distribution_encoding(C_WARP, 1), "shuffle"),
        (lambda: make_reduce_tile_distribution_encoding(C_WARP, (2,)), "2 X"),
        (lambda: make_reduce_tile_distribution_encoding(C_WARP, 1), "reduce_dim_xs"),
        (lambda: make_embed_tile_distribution_encoding(C_WARP, None), "None"),
        (
            lambda: make_embed_tile_distribution_encoding(
                C_WARP, TileDistributionEncoding((), ONE, (), (), (), ())
            ),
            "2 1",
        ),
    ],
)
def test_bad_input_is_one_clear_error(call, facts):
    with refused(LayoutError, *facts.split()):
        call()

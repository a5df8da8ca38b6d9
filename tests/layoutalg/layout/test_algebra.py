"""CuTe's algebra by its laws, counted index by index, and against pycute and tensor-layouts."""

from __future__ import annotations

import itertools
from contextlib import suppress

import pycute
import pytest
import tensor_layouts
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import LayoutError, Refuted, make_naive_tensor_descriptor
from layoutalg.layout import (
    Layout,
    Swizzle,
    blocked_product,
    coalesce,
    complement,
    composition,
    concatenated,
    flat_divide,
    left_inverse,
    logical_divide,
    logical_product,
    make_layout,
    raked_product,
    right_inverse,
    tiled_divide,
    tiled_product,
    zipped_divide,
    zipped_product,
)
from layoutalg.layout.nest import flatten
from layoutalg.proofs import prove
from layoutalg.properties import covers
from tests.layout_strategies import compact_layouts, layouts, offsets, pycute_layout, tilers
from tests.refusals import refused

SIZES = st.sampled_from([1, 2, 24, 48, 64, 100])


def beyond(layout: Layout, index: int) -> int:
    """The offset of any integer, the last mode counting on past its end, also where its length is 1."""
    steps = list(zip(flatten(layout.shape), flatten(layout.stride), strict=True))
    found = 0
    for place, (length, stride) in enumerate(steps):
        digit = index if place == len(steps) - 1 else index % length
        found += digit * stride
        index //= length
    return found


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (make_layout((4, 3, 1), (3, 1, 0)), make_layout(24, 1)),  # both from CuTe's own tests
        (make_layout(1, 1), make_layout(4, 1)),
        (make_layout((2, 1, 1), (1, 5, 7)), make_layout((2, 3), (1, 2))),
        (make_layout((4, 1), (1, 4)), make_layout(8, 1)),
    ],
)
def test_composition_goes_on_past_the_end_as_the_layout_does(a, b):
    found = composition(a, b)
    assert offsets(found) == [a(i) for i in offsets(b)] == [beyond(a, i) for i in offsets(b)]


def test_cosize_of_negative_strides_spans_all_offsets():
    layout = make_layout((4, 3), (-1, 8))
    found = [layout(i) for i in range(12)]
    assert layout.cosize == layout.element_space_size == max(found) - min(found) + 1
    assert isinstance(prove(covers(make_layout(4, -1).as_descriptor())), Refuted)
    with refused(LayoutError):
        covers(make_naive_tensor_descriptor((4,), (-1,)))


def theirs_or_none(operation, *arguments):
    """pycute's result; none where it stops at one of its own asserts."""
    try:
        found = operation(*map(pycute_layout, arguments))
    except (AssertionError, ZeroDivisionError):
        return None
    return None if 0 in pycute.flatten(found.shape) else found


def all_of(theirs) -> list[int]:
    return [theirs(i) for i in range(theirs.size())]


def is_one_to_one(found: list[int]) -> bool:
    return len(set(found)) == len(found)


@given(layouts())
def test_coalesce_keeps_the_map_and_leaves_nothing_to_join(layout):
    found = coalesce(layout)
    theirs = pycute.coalesce(pycute_layout(layout))
    assert offsets(found) == offsets(layout)
    assert (found.shape, found.stride) == (theirs.shape, theirs.stride)
    assert coalesce(layout, [0]).modes[0].shape == coalesce(layout.modes[0]).shape


@given(layouts(), layouts(most=24))
def test_composition_is_one_after_the_other_and_refused_only_where_no_layout_is(a, b):
    theirs = theirs_or_none(pycute.composition, a, b)
    wanted = [beyond(a, i) for i in offsets(b)]
    try:
        found = composition(a, b)
    except LayoutError:
        assert theirs is None or theirs.size() != b.size or all_of(theirs) != wanted
        return
    assert offsets(found) == wanted
    assert found.size == b.size
    assert len(found.modes) == len(b.modes)


@given(st.integers(1, 4), st.integers(1, 3), st.data())
def test_negative_steps_are_taken_only_through_one_digit(n, m, data):
    a = make_layout((n, m), (1, 2 * n))
    b = make_layout((2, 2), (data.draw(st.integers(-3, 3)), data.draw(st.integers(-3, 3))))
    try:
        found = composition(a, b)
    except LayoutError:
        return
    inside = [i for i, offset in enumerate(offsets(b)) if offset >= 0]
    assert all(offsets(found)[i] == beyond(a, offsets(b)[i]) for i in inside)


@given(compact_layouts(), SIZES)
def test_layout_and_complement_reach_every_offset_once(layout, count):
    try:
        found = complement(layout, count)
    except LayoutError as error:
        assert "not a multiple" in str(error)  # noqa: PT017  both ways are right
        pairs = sorted(zip(flatten(layout.stride), flatten(layout.shape), strict=True))
        spans = [n * d for d, n in pairs if n != 1]
        assert any(
            d % below for (d, _), below in zip([p for p in pairs if p[1] != 1][1:], spans, strict=False)
        )
        return
    together = sorted(x + y for x, y in itertools.product(offsets(layout), offsets(found)))
    assert together == list(range(len(together)))
    assert len(together) >= count
    assert offsets(found) == sorted(offsets(found))
    theirs = pycute.complement(pycute_layout(layout), count)
    assert (found.shape, found.stride) == (theirs.shape, theirs.stride)


@given(compact_layouts(gaps=False), st.data())
def test_divides_rearrange_as_pycute_does(layout, data):
    tiler = data.draw(tilers(layout))
    for ours, their in (
        (logical_divide, pycute.logical_divide),
        (zipped_divide, pycute.zipped_divide),
        (tiled_divide, pycute.tiled_divide),
    ):
        theirs = theirs_or_none(their, layout, tiler)
        try:
            found = ours(layout, tiler)
        except LayoutError:
            assert theirs is None or sorted(all_of(theirs)) != sorted(offsets(layout))
            continue
        assert sorted(offsets(found)) == sorted(offsets(layout))
        assert theirs is not None
        assert (found.shape, offsets(found)) == (theirs.shape, all_of(theirs))
        if ours is zipped_divide:
            assert offsets(flat_divide(layout, tiler)) == offsets(found)


@given(st.data())
def test_zipped_divides_by_tiles_have_tile_and_rest(data):
    rows, columns = data.draw(st.sampled_from([4, 8])), data.draw(st.sampled_from([6, 12]))
    m, n = data.draw(st.sampled_from([1, 2, 4])), data.draw(st.sampled_from([1, 3, 6]))
    whole = make_layout((rows, columns), (columns, 1))
    found, tiled, flat = (divide(whole, (m, n)) for divide in (zipped_divide, tiled_divide, flat_divide))
    for i, j, k, o in itertools.product(range(m), range(n), range(rows // m), range(columns // n)):
        element = whole(i + m * k, j + n * o)
        assert found((i, j), (k, o)) == tiled((i, j), k, o) == flat(i, j, k, o) == element


@given(compact_layouts(most=24), compact_layouts(most=8))
def test_products_are_copies_where_there_is_room(layout, tiler):
    theirs = theirs_or_none(pycute.logical_product, layout, tiler)
    try:
        found = logical_product(layout, tiler)
    except LayoutError:
        same = theirs is not None and theirs[1].size() == tiler.size
        assert not same or not is_one_to_one(all_of(theirs))
        return
    assert is_one_to_one(offsets(found))
    inside, copies = found.modes
    assert (offsets(inside), inside.shape) == (offsets(layout), layout.shape)
    assert offsets(found) == [x + y for y in offsets(copies) for x in offsets(layout)]
    assert copies.size == tiler.size
    if theirs is not None and theirs[1].size() == tiler.size:
        assert offsets(found) == all_of(theirs)


@given(compact_layouts(most=24, gaps=False), st.integers(1, 5))
def test_a_product_with_a_number_repeats_the_layout(layout, count):
    found = logical_product(layout, count)
    assert offsets(found) == [x + layout.size * copy for copy in range(count) for x in offsets(layout)]


@pytest.mark.parametrize("count", [2, 3, 4, 6, 9])
@pytest.mark.parametrize("strides", [(24, 3), (25, 3), (40, 5), (100, 3)])
def test_a_gap_that_holds_too_few_copies_is_left_for_the_end(strides, count):
    with suppress(LayoutError):  # copies that no layout tells
        found = logical_product(make_layout((4, 6), strides), count)
        assert is_one_to_one(offsets(found))


@given(st.data())
def test_copies_never_overlap_where_rows_leave_gaps(data):
    modes = st.lists(
        st.tuples(st.integers(1, 6), st.sampled_from([1, 2, 3, 5, 8, 24])), min_size=1, max_size=3
    )
    layout = make_layout(*map(tuple, zip(*data.draw(modes), strict=True)))
    tiler = make_layout(data.draw(st.integers(1, 6)), data.draw(st.sampled_from([1, 1, 2])))
    if is_one_to_one(offsets(layout)):
        with suppress(LayoutError):
            assert is_one_to_one(offsets(logical_product(layout, tiler)))


def test_rows_longer_than_what_they_hold_are_repeated_behind_the_last():
    assert repr(logical_product(make_layout((3, 4), (1, 4)), 2)) == "((3,4),2):((1,4),16)"


@given(st.data())
def test_blocked_and_raked_products_equal_tensor_layouts(data):
    sides = st.integers(1, 4)
    block, tiler = (
        make_layout(s, data.draw(st.sampled_from([None, (s[1], 1)])))
        for s in ((data.draw(sides), data.draw(sides)) for _ in range(2))
    )
    theirs = [tensor_layouts.Layout(each.shape, each.stride) for each in (block, tiler)]
    blocked, raked = blocked_product(block, tiler), raked_product(block, tiler)
    for found, their in ((blocked, tensor_layouts.blocked_product), (raked, tensor_layouts.raked_product)):
        wanted = their(*theirs)
        assert offsets(found) == [wanted(i) for i in range(tensor_layouts.size(wanted))]
    (m, n), (rows, columns) = block.shape, tiler.shape
    for i, j, k, o in itertools.product(range(m), range(n), range(rows), range(columns)):
        both = block(i, j) + block.size * tiler(k, o)
        assert blocked((i, k), (j, o)) == raked((k, i), (o, j)) == both


def test_products_gather_copies_of_every_mode():
    block = make_layout((2, 3), (3, 1))
    zipped, tiled = zipped_product(block, make_layout((2, 5))), tiled_product(block, make_layout((2, 5)))
    assert offsets(zipped) == offsets(tiled)
    assert (zipped.shape, tiled.shape) == (((2, 3), (2, 5)), ((2, 3), 2, 5))
    nested = make_layout((2, (4, 2)), (1, (2, 8)))
    found = zipped_product(nested, (2, (4, 1)))
    each = (pycute.Layout(2), (pycute.Layout(4), pycute.Layout(1)))
    theirs = pycute.zipped_product(pycute_layout(nested), each)
    assert (found.shape, offsets(found)) == (theirs.shape, all_of(theirs))


def test_nested_tilers_gather_at_every_level():
    found = zipped_divide(make_layout((8, (4, 4))), (2, (2, 2)))
    assert repr(found) == "((2,(2,2)),(4,(2,2))):((1,(8,32)),(2,(16,64)))"
    three = zipped_divide(make_layout((4, (2, 4, 8))), (2, (2, 2, 4)))
    assert three.shape == ((2, (2, 2, 4)), (2, (1, 2, 2)))


@given(compact_layouts() | layouts())
def test_a_right_inverse_is_undone_by_the_layout(layout):
    found = right_inverse(layout)
    assert [layout(i) for i in offsets(found)] == list(range(found.size))
    reached = set(offsets(layout))
    if is_one_to_one(offsets(layout)):
        assert found.size == next(i for i in itertools.count() if i not in reached)


@given(compact_layouts() | layouts())
def test_a_left_inverse_undoes_the_layout(layout):
    try:
        found = left_inverse(layout)
    except LayoutError:
        theirs = theirs_or_none(pycute.left_inverse, layout)
        undone = theirs is not None and [theirs(i) for i in offsets(layout)] == list(range(layout.size))
        assert not undone
        return
    assert [beyond(found, i) for i in offsets(layout)] == list(range(layout.size))


TILE = make_layout((4, (2, 4)), (2, (1, 8)))


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (lambda: composition(TILE, (2, 2, 2)), "composition 3 2"),
        (lambda: composition(TILE, None), "composition None"),
        (lambda: composition("a", TILE), "composition 'a'"),
        (lambda: composition(TILE, 0), "composition 1 0"),
        (
            lambda: composition(make_layout((4, 2), (1, 8)), make_layout((2, 2), (4, -1))),
            "-1",
        ),
        (lambda: coalesce(TILE, (1, 1, 1)), "3 2"),
        (lambda: coalesce(None), "coalesce"),
        (lambda: complement(TILE, 0), "complement size 1 0"),
        (lambda: complement(TILE, "a"), "complement size"),
        (lambda: complement(make_layout(4, -1), 8), "0 -1"),
        (lambda: complement(make_layout((2, 2), (1, 3)), 8), "3 2"),
        (lambda: logical_divide(TILE, 3), "11 3 4"),
        (lambda: zipped_divide(TILE, (2, 2, 2)), "logical_divide 3 2"),
        (lambda: logical_product(TILE, None), "logical_product"),
        (lambda: blocked_product(TILE, None), "blocked_product"),
        (lambda: right_inverse(None), "right_inverse"),
        (lambda: left_inverse(make_layout((4, 8), (0, 1))), "4 0 1"),
        (lambda: left_inverse(make_layout((4, 4), (1, 1))), ""),
        (lambda: concatenated(TILE, "a"), "concatenated"),
        (lambda: composition(Swizzle(3, 0, 3)(TILE), 4), ""),
    ],
)
def test_bad_input_is_one_clear_error(call, facts):
    with refused(LayoutError, *facts.split()):
        call()


def test_layouts_without_length_have_plain_inverses():
    for trivial in (make_layout(()), make_layout(1), make_layout((1, 1), (5, 0))):
        assert left_inverse(trivial) == right_inverse(trivial) == coalesce(trivial) == make_layout(1, 0)

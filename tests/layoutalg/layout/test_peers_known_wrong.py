"""Inputs for which pycute breaks its own post-conditions, and what is done with them here.

Each case first shows that pycute (of the installed nvidia-cutlass) is wrong: cutlass issues 2955, 3177 and
2633 (composition), 3485 (left inverse), 1625 (right inverse), 3253 (complement). When a case no longer is,
its test says so.
"""

from __future__ import annotations

import pycute
import pytest

from layoutalg import LayoutError
from layoutalg.layout import (
    complement,
    composition,
    left_inverse,
    logical_divide,
    logical_product,
    make_layout,
    right_inverse,
)
from layoutalg.length import sizes
from tests.layout_strategies import offsets, pycute_layout
from tests.refusals import refused


def values(theirs) -> list[int]:
    return [theirs(i) for i in range(theirs.size())]


@pytest.mark.parametrize(
    ("a", "b", "facts"),
    [
        (
            make_layout((2, 3), (5, 1)),
            make_layout((2, 2), (1, 1)),
            "2",
        ),
        (
            make_layout((4, 8), (8, 1)),
            make_layout((2, 2), (2, 2)),
            "4",
        ),
        (make_layout((4, 6), (6, 1)), make_layout((3, 2), (2, 1)), "4"),
    ],
)
def test_a_composition_that_carries_is_refused_not_wrong(a, b, facts):
    """Every offset of ``b`` lies inside ``a``, and yet pycute's result is another map."""
    try:
        theirs = pycute.composition(pycute_layout(a), pycute_layout(b))
    except AssertionError:
        pytest.fail("pycute refuses this now")
    assert max(offsets(b)) < a.size
    assert values(theirs) != [a(i) for i in offsets(b)]
    with refused(LayoutError, *facts.split()):
        composition(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (make_layout((2, 2), (4, 12)), make_layout(3, 1)),
        (make_layout((2, 2), (8, 12)), make_layout((2, 3), (0, 1))),
        (make_layout((4, 3), (3, 1)), make_layout(6, 1)),
    ],
)
def test_a_composition_that_loses_indices_is_refused_not_wrong(a, b):
    theirs = pycute.composition(pycute_layout(a), pycute_layout(b))
    assert theirs.size() != b.size
    with refused(LayoutError, "1"):
        composition(a, b)


@pytest.mark.parametrize("layout", [make_layout((2, 2), (4, 12)), make_layout((2, 2, 2), (2, 6, 24))])
def test_a_left_inverse_that_pycute_misses_is_found(layout):
    theirs = pycute.left_inverse(pycute_layout(layout))
    assert [theirs(i) for i in offsets(layout)] != list(range(layout.size))
    found = left_inverse(layout)
    assert [found(i) for i in offsets(layout)] == list(range(layout.size))


def test_a_left_inverse_that_is_no_layout_is_refused():
    layout = make_layout((2, 2), (3, 8))
    theirs = pycute.left_inverse(pycute_layout(layout))
    assert [theirs(i) for i in offsets(layout)] != [0, 1, 2, 3]
    with refused(LayoutError, "2", "3", "8"):
        left_inverse(layout)


def test_a_broadcast_does_not_hide_the_right_inverse():
    layout = make_layout((4, 8), (0, 1))
    assert pycute.right_inverse(pycute_layout(layout)).size() == 1
    found = right_inverse(layout)
    assert [layout(i) for i in offsets(found)] == list(range(8))


def test_a_right_inverse_of_symbolic_strides_is_one_for_all_sizes():
    m, k = sizes("M K")
    found = right_inverse(make_layout((m, k), (k, 1)))
    for rows, columns in ((3, 4), (5, 2), (4, 4)):
        bound, layout = found.bind({m: rows, k: columns}), make_layout((rows, columns), (columns, 1))
        assert [layout(i) for i in offsets(bound)] == list(range(rows * columns))


def test_a_complement_that_leaves_offsets_out_is_refused():
    layout = make_layout((3, 4), (1, 4))
    theirs = pycute.complement(pycute_layout(layout), 32)
    assert {x + y for x in offsets(layout) for y in values(theirs)} < set(range(32))
    with refused(LayoutError, "4", "3"):
        complement(layout, 32)


def test_a_complement_of_overlapping_modes_is_refused_not_empty():
    layout = make_layout((2, 4), (6, 3))
    theirs = pycute.complement(pycute_layout(layout), 48)
    assert 0 in pycute.flatten(theirs.shape)
    with refused(LayoutError, "6", "12"):
        complement(layout, 48)


def test_a_tile_without_complement_is_no_divisor():
    """pycute gives a divide that repeats some elements and drops others."""
    layout, tile = make_layout(12), make_layout((2, 2), (1, 3))
    theirs = pycute.logical_divide(pycute_layout(layout), pycute_layout(tile))
    assert sorted(values(theirs)) != list(range(12))
    with refused(LayoutError, "complement", "(2,2):(1,3)"):
        logical_divide(layout, tile)


@pytest.mark.parametrize("count", [3, 4])
def test_a_product_with_a_number_is_a_product(count):
    layout = make_layout(8)
    theirs = pycute.logical_product(pycute_layout(layout), count)
    assert theirs.size() != 8 * count
    assert offsets(logical_product(layout, count)) == list(range(8 * count))

"""Layouts with symbolic sizes: an operation and then numbers, or numbers and then the operation."""

from __future__ import annotations

import itertools

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from layoutalg import LayoutError, make_naive_tensor_descriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_with_offset
from layoutalg.layout import (
    Swizzle,
    blocked_product,
    coalesce,
    complement,
    composition,
    flat_divide,
    left_inverse,
    logical_divide,
    logical_product,
    make_layout,
    of_descriptor,
    pad,
    raked_product,
    right_inverse,
    tiled_divide,
    unmerge,
    zipped_divide,
)
from layoutalg.length import sizes
from layoutalg.proofs import prove
from layoutalg.properties import bijective, one_to_one
from layoutalg.verdict import Proved, Refuted
from tests.layout_strategies import layouts, offsets, profiles
from tests.refusals import refused
from tests.strategies import descriptors

M, K = sizes("M K")
COLUMNS, ROWS = make_layout((M, K)), make_layout((M, K), (K, 1))
NUMBERS = st.fixed_dictionaries({"M": st.integers(1, 6), "K": st.integers(1, 6)})
OPERATIONS = {
    "coalesce columns": lambda m, k: coalesce(make_layout((m, k))),
    "coalesce rows": lambda m, k: coalesce(make_layout((m, k), (k, 1))),
    "coalesce by mode": lambda m, k: coalesce(make_layout(((m, 2), k), ((1, m), 2 * m)), (0, 0)),
    "composition": lambda m, k: composition(make_layout((m, k), (k, 1)), make_layout((m, k))),
    "composition swaps": lambda m, k: composition(make_layout((m, k), (k, 1)), make_layout((k, m), (m, 1))),
    "composition cuts": lambda m, k: composition(
        make_layout((4 * m, k)), make_layout((4, m * k), (m, 4 * m))
    ),
    "composition by mode": lambda m, k: composition(make_layout((4 * m, 8 * k)), (4, make_layout(8, k))),
    "composition of a length": lambda m, k: composition(make_layout((m, k), (k, 1)), m),
    "complement": lambda m, k: complement(make_layout((m, 2), (1, 2 * m)), 8 * m * k),
    "complement rounds up": lambda m, k: complement(make_layout((4, 2), (1, 8)), m * k),
    "logical divide": lambda m, k: logical_divide(make_layout(4 * m), 4),
    "zipped divide": lambda m, k: zipped_divide(make_layout((4 * m, 8 * k), (8 * k, 1)), (4, 8)),
    "zipped divide by symbols": lambda m, k: zipped_divide(make_layout((4 * m, 8 * k)), (m, k)),
    "tiled divide": lambda m, k: tiled_divide(make_layout((4 * m, 8 * k)), (4, 8)),
    "flat divide": lambda m, k: flat_divide(make_layout((4 * m, (2, 4 * k))), (4, (1, 4))),
    "logical product": lambda m, k: logical_product(make_layout((m, 2)), make_layout((k, 3))),
    "product of long rows": lambda m, k: logical_product(make_layout((m, k), (1, 2 * m)), 2),
    "blocked product": lambda m, k: blocked_product(make_layout((m, k)), make_layout((3, 4))),
    "raked product": lambda m, k: raked_product(make_layout((m, k)), make_layout((3, k))),
    "right inverse": lambda m, k: right_inverse(make_layout((m, k), (k, 1))),
    "pad": lambda m, k: pad(make_layout((m, k)), (4, 3)),
    "unmerge": lambda m, k: unmerge(make_layout((6 * m, k)), 0, (m, 6), ((0, 2), 1)),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_numbers_before_or_after_an_operation_give_one_map(name):
    operation = OPERATIONS[name]
    symbolic = operation(M, K)
    known = {symbol.name for symbol in symbolic.unrolled_descriptor.free_symbols}
    for m, k in ((1, 1), (1, 4), (2, 3), (5, 1), (4, 4), (3, 7)):
        bound = symbolic.bind({name: n for name, n in {"M": m, "K": k}.items() if name in known})
        counted = operation(m, k)
        assert bound.size == counted.size
        ours, theirs = ([made(i) for i in range(made.size)] for made in (bound, counted))
        assert ours == theirs


@pytest.mark.parametrize(("m", "k"), [(2, 2), (3, 4), (5, 7), (8, 2), (4, 3)])
def test_tiles_that_do_not_divide_reach_past_the_end(m, k):
    bound = logical_divide(COLUMNS, (4, 3)).bind({M: m, K: k})
    counted = logical_divide(make_layout((m, k)), (4, 3))
    assert offsets(bound) == offsets(counted)
    assert bound.shape == ((4, -(-m // 4)), (3, -(-k // 3)))


@given(NUMBERS)
def test_a_symbolic_left_inverse_undoes_the_bound_layout(numbers):
    layout = make_layout((M, K), (2 * K, 2))
    found, bound = left_inverse(layout).bind(numbers), layout.bind(numbers)
    assert [found(offset) for offset in offsets(bound)] == list(range(bound.size))


@given(NUMBERS, st.data())
def test_offsets_in_symbols_are_the_offsets_of_numbers(numbers, data):
    m, k = numbers["M"], numbers["K"]
    i, j = data.draw(st.integers(0, m - 1)), data.draw(st.integers(0, k - 1))
    assert sympy.sympify(COLUMNS(i, j)).xreplace({M: m, K: k}) == i + m * j
    assert ROWS.bind(numbers)(i, j) == i * k + j


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (
            lambda: complement(make_layout((2, 2), (K, M)), 4 * M),
            "K M",
        ),
        (lambda: complement(make_layout((2, 2), (1, M)), 4 * M), "2"),
        (lambda: composition(ROWS, make_layout((2, 2), (1, K))), ""),
        (
            lambda: composition(make_layout((M, 4), (1, 9)), make_layout(8)),
            "8 1 M",
        ),
        (lambda: composition(make_layout((M, 4), (1, 9)), 2), "2 1 M"),
        (lambda: composition(ROWS, make_layout(2, -K)), "-K"),
        (lambda: logical_product(make_layout((2, 2), (4, 1)), M), "M 1"),
    ],
)
def test_what_holds_for_some_sizes_only_is_refused(call, facts):
    with refused(LayoutError, *facts.split()):
        call()


@given(layouts(), st.data())
def test_a_layout_comes_back_from_its_descriptor(layout, data):
    made = layout.as_descriptor(data.draw(profiles(layout.shape)))
    back = of_descriptor(made)
    for point in itertools.product(*(range(int(n)) for n in made.lengths)):
        assert back(point if len(point) > 1 else point[0]) == made.calculate_offset(point)


def test_digits_that_are_written_as_masks_are_seen():
    assert of_descriptor(make_layout((2, 2, 2, 2, 2), (0, 2, 0, 8, 0)).as_descriptor_1d()).shape == (
        (2,) * 5,
    )
    assert repr(of_descriptor(make_layout((2, 4, 2), (0, 2, 0)).as_descriptor_1d())) == "((2,4,2)):((0,2,0))"


def test_a_mask_may_be_longer_than_its_index():
    """Of the six indices ``x & 6`` keeps the three highest of what would be eight."""
    made = make_layout((2, 3), (0, 2)).as_descriptor_1d()
    assert "&" in str(made.offset)
    assert repr(of_descriptor(made)) == "((2,3)):((0,2))"


@given(descriptors(most=100))
def test_a_descriptor_is_a_layout_with_its_offsets_or_refused(descriptor):
    try:
        found = of_descriptor(descriptor)
    except LayoutError as error:
        assert str(error).startswith("no nested layout: ")  # noqa: PT017  both ways are right
        return
    assert found.rank == descriptor.rank
    for point in itertools.product(*(range(int(n)) for n in descriptor.lengths)):
        assert found(point if len(point) != 1 else point[0]) == descriptor.calculate_offset(point)


def test_symbolic_descriptors_are_layouts_too():
    rows = make_naive_tensor_descriptor((M, K), (2 * K, 1))
    assert of_descriptor(rows.merge(0, 1)) == make_layout(((K, M),), ((1, 2 * K),))
    assert of_descriptor(COLUMNS.as_descriptor()) == COLUMNS


SQUARE = make_naive_tensor_descriptor((8, 8), (8, 1))


@pytest.mark.parametrize(
    ("descriptor", "facts"),
    [
        (SQUARE.xor(0, 1), "i0 i1"),
        (SQUARE.pad(0, 0, 8), "i0 7"),
        (SQUARE.slice(1, 2, 5), "2"),
        (SQUARE.freeze(0, K), "8*K"),
        (make_naive_tensor_descriptor_with_offset((8, 8), (8, 1), 5), "5"),
        (
            make_naive_tensor_descriptor((4, 6), (64, 10)).merge(0, 1).unmerge(0, (3, 8)),
            "",
        ),
        (
            make_naive_tensor_descriptor((4, 6), (9, 1)).merge(0, 1).slice(0, 0, 15),
            "15 6",
        ),
        (None, "NoneType"),
        (COLUMNS, "Layout"),
    ],
)
def test_the_part_that_does_not_fit_is_named(descriptor, facts):
    with refused(LayoutError, *facts.split()):
        of_descriptor(descriptor)


@given(layouts(most=24))
def test_one_to_one_is_proved_or_refuted_as_counted(layout):
    found = offsets(layout)
    verdict = prove(one_to_one(layout.as_descriptor()))
    assert isinstance(verdict, Proved if len(set(found)) == len(found) else Refuted)


@pytest.mark.parametrize("layout", [COLUMNS, ROWS, make_layout((M, (2, K)), (1, (M, 2 * M)))])
def test_packed_layouts_are_bijective_for_all_sizes(layout):
    assert all(isinstance(prove(claim), Proved) for claim in bijective(layout.as_descriptor()))


@pytest.mark.parametrize("numbers", [(3, 0, 3), (1, 2, 3), (2, 1, 2)])
def test_swizzled_layouts_stay_bijective(numbers):
    swizzled = Swizzle(*numbers)(make_layout((8, 8), (8, 1)))
    assert all(isinstance(prove(claim), Proved) for claim in bijective(swizzled.as_descriptor()))


def test_overlapping_strides_are_refuted_with_two_indices_that_meet():
    verdict = prove(one_to_one(make_layout((4, 4), (1, 2)).as_descriptor()))
    assert isinstance(verdict, Refuted)
    assert "both map to" in str(verdict)


@given(NUMBERS)
def test_a_swizzled_symbolic_layout_is_bound_later(numbers):
    swizzle = Swizzle(2, 0, 2)
    assume(numbers["M"] * numbers["K"] > 1)
    bound = swizzle(COLUMNS).bind(numbers)
    flat = COLUMNS.bind(numbers)
    assert [bound(i) for i in range(bound.size)] == [swizzle.swizzled(flat(i)) for i in range(flat.size)]

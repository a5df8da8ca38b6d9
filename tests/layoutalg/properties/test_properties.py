"""What each property says, against its meaning counted point by point without any claim."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from layoutalg import (
    Domain,
    IndexMap,
    LayoutError,
    Proved,
    Refuted,
    evaluate,
    make_naive_tensor_descriptor,
    make_naive_tensor_descriptor_packed,
    make_naive_tensor_descriptor_with_offset,
    make_offset_transform,
    make_pass_through_transform,
    make_single_stage_tensor_adaptor,
    parse,
)
from layoutalg.domain.probes import has_point
from layoutalg.proofs import prove
from layoutalg.properties import (
    INTEGER_RANGES,
    agree,
    bijective,
    covers,
    divides,
    fits_24bit_unmerge,
    fits_buffer,
    fits_index_type,
    fits_integer,
    fits_magic_division,
    inverse_of,
    logical_bounds,
    memory_bounds,
    monotone,
    one_to_one,
    one_writer,
    same_map,
    same_validity,
    vector_access,
    xor_permutes,
)
from layoutalg.transforms import Merge, PassThrough, Unmerge, Xor
from tests.refusals import refused
from tests.strategies import descriptors, domains, expressions


def points(descriptor):
    return list(itertools.product(*(range(int(n)) for n in descriptor.lengths)))


def is_proved(claim):
    return isinstance(prove(claim), Proved)


@given(descriptors(most=100))
def test_bijective_is_one_to_one_and_covers(descriptor):
    both = bijective(descriptor)
    assert [c.name for c in both] == ["one-to-one", "covers"]
    assert both.parts == (one_to_one(descriptor), covers(descriptor, "adaptor"))
    found = descriptor.index_map()
    assume(has_point(found.domain, found.when))  # where no index is valid, every claim is refused
    assert is_proved(one_to_one(descriptor)) == isinstance(prove(list(both)[:1]), Proved)


def test_an_adaptor_is_bijective_too():
    adaptor = make_single_stage_tensor_adaptor([Merge((2, 3))], [(0, 1)], [(0,)])
    assert all(map(is_proved, bijective(adaptor)))


@given(descriptors(most=100), st.data())
def test_monotone(descriptor, data):
    if not descriptor.rank:
        return
    dimension = data.draw(st.integers(0, descriptor.rank - 1))
    expected = True
    for point in points(descriptor):
        following = tuple(v + (i == dimension) for i, v in enumerate(point))
        inside = following[dimension] < int(descriptor.lengths[dimension])
        if inside and descriptor.is_valid_index(point) and descriptor.is_valid_index(following):
            step = descriptor.calculate_offset(following) - descriptor.calculate_offset(point)
            expected = expected and step >= 0
    assert is_proved(monotone(descriptor, dimension)) == expected


@given(descriptors(most=100), st.data())
def test_vector_access(descriptor, data):
    if not descriptor.rank:
        return
    dimension, width = data.draw(st.integers(0, descriptor.rank - 1)), data.draw(st.sampled_from([1, 2, 4]))
    length = int(descriptor.lengths[dimension])
    expected = {
        "divides length": length % width == 0,
        "contiguous": True,
        "aligned": True,
        "valid together": True,
    }
    for point in points(descriptor):
        first = point[dimension]
        if first % width or first + width > length:
            continue
        vector = [tuple(v + lane * (i == dimension) for i, v in enumerate(point)) for lane in range(width)]
        valid = [descriptor.is_valid_index(p) for p in vector]
        offsets = [descriptor.calculate_offset(p) for p in vector]
        expected["valid together"] &= len(set(valid)) == 1
        if valid[0]:
            expected["aligned"] &= offsets[0] % width == 0
        for lane in range(width):
            if valid[0] and valid[lane]:
                expected["contiguous"] &= offsets[lane] == offsets[0] + lane
    if width > length:
        return
    for claim in vector_access(descriptor, dimension, width):
        assert is_proved(claim) == expected[claim.name.removeprefix("vector ")], claim


@pytest.mark.slow
@settings(max_examples=50)
@given(st.data())
def test_one_writer(data):
    domain = data.draw(domains())
    address = data.draw(expressions(domain, depth=3))
    found: dict[int, set[int]] = {}
    lengths = [range(int(axis.upper)) for axis in domain.axes]
    for values in itertools.product(*lengths):
        named = dict(zip((axis.symbol for axis in domain.axes), values, strict=True))
        found.setdefault(evaluate(address, {str(k): v for k, v in named.items()}), set()).add(values[0])
    expected = all(len(threads) == 1 for threads in found.values())
    claim = one_writer(IndexMap(domain, (address,)), (domain.axes[0].symbol,), "store")
    assert is_proved(claim) == expected


@pytest.mark.parametrize(("reader", "same"), [("2*lane", True), ("2*lane + lane // 63", False)])
def test_agree(reader, same):
    left, right = Domain.of({"tid": 64}), Domain.of({"lane": 64})
    writer = IndexMap(left, (left["tid"], 2 * left["tid"]))
    other = IndexMap(right, (right["lane"], parse(reader, right)))
    assert is_proved(agree(writer, other, "LDS")) == same
    with refused(LayoutError, "2", "1"):
        agree(writer, IndexMap(right, (right["lane"],)), "LDS")


@pytest.mark.parametrize("integer", INTEGER_RANGES)
def test_ranges_are_exact(integer):
    low, high = INTEGER_RANGES[integer]
    domain = Domain.of({"x": 2})
    for value, fits in ((low, True), (low - 1, False), (high, True), (high + 1, False)):
        claim = fits_integer((sympy.Integer(value) + 0 * domain["x"],), domain, integer, "value")
        assert is_proved(claim) == fits


@pytest.mark.parametrize(("rows", "fits"), [(2**18, True), (2**18 + 1, False)])
def test_a_buffer_reaches_four_gibibytes(rows, fits):
    assert is_proved(fits_buffer(make_naive_tensor_descriptor_packed((rows, 4096)), 4)) == fits


def test_only_what_concerns_a_chain_is_claimed():
    plain = make_naive_tensor_descriptor_packed((4, 8))
    assert not fits_magic_division(plain)
    assert not fits_24bit_unmerge(plain)
    assert not xor_permutes(plain)
    assert fits_magic_division(plain.merge(0, 1))
    kept = plain.transform([Merge((4, 8), "merge_v3_division_mod")], [(0, 1)], [(0,)])  # type: ignore[arg-type]
    assert not fits_magic_division(kept)
    narrow = make_naive_tensor_descriptor_packed((32,)).transform([Unmerge((4, 8), True)], [(0,)], [(0, 1)])
    assert fits_24bit_unmerge(narrow)


def test_sizes_and_spaces_are_counted_too():
    """Offsets may fit while the element space does not: the buffer then shrinks."""
    last = make_naive_tensor_descriptor((2, 1), (2**31 - 1, 1))
    assert not is_proved(fits_index_type(last))
    assert is_proved(fits_index_type(make_naive_tensor_descriptor((2, 1), (2**31 - 2, 1))))


@pytest.mark.parametrize("columns", range(1, 18))
def test_xor_permutes_exactly_where_columns_are_a_power_of_two(columns):
    descriptor = make_naive_tensor_descriptor_packed((32, columns)).transform(
        [Xor((32, columns))], [(0, 1)], [(0, 1)]
    )
    rows = [{c ^ (r % columns) for c in range(columns)} for r in range(32)]
    expected = all(row == set(range(columns)) for row in rows)
    assert expected == (columns & (columns - 1) == 0)
    assert all(map(is_proved, xor_permutes(descriptor))) == expected


def test_divides_and_inverse_of():
    domain = Domain.of({}, {"K": (64, None, 64)})
    assert is_proved(divides(32, domain["K"], domain, "K"))
    assert not is_proved(divides(128, domain["K"], domain, "K"))
    assert not is_proved(divides(0, domain["K"], domain, "K"))
    one = make_single_stage_tensor_adaptor([PassThrough(6)], [(0,)], [(0,)])
    assert is_proved(inverse_of(one, one))


def test_memory_that_begins_at_an_offset_is_counted_from_there():
    start = make_naive_tensor_descriptor_with_offset((4, 8), (8, 1), 100)
    assert prove(logical_bounds(start))
    assert prove(memory_bounds(start))
    elsewhere = make_single_stage_tensor_adaptor([make_offset_transform(8, 100)], [(0,)], [(0,)])
    assert not prove(logical_bounds(elsewhere))  # an adaptor's bottom is no memory, but a dimension of 8
    parts = [make_offset_transform(4, 1), make_pass_through_transform(8)]
    shifted = start.transform(parts, [(0,), (1,)], [(0,), (1,)])
    assert not prove(logical_bounds(shifted))  # an offset above memory leaves its dimension


def test_hand_written_maps_are_asked_as_layouts_are():
    domain = Domain.of({"row": 8, "col": 8})
    rows = IndexMap(domain, (8 * domain["row"] + domain["col"],))
    same = make_naive_tensor_descriptor((8, 8), (8, 1))
    assert prove(one_to_one(rows))
    assert prove(vector_access(rows, "col", 4))
    assert not prove(vector_access(rows, 0, 4))
    assert prove(monotone(rows, 1))
    assert all(rows(i, j) == same(i, j) for i, j in itertools.product(range(8), repeat=2))
    assert str(rows.offset) == "col + 8*row"
    with refused(LayoutError, "IndexMap"):
        covers(rows)  # type: ignore[arg-type]
    with refused(LayoutError, "row", "col", "lane"):
        vector_access(rows, "lane", 4)


def test_maps_that_agree_where_both_have_elements_may_have_others():
    rows = make_naive_tensor_descriptor_packed((8,))
    padded, whole = rows.pad(0, 0, 2), make_naive_tensor_descriptor_packed((10,))
    assert prove(same_map(padded, whole))
    assert not prove(same_validity(padded, whole))
    assert prove(same_validity(padded, padded))


def test_axes_of_hand_written_maps_correspond_by_place():
    one = Domain.of({"a": 8, "b": (0, "a + 1")}, {}, ["b != 3"])
    other = Domain.of({"b": 8, "a": (0, "b + 1")}, {}, ["a != 3"])
    left = IndexMap(one, (8 * one["a"] + one["b"],))
    right = IndexMap(other, (8 * other["b"] + other["a"],))
    assert prove(same_map(left, right))
    assert isinstance(prove(same_map(left, IndexMap(other, (8 * other["a"] + other["b"],)))), Refuted)
    steps = IndexMap(Domain((replace(one.axes[0], multiple_of=2),)), (one["a"],))
    with refused(LayoutError, "0", "2", "1"):
        same_map(steps, IndexMap(Domain((one.axes[0],)), (one["a"],)))

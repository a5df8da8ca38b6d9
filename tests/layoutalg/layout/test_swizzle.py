"""Swizzles bit by bit, and against pycute and tensor-layouts."""

# mypy: disable-error-code="arg-type"

from __future__ import annotations

import numpy as np
import pycute
import pytest
import tensor_layouts
from hypothesis import assume, given
from hypothesis import strategies as st

from layoutalg import LayoutError
from layoutalg.layout import Swizzle, make_layout, pad
from layoutalg.layout.swizzle import SwizzleOffset
from layoutalg.transforms import VectorHint
from tests.layout_strategies import compact_layouts, offsets
from tests.refusals import refused


def bits_of(offset: int, swizzle: Swizzle) -> int:
    """A swizzle bit by bit."""
    found = offset
    for bit in range(swizzle.bits):
        low = swizzle.base + bit + max(0, -swizzle.shift)
        high = swizzle.base + bit + max(0, swizzle.shift)
        found ^= (offset >> high & 1) << low
    return found


@given(st.integers(0, 3), st.integers(0, 3), st.integers(-4, 4), st.integers(0, 2**12))
def test_a_swizzle_is_its_own_inverse_and_equals_both_peers(bits, base, shift, offset):
    assume(abs(shift) >= max(1, bits))  # pycute never returns from a shift by 0
    swizzle = Swizzle(bits, base, shift)
    found = swizzle.swizzled(offset)
    assert swizzle.swizzled(found) == offset
    assert (
        found
        == pycute.Swizzle(bits, base, shift)(offset)
        == tensor_layouts.Swizzle(bits, base, shift)(offset)
    )
    if shift >= 0:
        assert found == bits_of(offset, swizzle)


@given(compact_layouts(), st.sampled_from([(1, 0, 1), (2, 1, 3), (3, 0, 3), (2, 0, -2)]))
def test_a_swizzled_layout_has_swizzled_offsets(layout, numbers):
    swizzle = Swizzle(*numbers)
    found = swizzle(layout)
    assert [found(i) for i in range(found.size)] == [swizzle.swizzled(i) for i in offsets(layout)]
    assert found.element_space_size > max(found(np.arange(found.size)))
    twice = swizzle(found)
    assert [twice(i) for i in range(twice.size)] == offsets(layout)


def test_swizzling_twice_is_seen_to_do_nothing():
    swizzle, rows = Swizzle(3, 0, 3), make_layout((8, 8), (8, 1))
    assert repr(swizzle(swizzle(rows))) == "(8,8):(8,1)"


def test_vectors_stay_together_up_to_the_lowest_bit_that_changes():
    swizzle = Swizzle(3, 2, 3)
    (hint,) = SwizzleOffset(4096, swizzle).upper_vectors([VectorHint(8, 1)])
    assert hint == VectorHint(4, 1)
    starts = range(0, 4096, 4)
    assert all(swizzle.swizzled(i) + lane == swizzle.swizzled(i + lane) for i in starts for lane in range(4))
    assert swizzle.swizzled(32) + 4 != swizzle.swizzled(36)


def test_padding_is_kept():
    swizzled = Swizzle(1, 0, 2)(pad(make_layout((3, 3)), (4, 4)))
    assert not swizzled.unrolled_descriptor.is_valid_index((3, 0))
    assert swizzled.unrolled_descriptor.is_valid_index((2, 2))


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (lambda: Swizzle(3, 0, 2), "shift 3 2"),
        (lambda: Swizzle(-1, 0, 2), "bits 0 -1"),
        (lambda: Swizzle(1, 0.5, 2), "base 0 0.5"),
        (lambda: Swizzle(True, 0, 2), "bits 0 True"),
        (lambda: Swizzle(3, 0, 3)(None), "Swizzle"),
        (
            lambda: Swizzle(3, 0, 3)(make_layout((8, 8), (8, 1))).stride,
            "i0 i1",
        ),
    ],
)
def test_bad_input_is_one_clear_error(call, facts):
    with refused(LayoutError, *facts.split()):
        call()

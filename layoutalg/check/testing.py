"""Assertions about layouts, for tests of one's own; a failure names the line that asserts, and the layout.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> rows = make_naive_tensor_descriptor((4, 8), (10, 1))
>>> assert_one_to_one(rows)
>>> assert_covers(rows)
Traceback (most recent call last):
    ...
AssertionError: ...:1: LA202 covers of rows
claimed: every place 0 <= y0 < 38 is reached from 0 <= i0 < 4, 0 <= i1 < 8
found:   no index maps to 8
This is the smallest such point that was found.
Look at: Gaps between rows, a tile longer than the threads reach, a loop that ends early.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.check.asked import Obligation
from layoutalg.check.assert_clean import assert_clean
from layoutalg.check.call_site import call_site
from layoutalg.check.explanation import told
from layoutalg.layout import Layout
from layoutalg.proofs import prove
from layoutalg.properties import (
    bijective,
    fits_index_type,
    inverse_of,
    logical_bounds,
    memory_bounds,
    one_to_one,
    owned,
    same_map,
    tile_bounds,
    vector_access,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.claim import Claim
    from layoutalg.descriptor import TensorDescriptor
    from layoutalg.descriptor.adaptor import TensorAdaptor
    from layoutalg.distribution import TileDistribution

__all__ = [
    "assert_bijective",
    "assert_clean",
    "assert_covers",
    "assert_fits",
    "assert_in_bounds",
    "assert_inverse_of",
    "assert_one_to_one",
    "assert_owned",
    "assert_proved",
    "assert_same_map",
    "assert_vector_access",
]


def assert_proved(*claims: Claim, chain: TensorAdaptor | Layout | None = None) -> None:
    """Every claim is proved; refuted and unknown ones fail, explained."""
    __tracebackhide__ = True
    walked = chain.as_descriptor() if isinstance(chain, Layout) else chain
    for claim in claims:
        verdict = prove(claim)
        if not verdict:
            site = call_site()
            obligation = Obligation(claim, site.file, site.line, claim.subject, walked)
            raise AssertionError(told(obligation, verdict))


def assert_in_bounds(descriptor: TensorDescriptor | Layout) -> None:
    """Valid indices stay within memory, and within every dimension on the way."""
    __tracebackhide__ = True
    name = call_site().name
    bounds = (memory_bounds(descriptor, name), logical_bounds(descriptor, name))
    assert_proved(*bounds, chain=descriptor)


def assert_one_to_one(adaptor: TensorAdaptor | Layout) -> None:
    """No two indices share an element."""
    __tracebackhide__ = True
    assert_proved(one_to_one(adaptor, call_site().name), chain=adaptor)


def assert_covers(adaptor: TensorAdaptor | Layout) -> None:
    """Every element has an index."""
    __tracebackhide__ = True
    assert_proved(bijective(adaptor, call_site().name)[1], chain=adaptor)


def assert_bijective(adaptor: TensorAdaptor | Layout) -> None:
    """Every element has exactly one index."""
    __tracebackhide__ = True
    assert_proved(*bijective(adaptor, call_site().name), chain=adaptor)


def assert_owned(distribution: TileDistribution, threads: Sequence[int] | None = None) -> None:
    """Threads hold every element of the tile and none outside, once in each copy."""
    __tracebackhide__ = True
    name = call_site("tile").name
    assert_proved(tile_bounds(distribution, name, threads), *owned(distribution, name, threads))


def assert_same_map(left: TensorAdaptor | Layout, right: TensorAdaptor | Layout) -> None:
    """Both send every index to the same place."""
    __tracebackhide__ = True
    assert_proved(same_map(left, right, call_site().name), chain=left)


def assert_inverse_of(below: TensorAdaptor | Layout, above: TensorAdaptor | Layout) -> None:
    """One after the other leads back."""
    __tracebackhide__ = True
    assert_proved(inverse_of(below, above, call_site().name))


def assert_vector_access(descriptor: TensorDescriptor | Layout, dimension: int, width: int) -> None:
    """Vectors of ``width`` elements along a dimension are whole, contiguous, aligned and valid together."""
    __tracebackhide__ = True
    assert_proved(*vector_access(descriptor, dimension, width, call_site().name), chain=descriptor)


def assert_fits(adaptor: TensorAdaptor | Layout, integer: str = "int32") -> None:
    """Every index and length fits the integer type."""
    __tracebackhide__ = True
    assert_proved(fits_index_type(adaptor, integer, call_site().name), chain=adaptor)

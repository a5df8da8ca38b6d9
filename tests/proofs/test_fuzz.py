"""Ten thousand random small layouts: verdicts are those of enumeration by Python's own integers and sets."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, given, seed, settings

from layoutalg import LayoutError, Proved, Unknown
from layoutalg.proofs import prove
from layoutalg.properties import covers, logical_bounds, memory_bounds, one_to_one
from tests.strategies import descriptors

CHUNKS, EACH = 20, 500
BY_REASONING = ["normal form", "digits", "composition", "ranges", "bits"]


def truths(descriptor):
    """What each property says, counted point by point with CK's own evaluator."""
    space = int(descriptor.element_space_size)
    lengths = descriptor.hidden_lengths
    offsets, inside = [], True
    for point in itertools.product(*(range(int(n)) for n in descriptor.lengths)):
        if not descriptor.is_valid_index(point):
            continue
        hidden = descriptor.calculate_hidden_index(point)
        offsets.append(hidden[0])
        for value, length in zip(hidden, lengths, strict=True):
            inside = inside and (length is None or 0 <= value < length)
    return {
        memory_bounds: all(0 <= offset < space for offset in offsets),
        logical_bounds: inside,
        one_to_one: len(set(offsets)) == len(offsets),
        covers: set(range(space)) <= set(offsets),
    }


def check(descriptor):
    if not any(
        map(descriptor.is_valid_index, itertools.product(*(range(int(n)) for n in descriptor.lengths)))
    ):
        for build in (memory_bounds, logical_bounds, one_to_one):
            with pytest.raises(LayoutError):
                prove(build(descriptor))
        return
    for build, expected in truths(descriptor).items():
        claim = build(descriptor)
        verdict = prove(claim)
        assert not isinstance(verdict, Unknown), claim
        assert isinstance(verdict, Proved) == expected, (claim, verdict)
        cheap = prove(claim, members=BY_REASONING)
        assert isinstance(cheap, Unknown) or isinstance(cheap, Proved) == expected, (claim, cheap)


@given(descriptors(most=120))
def test_random_layouts(descriptor):
    check(descriptor)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_ten_thousand_random_layouts(chunk):
    @seed(chunk)
    @settings(
        max_examples=EACH,
        suppress_health_check=list(HealthCheck),
        deadline=None,
        derandomize=False,
        database=None,
    )
    @given(descriptors(most=120))
    def run(descriptor):
        check(descriptor)

    run()

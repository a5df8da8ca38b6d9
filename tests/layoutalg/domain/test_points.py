"""The points of domains against nested loops over Python's own integers."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from layoutalg import Domain, LayoutError, evaluate, parse
from layoutalg.domain.points import blocks, count_at_most
from tests.refusals import refused

FAR = (0, -(2**63), 2**61 - 2, 2**62, 2**63 - 1, -(2**70))


def by_loops(domain):
    def walk(point, variables):
        if not variables:
            yield tuple(point.values())
            return
        first, *rest = variables
        low, high = (int(evaluate(end, point)) for end in (first.lower, first.upper))
        for value in range(low, high):
            if value % first.multiple_of == 0:
                yield from walk(point | {first.name: value}, rest)

    return list(walk({}, (*domain.parameters, *domain.axes)))


@pytest.mark.slow
@given(st.data())
def test_every_point_once_and_in_order_however_far_away(data):
    base = data.draw(st.sampled_from(FAR))
    low = base + data.draw(st.integers(-3, 3))
    domain = Domain.of(
        {"i": (low, low + data.draw(st.integers(1, 5))), "j": ("i", "i + n"), "k": 2},
        {"n": (0, 3), "m": (base, base + 7, data.draw(st.sampled_from([1, 2, 5])))},
    )
    names = [v.name for v in (*domain.parameters, *domain.axes)]
    size = data.draw(st.integers(1, 40))
    found = [
        point
        for block in blocks(domain, size)
        if len(block) == len(names)
        for point in zip(*(block[name].tolist() for name in names), strict=True)
    ]
    assert found == by_loops(domain)
    assert count_at_most(domain, 10_000) == len(found)


@pytest.mark.parametrize("end", [2**20, 2**40, 2**62, 2**63, 2**200])
def test_ranges_of_any_length_are_counted_or_given_up(end):
    far = Domain.of({"y": end, "z": ("y", f"y + {end}"), "x": "4*K"}, {"K": (1, 64)})
    assert count_at_most(far, 100_000) is None
    (first,) = itertools.islice(blocks(far, 64), 1)
    assert set(zip(first["K"].tolist(), first["y"].tolist(), strict=True)) == {(1, 0)}


def test_an_axis_with_three_numbers_is_refused():
    with refused(LayoutError, "x", "3"):
        Domain.of({"x": (0, 64, 4)})


def test_a_walk_that_never_arrives_is_given_up():
    nowhere = Domain.of({"y": 2**40, "z": ("y", "y - n")}, {"n": (0, 3)})
    assert count_at_most(nowhere, 10_000) is None
    later = Domain.of({"w": "n + 1", "y": 2**40, "z": ("y", "y - n")}, {"n": (0, 3)})
    assert count_at_most(later, 10_000) is None
    few = Domain.of({"y": 100, "z": ("y", "y - n")}, {"n": (0, 3)})
    assert count_at_most(few, 10_000) == 0
    scarce = Domain.of({"y": 100, "z": "y"}).where(parse("y*z < 0", Domain.of({"y": 100, "z": 100})))
    assert count_at_most(scarce, 10_000) == 4950  # before facts

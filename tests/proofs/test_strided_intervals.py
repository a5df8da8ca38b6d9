"""Spans hold every value: against enumeration of the operations on all members."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from layoutalg.domain.points import blocks
from layoutalg.index.evaluate import evaluate
from layoutalg.proofs.smt.purification import Purified
from layoutalg.proofs.smt.strided_intervals import StridedInterval
from tests.strategies import domains, expressions


@st.composite
def intervals(draw, low=-20):
    start, length = draw(st.integers(low, 20)), draw(st.integers(0, 15))
    step = draw(st.integers(1, 6))
    return StridedInterval.between(start, start + length * step, step, start)


def members(interval):
    step = interval.step or 1
    return [n for n in range(int(interval.low), int(interval.high) + 1) if (n - interval.residue) % step == 0]


def holds(interval, value):
    return (
        interval.low <= value <= interval.high
        and (value - interval.residue) % (interval.step or math.inf) == 0
    )


@given(intervals(), intervals())
def test_sums_products_and_smaller_ones(left, right):
    for one in members(left):
        for other in members(right):
            assert holds(left + right, one + other)
            assert holds(left * right, one * other)
            assert holds(left.minimum(right), min(one, other))
            assert holds(left.union(right), one)
            assert holds(left.union(right), other)


@given(intervals(), intervals(low=1))
def test_quotients_and_remainders(left, right):
    quotient, remainder = left.quotient(right), left.remainder(right)
    for one in members(left):
        for other in members(right):
            assert holds(quotient, one // other)
            assert holds(remainder, one % other)


@given(intervals(low=0), intervals(low=0))
def test_bit_operations(left, right):
    for one in members(left):
        for other in members(right):
            assert holds(left.bits(right, "xor"), one ^ other)
            assert holds(left.bits(right, "and"), one & other)
            assert holds(left.bits(right, "or"), one | other)


@given(st.data())
def test_the_span_of_an_expression_holds_its_values(data):
    domain = data.draw(domains(with_parameter=data.draw(st.booleans())))
    expression = data.draw(expressions(domain))
    values = Purified(domain)
    interval = values.interval(values.of(expression))
    for block in blocks(domain):
        found = evaluate(expression, block)
        assert (found >= interval.low).all()
        assert (found <= interval.high).all()
        assert ((found - interval.residue) % (interval.step or 1) == 0).all()


def test_spans_are_tight_where_they_can_be():
    assert repr(StridedInterval.between(0, 63) * StridedInterval.of(8)) == "0..504, 0 mod 8"
    assert repr(StridedInterval.between(1, 100, 8)) == "8..96, 0 mod 8"
    assert repr(StridedInterval.between(16, 31).remainder(StridedInterval.of(16))) == "0..15"
    assert repr(StridedInterval.between(18, 21).remainder(StridedInterval.of(16))) == "2..5"
    assert repr(StridedInterval.between(0, 31).quotient(StridedInterval.of(8))) == "0..3"

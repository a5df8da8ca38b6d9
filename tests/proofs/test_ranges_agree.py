"""The rules' ranges and the prover's own, which share no arithmetic: each holds every value."""

from __future__ import annotations

import random

import pytest

from layoutalg import LayoutError, parse
from layoutalg.proofs.smt.purification import Purified
from layoutalg.proofs.smt.strided_intervals import StridedInterval
from layoutalg.rules import NormalForm
from layoutalg.rules.interval import OO, Interval
from tests.fuzz.oracle import UndefinedError, value
from tests.fuzz.spaces import spaces
from tests.fuzz.texts import texts

ENDS = (-OO, -9, -1, 0, 1, 7, 10**400, OO)


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(150))
def test_both_hold_every_value(seed):
    draw = random.Random(f"ranges {seed}")
    space = spaces(draw)
    text = texts(draw, space, 2)
    try:
        domain = space.domain()
        expression = parse(text, domain)
        form = NormalForm(domain)
        ours = form.bounds.interval(form.digits.split(form.of(expression)))
        values = Purified(domain)
        theirs = values.interval(values.of(expression))
    except LayoutError:
        return
    for _ in range(30):
        point = space.point(draw)
        try:
            found = None if point is None else value(text, point)
        except UndefinedError:
            continue
        if found is not None:
            assert ours.low <= found <= ours.high
            assert theirs.low <= found <= theirs.high
            assert theirs.step == 0 or (found - theirs.residue) % theirs.step == 0


def inside(low, high):
    """Values of a range, its ends and a few beside them."""
    least = (-3 if high == OO else high - 30) if low == -OO else low
    most = (least + 30) if high == OO else high
    return sorted({least, most, *(v for v in range(-12, 13) if least <= v <= most)})


def ranges():
    return [(low, high) for low in ENDS for high in ENDS if low <= high and low != OO and high != -OO]


@pytest.mark.parametrize("left", ranges())
def test_arithmetic_of_ranges_holds_that_of_values(left):
    for right in ranges():
        one, other = Interval(*left), Interval(*right)
        strided_pair = StridedInterval.between(*left), StridedInterval.between(*right)
        for a in inside(*left):
            for b in inside(*right):
                results: list[tuple[Interval | None, StridedInterval, int]] = [
                    (one + other, strided_pair[0] + strided_pair[1], a + b),
                    (one * other, strided_pair[0] * strided_pair[1], a * b),
                ]
                if b > 0:
                    results.append((one // other, strided_pair[0].quotient(strided_pair[1]), a // b))
                    results.append((None, strided_pair[0].remainder(strided_pair[1]), a % b))
                for interval, strided, result in results:
                    assert interval is None or interval.low <= result <= interval.high
                    assert strided.low <= result <= strided.high


def test_infinities_are_exact():
    assert OO > 10**400 > -OO
    assert OO + 10**400 == OO
    assert OO * 0 == 0 * -OO == 0
    assert (-OO) * -3 == OO
    assert (7 // OO, -7 // OO) == (0, -1)
    with pytest.raises(ArithmeticError):
        OO - OO

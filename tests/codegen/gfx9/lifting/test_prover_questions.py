"""Questions about guards: what is said to hold wherever another guard does holds in every lane."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.codegen.gfx9.lifting.formula_numbers import Numbers
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, ANY, Lanes, OpaqueCondition
from layoutalg.codegen.gfx9.lifting.prover_questions import ProverQuestions
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.domain import Domain
from layoutalg.proofs import prove
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.polynomial import Polynomial

SIZES = (1, 2, 17, 40, 64, 99)


@st.composite
def guards_of_lanes(draw, words):
    """Comparisons of the lane with a size and a number, that some such lane is there, and what joins them."""
    guards, lane, size = words.guards, words.lane, words.form.symbol("M")
    ends = [Polynomial.constant(draw(st.integers(0, 64))), size, size.plus(-3)]
    made = [words.compared("nonnegative", end - lane, ALWAYS) for end in ends]
    for one in draw(st.lists(st.sampled_from(made), min_size=1, max_size=2)):
        some = guards.opposite(one) if draw(st.booleans()) else one
        made.append(guards.of(OpaqueCondition(ANY, (Lanes(some),), is_uniform=True)))
    found = draw(st.sampled_from(made))
    for other in draw(st.lists(st.sampled_from(made), min_size=1, max_size=4)):
        join = draw(st.sampled_from([guards.both, guards.either, guards.without, guards.differ]))
        found = join(found, other)
    return found


@given(st.data())
def test_what_is_implied_holds_in_every_lane(data):
    words = Words(NormalForm(Domain.of({"lane": 64}, {"M": (1, 99)})))
    inside, guard = data.draw(guards_of_lanes(words)), data.draw(guards_of_lanes(words))
    if not ProverQuestions(words, prove).implied(inside, guard):
        return
    for size in SIZES:
        numbers = Numbers(words, {"M": size})
        assert not np.any(numbers.guard(inside) & ~numbers.guard(guard))


def test_a_lane_on_either_way_is_on_one_of_them():
    """Compilers skip a way that no lane goes; that some lane goes it is no more than that this one does."""
    words = Words(NormalForm(Domain.of({"lane": 64}, {"M": (1, None)})))
    guards = words.guards
    whole, there = (
        words.compared("nonnegative", words.form.symbol("M") - words.lane.plus(n), ALWAYS) for n in (4, 1)
    )
    ways = [
        guards.both(way, guards.of(OpaqueCondition(ANY, (Lanes(way),), is_uniform=True)))
        for way in (whole, guards.without(there, whole))
    ]
    assert ProverQuestions(words, prove).implied(there, guards.either(*ways))
    assert not ProverQuestions(words, prove).implied(there, ways[0])


def test_a_lane_on_no_way_says_nothing_of_the_others():
    """That none goes it does not follow from this lane's not going."""
    words = Words(NormalForm(Domain.of({"lane": 64}, {"M": (1, None)})))
    guards = words.guards
    first = words.compared("nonnegative", words.form.symbol("M") - words.lane.plus(1), ALWAYS)
    none = guards.opposite(guards.of(OpaqueCondition(ANY, (Lanes(first),), is_uniform=True)))
    assert not ProverQuestions(words, prove).implied(guards.opposite(first), none)


def test_an_odd_number_is_no_sum_of_even_ones():
    words = Words(NormalForm(Domain.of({"lane": 64}, {"M": (1, None)})))
    double = words.form.symbol("M").scaled(2) - words.lane.scaled(4)
    assert [words.compared("zero", double.plus(-n), ALWAYS) == 0 for n in (1, 2, 3)] == [True, False, True]

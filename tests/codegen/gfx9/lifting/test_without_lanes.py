"""Questions without lanes: with the lane's numbers for letters they are as they were; mixed ones stay."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS
from layoutalg.codegen.gfx9.lifting.prover_questions import ProverQuestions
from layoutalg.codegen.gfx9.lifting.without_lanes import without_lanes
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.domain import Domain
from layoutalg.proofs import prove
from layoutalg.rules.condition import Condition
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.polynomial import ZERO, Polynomial

WAVES = 4
NOTHING = np.zeros(64 * WAVES, dtype=object)


def words_of_a_kernel():
    return Words(NormalForm(Domain.of({"lane": 64, "wave": WAVES, "tile": "K"}, {"K": (1, 9999)})))


def digit(form, number, step, size):
    return form.quotient(number, form.integer(step)) - form.quotient(
        number, form.integer(step * size)
    ).scaled(size)


@st.composite
def numbers_of_lanes(draw, form):
    """Digits of the lane, their products and bits, and the wave."""
    lane, wave = form.symbol("lane"), form.symbol("wave")
    digits = [digit(form, lane, 2**at, draw(st.sampled_from([2, 4, 8]))) for at in range(4)]
    found = ZERO
    for one in draw(st.lists(st.sampled_from([*digits, wave, lane]), min_size=1, max_size=3)):
        found = found + one.scaled(draw(st.integers(-16, 16)))
    one, other = draw(st.sampled_from(digits)), draw(st.sampled_from(digits))
    found = found + draw(st.sampled_from([ZERO, one * other, form.bit_xor(one, other)]))
    return found.plus(draw(st.integers(-9, 9)))


@given(st.data())
def test_with_the_numbers_of_lanes_for_letters_all_is_as_it_was(data):
    words = words_of_a_kernel()
    form, lanes = words.form, words.ranges.lanes
    others = [ZERO, form.symbol("tile"), form.symbol("K") * form.symbol("tile")]
    drawn = [data.draw(numbers_of_lanes(form)) for _ in range(2)]
    asked = [own + data.draw(st.sampled_from(others)) for own in (*drawn, -drawn[0])]
    found, values = without_lanes(words.ranges, *(Condition("nonnegative", (one,)) for one in asked))
    for before, after in zip(asked, found, strict=True):
        own, rest = lanes.parted(before)
        number = sum((factor * (values[m[0]] if m else 1) for m, factor in after.parts[0] - rest), NOTHING)
        assert number.tolist() == lanes.numbers.of(own).tolist()
    for letter, each in values.items():
        low, high = form.bounds.interval(Polynomial.letter(letter))
        assert (low, high) == (min(each), max(each))


def test_lanes_in_products_with_something_else_stay():
    words = words_of_a_kernel()
    lane, size = words.form.symbol("lane"), words.form.symbol("K")
    conditions = tuple(Condition("nonnegative", (one,)) for one in (lane * size - lane, size - lane))
    assert without_lanes(words.ranges, *conditions) == (conditions, {})


def test_formulas_of_equal_values_are_one():
    """A digit of the lane as bits that are put together, and as what is left of a quotient."""
    words = words_of_a_kernel()
    form, lane, tile = words.form, words.form.symbol("lane"), words.form.symbol("tile")
    whole = digit(form, lane, 1, 8)
    in_bits = sum((digit(form, lane, 2**at, 2).scaled(2**at) for at in range(3)), ZERO)
    squared = in_bits * in_bits - whole * whole + whole  # the same, as no rule sees
    inside, wanted = (words.compared("nonnegative", one - tile, ALWAYS) for one in (squared, whole))
    assert ProverQuestions(words, prove).implied(inside, wanted)
    assert not ProverQuestions(words, prove).implied(
        wanted, words.compared("nonnegative", in_bits - tile.plus(1), ALWAYS)
    )

"""Letters in place of sums: with the sums for letters all is as it was, and isomorphic questions are one."""

from hypothesis import given
from hypothesis import strategies as st

from layoutalg.codegen.gfx9.lifting.formula_letters import Letters
from layoutalg.codegen.gfx9.lifting.generalised import generalised
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS
from layoutalg.codegen.gfx9.lifting.prover_questions import ProverQuestions
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.domain import Domain
from layoutalg.proofs import prove
from layoutalg.rules.condition import Condition
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.polynomial import ZERO, Polynomial

NAMES = ("lane", "row", "turn", "K")


def letters_of_a_kernel():
    return Letters(NormalForm(Domain.of({"lane": 64, "row": 8, "turn": "K"}, {"K": (1, None)})))


def at_least_zero(polynomial):
    return Condition("nonnegative", (polynomial,))


@st.composite
def sums(draw, letters):
    """A sum of some products of up to three letters."""
    symbols = [letters.form.symbol(name) for name in NAMES]
    found = Polynomial.constant(draw(st.integers(-9, 9)))
    for _ in range(draw(st.integers(1, 4))):
        part = Polynomial.constant(draw(st.sampled_from((-8, -2, -1, 1, 2, 3, 8))))
        for symbol in draw(st.lists(st.sampled_from(symbols), min_size=1, max_size=3)):
            part = part * symbol
        found = found + part
    return found


def back(condition, sums):
    """The condition with sums in place of their letters."""
    parts = []
    for part in condition.parts:
        if isinstance(part, Condition):
            parts.append(back(part, sums))
            continue
        found = part
        for letter, whole in sums.items():
            found = found.replaced(letter, whole)
        parts.append(found)
    return Condition(condition.kind, tuple(parts))


@given(st.data())
def test_with_the_sums_for_letters_all_is_as_it_was(data):
    letters = letters_of_a_kernel()
    shared = data.draw(sums(letters))
    every = [data.draw(sums(letters)) + shared.scaled(data.draw(st.integers(-2, 2))) for _ in range(4)]
    first, second, third, fourth = (at_least_zero(one) for one in every)
    conditions = first.and_(second.or_(third.negated())), fourth
    found, wholes = generalised(letters, *conditions)
    assert tuple(back(one, wholes) for one in found) == conditions
    assert all(len(whole.terms) > 1 for whole in wholes.values())


@given(st.integers(0, 64), st.integers(0, 64), st.integers(1, 9))
def test_rows_that_differ_by_constants_are_one_question(one, other, step):
    letters = letters_of_a_kernel()
    row, turn, size = (letters.form.symbol(name) for name in ("row", "turn", "K"))

    def question(rows):
        begin = row * size + size.scaled(rows) + row.scaled(5)
        return at_least_zero(turn.scaled(step) - begin), at_least_zero(turn.scaled(step).plus(8) - begin)

    asked = [generalised(letters, *question(rows))[0] for rows in (one, other)]
    assert asked[0] == asked[1]


def test_what_stands_in_one_comparison_alone_in_other_proportion_stays():
    letters = letters_of_a_kernel()
    row, turn = letters.form.symbol("row"), letters.form.symbol("turn")
    asked = at_least_zero(row + turn), at_least_zero(row - turn), at_least_zero(row + turn.scaled(2))
    assert generalised(letters, *asked) == (asked, {})
    assert generalised(letters, at_least_zero(ZERO.plus(1)))[1] == {}


def test_a_part_in_another_proportion_is_none_of_a_sum():
    letters = letters_of_a_kernel()
    row, turn, size = (letters.form.symbol(name) for name in ("row", "turn", "K"))
    whole = row * size + row
    asked = at_least_zero(whole + turn), at_least_zero(whole + turn.scaled(2)), at_least_zero(turn.plus(-3))
    found, wholes = generalised(letters, *asked)
    assert list(wholes.values()) == [whole]
    assert tuple(back(one, wholes) for one in found) == asked


def test_a_size_of_the_kernel_is_no_letter_of_a_sum():
    """What holds of a size named sum0 holds of no sum, which is 40 for row 4 and K 9."""
    domain = Domain.of({"lane": 64, "row": "K"}, {"K": (2, None), "sum0": (1, 8)})
    words = Words(NormalForm(domain))
    row, size = map(words.form.symbol, ("row", "K"))
    inside = words.compared("nonnegative", (row * size + row).plus(-5), ALWAYS)
    at_most_8 = words.compared("nonnegative", (-(row * size + row)).plus(8), ALWAYS)
    assert not ProverQuestions(words, prove).implied(inside, at_most_8)


def test_an_axis_and_a_size_of_one_name_are_two():
    """An argument of a kernel may be named as a letter of ours is."""
    words = Words(NormalForm(Domain.of({"lane": 64})))
    size = words.letter("turn", ZERO, None, is_size=True)
    axis = words.letter("turn", ZERO, None)
    large = (words.compared("nonnegative", one.plus(-5), ALWAYS) for one in (axis, size))
    assert not ProverQuestions(words, prove).implied(*large)


def test_a_part_is_taken_for_one_of_two_sums_that_it_may_belong_to():
    letters = letters_of_a_kernel()
    lane, row, turn, size = map(letters.form.symbol, NAMES)
    one, other = lane * size + lane, row * size + row
    asked = [one + other + turn, (one + other).scaled(2) + turn.scaled(2), one + turn, turn.plus(-3)]
    conditions = [at_least_zero(part) for part in (*asked, other + turn)]
    found, wholes = generalised(letters, *conditions)
    assert [back(part, wholes) for part in found] == conditions

"""Values that lanes decide: in every lane, from other lanes, and buffers counted by loops."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.gfx9.lifting.formula_letters import Letters
from layoutalg.codegen.gfx9.lifting.formula_numbers import Numbers, OpaqueLetterError
from layoutalg.codegen.gfx9.lifting.lane_guards import Lanes, OpaqueCondition
from layoutalg.codegen.gfx9.lifting.lane_numbers import LaneNumbers
from layoutalg.codegen.gfx9.lifting.loop_turns import Carried, solved
from layoutalg.codegen.gfx9.lifting.word_formulas import Words, constant
from layoutalg.domain import Domain
from layoutalg.rules.condition import Condition
from layoutalg.rules.interval import Interval
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial
from tests.codegen.gfx9.lifting.test_lift import lifted, vectors

BLOCK = {"launch": {"block": [256], "grid": [64]}}


def test_a_number_of_lanes_and_waves_has_the_range_of_its_values():
    letters = Letters(NormalForm(Domain.of({"lane": 64, "wave": 4, "x": 8})))
    form, lane, wave = letters.form, letters.lane, letters.form.symbol("wave")
    numbers = LaneNumbers(letters)
    odd = form.bit_xor(lane.scaled(3), wave.scaled(5)) - lane * form.divided(lane, form.integer(9))
    wanted = [(3 * lane ^ 5 * wave) - lane * (lane // 9) for wave in range(4) for lane in range(64)]
    assert numbers.numbers.of(odd).tolist() == wanted
    assert numbers.interval(odd) == Interval(min(wanted), max(wanted))
    mixed = odd + form.symbol("x") * lane
    assert numbers.parted(mixed) == (odd, form.symbol("x") * lane)


def test_products_with_what_lanes_decide_are_at_least_what_is_left_of_them():
    letters = Letters(NormalForm(Domain.of({"lane": 64, "wave": 4, "y": (-3, 5)}, {"ld": (1, None)})))
    form, lane, wave = letters.form, letters.lane, letters.form.symbol("wave")
    ld, y = form.symbol("ld"), form.symbol("y")
    in_tile = lane - form.divided(lane, form.integer(16)).scaled(16) - wave
    number = (in_tile + y) * ld + y * lane + wave.scaled(8) - ld * ld
    numbers = LaneNumbers(letters)
    smaller = numbers.products_at_least(number, lambda letter: Polynomial.letter(letter) == ld)
    assert smaller == y * ld + y * lane + wave.scaled(8) - ld * ld - ld.scaled(3)  # y may be negative
    for value in (1, 7, 4096):
        values = {"wave": 3, "y": -3, "ld": value}
        assert (Numbers(letters, values).of(number - smaller) >= 0).all()
    assert numbers.products_at_least(smaller, lambda _: False) == smaller


@pytest.mark.parametrize("times", [0, 1, -(2**31), 2**45, 2**57, -(2**61), 2**70])
def test_totals_are_exact_where_words_end(times):
    letters = Letters(NormalForm(Domain.of({"lane": 64, "wave": 4})))
    lane, wave = letters.lane, letters.form.symbol("wave")
    numbers = LaneNumbers(letters).numbers
    number = (lane * lane).scaled(times) + (lane * wave).scaled(3) - wave.scaled(times).plus(7)
    wanted = [times * n * n + 3 * n * w - times * w - 7 for w in range(4) for n in range(64)]
    assert numbers.of(number).tolist() == wanted
    assert numbers.total(number.terms).tolist() == wanted
    assert numbers.total(number.terms, np.array([70, 3])).tolist() == [wanted[70], wanted[3]]


@pytest.mark.parametrize("axes", [{}, {"wave": 2**32}, {"wave": "n"}])
def test_waves_are_counted_where_a_few_are_declared(axes):
    letters = Letters(NormalForm(Domain.of({"lane": 64, **axes}, {"n": (1, None)})))
    numbers = LaneNumbers(letters)
    for name in axes:
        wave = letters.form.symbol(name)
        assert numbers.parted(wave * letters.lane) == (ZERO, wave * letters.lane)
    assert numbers.interval(letters.lane * letters.lane) == Interval(0, 63 * 63)


def test_some_lane_is_one_of_the_same_wave():
    """A condition on any lane of a wave says nothing of the other waves."""
    words = Words(NormalForm(Domain.of({"lane": 64, "wave": 2})))
    first = words.guards.of(Condition("zero", (words.form.symbol("wave"),)))
    some = words.guards.of(OpaqueCondition("any", (Lanes(first),), is_uniform=True))
    lanes, waves = np.tile(np.arange(64), 2).astype(object), np.repeat([0, 1], 64).astype(object)
    assert Numbers(words, {"lane": lanes, "wave": waves}).guard(some).tolist() == [True] * 64 + [False] * 64
    with pytest.raises(OpaqueLetterError):
        Numbers(words, {"lane": lanes[:3], "wave": waves[:3]}).guard(some)


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("scale", [1, 4096])
def test_a_register_that_counts_buffers_is_solved(count, scale):
    words = Words(NormalForm(Domain.of({"lane": 64})))
    turn = words.letter("turn", ZERO, None)
    first, second = (words.unknown("carried", (name,), 0, 2**32 - 1) for name in ("number", "offset"))
    goes_round = words.guards.of(Condition("nonnegative", (first.plus(1 - count),)))
    more = words.guards.opposite(goes_round)
    (number,), (offset,) = first.letters, second.letters
    carried = {
        number: Carried((("s", 0),), number, 32, constant(0), ((more, first + ONE), (goes_round, ZERO))),
        offset: Carried(
            (("s", 1),),
            offset,
            32,
            constant(0),
            ((more, first.scaled(scale).plus(scale)), (goes_round, ZERO)),
        ),
    }
    found = solved(words, carried, turn)
    for letter, step in ((number, 1), (offset, scale)):
        for at in range(12):
            values = Numbers(words, {"turn": at})
            (held,) = [values.of(p)[0] for holds, p in found[letter] if values.guard(holds)[0]]
            assert held == at % count * step


def test_numbers_that_go_round_are_words_and_all_of_them_return():
    words = Words(NormalForm(Domain.of({"lane": 64})))
    turn = words.letter("turn", ZERO, None)
    one, other = (words.unknown("carried", (name,), 0, 2**32 - 1) for name in ("one", "other"))
    (first,), (second,) = one.letters, other.letters
    large = words.guards.of(Condition("nonnegative", (one.plus(-5),)))  # of a word, not of -1
    turned = ((words.guards.opposite(large), ZERO.plus(-1)), (large, ZERO))
    found = solved(words, {first: Carried((("s", 0),), first, 32, constant(0), turned)}, turn)
    assert [Numbers(words, {"turn": at}).of(found[first][0][1])[0] % 2**32 for at in range(4)] == [
        0,
        2**32 - 1,
    ] * 2
    last = words.guards.of(Condition("nonnegative", (other.plus(-2),)))
    begun = words.guards.of(Condition("nonnegative", (other.plus(-1),)))
    counts = ((words.guards.opposite(last), other + ONE), (last, ZERO))
    follows = ((words.guards.opposite(begun), ZERO), (begun, ZERO.plus(5)))
    both = {
        first: Carried((("s", 0),), first, 32, constant(5), follows),
        second: Carried((("s", 1),), second, 32, constant(0), counts),
    }
    cases = solved(words, both, turn)[first]
    for at, wanted in enumerate([5, 0, 5, 5, 0, 5, 5]):
        values = Numbers(words, {"turn": at})
        assert [values.of(p)[0] for holds, p in cases if values.guard(holds)[0]] == [wanted]


def test_a_register_that_counts_on_is_not_said_to_go_round():
    words = Words(NormalForm(Domain.of({"lane": 64})))
    turn = words.letter("turn", ZERO, None)
    first = words.unknown("carried", ("number",), 0, 2**32 - 1)
    (number,) = first.letters
    late = words.guards.of(Condition("nonnegative", (first.plus(-100),)))
    after = ((words.guards.opposite(late), first.plus(7)), (late, ZERO))
    assert number not in solved(words, {number: Carried((("s", 0),), number, 32, constant(0), after)}, turn)


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
def test_a_lane_reads_from_the_lane_that_it_names(target):
    text = """(float* y, int n) {
        int lane = threadIdx.x & 63, value = 5*lane + n;
        y[__builtin_amdgcn_ds_bpermute(4*(lane ^ 21) + 512, value)] = 1.0f;
    }"""
    (store,) = vectors(lifted(text, BLOCK | {"sizes": {"n": [0, 100]}}, target))
    assert store.is_understood
    at, active = store.offsets(wave=0, n=9, workgroup_x=0, y=0)
    assert active.all()
    assert at.tolist() == [4 * (5 * (lane ^ 21) + 9) for lane in range(64)]


def test_a_lane_that_is_off_is_not_read():
    text = """(float* y, int n) {
        int lane = threadIdx.x & 63, value = 5*lane;
        asm volatile("" : "+v"(value));  // computed by all lanes
        if (lane < n) y[__builtin_amdgcn_ds_bpermute(4*(lane ^ 21), value)] = 1.0f;
    }"""
    (store,) = vectors(lifted(text, BLOCK | {"sizes": {"n": [0, 64]}}))
    assert not store.is_understood


def test_the_bits_of_a_few_lanes_turned_around():
    text = "(float* y) { y[__builtin_bitreverse32(threadIdx.x & 23) >> 25] = 1.0f; }"
    (store,) = vectors(lifted(text, BLOCK))
    at, _ = store.offsets(wave=1, workgroup_x=0, y=0)
    assert at.tolist() == [4 * (int(f"{lane & 23:032b}"[::-1], 2) >> 25) for lane in range(64)]


def test_a_bit_of_a_mask_of_lanes_is_what_its_lane_says():
    text = """(float* y, int n) {
        int lane = threadIdx.x & 63;
        unsigned long long mask = __builtin_amdgcn_ballot_w64(3*lane < n);
        if (mask >> (lane ^ 5) & 1) y[threadIdx.x] = 1.0f;
    }"""
    (store,) = vectors(lifted(text, BLOCK | {"sizes": {"n": [0, 200]}}))
    _, active = store.offsets(wave=0, n=77, workgroup_x=0, y=0)
    assert active.tolist() == [3 * (lane ^ 5) < 77 for lane in range(64)]

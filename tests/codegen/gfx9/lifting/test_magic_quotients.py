"""Multiplications and shifts that stand for divisions are told where they are that for every number."""

from __future__ import annotations

import itertools

import pytest

from layoutalg.codegen.gfx9.lifting.formula_letters import Letters
from layoutalg.codegen.gfx9.lifting.formula_quotients import Quotients
from layoutalg.domain import Domain
from layoutalg.index.evaluate import evaluate
from layoutalg.rules.from_text import parse
from layoutalg.rules.normal_form import NormalForm

PLACES = 256 * 515
BITS = 40
WORD = 2**32


def place_of_threads():
    """Quotients, and the place of a thread among so many."""
    quotients = Quotients(Letters(NormalForm(Domain.of({"lane": 64, "wave": 4, "x": PLACES // 256}))))
    form = quotients.form
    return quotients, form.symbol("x").scaled(256) + form.symbol("wave").scaled(64) + quotients.letters.lane


@pytest.mark.parametrize("scale", [1, 2, 4, 8])
@pytest.mark.parametrize("divisor", [3, 129, 513, 2145])
def test_the_quotient_of_a_multiple_is_told(divisor, scale):
    quotients, place = place_of_threads()
    form = quotients.form
    magic, size = -(-(1 << BITS) // divisor), (1 << BITS) // scale
    wanted = form.divided(place.scaled(scale), form.integer(divisor))
    assert quotients.divided(place.scaled(magic), size) == wanted
    assert all(x * magic // size == scale * x // divisor for x in range(PLACES))
    short = quotients.divided(place.scaled(magic - 2**12), size)  # too small for the largest places
    assert short != wanted
    assert any(x * (magic - 2**12) // size != scale * x // divisor for x in range(PLACES))


@pytest.mark.sample(4)
@pytest.mark.parametrize("added", [1, 38, 319, 2144])
@pytest.mark.parametrize("scale", [1, 2, 8])
@pytest.mark.parametrize("divisor", [3, 129, 513, 2145])
def test_the_quotient_of_a_multiple_and_a_number_is_told(divisor, scale, added):
    """Of ``(scale*x + added)*magic >> bits`` a form without the common factor is left."""
    quotients, place = place_of_threads()
    form = quotients.form
    magic, size = -(-(1 << BITS) // divisor) + scale, (1 << BITS) // scale  # above what is dropped
    wanted = form.divided(place.scaled(scale).plus(added), form.integer(divisor))
    assert quotients.divided(place.scaled(magic).plus(added * magic // scale), size) == wanted
    exact = [(scale * x + added) // divisor for x in range(PLACES)]
    assert [(x * magic + added * magic // scale) // size for x in range(PLACES)] == exact
    more = (added + 1) * magic // scale + 1  # no longer that of this number
    if any((x * magic + more) // size != n for x, n in enumerate(exact)):
        assert quotients.divided(place.scaled(magic).plus(more), size) != wanted


@pytest.mark.parametrize("divisor", [3, 6, 129, 513, 2145])
def test_a_quotient_by_a_negative_number_is_rounded_toward_0(divisor):
    """Compilers multiply, shift, and add the sign; they divide so where the quotient is taken away."""
    quotients, place = place_of_threads()
    magic = -(-(1 << BITS) // divisor)
    made = quotients.divided(place.scaled(-magic), 1 << BITS)
    sign = quotients.divided(place.scaled(-magic), 1 << 64)
    assert made - sign == -quotients.form.divided(place, quotients.form.integer(divisor))
    assert all(-x * magic // 2**BITS - -x * magic // 2**64 == -(x // divisor) for x in range(PLACES))
    short = quotients.divided(place.scaled(2**12 - magic), 1 << BITS)
    assert short - sign != made - sign
    assert any(
        -x * (magic - 2**12) // 2**BITS - -x * magic // 2**64 != -(x // divisor) for x in range(PLACES)
    )


@pytest.mark.parametrize("divisor", [3, 6, 513])
def test_half_of_the_next_quotient_is_one_of_twice_the_number(divisor):
    """As compilers round up by an even number: ``(x // 6 + 1) >> 1`` is ``(x + 6) // 12``."""
    quotients, place = place_of_threads()
    form = quotients.form
    half = form.divided(place.plus(5), form.integer(divisor))
    wanted = form.divided(place.plus(5 + divisor), form.integer(2 * divisor))
    assert quotients.divided(half.plus(1), 2) == wanted
    assert all(((x + 5) // divisor + 1) // 2 == (x + 5 + divisor) // (2 * divisor) for x in range(PLACES))


def test_facts_bound_a_size_more_closely_than_its_type_does():
    """A magic number that is wrong past 2**31 is the right one of a size that facts keep below."""
    magic = 715827883
    typed = Domain.of({"lane": 64}, {"K": (1, 2**31), "lda": (1, 2**31), "M": (1, 2**31)})
    K, lda, M = (typed[name] for name in ("K", "lda", "M"))
    for domain, is_bounded in ((typed, False), (typed.where(lda >= K, lda * M <= 2**30), True)):
        quotients = Quotients(Letters(NormalForm(domain)))
        whole = quotients.form.symbol("K").plus(95)
        wanted = quotients.form.divided(whole, quotients.form.integer(96))
        assert (quotients.divided(whole.scaled(magic), 2**36) == wanted) == is_bounded
    wrong = next(x for x in range(2**31, 2**31 + 96) if x * magic // 2**36 != x // 96)
    assert all(x * magic // 2**36 == x // 96 for x in range(wrong - 10_000, 2**31))


@pytest.mark.parametrize("rows", [0, 3])
@pytest.mark.parametrize("added", [64, 4096, 2**31])
def test_a_carry_out_of_a_low_word_is_a_difference_of_quotients(rows, added, monkeypatch):
    """And nothing is searched for: that the sum is less than a word is known of no larger number."""
    domain = Domain.of({"lane": 64, "x": "M"}, {"M": (1, None), "K": (1, None)})
    quotients = Quotients(Letters(NormalForm(domain)))
    form = quotients.form
    whole = form.symbol("K") * form.symbol("x")
    more = form.symbol("K").scaled(rows).plus(added)
    high = quotients.divided(whole, WORD)
    monkeypatch.setattr(quotients, "is_shown", None)
    carry = quotients.divided(whole - high.scaled(WORD) + more, WORD)
    wanted = parse(f"(K*x + {rows}*K + {added})//2**32 - K*x//2**32", domain)
    assert carry == form.of(wanted)
    for k, x in itertools.product([1, 7, 2**20 - 1, 2**31 - 1], [0, 5, 2**12 + 1, 2**31 - 2]):
        low, last = k * x % WORD, rows * k + added
        assert evaluate(wanted, {"K": k, "x": x, "M": x + 1, "lane": 0}) == (low + last) // WORD


def test_a_low_word_has_no_carry():
    quotients = Quotients(Letters(NormalForm(Domain.of({"lane": 64, "x": 2**32 + 1}))))
    x = quotients.form.symbol("x")
    high = quotients.divided(x, WORD)
    assert high != quotients.form.integer(0)
    assert quotients.divided(x - high.scaled(WORD), WORD) == quotients.form.integer(0)

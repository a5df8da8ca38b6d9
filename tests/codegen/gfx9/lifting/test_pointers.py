"""A pointer has 48 bits and its array ends within them: of what lies inside no bit is lost in 48."""

from __future__ import annotations

import pytest

from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.domain import Domain
from layoutalg.rules.from_text import parse
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.polynomial import ZERO, Polynomial

BITS, HALF = 48, 32
EXTENTS = {  # of an array, and where a matrix begins in it
    "rows one after another": ("M*K", "0"),
    "rows farther apart": ("(M - 1)*lda + K", "0"),
    "a batch of such": ("(count - 1)*stride + (M - 1)*lda + K", "z*stride"),
}
DOMAIN = Domain.of(
    {"lane": 64, "z": "count"},
    {
        "M": (1, 2**20),
        "K": (1, 2**20),
        "lda": (1, 2**20),
        "count": (1, 2**15),
        "stride": (0, 2**25),
    },
)


def pointer_in(extent, *, has_both_ends=True):
    """Formulas of words, and a pointer at an array of so many bytes."""
    words = Words(NormalForm(DOMAIN))
    last = Polynomial.constant(2**BITS - 1)
    before_end = last.plus(1) - words.form.of(parse(extent, DOMAIN))
    more = (last,) if has_both_ends else ()
    return words, words.letter("a", ZERO, before_end, more_highs=more)


def is_whole_in_48_bits(words, address):
    """Whether the words of a buffer resource, the high one cut to 16 bits, are the address."""
    low = words.masked(address, 2**HALF - 1, 64)
    high = words.masked(words.ranges.divided(address, 2**HALF), 2 ** (BITS - HALF) - 1, HALF)
    return words.unsigned(low + high.scaled(2**HALF), 64, ALWAYS) == address


@pytest.mark.parametrize("name", EXTENTS)
def test_no_bit_is_lost_of_what_lies_in_an_array(name):
    extent, begin = EXTENTS[name]
    words, pointer = pointer_in(extent)
    assert is_whole_in_48_bits(words, pointer + words.form.of(parse(begin, DOMAIN)))


def test_what_lies_behind_an_array_may_lose_bits():
    extent, _ = EXTENTS["a batch of such"]
    words, pointer = pointer_in(extent)
    assert not is_whole_in_48_bits(words, pointer + words.form.of(parse("count*stride + M*lda", DOMAIN)))


def test_either_end_bounds_a_pointer():
    extent, _ = EXTENTS["rows farther apart"]
    for has_both, most in ((True, 2**BITS - 1), (False, None)):
        words, pointer = pointer_in(extent, has_both_ends=has_both)
        high = words.form.bounds.interval(pointer).high
        assert high == most if most else high > 2**BITS - 1

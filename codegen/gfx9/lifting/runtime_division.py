"""Division by a number that is known when the kernel runs: a reciprocal and what mends it, as ``x // y``.

The machine has no integer division. Compilers take the reciprocal of ``y`` as a float, a little too small, as
``z``; mend it once, ``z += mulhi(z, -y*z)``; and estimate ``q = mulhi(x, z)``, which they raise by one, and
again, where ``x - q*y >= y``. Here the estimate is ``x // y - more - (more and still)``, with two truths of
which nothing is known. The comparisons and selections that follow are executed as they stand: that they come
to ``x // y`` is seen, not assumed, and other code that follows gets no better than it is.

The lemma: ``0 <= x // y - q <= 2`` for all words ``x`` and ``1 <= y < 2**24``, if the reciprocal is right to
one unit in the last place, as is said of v_rcp_f32, and floats are rounded to the nearest. It follows by a
line of arithmetic from ``2**32 - 2*y <= z*y <= 2**32``; the tests compute that, for every such ``y``. Larger
divisors are rounded on their way to a float, and for a few of them a reciprocal that is off by the whole unit
gives an estimate too large: their divisions stay unknown.
Source of the pattern: LLVM, AMDGPUCodeGenPrepare.cpp, expandDivRem32; AMDGPUISelLowering.cpp, LowerUDIVREM.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from layoutalg.codegen.gfx9.lifting.lane_guards import NEVER, OpaqueCondition
from layoutalg.codegen.gfx9.lifting.word_formulas import Value, Words
from layoutalg.rules.linear_search import is_shown_by_products
from layoutalg.rules.polynomial import Polynomial

__all__ = ["EXACT", "SCALE", "estimated_quotient"]

SCALE = 0x4F7FFFFE  # the bits of the float that is next but one below 2**32
MENDING = "what mends a reciprocal"
NO_DIVISOR = "divisor not shown to be from 1 to 2**24 - 1"
BITS = 32
EXACT = 2**24  # whole numbers below are floats


def estimated_quotient(words: Words, left: Value, right: Value, *, is_uniform: bool) -> Value | None:
    """The high word of a product that is a step of a division; None of all others."""
    for one, other in ((left, right), (right, left)):
        if len(one) != 1:
            continue
        divisors = _divisors_of_reciprocal(words, one[0][1])
        if divisors is not None and _is_error(words, one[0][1], divisors, other):
            found = words.unknown(MENDING, (one[0][1],), 0, 2**BITS - 1)
            return ((words.inside, found),)
        divisors = _divisors_of_mended(words, one[0][1])
        if divisors is not None:
            return _estimated(words, other, divisors, is_uniform=is_uniform)
    return None


def _estimated(words: Words, numbers: Value, divisors: Value, *, is_uniform: bool) -> Value:
    """``x // y`` less what an estimate may lack; unknown of divisors that the lemma does not speak of."""
    guards, found = words.guards, []
    for both, x, y in _pairs(words, numbers, divisors):
        number, divisor = words.unsigned(x, BITS, both), words.unsigned(y, BITS, both)
        with words.under(both):
            ends = divisor.plus(-1), (-divisor).plus(EXACT - 1)
            is_shown = all(
                words.ranges.is_shown(end) or is_shown_by_products(words.form, end) for end in ends
            )
            quotient = words.form.divided(number, divisor) if is_shown else None
        if quotient is None:
            found.append((both, words.unknown(NO_DIVISOR, (number, divisor), 0, 2**BITS - 1)))
            continue
        more, still = (
            guards.of(OpaqueCondition(name, (number, divisor), is_uniform=is_uniform))
            for name in ("quotient is more", "quotient is still more")
        )
        found.append((both, quotient - words.truth(more) - words.truth(guards.both(more, still))))
    return words.within(tuple(found), words.inside)


def _divisors_of_reciprocal(words: Words, polynomial: Polynomial) -> Value | None:
    """The y of ``uint(float(SCALE) * (1 / float(y)))``, by cases; None of other formulas."""
    scaled = _operands(words, polynomial, "v_cvt_u32_f32", 1)
    factors = None if scaled is None else _operands(words, _only(scaled[0]), "v_mul_f32", 2)
    if factors is None:
        return None
    for one, other in (factors, factors[::-1]):
        number = _only(one)
        if number is not None and number.as_integer == SCALE:
            inverse = _operands(words, _only(other), "v_rcp_iflag_f32", 1)
            whole = None if inverse is None else _operands(words, _only(inverse[0]), "v_cvt_f32_u32", 1)
            return None if whole is None else whole[0]
    return None


def _divisors_of_mended(words: Words, polynomial: Polynomial) -> Value | None:
    """The y of a reciprocal with what mends it."""
    for letter in polynomial.letters:
        known = words.opaque.get(letter)
        if known is not None and known.name == MENDING:
            (reciprocal,) = known.operands
            assert isinstance(reciprocal, Polynomial)
            if polynomial == reciprocal + Polynomial.letter(letter):
                return _divisors_of_reciprocal(words, reciprocal)
    return None


def _is_error(words: Words, reciprocal: Polynomial, divisors: Value, value: Value) -> bool:
    """Whether a value is ``-y * z``, in every case."""
    pairs = list(_pairs(words, value, divisors))
    covered = reduce(words.guards.either, (both for both, _, _ in pairs), NEVER)
    return words.guards.implies(words.inside, covered) and all(
        not words.reduced(found + divisor * reciprocal, BITS) for _, found, divisor in pairs
    )


def _pairs(words: Words, left: Value, right: Value) -> Iterator[tuple[int, Polynomial, Polynomial]]:
    """The cases of two values that are possible together, inside."""
    for holds, one in left:
        for also, other in right:
            both = words.guards.both(words.guards.both(holds, also), words.inside)
            if not words.guards.is_empty(both):
                yield both, words.settled(one, both), words.settled(other, both)


def _operands(words: Words, polynomial: Polynomial | None, name: str, count: int) -> tuple[Value, ...] | None:
    """The operands of an instruction without modifiers whose result a formula is."""
    letter = None if polynomial is None else polynomial.as_letter
    known = None if letter is None else words.opaque.get(letter)
    if known is None or known.name != name or known.operands[count:] != ((), 0):
        return None
    return known.operands[:count]  # type: ignore[return-value]


def _only(value: Value) -> Polynomial | None:
    """What a value is in its only case."""
    return value[0][1] if len(value) == 1 else None

"""Arithmetic of machine words on formulas: exact modulo a power of two, and honest about where it wraps.

The bits of a word are a polynomial modulo ``2**n`` over whole-number letters: sums, products and shifts to
the left need nothing more. Whatever looks at the number itself (a shift to the right, a comparison, a wider
type) takes ``P - 2**n * (P // 2**n)``; where ranges and facts show that ``P`` lies within the type the
quotient is gone, and where they do not it stays as a letter that is remembered as a wrap, with the claim that
is missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce

from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, NEVER
from layoutalg.codegen.gfx9.lifting.word_cases import Value, WordCases
from layoutalg.errors import MissingFactError
from layoutalg.rules.bounds import strengthened
from layoutalg.rules.condition import Condition
from layoutalg.rules.interval import Interval
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial

__all__ = ["Value", "Words", "Wrap", "constant", "runs_of_ones"]

OVERFLOWS = 2**20  # quotients by at least so much, units of elements taken out, are overflows of a type
MOST_TERMS = 160
LONG = 80  # terms, with those of operations; those of remaps of workgroups have some 60


def constant(number: int) -> Value:
    """A number as a value."""
    return ((ALWAYS, Polynomial.constant(number)),)


def runs_of_ones(mask: int) -> Iterator[tuple[int, int]]:
    """Where the runs of ones of a mask begin and end, from the lowest.

    >>> list(runs_of_ones(0b1101110))
    [(1, 4), (5, 7)]
    """
    position = 0
    while mask >> position:
        while not mask >> position & 1:
            position += 1
        first = position
        while mask >> position & 1:
            position += 1
        yield first, position


@dataclass(frozen=True)
class Wrap:
    """A number that was not shown to fit a type: ``low <= number < high`` is the claim that is missing."""

    number: Polynomial
    low: int
    high: int
    place: int


class Words(WordCases):
    """The arithmetic of one kernel.

    ``inside``: the guard under which values are being computed; ``wraps``: letters of numbers that were not
    shown to fit their type.
    """

    def __init__(self, form: NormalForm) -> None:
        super().__init__(form)
        self.wraps: dict[int, Wrap] = {}
        self._fits: dict[tuple[Polynomial, int, int, int], Polynomial] = {}

    # --- numbers that fit a type

    def unsigned(self, polynomial: Polynomial, bits: int, guard: int) -> Polynomial:
        """The number that the low bits are."""
        return self._fitted(polynomial, bits, 0, guard)

    def signed(self, polynomial: Polynomial, bits: int, guard: int) -> Polynomial:
        """The number that the low bits are in two's complement."""
        return self._fitted(polynomial, bits, 1 << bits - 1, guard)

    def is_signed(self, polynomial: Polynomial, bits: int) -> bool:
        """Whether ranges show that a number is that of a word in two's complement."""
        low, high = self.ranges.interval(polynomial)
        return low >= -(1 << bits - 1) and high < 1 << bits - 1

    def _fitted(self, polynomial: Polynomial, bits: int, below: int, guard: int) -> Polynomial:
        """The low bits as a number from ``-below`` on.

        Of a long formula an unknown word: divisions that are written out wrap at each step, and each wrap is
        made of all steps before.
        """
        if self.is_longer(polynomial, LONG):
            operands = self.reduced(polynomial.plus(below), bits), bits
            return self.unknown("long formula", operands, 0, (1 << bits) - 1).plus(-below)
        low, high = self.ranges.interval(polynomial)
        if low >= -below and high < (1 << bits) - below:
            return polynomial
        key = (polynomial, bits, below, guard)
        found = self._fits.get(key)
        if found is None and (settled := self._with_signs(polynomial, guard)) != polynomial:
            found = self._fits[key] = self._fitted(settled, bits, below, guard)
        if found is None:
            shifted = polynomial.plus(below)
            quotient = self._wraps(shifted, 1 << bits, guard)
            for letter in filter(self._is_overflow, quotient.letters - polynomial.letters):
                self.wraps.setdefault(letter, Wrap(polynomial, -below, (1 << bits) - below, self.place))
            found = polynomial - quotient.scaled(1 << bits)
            self._fits[key] = found
        return found

    def _with_signs(self, polynomial: Polynomial, guard: int) -> Polynomial:
        """With 0 or -1 for copies of a sign that a guard decides: compilers make them before they ask."""
        for letter in filter(self._is_overflow, polynomial.letters):
            if self.ranges.interval(Polynomial.letter(letter)) != Interval(-1, 0):
                continue
            number = self.form.atoms[letter].operands[0]
            with self.under(guard):
                if self.ranges.is_shown(number):
                    polynomial = polynomial.replaced(letter, ZERO)
                elif self.ranges.is_shown((-number).plus(-1)):
                    polynomial = polynomial.replaced(letter, Polynomial.constant(-1))
        return polynomial

    def _is_overflow(self, letter: int) -> bool:
        """Whether a quotient is by the size of a type, not one that takes bits out of a word."""
        atom = self.form.atoms[letter]
        size = atom.operands[1].as_integer if atom.kind == "floor" else None
        return size is not None and size >= OVERFLOWS

    def _wraps(self, number: Polynomial, size: int, guard: int) -> Polynomial:
        """``number // size``, nothing where it is shown to fit."""
        with self.under(guard):
            if self.ranges.is_shown(number) and self.ranges.is_shown((-number).plus(size - 1)):
                return ZERO
            return self.ranges.divided(number, size)

    # --- words

    def reduced(self, polynomial: Polynomial, bits: int) -> Polynomial:
        """The polynomial modulo ``2**bits``, with coefficients next to zero."""
        half, size = 1 << bits - 1, 1 << bits
        if all(-half <= c < half for c in polynomial.terms.values()):
            return polynomial
        terms = {m: (c + half) % size - half for m, c in polynomial}
        return Polynomial({m: c for m, c in terms.items() if c})

    def product(self, left: Polynomial, right: Polynomial, bits: int) -> Polynomial:
        if len(left.terms) * len(right.terms) > MOST_TERMS:
            return self.unknown("product", (left, right), 0, 2**bits - 1)
        return self.reduced(left * right, bits)

    def shift_by(self, polynomial: Polynomial, places: Polynomial, bits: int) -> Polynomial:
        """``P << q`` for a number of places that is a formula."""
        low, high = self.ranges.interval(places)
        if low < 0 or high >= bits:
            return self.unknown("shift_left", (polynomial, places), 0, 2**bits - 1)
        return self.product(polynomial, self.form.shift_left(ONE, places), bits)

    def masked(self, polynomial: Polynomial, mask: int, bits: int) -> Polynomial:
        """``P & mask``, run of ones by run of ones; of ``P`` only the value modulo ``2**bits`` counts."""
        found = ZERO
        for first, end in runs_of_ones(mask):
            below = self._low_part(polynomial, first)
            above = polynomial if end >= bits else self._low_part(polynomial, end)
            found = found + above - below
        return self.reduced(found, bits)

    def _low_part(self, polynomial: Polynomial, bits: int) -> Polynomial:
        """``P % 2**bits``."""
        if not bits:
            return ZERO
        size = 1 << bits
        low, high = self.ranges.interval(polynomial)
        if low >= 0 and high < size:
            return polynomial
        small = self.reduced(polynomial, bits)
        low, high = self.ranges.interval(small)
        if low >= 0 and high < size:
            return small
        letter = small.as_letter
        if letter is not None and self.form.atoms[letter].kind == "xor":  # bit by bit
            parts = [self._low_part(part, bits) for part in self.form.atoms[letter].operands]
            if all(map(self.ranges.is_shown, parts)):
                return reduce(self.form.bit_xor, parts)
        with self.under(self.inside):
            return small - self.ranges.divided(small, size).scaled(size)

    def conjunction(self, left: Polynomial, right: Polynomial, bits: int, guard: int) -> Polynomial:
        """``left & right``."""
        for one, other in ((left, right), (right, left)):
            mask = one.as_integer
            if mask is not None:
                return self.masked(other, mask % (1 << bits), bits)
        if left == right:
            return left
        if not self.reduced((left + right).plus(1), bits):  # a number and its complement
            return ZERO
        both = self.unsigned(left, bits, guard), self.unsigned(right, bits, guard)
        return self._of_bits("and", self.form.bit_and, both, bits)

    def disjunction(self, left: Polynomial, right: Polynomial, bits: int, guard: int) -> Polynomial:
        """``left | right``."""
        for one, other in ((left, right), (right, left)):
            if self._is_below(other, 1 << min(self._trailing_zeros(one), bits), guard):
                return self.reduced(left + right, bits)
        return self.reduced(left + right - self.conjunction(left, right, bits, guard), bits)

    def exclusive(self, left: Polynomial, right: Polynomial, bits: int, guard: int) -> Polynomial:
        """``left ^ right``."""
        half = 1 << bits - 1
        for one, other in ((left, right), (right, left)):
            mask = one.as_integer
            if mask is None:
                continue
            if not mask % (2 * half):
                return other
            if mask % (2 * half) == 2 * half - 1:
                return self.reduced(-other.plus(1), bits)
            if mask % (2 * half) >= half:  # the highest bit by itself
                rest = mask % half
                inner = self.exclusive(other, Polynomial.constant(rest), bits, guard) if rest else other
                return self.reduced(inner.plus(half), bits)
            if self.ranges.interval(other)[0] < 0:  # only the bits below the highest of the mask change
                below = self._low_part(other, (mask % half).bit_length())
                low = Polynomial.constant(mask % half)
                changed = self._of_bits("xor", self.form.bit_xor, (below, low), bits)
                return self.reduced(other - below + changed, bits)
        both = self.unsigned(left, bits, guard), self.unsigned(right, bits, guard)
        return self._of_bits("xor", self.form.bit_xor, both, bits)

    def _of_bits(
        self,
        name: str,
        operation: Callable[[Polynomial, Polynomial], Polynomial],
        both: tuple[Polynomial, Polynomial],
        bits: int,
    ) -> Polynomial:
        """A bit operation on two numbers that are not negative: quotients of a wrap are not looked into."""
        if any(p.letters & self.wraps.keys() or len(p.terms) > MOST_TERMS // 4 for p in both):
            return self.unknown(name, both, 0, 2**bits - 1)
        if not all(self.ranges.is_shown(p) for p in both):
            return self.unknown(name, both, 0, 2**bits - 1)
        try:
            return operation(*both)
        except MissingFactError:  # shown with more than the normal form knows
            return self.unknown(name, both, 0, 2**bits - 1)

    def _is_below(self, polynomial: Polynomial, size: int, guard: int) -> bool:
        """Whether a number is shown to be from 0 to ``size - 1``."""
        low, high = self.ranges.interval(polynomial)
        if low >= 0 and high < size:
            return True
        if size < OVERFLOWS:  # bits of one word: ranges know all there is to know
            return False
        with self.under(guard):
            return self.ranges.is_shown(polynomial) and self.ranges.is_shown((-polynomial).plus(size - 1))

    @staticmethod
    def _trailing_zeros(polynomial: Polynomial) -> int:
        common = 0
        for _, coefficient in polynomial:
            common = math.gcd(common, abs(coefficient))
        return (common & -common).bit_length() - 1 if common else 64

    def compared(self, kind: str, polynomial: Polynomial, guard: int) -> int:
        """The guard of ``P >= 0`` or ``P == 0``; of letters that are 0 or 1, by cases."""
        for letter in polynomial.letters & self.truths.keys():
            holds = self.truths[letter]
            yes = self.compared(kind, polynomial.replaced(letter, ONE), self.guards.both(guard, holds))
            no = self.compared(kind, polynomial.replaced(letter, ZERO), self.guards.without(guard, holds))
            return self.guards.chosen(holds, yes, no)
        with self.under(guard):
            if kind == "nonnegative":
                if self.ranges.is_shown(polynomial):
                    return ALWAYS
                if self.ranges.is_shown((-polynomial).plus(-1)):
                    return NEVER
                return self.guards.of(Condition("nonnegative", (strengthened(polynomial),)))
            if self.ranges.is_shown(polynomial.plus(-1)) or self.ranges.is_shown((-polynomial).plus(-1)):
                return NEVER
            is_ordered = self._is_of_turns(polynomial) or self._is_of_lanes(polynomial)
            for one in (polynomial, -polynomial) if is_ordered else ():
                if self.ranges.is_shown(one):  # != tells of turns what < tells: both are to be one condition
                    more = Condition("nonnegative", (strengthened(one.plus(-1)),))
                    return self.guards.opposite(self.guards.of(more))
            return self.guards.of(self.form.equal(polynomial, ZERO))

    def _is_of_lanes(self, polynomial: Polynomial) -> bool:
        """Whether lane and wave alone decide a number."""
        return not self.ranges.lanes.parted(polynomial)[1].letters

    def _is_of_turns(self, polynomial: Polynomial) -> bool:
        """Whether turns of the loops around decide a number, as sums of them."""
        return any(turn.letters <= polynomial.letters for turn in self.turns)

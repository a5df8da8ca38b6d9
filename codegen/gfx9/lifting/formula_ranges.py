"""Ranges of polynomials as machine code needs them, and which are shown not to be negative.

Beside what the normal form knows of ranges: every value of what lane and wave alone decide; quotients seen as
digits, as what they are quotients of, bits that are multiplied with something, case by case. What ranges do
not show is asked of facts: their products, searched and by linear arithmetic.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> letters = Letters(NormalForm(Domain.of({"lane": 64, "w": "M//4"}, {"M": (4, None)})))
>>> ranges, lane, size = Ranges(letters), letters.lane, letters.form.symbol("M")
>>> ranges.interval(lane * lane - lane)
Interval(low=0, high=3906)
>>> ranges.is_shown(size - letters.form.symbol("w").scaled(4).plus(4))
True
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from layoutalg.codegen.gfx9.lifting.formula_letters import Letters
from layoutalg.codegen.gfx9.lifting.lane_numbers import LaneNumbers
from layoutalg.rules.bounds import strengthened
from layoutalg.rules.interval import EVERYTHING, Interval
from layoutalg.rules.linear_search import is_shown_by_products
from layoutalg.rules.polynomial import ONE, ZERO, Monomial, Polynomial
from layoutalg.rules.products_of_facts import shown_nonnegative
from layoutalg.rules.ranges_under_facts import RangesUnderFacts

__all__ = ["Ranges"]


BIT_KINDS = ("xor", "and", "or")
EFFORT = 300_000  # squares of terms of numbers for which facts are searched in vain, in a whole kernel
MOST_DIVISOR = 2**20  # of a quotient that is compared
MOST_SEARCHED = 50  # terms of a number for which facts are searched; what is found so is of some 30


class Ranges:
    """Ranges over one normal form; ``facts``: how many of guards are taken at the moment.

    ``known``: ranges of polynomials that say more than their terms.
    """

    def __init__(self, letters: Letters) -> None:
        self.letters, self.form = letters, letters.form
        self.lanes = LaneNumbers(letters)
        self.facts = 0
        self.known: dict[Polynomial, Interval] = {}
        self._ranges: dict[tuple[Polynomial, ...], RangesUnderFacts] = {}
        self._linear: dict[tuple[Polynomial, tuple[Polynomial, ...]], bool] = {}
        self._left = EFFORT
        self._searched: dict[tuple[Polynomial, tuple[Polynomial, ...]], tuple[float, float]] = {}

    def interval(self, polynomial: Polynomial) -> Interval:
        """Smallest and largest value: of the sum, of its digits, of what its quotients are quotients of."""
        bounds, atoms = self.form.bounds, self.form.atoms
        found = bounds.interval(polynomial)
        for sign in (1, -1):
            known = self.known.get(polynomial.scaled(sign))
            found = found if known is None else found.within(known.scaled(sign))
        own, rest = self._in_lanes(polynomial)
        if own:
            found = found.within(self.lanes.interval(own) + bounds.interval(rest))
            if not rest.letters:
                return found
        floors = atoms.of_kind("floor", polynomial)
        if not floors:
            return found
        found = found.within(bounds.interval(self.form.digits.split(polynomial)))
        found = found.within(self._by_bit(polynomial))
        if len(floors) > 1:
            found = found.within(self._by_quotients(polynomial, floors))
            parts = self._independent(polynomial)
            if len(parts) > 1:
                found = found.within(reduce(Interval.__add__, map(self.interval, parts)))
        for letter in floors:
            number, divisor = atoms[letter].operands
            factor, size = polynomial.coefficient(letter), divisor.as_integer
            times = None if factor is None else factor.as_integer
            if size is None or not times:
                continue
            rest = polynomial.without(letter)
            exact = bounds.interval(self.form.digits.split(rest.scaled(size) + number.scaled(times)))
            most = (size - 1) * abs(times)  # what rounding down leaves away
            ends = (
                Interval(exact.low - most, exact.high)
                if times > 0
                else Interval(exact.low, exact.high + most)
            )
            found = found.within(Interval(-(-ends.low // size), ends.high // size))
            if len(number.terms) > 1:
                found = found.within(self._by_digit(polynomial, letter, number, size))
        return found

    def _in_lanes(self, polynomial: Polynomial) -> tuple[Polynomial, Polynomial]:
        """What lane and wave alone decide, if that is more than a sum of them, and the rest."""
        own, rest = self.lanes.parted(polynomial)
        is_sum = all(len(m) == 1 and self.form.atoms[m[0]].kind == "axis" for m, _ in own)
        return (ZERO, polynomial) if is_sum else (own, rest)

    def _by_quotients(self, polynomial: Polynomial, floors: Sequence[int]) -> Interval:
        """The range with ``(n - rest)/d`` in place of every quotient ``n // d``, each rest by itself."""
        atoms, whole = self.form.atoms, 1
        parts = []
        for letter in floors:
            number, divisor = atoms[letter].operands
            factor, size = polynomial.coefficient(letter), divisor.as_integer
            times = None if factor is None else factor.as_integer
            if size is not None and times is not None:
                parts.append((letter, number, size, times))
                whole = math.lcm(whole, size)
        exact, below, above = polynomial, 0, 0
        for letter, *_ in parts:
            exact = exact.without(letter)
        exact = exact.scaled(whole)
        for _, number, size, times in parts:
            exact = exact + number.scaled(times * (whole // size))
            left = (size - 1) * abs(times) * (whole // size)
            below, above = (below + left, above) if times > 0 else (below, above + left)
        low, high = self.form.bounds.interval(self.form.digits.split(exact))
        return Interval(-(-(low - below) // whole), (high + above) // whole)

    def _independent(self, polynomial: Polynomial) -> list[Polynomial]:
        """Parts of a sum that have no letter in common: each is as small as it can be by itself."""
        found: list[tuple[frozenset[int], dict[Monomial, int]]] = []
        for monomial, coefficient in polynomial:
            bases = frozenset().union(*map(self.letters.bases_of, monomial))
            terms = {monomial: coefficient}
            for other in [part for part in found if part[0] & bases]:
                found.remove(other)
                bases, terms = bases | other[0], other[1] | terms
            found.append((bases, terms))
        return [Polynomial(terms) for _, terms in found]

    def _by_bit(self, polynomial: Polynomial) -> Interval:
        """The range where something that is 0 or 1 is times something else: in both cases."""
        for letter in {x for m, _ in polynomial if len(m) > 1 for x in m}:
            if self.form.bounds.interval(Polynomial.letter(letter)) == Interval(0, 1):
                cases = (self.interval(polynomial.replaced(letter, value)) for value in (ZERO, ONE))
                return reduce(Interval.hull, cases)
        return EVERYTHING

    def _by_digit(self, polynomial: Polynomial, letter: int, number: Polynomial, size: int) -> Interval:
        """The range where ``number // size`` is seen with multiples of the number: as what is left of it."""
        digit = self.form.digits.digit(number, ONE, Polynomial.constant(size))
        whole = digit + Polynomial.letter(letter).scaled(size)
        found = EVERYTHING
        for times in {c // number.terms[m] for m, c in polynomial if m in number.terms}:
            moved = polynomial - number.scaled(times) + whole.scaled(times)
            found = found.within(self.form.bounds.interval(moved))
        return found

    def is_shown(self, polynomial: Polynomial) -> bool:
        """Whether a number is shown not to be negative, with the facts that are taken at the moment."""
        low, high = self.interval(polynomial)
        if low >= 0 or high < 0:
            return low >= 0
        if self.under_facts(polynomial).low >= 0:
            return True
        at_worst = self._at_worst(polynomial)
        if at_worst != polynomial:
            return at_worst is not None and self.is_shown(at_worst)
        own, rest = self._in_lanes(polynomial)
        bounds = self.form.bounds
        if own:
            low = self.lanes.interval(own, bounds.facts).low
            assert isinstance(low, int)
            if bounds.is_nonnegative(rest.plus(low)):
                return True
        smaller = self.lanes.products_at_least(polynomial, self._is_natural)
        if smaller != polynomial and bounds.is_nonnegative(smaller):
            return True
        return (
            self._by_multiple(polynomial) or bounds.is_nonnegative(polynomial) or self._is_found(polynomial)
        )

    def _is_natural(self, letter: int) -> bool:
        return self.form.bounds.interval(Polynomial.letter(letter)).low >= 0

    def _by_multiple(self, polynomial: Polynomial) -> bool:
        """Whether n times a number is more than a fact less n: ``24*x + r >= 0`` with an r below 24."""
        for fact in self.form.bounds.facts:
            pairs = ((fact.terms.get(m, 0), c) for m, c in polynomial if m)
            for times in {of // c for of, c in pairs if of % c == 0 and of // c > 1}:
                if self.interval(polynomial.scaled(times) - fact).low > -times:
                    return True
        return any(map(self._is_some_fact, self._before_rounding(polynomial)))

    def _before_rounding(self, polynomial: Polynomial) -> Iterator[Polynomial]:
        """What a number is not negative with: of ``x // d - k`` that is ``x - d*k``."""
        for letter in self.form.atoms.of_kind("floor", polynomial):
            number, divisor = self.form.atoms[letter].operands
            size, sign = divisor.as_integer, polynomial.coefficient(letter)
            if size and size < MOST_DIVISOR and sign in (ONE, -ONE):
                whole = polynomial.without(letter).scaled(size)
                yield whole + number if sign == ONE else (whole - number).plus(size - 1)

    def _is_some_fact(self, polynomial: Polynomial) -> bool:
        """Whether a number is at least a multiple of a fact."""
        for fact in self.form.bounds.facts:
            pairs = ((fact.terms.get(m, 0), c) for m, c in polynomial if m)
            for times in {c // of for of, c in pairs if of and c % of == 0 and c // of > 0}:
                if self.interval(polynomial - fact.scaled(times)).low >= 0:
                    return True
        return False

    def under_facts(self, polynomial: Polynomial) -> Interval:
        """The range with the facts that are taken at the moment."""
        facts = self.form.bounds.facts
        if facts not in self._ranges:
            self._ranges[facts] = RangesUnderFacts(self.form, facts, self.is_shown)
        ranges = self._ranges[facts]
        own, rest = self._in_lanes(polynomial)
        found = ranges.interval(polynomial)
        return found.within(self.lanes.interval(own) + ranges.interval(rest)) if own else found

    def _at_worst(self, polynomial: Polynomial) -> Polynomial | None:
        """The polynomial where unknown values of which no fact speaks make it smallest.

        None where one is times something of either sign: nothing is shown of that, and looking takes long.
        """
        unknown = polynomial.letters & self.letters.opaque.keys()
        if unknown and self.facts:
            unknown = unknown.difference(*map(self.letters.bases, self.form.bounds.facts))
        for letter in unknown:
            factor, rest = polynomial.coefficient(letter), polynomial.without(letter)
            if factor is None or letter in self.letters.bases(rest) | self.letters.bases(factor):
                continue
            sign, ends = self.interval(factor), self.form.bounds.interval(Polynomial.letter(letter))
            end = ends.low if sign.low >= 0 else ends.high
            if sign.low < 0 < sign.high or not isinstance(end, int):
                return None
            polynomial = rest + factor.scaled(end)
        return polynomial

    def _is_found(self, polynomial: Polynomial) -> bool:
        """What a search of facts says: of the same facts the same, and of a larger number what is larger.

        Of numbers that differ by a constant those are kept that were searched in vain, and found.
        """
        constant = polynomial.terms.get((), 0)
        key = polynomial.plus(-constant), tuple(self.form.bounds.facts)
        in_vain, found = self._searched.get(key, (-math.inf, math.inf))
        if in_vain < constant < found:
            may_search = self._left > 0 and not self.letters.is_longer(polynomial, MOST_SEARCHED)
            if self._is_shown_by_extremes(polynomial) or (
                may_search and (shown_nonnegative(self.form, polynomial) or self._is_linear(polynomial))
            ):
                found = constant
            else:
                in_vain = constant
                self._left -= len(polynomial.terms) ** 2 if may_search else 0
            self._searched[key] = in_vain, found
        return constant >= found

    def _is_shown_by_extremes(self, polynomial: Polynomial) -> bool:
        """By what ``max(a, b)`` is at least, either of both, and where it is taken away by each of both."""
        atoms = self.form.atoms
        signs = {
            letter: times if atoms[letter].kind == "max" else -times
            for kind in ("min", "max")
            for letter in atoms.of_kind(kind, polynomial)
            if (factor := polynomial.coefficient(letter)) and (times := self._sign(factor))
        }
        if not signs:
            return False
        letter = min(signs, key=lambda one: (signs[one], one))
        cases = (self.is_shown(polynomial.replaced(letter, case)) for case in atoms[letter].cases)
        return all(cases) if signs[letter] < 0 else any(cases)

    def _sign(self, polynomial: Polynomial) -> int:
        """1 or -1 for a number that is not negative, or not positive; 0 where it may be both."""
        low, high = self.interval(polynomial)
        return 1 if low >= 0 else -1 if high <= 0 else 0

    def _is_linear(self, polynomial: Polynomial) -> bool:
        """What linear arithmetic over products says, with lanes and bit operations at their worst."""
        own, rest = self.lanes.parted(polynomial)
        low = self.lanes.interval(own).low if own else 0
        bits: dict[Monomial, int] = {
            m: c for m, c in rest if len(m) == 1 and self.form.atoms[m[0]].kind in BIT_KINDS
        }
        more = self.under_facts(Polynomial(bits)).low
        if not isinstance(low, int) or not isinstance(more, int):
            return False
        rest = Polynomial({m: c for m, c in rest if m not in bits})
        asked = strengthened(rest.plus(low + more))
        if not any(len(m) > 1 for m, _ in asked):
            return False
        smaller = self._at_smallest_size(asked)
        if smaller is not None:
            return self.is_shown(smaller)
        key = asked, tuple(self.form.bounds.facts)
        if key not in self._linear:
            is_shown = is_shown_by_products(self.form, asked)
            self._linear[key] = is_shown and not self._is_impossible(asked.letters)
        return self._linear[key]

    def _is_impossible(self, letters: Iterable[int]) -> bool:
        """Whether facts contradict each other: then they show that numbers are less than they can be.

        A case that never happens would get a form of its own by what is shown of it.
        """
        sums = [(letter, self.under_facts(Polynomial.letter(letter)).low) for letter in sorted(letters)]
        below = Polynomial.constant(-1)
        for letter, low in sums:
            if isinstance(low, int):
                below = below - Polynomial.letter(letter).plus(-low)
        return is_shown_by_products(self.form, below)

    def _at_smallest_size(self, polynomial: Polynomial) -> Polynomial | None:
        """With the smallest number for a size that is times something not negative; None if there is none."""
        for letter in sorted(polynomial.letters, reverse=True):
            factor = polynomial.coefficient(letter)
            if self.form.atoms[letter].kind != "parameter" or not factor or not factor.letters:
                continue
            low = self.under_facts(Polynomial.letter(letter)).low
            if isinstance(low, int) and low >= 0 and self.is_shown(factor):
                return polynomial.without(letter) + factor.scaled(low)
        return None

    def is_bit(self, polynomial: Polynomial) -> bool:
        """Whether a number is shown to be 0 or 1."""
        if self.is_shown(polynomial) and self.is_shown((-polynomial).plus(1)):
            return True
        step = self._step_of_quotients(polynomial)
        return step is not None and all(map(self.is_shown, step))

    def _step_of_quotients(self, polynomial: Polynomial) -> tuple[Polynomial, Polynomial] | None:
        """Of ``(x + d)//n - x//n``: ``d`` and ``n - d``, which are not negative where it is 0 or 1."""
        if sorted(polynomial.terms.values()) != [-1, 1] or any(len(m) != 1 for m in polynomial.terms):
            return None
        (above,), (below,) = sorted(polynomial.terms, key=lambda m: -polynomial.terms[m])
        atoms = self.form.atoms[above], self.form.atoms[below]
        if any(atom.kind != "floor" for atom in atoms) or atoms[0].operands[1] != atoms[1].operands[1]:
            return None
        distance = atoms[0].operands[0] - atoms[1].operands[0]
        return distance, atoms[0].operands[1] - distance

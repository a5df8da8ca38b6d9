"""How small and how large a polynomial can be over the domain, for numbers and for symbols.

:meth:`Bounds.interval` is quick interval arithmetic on numbers. :meth:`Bounds.is_nonnegative` decides
more: it replaces letters by their ends, latest first, which is exact for a polynomial that is
linear in each letter of a box, and so shows ``B*C - 1 - (j*C + k) >= 0`` for ``j < B`` and ``k < C``
without numbers for ``B`` and ``C``. An answer ``False`` means "not shown", never "shown false".
"""

from __future__ import annotations

import math
from functools import reduce
from itertools import combinations
from operator import mul
from typing import TYPE_CHECKING

from layoutalg.rules.falsify import Falsifier
from layoutalg.rules.interval import OO, End, Interval
from layoutalg.rules.polynomial import ONE, Polynomial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from layoutalg.rules.atoms import Atom, Atoms
    from layoutalg.rules.digits import Digits
    from layoutalg.rules.polynomial import Monomial

__all__ = ["Bounds", "strengthened"]

EFFORT = 200  # how many polynomials one question may look at
QUICK = 30  # and how many at first, where quotients are seen as what they are quotients of
NOTED = 16  # remainders and bit operations remembered
UNIT = Interval(1, 1)
ASKED = 3  # letters of a fact that say how often it may be taken
FITTING = 2  # terms that a fact takes away which is tried before all else
DEPTH = 30  # how many letters may be replaced one after another


class Bounds:
    """Ranges over one table of letters, under a list of polynomials known not to be negative."""

    def __init__(self, atoms: Atoms, digits: Digits) -> None:
        self.atoms = atoms
        self.digits = digits
        self.falsifier = Falsifier(atoms)
        self.facts: tuple[Polynomial, ...] = ()
        self._known: dict[Polynomial, bool] = {}
        self._intervals: dict[Monomial, Interval] = {}
        self._effort = 0
        self._looks_inside = False  # quotients are first seen as what they are quotients of
        self.last_resort: Callable[[Polynomial], bool] | None = None  # asked for what ranges do not show
        self._depth = 0
        self._replaced: set[int] = set()  # letters whose ends were put in place of them on the way
        self._noted: tuple[Polynomial, ...] = ()
        self._known_without_notes: dict[tuple[Polynomial, ...], dict[Polynomial, bool]] = {}
        self._concluded: dict[
            tuple[Polynomial, ...], tuple[dict[Polynomial, bool], tuple[Polynomial, ...]]
        ] = {}

    def copy(self, atoms: Atoms, digits: Digits) -> Bounds:
        """The same ranges, facts and conclusions over copies of the tables."""
        found = Bounds(atoms, digits)
        found.falsifier = self.falsifier.copy(atoms)
        found.facts, found._noted = self.facts, self._noted
        found._known, found._intervals = self._known.copy(), self._intervals.copy()
        found._concluded = {facts: (known.copy(), noted) for facts, (known, noted) in self._concluded.items()}
        return found

    def assume(self, facts: tuple[Polynomial, ...]) -> None:
        """Replace the facts. Conclusions are kept together with the facts they were drawn from."""
        self._concluded[self.facts] = self._known, self._noted
        self.facts = facts
        self.falsifier.assume(facts)
        self._known, self._noted = self._concluded.get(facts, ({}, ()))

    def tighten(self, letters: Iterable[int]) -> None:
        """Let the facts be the ends of axes and sizes, and let points be tried that they leave."""
        for letter in letters:
            for fact in self.facts:
                self._tighten(letter, fact)
            for one, other in combinations(self.facts, 2):
                self._note_residue(letter, one, other)
        self._intervals.clear()
        self._known.clear()
        self.falsifier = self.falsifier.anew()

    def _tighten(self, letter: int, fact: Polynomial) -> None:
        """``times*letter + rest >= 0`` with a rest that is a number, or made of sizes met before."""
        atom, factor, rest = self.atoms[letter], fact.coefficient(letter), fact.without(letter)
        times, number = (None if p is None else p.as_integer for p in (factor, rest))
        if not times or not all(self.atoms[x].is_uniform and x < letter for x in rest.letters):
            return
        if number is not None:
            rest = Polynomial.constant(number // abs(times))
        elif abs(times) != 1:
            return
        if times > 0 and _is_closer(-rest, atom.lower, 1):
            self.atoms.set_ends(letter, lower=-rest, upper=atom.upper)
        elif times < 0 and _is_closer(rest, atom.upper, -1):
            self.atoms.set_ends(letter, lower=atom.lower, upper=rest)

    def _note_residue(self, letter: int, one: Polynomial, other: Polynomial) -> None:
        """``x - m*(x // m) == r``, said as two facts."""
        if one + other:
            return
        for fact in (one, other):
            for floor in self.atoms.of_kind("floor", fact):
                number, divisor = self.atoms[floor].operands
                rest = fact - number + divisor * Polynomial.letter(floor)
                if number.as_letter == letter and divisor.as_integer and rest.as_integer is not None:
                    self.falsifier.anywhere.residues[letter] = divisor.as_integer, -rest.as_integer

    def note(self, polynomial: Polynomial) -> None:
        """Remember that a polynomial is never negative by construction, as a remainder is."""
        if len(polynomial.terms) > 1 and polynomial not in self._noted:
            self._noted = (*self._noted, polynomial)[-NOTED:]

    def interval(self, polynomial: Polynomial) -> Interval:
        """Smallest and largest value by interval arithmetic."""
        low: End = 0
        high: End = 0
        for monomial, coefficient in polynomial.terms.items():
            least, most = self._intervals.get(monomial) or self._product_interval(monomial)
            if coefficient < 0:
                least, most = most, least
            if isinstance(low, int):  # an open end stays open
                low = low + coefficient * least
            if isinstance(high, int):
                high = high + coefficient * most
        return Interval(low, high)

    def is_nonnegative(self, polynomial: Polynomial) -> bool:
        """Whether the polynomial is shown to be >= 0 at every point."""
        known = self._known.get(polynomial)
        if known is None:
            known = self._is_shown_within(polynomial, QUICK, looks_inside=True)
            known = known or self._is_shown_within(polynomial, EFFORT, looks_inside=False)
            self._known[polynomial] = known  # even if effort did not suffice
        return known or (self.last_resort is not None and self.last_resort(polynomial))

    def _is_shown_within(self, polynomial: Polynomial, effort: int, *, looks_inside: bool) -> bool:
        self._effort, self._looks_inside = effort, looks_inside
        return self._is_nonnegative(polynomial)

    def is_positive(self, polynomial: Polynomial) -> bool:
        return self.is_nonnegative(polynomial.plus(-1))

    def is_less(self, left: Polynomial, right: Polynomial) -> bool:
        """Whether ``left < right`` is shown at every point."""
        return self.is_nonnegative((right - left).plus(-1))

    def lower(self, polynomial: Polynomial) -> Polynomial | None:
        """A lower end in uniform letters, or None where none is found."""
        return self._end(self.digits.split(polynomial), up=False)

    def upper(self, polynomial: Polynomial) -> Polynomial | None:
        """An upper end in uniform letters, or None where none is found."""
        return self._end(self.digits.split(polynomial), up=True)

    def _product_interval(self, monomial: Monomial) -> Interval:
        """The interval of a product of letters, or of 1; kept."""
        if len(monomial) == 1:
            found = self._letter_interval(monomial[0])
        else:
            found = reduce(mul, (self.interval(Polynomial.letter(letter)) for letter in monomial), UNIT)
        self._intervals[monomial] = found
        return found

    def _letter_interval(self, letter: int) -> Interval:
        atom = self.atoms[letter]
        low = -OO if atom.lower is None else self.interval(atom.lower).low
        high: End = OO if atom.upper is None else self.interval(atom.upper).high
        for end in atom.more_uppers:
            high = min(high, self.interval(end).high)
        found = Interval(low, high)
        if atom.cases and (low == -OO or found.high == OO):
            found = found.within(reduce(Interval.hull, map(self.interval, atom.cases)))
        return found

    def _is_nonnegative(self, polynomial: Polynomial) -> bool:
        number = polynomial.as_integer
        if number is not None:
            return number >= 0
        known = self._known.get(polynomial)
        if known is None:
            if self._effort <= 0 or self._depth >= DEPTH:
                return False
            self._effort -= 1
            self._depth += 1
            known = self.interval(polynomial)[0] >= 0 or self._search(polynomial)
            self._depth -= 1
            if known or self._effort > 0:  # else it may be shown where more is left
                self._known[polynomial] = known
        return known

    def _search(self, polynomial: Polynomial) -> bool:
        if self.falsifier.refute(polynomial, self.facts):
            return False
        split = self.digits.split(polynomial)
        low, high = self.interval(split)
        if low >= 0 or high < 0:
            return low >= 0
        if not self._replaced.isdisjoint(split.letters):  # a digit that would come back for ever
            split = polynomial
        return self._decide(polynomial, split)

    def _decide(self, polynomial: Polynomial, split: Polynomial) -> bool:
        forms = sorted({split, polynomial}, key=lambda form: (len(form.terms), form is split))
        if any(map(self._by_fitting_fact, forms)):
            return True
        latest = self.atoms[max(polynomial.letters)]
        is_of_sizes = latest.is_uniform or self._looks_inside  # its number says more than its end does
        if latest.kind == "floor" and is_of_sizes and self._by_quotients(polynomial):
            return True
        if any(map(self._by_ends, forms)):
            return True
        if self._by_quotients(polynomial) or self._by_cases(polynomial) or self._by_divisor(polynomial):
            return True
        return any(self._by_fact(polynomial, fact) for fact in self.facts + self._noted)

    def _by_ends(self, polynomial: Polynomial) -> bool:
        """Put an end in place of the latest letter: exact where it occurs to the first power."""
        letter = max(polynomial.letters, default=None)
        if letter is None:
            return self._is_nonnegative(polynomial)
        atom = self.atoms[letter]
        factor = polynomial.coefficient(letter)
        if factor is None:
            return self._by_shift(polynomial)
        rest = polynomial.without(letter)
        if letter in self._replaced:
            return self._at_ends(atom, factor, rest)
        self._replaced.add(letter)
        found = self._at_ends(atom, factor, rest)
        self._replaced.remove(letter)
        return found

    def _at_ends(self, atom: Atom, factor: Polynomial, rest: Polynomial) -> bool:
        """Put the ends of a letter in its place, the lower or the upper one or both."""
        if self._is_nonnegative(factor):
            return self._is_nonnegative_at(atom.lower, factor, rest)
        if self._is_nonnegative(-factor):
            return any(self._is_nonnegative_at(end, factor, rest) for end in (atom.upper, *atom.more_uppers))
        if atom.lower is None or atom.upper is None:
            return False
        return all(self._is_nonnegative_at(end, factor, rest) for end in (atom.lower, atom.upper))

    def _is_nonnegative_at(self, end: Polynomial | None, factor: Polynomial, rest: Polynomial) -> bool:
        return end is not None and self._is_nonnegative(factor * end + rest)

    def _by_shift(self, polynomial: Polynomial) -> bool:
        """Count each letter from its lower end: a sum of products of such counts is >= 0."""
        for letter in sorted(polynomial.letters, reverse=True):
            lower = self.atoms[letter].lower
            if lower is None:
                return False
            polynomial = polynomial.replaced(letter, lower + Polynomial.letter(letter))
        return all(coefficient >= 0 for _, coefficient in polynomial)

    def _by_quotients(self, polynomial: Polynomial) -> bool:
        """Put ``n/d`` in place of quotients ``n // d``: an integer above -1 is not negative.

        It shows ``(2*y) // 7 - 2*(y // 7) >= 0``, which ranges and digits do not, and what is times a size:
        ``N*(M + 3) - N*(4*(M // 4)) >= 0``.
        """
        common, bound = 1, polynomial
        for letter in reversed(self.atoms.of_kind("floor", polynomial)):
            number, divisor = self.atoms[letter].operands
            fixed, factor = divisor.as_integer, bound.coefficient(letter)
            if fixed is None or not factor:
                continue
            sign = self.interval(factor)
            if sign.low < 0 < sign.high:
                continue
            scale = fixed // math.gcd(fixed, *factor.terms.values())
            worst = number if sign.high <= 0 else number.plus(1 - fixed)
            times, _ = factor.scaled(scale).divided(Polynomial.constant(fixed))
            bound = bound.without(letter).scaled(scale) + times * worst
            common *= scale
        return bound != polynomial and self._is_nonnegative(bound.plus(common - 1))

    def _by_divisor(self, polynomial: Polynomial) -> bool:
        """Put a single quotient by a size to its definition: ``n // d <= k`` just where ``n < (k + 1)*d``."""
        for letter in reversed(self.atoms.of_kind("floor", polynomial)):
            number, divisor = self.atoms[letter].operands
            factor, rest = polynomial.coefficient(letter), polynomial.without(letter)
            if divisor.as_integer is not None or factor is None:
                continue
            if factor == -ONE and self._is_nonnegative((rest.plus(1) * divisor - number).plus(-1)):
                return True
            if factor == ONE and self._is_nonnegative(number + rest * divisor):
                return True
        return False

    def _by_cases(self, polynomial: Polynomial) -> bool:
        """Put each value a minimum or selection may have in its place."""
        for letter in sorted(polynomial.letters, reverse=True):
            cases = self.atoms[letter].cases
            if cases:
                return all(self._is_nonnegative(polynomial.replaced(letter, case)) for case in cases)
        return False

    def _by_fact(self, polynomial: Polynomial, fact: Polynomial) -> bool:
        """Whether a fact, taken as often as one of its letters asks for, leaves something >= 0.

        What is left may need the other facts: of a convolution each dimension has one.
        """
        return any(
            self._without_fact(polynomial - times * fact, fact) for times in self.times(polynomial, fact)
        )

    def _by_fitting_fact(self, polynomial: Polynomial) -> bool:
        """Whether a fact does that takes several terms away at once and brings no more; most first."""
        found = []
        for fact in self.facts:
            if len(fact.letters & polynomial.letters) < FITTING:
                continue
            for times in self.times(polynomial, fact):
                left = polynomial - times * fact
                taken = len(polynomial.terms.keys() - left.terms.keys())
                if taken >= FITTING and len(left.terms) <= len(polynomial.terms):
                    found.append((len(left.terms), left, fact))
        found.sort(key=lambda one: one[0])
        return any(self._without_fact(left, fact) for _, left, fact in found)

    def times(self, polynomial: Polynomial, fact: Polynomial) -> list[Polynomial]:
        """How often a fact that shares letters may be taken away: as its latest ask for, else once."""
        if fact.letters.isdisjoint(polynomial.letters):
            return []
        found: list[Polynomial] = []
        is_asked = False
        for letter in sorted(fact.letters, reverse=True)[:ASKED]:
            wanted, given = polynomial.coefficient(letter), fact.coefficient(letter)
            if not wanted or not given:
                continue
            ratio, rest = wanted.divided(given)
            number = ratio.as_integer
            is_asked = is_asked or bool(rest) or number is None
            is_taken = not rest and (number > 0 if number is not None else self._is_nonnegative(ratio))
            if is_taken and ratio not in found:
                found.append(ratio)
        largest = max(fact.terms, key=len)  # a product of sizes, if one is bounded
        least, its = polynomial.terms.get(largest, 0), fact.terms[largest]
        if len(largest) > 1 and least < 0 and its < 0:
            is_asked, ratio = True, Polynomial.constant(-(least // -its))
            found += [ratio] if ratio not in found else []
        return found if ONE in found or not is_asked else [*found, ONE]

    def _without_fact(self, polynomial: Polynomial, fact: Polynomial) -> bool:
        kept = self.facts, self._noted, self._known
        self.facts, self._noted = tuple(other for other in self.facts if other != fact), ()
        self._known = self._known_without_notes.setdefault(self.facts, {})
        try:
            return self._is_nonnegative(polynomial)
        finally:
            self.facts, self._noted, self._known = kept

    def _end(self, polynomial: Polynomial, *, up: bool) -> Polynomial | None:
        for letter in sorted(polynomial.letters, reverse=True):
            atom = self.atoms[letter]
            if atom.is_uniform or letter not in polynomial.letters:
                continue
            factor = polynomial.coefficient(letter)
            if factor is None:
                return None
            if self.is_nonnegative(factor):
                end = atom.upper if up else atom.lower
            elif self.is_nonnegative(-factor):
                end = atom.lower if up else atom.upper
            else:
                end = None
            if end is None:
                return None
            polynomial = polynomial.without(letter) + factor * end
            if any(not self.atoms[found].is_uniform for found in end.letters):
                return self._end(polynomial, up=up)
        return polynomial


def _is_closer(end: Polynomial, known: Polynomial | None, sign: int) -> bool:
    """Whether an end leaves less than the one that is known: above it for a sign of 1, below it for -1."""
    if known is None:
        return True
    further = (end - known).as_integer
    return further is not None and further * sign > 0


def strengthened(fact: Polynomial) -> Polynomial:
    """The same fact with no common factor: of whole numbers, ``128*k - 1 >= 0`` says ``k - 1 >= 0``.

    >>> k = Polynomial.letter(0)
    >>> strengthened(k.scaled(128).plus(-1)) == k.plus(-1), strengthened(k.scaled(4).plus(3)) == k
    (True, True)
    """
    constant = fact.terms.get((), 0)
    common = math.gcd(*(coefficient for monomial, coefficient in fact if monomial))
    if common <= 1:
        return fact
    varying, _ = fact.plus(-constant).divided(Polynomial.constant(common))
    return varying.plus(constant // common)

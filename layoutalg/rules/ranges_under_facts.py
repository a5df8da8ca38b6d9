"""Ranges of letters where facts hold: each fact, and what each letter is made of, narrows the others.

:meth:`Bounds.interval <layoutalg.rules.bounds.Bounds.interval>` knows the domain alone. In a branch more is
known: where ``N <= 128`` there is one tile along N, so ``w < cM * cN`` workgroups leave ``w < cM``. Quotients
by sizes are bounded by polynomials: ``p // (4*cN)`` by ``cM/4`` where ``p < cM * cN``.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> sizes = {"M": (1, 16384), "N": (1, 16384)}
>>> form = NormalForm(Domain.of({"w": "((M + 255)//256)*((N + 127)//128)"}, sizes))
>>> w, columns = form.symbol("w"), form.quotient(form.symbol("N").plus(127), form.integer(128))
>>> RangesUnderFacts(form, (form.integer(128) - form.symbol("N"),)).interval(w)
Interval(low=0, high=63)
>>> eighth = form.quotient(w, form.integer(8))
>>> row_of_tiles = form.quotient(eighth.scaled(9), columns.scaled(4))
>>> RangesUnderFacts(form, ()).interval(row_of_tiles), form.bounds.interval(row_of_tiles)
(Interval(low=0, high=17), Interval(low=0, high=2301))
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from layoutalg.rules.interval import EVERYTHING, OO, End, Interval
from layoutalg.rules.polynomial import Monomial, Polynomial, without

if TYPE_CHECKING:
    from layoutalg.rules.normal_form import NormalForm

__all__ = ["RangesUnderFacts"]

Rational = dict[Monomial, Fraction]


class RangesUnderFacts:
    """Ranges over one normal form under these polynomials, which are known not to be negative.

    ``is_shown``: asked whether a number is shown not to be negative where its parts do not say so.
    """

    def __init__(
        self,
        form: NormalForm,
        facts: tuple[Polynomial, ...],
        is_shown: Callable[[Polynomial], bool] = lambda _: False,
    ) -> None:
        self.is_shown = is_shown
        self.atoms, self.bounds, self.digits = form.atoms, form.bounds, form.digits
        self.facts = facts
        self._letters: dict[int, Interval] = {}
        self._hanging: dict[tuple[int, frozenset[int]], bool] = {}

    def interval(self, polynomial: Polynomial) -> Interval:
        """Smallest and largest value: of the sum, and of its remainders seen as digits."""
        found = self._of_sum(polynomial)
        split = self.digits.split(polynomial)
        return found if split == polynomial else found.within(self._of_sum(split))

    def _of_sum(self, polynomial: Polynomial) -> Interval:
        low: End = 0
        high: End = 0
        for monomial, factor in polynomial:
            own = self._of_product(monomial).scaled(factor)
            low = low + own.low if isinstance(low, int) else low
            high = high + own.high if isinstance(high, int) else high
        return Interval(low, high)

    def _of_product(self, monomial: Monomial) -> Interval:
        found = Interval(1, 1)
        for letter in monomial:
            found = found * self.letter(letter)
        return found

    def letter(self, number: int) -> Interval:
        """The range of a letter; while it is looked for, what the domain alone says of it."""
        known = self._letters.get(number)
        if known is not None:
            return known
        atom = self.atoms[number]
        found = self._letters[number] = self.bounds.interval(Polynomial.letter(number))
        for end in (atom.upper, *atom.more_uppers):
            if end is not None and end.letters:
                found = found.within(Interval(-OO, self.interval(end).high))
        if atom.lower is not None and atom.lower.letters:
            found = found.within(Interval(self.interval(atom.lower).low, OO))
        if atom.kind == "floor":
            found = found.within(self._of_quotient(number, *atom.operands))
        for fact in self.facts:
            if number in fact.letters:
                found = found.within(self._by_fact(number, fact))
        self._letters[number] = found
        return found

    def _by_fact(self, number: int, fact: Polynomial) -> Interval:
        """What ``factor*letter + rest >= 0`` leaves of a letter."""
        factor = fact.coefficient(number)
        if factor is None:
            return EVERYTHING
        size, rest = self.interval(factor), self.interval(fact.without(number)).high
        if not isinstance(rest, int):
            return EVERYTHING
        if size.low >= 1:
            return Interval(-_quotient(rest, size), OO)
        if size.high <= -1:
            return Interval(-OO, _quotient(rest, size.scaled(-1)))
        return EVERYTHING

    def _of_quotient(self, letter: int, number: Polynomial, divisor: Polynomial) -> Interval:
        found = self.interval(number) // self.interval(divisor)
        if found.low < 0 <= found.high and self.is_shown(number):
            found = Interval(0, found.high)
        if len(divisor.terms) == 1 and divisor.letters:
            found = found.within(Interval(-OO, self._most_of(number, divisor)))
        for other in self.atoms.all_of_kind("floor"):
            its_number, its_divisor = self.atoms[other].operands
            if other != letter and its_number == number:
                found = found.within(self._beside(divisor, self.letter(other), its_divisor))
        return found

    def _beside(self, divisor: Polynomial, other: Interval, its_divisor: Polynomial) -> Interval:
        """What the quotient of the same number by a multiple of the divisor, or a part of it, says."""
        for one, many, is_finer in ((divisor, its_divisor, True), (its_divisor, divisor, False)):
            ratio, rest = many.divided(one)
            times = ratio.as_integer
            if rest or not times or times < 0:
                continue
            if is_finer:  # n // d from n // (k*d)
                return Interval(other.low * times, other.high * times + (times - 1))
            return Interval(other.low // times, other.high // times)
        return EVERYTHING

    def _most_of(self, number: Polynomial, divisor: Polynomial) -> End:
        """The most of ``number // (times * by)``, of an upper end of the number divided term by term."""
        ((by, times),) = divisor.terms.items()
        smallest = self._of_product(by).low
        if times < 1 or not isinstance(smallest, int) or smallest < 1:
            return OO
        whole, left = Fraction(0), Fraction(0)  # multiples of the divisor, and what is not
        for monomial, factor in self._upper(number, frozenset(by)).items():
            rest = without(monomial, by)
            own = self._of_product(monomial if rest is None else rest)
            end = own.high if factor > 0 else own.low
            if not isinstance(end, int):
                return OO
            whole += factor * end / times if rest is not None else 0
            left += factor * end / times if rest is None else 0
        return math.floor(whole + left / smallest) if left >= 0 else math.ceil(whole) - 1

    def _upper(self, number: Polynomial, sizes: frozenset[int]) -> Rational:
        """An upper end in these sizes: what hangs on them at its end, quotients not rounded."""
        found = {m: Fraction(c) for m, c in self.digits.split(number)}
        kept: set[int] = set()
        while True:
            hanging = {x for m in found for x in m if x not in kept and self._hangs_on(x, sizes)}
            if not hanging:
                return found
            letter = max(hanging)
            following: Rational = {}
            for monomial, factor in found.items():
                others = without(monomial, (letter,))
                end = None if others is None else self._end(letter, self._sign(others, factor))
                if others is None or end is None:
                    kept |= {letter} & set(monomial)
                    following[monomial] = following.get(monomial, Fraction(0)) + factor
                    continue
                for m, c in end:
                    product = tuple(sorted(m + others))
                    following[product] = following.get(product, Fraction(0)) + factor * c
            found = following

    def _sign(self, others: Monomial, factor: Fraction) -> int:
        """1 or -1 where a term is known to be on one side of 0, else 0."""
        own = self._of_product(others)
        side = 1 if own.low >= 0 else -1 if own.high <= 0 else 0
        return side if factor > 0 else -side

    def _end(self, letter: int, sign: int) -> list[tuple[Monomial, Fraction]] | None:
        """What is put in place of a letter to make a term of this sign largest; None if there is nothing."""
        atom = self.atoms[letter]
        if atom.kind == "floor" and sign:
            number, size = atom.operands[0], atom.operands[1].as_integer
            if size is not None:
                exact = number if sign > 0 else number.plus(1 - size)
                return [(m, Fraction(c, size)) for m, c in exact]
        end = atom.upper if sign > 0 else atom.lower if sign < 0 else None
        return None if end is None else [(m, Fraction(c)) for m, c in end]

    def _hangs_on(self, letter: int, sizes: frozenset[int]) -> bool:
        """Whether a letter is made of these sizes, or ends at them; they do not hang on themselves."""
        if letter in sizes or letter < min(sizes):
            return False
        key = letter, sizes
        found = self._hanging.get(key)
        if found is None:
            atom = self.atoms[letter]
            parts = [p for p in (*atom.operands, atom.upper) if isinstance(p, Polynomial)]
            letters = {x for part in parts for x in part.letters}
            found = not sizes.isdisjoint(letters) or any(self._hangs_on(x, sizes) for x in letters)
            self._hanging[key] = found
        return found


def _quotient(number: int, divisors: Interval) -> int:
    """The most of ``number // d`` for the positive numbers d of a range."""
    found = number // (divisors.low if number >= 0 else divisors.high)
    assert isinstance(found, int)
    return found

"""Facts about the letters of one polynomial, and of the letters that these speak of, as sums of monomials.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> form = NormalForm(Domain.of({"w": "M//4"}, {"M": (1, None)}))
>>> known = FactsAbout(form, form.symbol("M") - form.symbol("w"), most=100, most_letters=10)
>>> len(known.shifts), all(fact for fact in known.facts)
(3, True)
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from layoutalg.rules.polynomial import Monomial, Polynomial

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from layoutalg.rules.normal_form import NormalForm

__all__ = ["FactsAbout", "Sum"]

Sum = dict[Monomial, Fraction]


class FactsAbout:
    """What is known not to be negative, in letters that are counted from their smallest value.

    ``asked``: the polynomial in these letters; ``shifts``: those that are counted so, which are natural
    numbers; ``plain``: those with a number as their end; ``most`` facts of ``most_letters`` are looked at;
    ``as_digits``: whether what quotients leave is one letter, or stays a difference.
    Facts without a term that is negative say nothing of natural numbers and are left out.
    """

    def __init__(
        self, form: NormalForm, asked: Polynomial, most: int, most_letters: int, *, as_digits: bool = True
    ) -> None:
        self.form = form
        self.as_digits = as_digits
        asked = self._seen(asked)
        self.plain: set[int] = set()
        self.shifts: dict[int, int] = {}
        facts: list[Polynomial] = [self._seen(fact) for fact in form.bounds.facts]
        letters: set[int] = set()
        waiting = list(asked.letters) + [x for fact in facts for x in fact.letters]
        while waiting and len(letters) < most_letters:
            letter = waiting.pop(0)
            if letter in letters:
                continue
            letters.add(letter)
            for fact in self._of_letter(letter):
                facts.append(fact)
                waiting += fact.letters - letters
        for letter in letters:
            low = form.bounds.interval(Polynomial.letter(letter)).low
            if isinstance(low, int):
                self.shifts[letter] = low
        facts = facts[:most] + list(self._of_quotients(letters))
        moved = map(self.counted, facts)
        self.facts = [fact for fact in moved if any(c < 0 for m, c in fact.items() if m)]
        self.facts += [end for fact in self.facts for end in _whole_ends(fact, self.shifts)]
        self.facts = list({frozenset(fact.items()): fact for fact in self.facts}.values())
        self.asked = self.counted(asked)

    def _of_letter(self, number: int) -> Iterable[Polynomial]:
        """Facts that hold of a letter by what it is."""
        atom, letter = self.form.atoms[number], Polynomial.letter(number)
        is_number = atom.upper is not None and atom.upper.as_integer is not None
        if not atom.is_uniform and is_number and not atom.more_uppers:
            assert atom.upper is not None
            self.plain.add(number)
            yield atom.upper - letter  # a lane or a digit of one: its number is all there is to it
            return
        high = self.form.bounds.interval(letter).high
        if isinstance(high, int):
            yield Polynomial.constant(high) - letter
        for end in (atom.upper, *atom.more_uppers):
            if end is not None:
                yield self._seen(end) - letter
        if atom.lower is not None and atom.lower.as_integer is None:
            yield letter - self._seen(atom.lower)
        if atom.kind == "floor":
            value, divisor = atom.operands
            rest = self._seen(value) - divisor * letter
            yield rest
            yield (divisor - rest).plus(-1)

    def _seen(self, polynomial: Polynomial) -> Polynomial:
        return self.form.digits.split(polynomial) if self.as_digits else polynomial

    def _of_quotients(self, letters: Iterable[int]) -> Iterable[Polynomial]:
        """How far quotients by the same number can be apart whose numbers are a constant apart."""
        atoms = self.form.atoms
        floors = sorted(letter for letter in letters if atoms[letter].kind == "floor")
        for one, other in combinations(floors, 2):
            (number, divisor), (below, also) = atoms[one].operands, atoms[other].operands
            size, distance = divisor.as_integer, (number - below).as_integer
            if divisor == also and size is not None and distance is not None:
                apart = Polynomial.letter(one) - Polynomial.letter(other)
                yield apart.plus(-(distance // size))
                yield (-apart).plus(-(-distance // size))

    def counted(self, polynomial: Polynomial) -> Sum:
        """The polynomial in letters that are counted from their smallest value."""
        for letter in polynomial.letters & self.shifts.keys():
            low = self.shifts[letter]
            if low:
                polynomial = polynomial.replaced(letter, Polynomial.letter(letter).plus(low))
        return {monomial: Fraction(c) for monomial, c in polynomial}


def _whole_ends(fact: Sum, naturals: Mapping[int, int]) -> Iterable[Sum]:
    """``x <= c // a`` where ``a*x + ... <= c`` with nothing beside but natural numbers."""
    if any(c > 0 or not naturals.keys() >= set(m) for m, c in fact.items() if m) or len(fact) < 3:
        return
    for monomial, factor in fact.items():
        if len(monomial) == 1:
            yield {monomial: Fraction(-1), (): Fraction(math.floor(fact.get((), Fraction(0)) / -factor))}

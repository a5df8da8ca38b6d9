"""Polynomials shown not to be negative as sums of products of facts.

Ranges put an end in place of one letter at a time, and take a fact such as ``K*M < 2**31`` so often that one
term goes: with little effort, which many letters exhaust. Here each term with a minus is cancelled by a fact
that has such a term too, times letters that are not negative: ``2**31 > K*(256*w)`` follows from
``256*w <= M`` times ``K``, and then from ``K*M < 2**31``. If no term with a minus is left, the rest is a sum
of things that are not negative.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> sizes = {"M": (1, None), "K": (4, None, 4)}
>>> domain = Domain.of({"w": "(M + 255)//256"}, sizes, ["(K + 16)*(M + 256) < 2**31"])
>>> form = NormalForm(domain)
>>> asked = form.integer(2**31) - form.symbol("K") * form.symbol("w").scaled(256)
>>> shown_nonnegative(form, asked), shown_nonnegative(form, asked - form.symbol("K") * form.integer(2**20))
(True, False)
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from layoutalg.rules.facts_about import FactsAbout, Sum
from layoutalg.rules.polynomial import ONE, Monomial, Polynomial, without

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.rules.normal_form import NormalForm

__all__ = ["products_that_show", "shown_nonnegative"]

EFFORT = 30  # sums looked at for one question
FACTS = 120
LETTERS = 24


def shown_nonnegative(form: NormalForm, polynomial: Polynomial) -> bool:
    """Whether the polynomial is shown to be >= 0; False says nothing."""
    return _succeeded(form, polynomial) is not None


def products_that_show(
    form: NormalForm, polynomial: Polynomial
) -> list[tuple[Polynomial, Polynomial]] | None:
    """Pairs of which neither is negative: the polynomial is a sum of their products and of facts.

    Products of more than two come after those of fewer. None where the polynomial is not shown to be >= 0.
    """
    search = _succeeded(form, polynomial)
    return None if search is None else list(search.products())


def _succeeded(form: NormalForm, polynomial: Polynomial) -> _Search | None:
    """The search, where it showed the polynomial not to be negative."""
    if form.bounds.falsifier.refute(polynomial, form.bounds.facts):
        return None
    search = _Search(form, polynomial)
    return search if search.run() else None


class _Search:
    """The facts about the letters of one polynomial, and the sums met on the way."""

    def __init__(self, form: NormalForm, asked: Polynomial) -> None:
        self.form = form
        self.left = EFFORT
        self.seen: set[frozenset[tuple[Monomial, Fraction]]] = set()
        known = FactsAbout(form, asked, FACTS, LETTERS)
        self.facts, self.asked = known.facts, known.asked
        self.plain, self.shifts = known.plain, known.shifts  # plain ones go first
        self.taken: list[tuple[Sum, Monomial]] = []  # facts and what they are times, of a sum that is shown
        self.rest: Sum = {}

    def run(self) -> bool:
        return self._is_shown(self.asked)

    def _is_shown(self, polynomial: Sum) -> bool:
        polynomial = _in_whole_numbers(polynomial)
        negative = [m for m, c in polynomial.items() if m and (c < 0 or not self._is_natural(m))]
        if not negative:
            self.rest = polynomial
            return polynomial.get((), 0) > -1  # of a whole number that says it is not negative
        key = frozenset(polynomial.items())
        if self.left <= 0 or key in self.seen:
            return False
        self.seen.add(key)
        self.left -= 1
        worst = max(negative, key=lambda m: (len(m), not self.plain.isdisjoint(m), m))
        for fact, monomial, others in self._candidates(worst, polynomial[worst]):
            if self.left <= 0:
                return False
            times = polynomial[worst] / fact[monomial]
            rest = dict(polynomial)
            for m, c in fact.items():
                product = tuple(sorted(m + others))
                total = rest.get(product, Fraction(0)) - times * c
                if total:
                    rest[product] = total
                else:
                    rest.pop(product, None)
            if self._is_shown(rest):
                self.taken.append((fact, others))
                return True
        return False

    def products(self) -> Iterator[tuple[Polynomial, Polynomial]]:
        """What was multiplied in a search that succeeded, two at a time."""
        for fact, others in [*self.taken, *(({}, monomial) for monomial in self.rest)]:
            letters = [Polynomial.letter(letter).plus(-self.shifts[letter]) for letter in others]
            product = ONE
            for letter in letters:
                yield product, letter
                product *= letter
            yield self._uncounted(fact), product

    def _uncounted(self, counted: Sum) -> Polynomial:
        """A sum in letters that are counted from their smallest value, in the letters themselves."""
        found = Polynomial({monomial: int(c) for monomial, c in counted.items()})
        for letter in found.letters & self.shifts.keys():
            found = found.replaced(letter, Polynomial.letter(letter).plus(-self.shifts[letter]))
        return found

    def _is_natural(self, monomial: Monomial) -> bool:
        return all(letter in self.shifts for letter in monomial)

    def _candidates(self, monomial: Monomial, factor: Fraction) -> list[tuple[Sum, Monomial, Monomial]]:
        """Facts with a term that divides this one, of its sign, best first, and what each is times."""
        found = []
        for fact in self.facts:
            for own, coefficient in fact.items():
                if not own or (coefficient > 0) != (factor > 0):
                    continue
                others = without(monomial, own)
                if others is not None and self._is_natural(others):
                    found.append((fact, own, tuple(others)))
        sizes = self.form.atoms
        return sorted(
            found,
            key=lambda one: (
                -len(one[1]), all(sizes[x].is_uniform for x in one[1]), _is_number(one[0]), -max(one[1])
            ),
        )  # fmt: skip


def _in_whole_numbers(polynomial: Sum) -> Sum:
    """What is not negative just where this is, with no factor common to all terms: as a whole number."""
    factors = [c for m, c in polynomial.items() if m]
    if not factors or any(c.denominator != 1 for c in polynomial.values()):
        return polynomial
    common = math.gcd(*(int(c) for c in factors))
    found = {m: c / common for m, c in polynomial.items() if m}
    constant = polynomial.get((), Fraction(0)) / common
    return found | ({(): Fraction(math.floor(constant))} if math.floor(constant) else {})


def _is_number(fact: Sum) -> bool:
    """Whether a fact is a number as the end of a letter, which forgets what it depends on."""
    return len([m for m in fact if m]) == 1

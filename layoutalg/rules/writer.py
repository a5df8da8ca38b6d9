"""Writing a polynomial as a term: products gathered by their factor, sizes taken out."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from layoutalg.rules.polynomial import Monomial, Polynomial
from layoutalg.term import Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.rules.letters import Letters
    from layoutalg.rules.normal_form import NormalForm

__all__ = ["Writer"]


Members = tuple[tuple[int, Monomial], ...]  # products of letters, each with its sign


class _Summand(NamedTuple):
    """A part of a sum, and what says where it stands."""

    degree: int
    times: int
    text: str
    term: Term

    def place(self) -> tuple[int, int, str]:
        """Products of sizes first, then large numbers, then by how they read."""
        return self[:3]


class Writer:
    """Writes polynomials over one table of letters, one way for each."""

    def __init__(self, form: NormalForm, letters: Letters) -> None:
        self.form = form
        self.letters = letters
        self._splits: dict[Monomial, tuple[Monomial, Monomial]] = {}
        self._products: dict[Monomial, Term] = {}
        self._written: dict[tuple[int | Polynomial, Members], list[_Summand]] = {}

    def build(self, polynomial: Polynomial) -> Term:
        """The sum of scaled letters, those with one factor together."""
        by_letters: dict[Monomial, dict[Monomial, int]] = {}
        uniform: dict[Monomial, int] = {}
        for monomial, coefficient in polynomial:
            fixed, free = self._split(monomial)
            part = by_letters.setdefault(free, {}) if free else uniform
            part[fixed] = coefficient
        groups: dict[int | Polynomial, list[tuple[int, Monomial]]] = {}
        for free, factors in by_letters.items():
            sign, size = self._sign_and_size(factors)
            groups.setdefault(size, []).append((sign, free))
        summands = [one for size, members in groups.items() for one in self._summands(size, tuple(members))]
        terms = [summand.term for summand in sorted(summands, key=_Summand.place)]
        if uniform:
            terms.append(self._uniform(Polynomial(uniform)))
        positive = [term for term in terms if not term.is_negated]
        negative = [term for term in terms if term.is_negated]
        return Term.sum(*positive, *negative)

    def factored(self, polynomial: Polynomial) -> Term | None:
        """The sum with sizes taken out of the terms that share them, ``K*(M*i + j) + k``, if any do."""
        shared = self._shared_factor(polynomial)
        if shared is None:
            return None
        with_factor, rest = polynomial.divided(shared)
        inner, outer = (self.factored(part) or self.build(part) for part in (with_factor, rest))
        product = Term.product(self._uniform(shared), inner)
        return Term.sum(product, outer) if rest else product

    def _shared_factor(self, polynomial: Polynomial) -> Polynomial | None:
        """The size (a parameter) that most terms with varying letters have in common."""
        counts: dict[int, list[int]] = {}
        for monomial, coefficient in polynomial:
            if any(not self.form.atoms[letter].is_uniform for letter in monomial):
                for letter in set(monomial):
                    if self.form.atoms[letter].is_uniform:
                        counts.setdefault(letter, []).append(coefficient)
        shared = [letter for letter, found in counts.items() if len(found) > 1]
        if not shared:
            return None
        letter = min(shared, key=lambda x: (-len(counts[x]), str(self.letters.letter(x))))
        multiple = self.form.atoms[letter].multiple_of
        whole = all(coefficient % multiple == 0 for coefficient in counts[letter])
        return Polynomial({(letter,): multiple if whole else 1})

    def products(self, polynomial: Polynomial) -> Iterator[Term]:
        """The sum with a letter that varies taken out of the terms that share it, ``x*(y + 10)``."""
        counts: Counter[int] = Counter(x for m, _ in polynomial for x in set(m))
        for letter, count in sorted(counts.items()):
            if count < 2 or self.form.atoms[letter].is_uniform or not any(len(m) > 1 for m, _ in polynomial):
                continue
            inner, rest = polynomial.divided(Polynomial.letter(letter))
            common = math.gcd(*inner.terms.values())
            scaled = inner.divided(Polynomial.constant(common))[0]
            lead = Polynomial.constant(common) * Polynomial.letter(letter)
            by, left = rest.divided(scaled)
            if by and not left:  # (x + 2)*(y + 3)
                yield Term.product(self._best(lead + by), self._best(scaled))
            product = Term.product(Term.integer(common), self.letters.letter(letter), self._best(scaled))
            yield Term.sum(product, self._best(rest)) if rest else product

    def _best(self, polynomial: Polynomial) -> Term:
        return next(self.products(polynomial), None) or self.build(polynomial)

    def _split(self, monomial: Monomial) -> tuple[Monomial, Monomial]:
        """The sizes of a product, and its letters that vary."""
        found = self._splits.get(monomial)
        if found is None:
            atoms = self.form.atoms
            fixed = tuple(x for x in monomial if atoms[x].is_uniform)
            found = fixed, tuple(x for x in monomial if not atoms[x].is_uniform)
            self._splits[monomial] = found
        return found

    def _product(self, letters: Monomial) -> Term:
        """The product of letters that vary."""
        found = self._products.get(letters)
        if found is None:
            factors = [self.letters.letter(letter) for letter in letters]
            found = factors[0] if len(factors) == 1 else Term.product(*sorted(factors, key=str))
            self._products[letters] = found
        return found

    def _summands(self, size: int | Polynomial, members: Members) -> list[_Summand]:
        """Products with the same factor, up to its sign, become one product of a sum."""
        key = (size, members)
        if key not in self._written:
            factor = Polynomial.constant(size) if isinstance(size, int) else size
            self._written[key] = self._gathered(
                factor, [(sign, self._product(free)) for sign, free in members]
            )
        return self._written[key]

    def _gathered(self, size: Polynomial, members: list[tuple[int, Term]]) -> list[_Summand]:
        all_negative = all(sign < 0 for sign, _ in members)
        factor = -size if all_negative else size
        parts = [
            part if sign > 0 or all_negative else Term.product(Term.integer(-1), part)
            for sign, part in sorted(members, key=lambda member: (-member[0], str(member[1])))
        ]
        inner = parts if factor.as_integer in (1, -1) else [Term.sum(*parts)]
        degree = max((len(monomial) for monomial in factor.terms), default=0)
        times = abs(factor.as_integer or 0)
        return [_Summand(-degree, -times, str(part), self._scaled(factor, part)) for part in inner]

    def _sign_and_size(self, factors: dict[Monomial, int]) -> tuple[int, int | Polynomial]:
        """A factor without its sign, judged by most of its terms and then by how it reads."""
        if len(factors) == 1 and () in factors:
            number = factors[()]
            return (1, number) if number > 0 else (-1, -number)
        factor = Polynomial(factors)
        balance = sum(1 if coefficient > 0 else -1 for coefficient in factors.values())
        if not balance:
            balance = 1 if str(self._uniform(factor)) < str(self._uniform(-factor)) else -1
        return (1, factor) if balance > 0 else (-1, -factor)

    def _scaled(self, factor: Polynomial, term: Term) -> Term:
        number = factor.as_integer
        if number is not None:
            return Term.product(Term.integer(number), term)
        sign = -1 if all(c < 0 for _, c in factor) else 1
        scale = self._uniform(factor.scaled(sign))
        return Term.product(Term.integer(sign), scale, term)

    def _uniform(self, polynomial: Polynomial) -> Term:
        terms = []
        for monomial, given in polynomial:
            coefficient, factors = given, list[Term]()
            for letter in monomial:
                atom = self.form.atoms[letter]
                if atom.multiple_of > 1 and coefficient % atom.multiple_of == 0:
                    coefficient //= atom.multiple_of
                    factors.append(Term.symbol(atom.operands[0]))
                else:
                    factors.append(self.letters.letter(letter))
            factors.sort(key=str)
            terms.append((-len(monomial), Term.product(Term.integer(coefficient), *factors)))
        if len(terms) > 1:
            terms.sort(key=lambda entry: (entry[0], str(entry[1])))
        return Term.sum(*(term for _, term in terms))

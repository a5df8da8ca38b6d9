"""Writing a polynomial as a term: products gathered by their factor, sizes taken out."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from layoutalg.rules.polynomial import ZERO, Monomial, Polynomial
from layoutalg.term import Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.rules.letters import Letters
    from layoutalg.rules.normal_form import NormalForm

__all__ = ["Writer"]


class Writer:
    """Writes polynomials over one table of letters, one way for each."""

    def __init__(self, form: NormalForm, letters: Letters) -> None:
        self.form = form
        self.letters = letters

    def build(self, polynomial: Polynomial) -> Term:
        """The sum of scaled letters, those with one factor together."""
        by_letters: dict[Monomial, Polynomial] = {}
        uniform = ZERO
        for monomial, coefficient in polynomial:
            fixed = tuple(x for x in monomial if self.form.atoms[x].is_uniform)
            free = tuple(x for x in monomial if not self.form.atoms[x].is_uniform)
            part = Polynomial({fixed: coefficient})
            if free:
                by_letters[free] = by_letters.get(free, ZERO) + part
            else:
                uniform = uniform + part
        gathered = self._gathered(by_letters)
        terms = [self._scaled(factor, inner) for factor, inner in gathered]
        if uniform:
            terms.append(self._uniform(uniform))
        positive = [term for term in terms if term.sign_and_size[0] > 0]
        negative = [term for term in terms if term.sign_and_size[0] < 0]
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

    def _gathered(self, by_letters: dict[Monomial, Polynomial]) -> list[tuple[Polynomial, Term]]:
        """Products with the same factor, up to its sign, become one product of a sum."""
        groups: dict[Polynomial, list[tuple[int, Term]]] = {}
        for letters, factor in by_letters.items():
            sign = self._sign(factor)
            factors = [self.letters.letter(letter) for letter in letters]
            product = factors[0] if len(factors) == 1 else Term.product(*sorted(factors, key=str))
            groups.setdefault(factor.scaled(sign), []).append((sign, product))
        result = []
        for size, members in groups.items():
            all_negative = all(sign < 0 for sign, _ in members)
            factor = -size if all_negative else size
            parts = [
                part if sign > 0 or all_negative else Term.product(Term.integer(-1), part)
                for sign, part in sorted(members, key=lambda member: (-member[0], str(member[1])))
            ]
            if factor in (Polynomial.constant(1), Polynomial.constant(-1)):
                result += [(factor, part) for part in parts]
            else:
                result.append((factor, Term.sum(*parts)))
        return sorted(result, key=self._order)

    def _sign(self, factor: Polynomial) -> int:
        """The sign of a factor, judged by most of its terms and then by how it reads."""
        number = factor.as_integer
        if number is not None:
            return 1 if number > 0 else -1
        positive = sum(1 if coefficient > 0 else -1 for _, coefficient in factor)
        if positive:
            return 1 if positive > 0 else -1
        return 1 if str(self._uniform(factor)) < str(self._uniform(-factor)) else -1

    @staticmethod
    def _order(entry: tuple[Polynomial, Term]) -> tuple[int, int, str]:
        factor, term = entry
        degree = max((len(monomial) for monomial in factor.terms), default=0)
        return -degree, -abs(factor.as_integer or 0), str(term)

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

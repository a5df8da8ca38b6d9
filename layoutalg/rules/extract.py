"""From a normal form back to the cheapest term found that computes it.

A normal form holds quotients only. Here each chain of quotients of one index may become digits
again (``x - 8*(x // 8)`` is ``x % 8``), products with a common factor are gathered, and the choice
is made by the price of the whole term.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.cost import cost
from layoutalg.polynomial import ZERO, Polynomial
from layoutalg.rules.letters import Letters
from layoutalg.rules.writer import Writer

if TYPE_CHECKING:
    from layoutalg.rules.condition import Condition
    from layoutalg.rules.normal_form import NormalForm
    from layoutalg.term import Term

__all__ = ["Extraction"]

ROUNDS = 12  # improving moves tried one after another on one sum


class Extraction:
    """Terms for the normal forms of one computation; equal forms get the same term."""

    def __init__(self, form: NormalForm) -> None:
        self.form = form
        self.uniform = frozenset(v.name for v in form.domain.parameters)
        self.letters = Letters(form, self.term)
        self.writer = Writer(form, self.letters)
        self._terms: dict[Polynomial, Term] = {}

    def term(self, polynomial: Polynomial) -> Term:
        """The cheapest term found for a polynomial in quotients."""
        if polynomial not in self._terms:
            self._terms[polynomial] = self._search(polynomial)
        return self._terms[polynomial]

    def condition(self, condition: Condition) -> Term:
        """The comparison a condition stands for."""
        return self.letters.condition(condition)

    def _search(self, polynomial: Polynomial) -> Term:
        best = self.writer.build(polynomial)
        best_price = self._price(best)
        for _ in range(ROUNDS):
            found = None
            for candidate in self._moves(polynomial):
                term = self.writer.build(candidate)
                price = self._price(term)
                if price < best_price:
                    best, best_price, found = term, price, candidate
            if found is None:
                break
            polynomial = found
        factored = self.writer.factored(polynomial)
        return factored if self._price(factored) <= best_price else best

    def _price(self, term: Term) -> int:
        return cost(term, self.uniform)

    def _moves(self, polynomial: Polynomial) -> list[Polynomial]:
        """The polynomial with one quotient written as a digit, in each possible way."""
        digits, moves = self.form.digits, []
        whole = digits.split(polynomial)
        if whole != polynomial:
            moves.append(whole)
        for low, number, low_scale, high, high_scale in self._pairs(polynomial):
            base, rest = high_scale.divided(low_scale)
            if rest:
                continue
            digit = digits.digit(number, low_scale, base)
            letter = digit.as_letter
            assert letter is not None
            digits.joined[letter] = low - base * high
            name = low.as_letter
            if name is not None:
                moves.append(polynomial.replaced(name, digit + base * high))
            moves.extend(self._without_high(polynomial, low, digit, base, high))
        return moves

    @staticmethod
    def _without_high(
        polynomial: Polynomial,
        low: Polynomial,
        digit: Polynomial,
        base: Polynomial,
        high: Polynomial,
    ) -> list[Polynomial]:
        name = high.as_letter
        factor = None if name is None else polynomial.coefficient(name)
        if not factor:
            return []
        times, rest = factor.divided(base)
        if rest:
            return []
        return [polynomial - times * base * high + times * (low - digit)]

    def _pairs(
        self, polynomial: Polynomial
    ) -> list[tuple[Polynomial, Polynomial, Polynomial, Polynomial, Polynomial]]:
        atoms = self.form.atoms
        chains: dict[Polynomial, list[tuple[Polynomial, Polynomial]]] = {}
        for letter in atoms.of_kind("floor", polynomial):
            number, divisor = atoms[letter].operands
            chains.setdefault(number, []).append((divisor, Polynomial.letter(letter)))
        pairs = []
        for number, links in chains.items():
            if number.as_letter in polynomial.letters:
                links.insert(0, (Polynomial.constant(1), number))
            pairs += [
                (low, number, low_scale, high, high_scale)
                for low_scale, low in links
                for high_scale, high in links
                if low != high and high_scale.divided(low_scale)[1] == ZERO
            ]
        return pairs

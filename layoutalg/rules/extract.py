"""From a normal form back to the cheapest term found that computes it.

A normal form holds quotients only. Its parts are offered in other ways (``x - 8*(x // 8)`` is ``x % 8``),
products with a common factor are gathered, and the price of the whole term decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.cost import GFX9, Prices, cost
from layoutalg.rules.letters import Letters
from layoutalg.rules.proposals import proposals
from layoutalg.rules.writer import Writer

if TYPE_CHECKING:
    from layoutalg.polynomial import Polynomial
    from layoutalg.rules.condition import Condition
    from layoutalg.rules.normal_form import NormalForm
    from layoutalg.term import Term

__all__ = ["Extraction"]

ROUNDS = 12  # improving moves tried one after another on one sum


class Extraction:
    """Terms for the normal forms of one computation; equal forms get the same term.

    ``budget`` counts the written forms that may still be compared.
    """

    def __init__(self, form: NormalForm, prices: Prices = GFX9, budget: int = 2000) -> None:
        self.form = form
        self.prices = prices
        self.budget = budget
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
            for candidate in proposals(self.form, polynomial):
                if self.budget <= 0:
                    return best
                self.budget -= 1
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
        return cost(term, self.uniform, self.prices)

"""From a normal form back to the cheapest term found that computes it.

A normal form holds quotients only. Its parts are offered in other ways (``x - 8*(x // 8)`` is ``x % 8``),
products with a common factor are gathered, and the price of the whole term decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.rules.letters import Letters
from layoutalg.rules.proposals import proposals
from layoutalg.rules.writer import Writer
from layoutalg.term import interpret_term
from layoutalg.term.cost import GFX9, Prices, Pricing

if TYPE_CHECKING:
    from sympy import Expr

    from layoutalg.rules.condition import Condition
    from layoutalg.rules.normal_form import NormalForm
    from layoutalg.rules.polynomial import Polynomial
    from layoutalg.term import Term

__all__ = ["BUDGET", "Extraction", "to_expression"]

BUDGET = 2000  # written forms compared before the best so far is taken; a long sum counts as several
TERMS_OF_ONE = 5  # terms of a sum that count as one more written form
ROUNDS = 12  # improving moves tried one after another on one sum


class Extraction:
    """Terms for the normal forms of one computation; equal forms get the same term.

    ``budget`` counts the written forms that may still be compared.
    """

    def __init__(self, form: NormalForm, prices: Prices = GFX9, budget: int = BUDGET) -> None:
        self.form = form
        self.pricing = Pricing(frozenset(v.name for v in form.domain.parameters), prices)
        self.budget = budget
        self.letters = Letters(form, self.term)
        self.writer = Writer(form, self.letters)
        self._terms: dict[Polynomial, Term] = {}

    def term(self, polynomial: Polynomial) -> Term:
        """The cheapest term found for a polynomial in quotients."""
        if polynomial not in self._terms:
            letter = polynomial.as_letter
            is_name = letter is not None and self.form.atoms[letter].kind in ("axis", "parameter")
            simple = is_name or polynomial.as_integer is not None
            self._terms[polynomial] = (self.writer.build if simple else self._search)(polynomial)
        return self._terms[polynomial]

    def condition(self, condition: Condition) -> Term:
        """The comparison a condition stands for."""
        return self.letters.condition(condition)

    def _search(self, polynomial: Polynomial) -> Term:
        best = self.writer.build(polynomial)
        best_price = self.pricing.total(best)
        seen = {polynomial}
        if self.budget <= 0:
            return best
        for _ in range(ROUNDS if best_price > 1 else 0):
            found = None
            for candidate in proposals(self.form, polynomial):
                if candidate in seen:
                    continue
                seen.add(candidate)
                if self.budget <= 0:
                    return best
                self.budget -= 1 + len(candidate.terms) // TERMS_OF_ONE
                term = self.writer.build(candidate)
                price = self.pricing.total(term)
                if price < best_price or (found and price == best_price and str(term) < str(best)):
                    best, best_price, found = term, price, candidate
            if found is None:
                break
            polynomial = found
        factored = self.writer.factored(polynomial)
        if factored is None:
            return best
        return factored if self.pricing.total(factored) <= best_price else best


def to_expression(form: NormalForm, polynomial: Polynomial, budget: int = BUDGET) -> Expr:
    """The SymPy expression of a polynomial, through the cheapest term found for it.

    A budget of 0 takes the first way of writing it and asks nothing of the normal form.
    """
    found: Expr = interpret_term(
        Extraction(form, budget=budget).term(polynomial), SYMBOLIC, form.domain.__getitem__
    )
    return found

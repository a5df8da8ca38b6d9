"""From a normal form back to the cheapest term found that computes it.

A normal form holds quotients only. Its parts are offered in other ways (``x - 8*(x // 8)`` is ``x % 8``),
products with a common factor are gathered, and the price of the whole term decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.rules.comparisons import equal_comparisons
from layoutalg.rules.condition import Condition
from layoutalg.rules.junctions import joined, merged_pairs
from layoutalg.rules.letters import Letters
from layoutalg.rules.polynomial import Monomial, Polynomial
from layoutalg.rules.proposals import proposals
from layoutalg.rules.totality import is_total
from layoutalg.rules.writer import Writer
from layoutalg.term import Term, interpret_term
from layoutalg.term.cost import GFX9, Prices, Pricing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sympy import Expr

    from layoutalg.rules.normal_form import NormalForm

__all__ = ["BUDGET", "Extraction", "to_expression"]

BUDGET = 2000  # written forms compared before the best so far is taken; a long sum counts as several
TERMS_OF_ONE = 5  # terms of a sum that count as one more written form
CONDITIONS = 24  # equal conditions compared
DEPTH = 1  # conditions equal to parts of conditions that are equal to another
LONG = 12  # terms of a sum of which only what a move changes is priced first
SHARED = 1  # operations that a move may add there
ROUNDS = 12  # improving moves tried one after another on one sum


class Extraction:
    """Terms for the normal forms of one computation; equal forms get the same term.

    ``budget`` counts the written forms that may still be compared.
    """

    def __init__(self, form: NormalForm, prices: Prices = GFX9, budget: int = BUDGET) -> None:
        self.form = form
        self.pricing = Pricing(frozenset(v.name for v in form.domain.parameters), prices)
        self.budget = budget
        self.letters = Letters(form, self.term, self.condition)
        self._conditions: dict[Condition, Term] = {}
        self._underway: set[Condition] = set()
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

    def condition(self, condition: Condition, depth: int = 0) -> Term:
        """The comparison a condition stands for."""
        if condition in self._conditions:
            return self._conditions[condition]
        if depth > DEPTH or condition in self._underway:  # a part of what is equal to it: as it stands
            return self._written(condition, depth + 1)
        self._underway.add(condition)
        found = self._cheapest(condition, depth)
        self._underway.discard(condition)
        if depth == 0:
            self._conditions[condition] = found
        return found

    def _cheapest(self, given: Condition, depth: int) -> Term:
        """The cheapest comparison, or conjunction of such, among those that are equal."""
        best, best_price = None, 0
        is_free = self.form.eliminates and is_total(self.form, given)  # to be rearranged
        found = joined(self.form, given) if is_free else given
        waiting, seen, offered = [found], {found}, {given, found}
        while waiting and len(seen) <= CONDITIONS:
            condition = waiting.pop(0)
            term = self._written(condition, depth if condition == found else depth + 1)
            price = self.pricing.total(term)
            if best is None or price < best_price:
                best, best_price = term, price
            if condition.is_decided:
                return term
            if not is_free or self.budget <= 0:
                break
            self.budget -= 1
            for other in self._others(condition):
                if len(seen) > CONDITIONS:
                    break
                if other in offered:
                    continue
                offered.add(other)
                settled = joined(self.form, other)
                if settled not in seen:
                    seen.add(settled)
                    waiting.append(settled)
        assert best is not None
        return best

    def _others(self, condition: Condition) -> Iterator[Condition]:
        """Conditions equal to this one."""
        if condition.kind in ("and", "or"):
            yield from merged_pairs(self.form, condition)
            return
        yield from equal_comparisons(self.form, condition)
        for other in proposals(self.form, condition.polynomials()[0]):
            yield Condition(condition.kind, (other,))

    def _written(self, condition: Condition, depth: int) -> Term:
        """A conjunction of the cheapest parts, or a comparison as it stands."""
        if condition.kind not in ("and", "or"):
            return self.letters.condition(condition)
        parts = [self.condition(part, depth) for part in condition.parts if isinstance(part, Condition)]
        return reduce(lambda left, right: Term(condition.kind, (left, right)), parts)

    def _search(self, polynomial: Polynomial) -> Term:
        """The cheapest form that moves lead to, of those the shortest."""
        if self.budget <= 0:
            return self.writer.build(polynomial)
        best = self._priced(polynomial)
        found, seen = best, {polynomial}
        for _ in range(ROUNDS if best.price > 1 else 0):
            moves = list(self._moves(found.polynomial, seen))
            cheaper = sorted((move for move in moves if move.price < found.price), key=_Form.order)
            best = min((best, *moves), key=_Form.length)
            if not cheaper:
                break
            found = cheaper[0]
            together = _together(polynomial, cheaper)
            if together not in seen and self.budget > 0:
                seen.add(together)
                found = min((found, self._priced(together)), key=_Form.by_price)
                best = min((best, found), key=_Form.length)
            polynomial = found.polynomial
        return self._factored(best, polynomial)

    def _moves(self, polynomial: Polynomial, seen: set[Polynomial]) -> Iterator[_Form]:
        """The forms one move away that were not met before, while the budget lasts."""
        for candidate in proposals(self.form, polynomial):
            if self.budget <= 0:
                return
            if candidate in seen:
                continue
            seen.add(candidate)
            if len(polynomial.terms) <= LONG or self._may_be_cheaper(polynomial, candidate):
                yield self._priced(candidate)

    def _may_be_cheaper(self, polynomial: Polynomial, candidate: Polynomial) -> bool:
        """Whether what a move changes gets cheaper by itself, or dearer by no more than may be shared."""
        change = (candidate - polynomial).terms
        before, after = (Polynomial({m: c for m, c in p if m in change}) for p in (polynomial, candidate))
        return self._priced(after).price <= self._priced(before).price + SHARED

    def _priced(self, polynomial: Polynomial) -> _Form:
        """A written form and its price, counted against the budget."""
        self.budget -= 1 + len(polynomial.terms) // TERMS_OF_ONE
        term = self.writer.build(polynomial)
        return _Form(polynomial, term, self.pricing.total(term))

    def _factored(self, best: _Form, polynomial: Polynomial) -> Term:
        """The form, or one with factors taken out; with sizes taken out also where it is no cheaper."""
        for product in self.writer.products(polynomial):
            best = min((best, _Form(polynomial, product, self.pricing.total(product))), key=_Form.by_price)
        factored = self.writer.factored(polynomial)
        if factored is None:
            return best.term
        return factored if self.pricing.total(factored) <= best.price else best.term


@dataclass(frozen=True)
class _Form:
    """A polynomial as it is written, and the price of that."""

    polynomial: Polynomial
    term: Term
    price: int

    def by_price(self) -> int:
        return self.price

    def length(self) -> tuple[int, int]:
        """Of two as cheap the shorter one."""
        return self.price, self.term.size

    def order(self) -> tuple[int, str]:
        """The same whatever was tried before."""
        return self.price, str(self.term)


def _together(polynomial: Polynomial, cheaper: list[_Form]) -> Polynomial:
    """A sum with all of the moves made that are about different terms, the first ones first."""
    together, moved = polynomial, set[Monomial]()
    for move in cheaper:
        change = move.polynomial - polynomial
        if moved.isdisjoint(change.terms):
            moved |= set(change.terms)
            together = together + change
    return together


def to_expression(form: NormalForm, polynomial: Polynomial, budget: int = BUDGET) -> Expr:
    """The SymPy expression of a polynomial, through the cheapest term found for it.

    A budget of 0 takes the first way of writing it and asks nothing of the normal form.
    """
    found: Expr = interpret_term(
        Extraction(form, budget=budget).term(polynomial), SYMBOLIC, form.domain.__getitem__
    )
    return found

"""Simplification: the normal form of an expression, and the cheapest program that computes it.

>>> from layoutalg.domain import Domain
>>> found = simplify("x // 28 * 28 + x % 28", Domain.of({"x": 420}), explain=True)
>>> found.expr, found.cost_before, found.cost
(x, 8, 0)
>>> print(simplify("(k // 8 ^ m % 8) * 8 + k % 8", Domain.of({"m": 128, "k": 64})))
8*(m % 8) ^ k
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from layoutalg.as_terms import to_term
from layoutalg.cost import PRICES, Prices
from layoutalg.errors import LayoutError
from layoutalg.parse import parse_term_in
from layoutalg.rules.condition import Condition
from layoutalg.rules.explain import ExplainedStep, explained
from layoutalg.rules.extract import BUDGET, Extraction
from layoutalg.rules.normal_form import NormalForm
from layoutalg.shown import Shown
from layoutalg.symbolic import SYMBOLIC
from layoutalg.sympy_forms import from_sympy
from layoutalg.term import Run, Term, run

if TYPE_CHECKING:
    from sympy import Expr

    from layoutalg.domain import Domain

__all__ = ["Simplified", "Simplifier", "require_defined", "simplify"]

MANY_LETTERS = 50_000  # kept for one domain before all is forgotten


@dataclass(frozen=True)
class Simplified(Shown):
    """An equal expression as the term a program computes; its price, and that of the input.

    ``steps`` are the rules used, if asked for. ``expr`` is the term as a SymPy expression or
    condition, which SymPy may arrange in another order.
    """

    program: Term
    domain: Domain
    cost: int
    cost_before: int
    steps: tuple[ExplainedStep, ...] = ()

    @cached_property
    def expr(self) -> Expr:
        found: Expr = run(self.program, SYMBOLIC, self.domain.__getitem__)
        return found

    def __str__(self) -> str:
        return str(self.program)


class Simplifier:
    """Simplifies expressions of one domain and keeps what it has learned from one to the next.

    :func:`simplify` keeps one for each of the domains met last.

    >>> from layoutalg.domain import Domain
    >>> simplifier = Simplifier(Domain.of({"x": 420}))
    >>> [str(simplifier(text)) for text in ("x // 28 * 28 + x % 28", "x // 28 // 15")]
    ['x', '0']
    """

    def __init__(
        self,
        domain: Domain,
        *,
        target: str | Prices = "gfx9",
        explain: bool = False,
        budget: int = BUDGET,
        assume_defined: bool = False,
    ) -> None:
        self.domain = domain
        self.explain = explain
        self.budget = budget
        self.form = NormalForm(domain, assume_defined=assume_defined)
        self.prices = _prices(target)
        self.extraction = Extraction(self.form, self.prices)
        self._terms: dict[Term, Term] = {}
        self._run = Run(self.form, self.form.symbol)

    def __call__(self, expression: Expr | Term | str | int) -> Simplified:
        """The cheapest form found of one expression or condition; see :func:`simplify`."""
        term = self._kept(_as_term(expression, self.domain))
        form, extraction = self.form, self.extraction
        extraction.budget = self.budget
        form.steps.clear()
        if form.assume_defined:  # what one expression takes for granted, another may not
            self._run = Run(form, form.symbol)
        with form.scope():
            value = self._run.value(term)
        steps = tuple(explained(form)) if self.explain else ()
        found = extraction.condition(value) if isinstance(value, Condition) else extraction.term(value)
        if extraction.budget <= 0:  # forms found in haste are not kept for the next expression
            self.extraction = Extraction(form, self.prices)
        price_before, price = map(extraction.pricing.total, (term, found))
        if price > price_before:
            found, price = term, price_before
        return Simplified(found, self.domain, price, price_before, steps)

    def _kept(self, term: Term) -> Term:
        """The term that stands for all equal ones, so that looking one up compares nothing twice."""
        found = self._terms.get(term)
        if found is None:
            found = Term(term.op, tuple(map(self._kept, term.args))) if term.parts else term
            self._terms[found] = found
        return found


def simplify(
    expression: Expr | Term | str | int,
    domain: Domain,
    *,
    target: str | Prices = "gfx9",
    explain: bool = False,
    budget: int = BUDGET,
    assume_defined: bool = False,
) -> Simplified:
    """The cheapest form found of an index expression or condition, equal at every point of the domain.

    The expression is text in Python's, C's or SymPy's syntax, a SymPy expression (its own ``floor``,
    ``Mod`` and ``Piecewise`` are accepted) or a term. ``target`` names a table of prices; the result
    never costs more than the input. ``budget`` limits the search to that many written forms; the same
    input gives the same result on any machine. ``assume_defined`` takes for granted that divisors are
    positive and operands of bit operations are not negative, where the domain does not show it;
    without it such an expression is refused with :class:`~layoutalg.errors.MissingFactError`.
    """
    term = _as_term(expression, domain)
    if explain:
        simplifier = Simplifier(
            domain, target=target, explain=True, budget=budget, assume_defined=assume_defined
        )
        return simplifier(term)
    return _simplified(term, domain, _prices(target), budget, assume_defined)


@lru_cache(maxsize=4096)
def _simplified(
    term: Term,
    domain: Domain,
    prices: Prices,
    budget: int,
    assume_defined: bool,  # noqa: FBT001  a key of the cache
) -> Simplified:
    """The results of :func:`simplify`, kept."""
    simplifier = _simplifier(domain, prices, budget, assume_defined)
    if len(simplifier.form.atoms) > MANY_LETTERS:
        _simplifier.cache_clear()
    return simplifier(term)


@lru_cache(maxsize=16)
def _simplifier(
    domain: Domain,
    prices: Prices,
    budget: int,
    assume_defined: bool,  # noqa: FBT001  a key of the cache
) -> Simplifier:
    """What was learned of the domains met last; forms do not depend on it, time does."""
    return Simplifier(domain, target=prices, budget=budget, assume_defined=assume_defined)


def _prices(target: str | Prices) -> Prices:
    if isinstance(target, Prices):
        return target
    if target not in PRICES:
        msg = f"target: wanted one of {', '.join(PRICES)}, got {target!r}"
        raise LayoutError(msg)
    return PRICES[target]


def require_defined(expression: Any, domain: Domain) -> None:
    """Refuse an expression that is not defined at every point of the domain."""
    form = NormalForm(domain)
    run(_as_term(expression, domain), form, form.symbol)


def _as_term(expression: Any, domain: Domain) -> Term:
    if isinstance(expression, Term):
        return expression
    if isinstance(expression, str):
        return parse_term_in(expression, domain)
    return to_term(from_sympy(expression))

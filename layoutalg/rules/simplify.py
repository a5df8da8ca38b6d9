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
from layoutalg.parse import parse_term
from layoutalg.rules.condition import Condition
from layoutalg.rules.explain import ExplainedStep, explained
from layoutalg.rules.extract import Extraction
from layoutalg.rules.normal_form import NormalForm
from layoutalg.symbolic import SYMBOLIC
from layoutalg.sympy_forms import from_sympy
from layoutalg.term import Term, run

if TYPE_CHECKING:
    from sympy import Expr

    from layoutalg.domain import Domain

__all__ = ["BUDGET", "Simplified", "require_defined", "simplify"]

BUDGET = 2000  # written forms compared before the best so far is taken


@dataclass(frozen=True)
class Simplified:
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
    if isinstance(target, str) and target not in PRICES:
        msg = f"target: wanted one of {', '.join(PRICES)}, got {target!r}"
        raise LayoutError(msg)
    prices = PRICES[target] if isinstance(target, str) else target
    options = {"explain": explain, "assume_defined": assume_defined}
    chosen = frozenset(name for name, is_chosen in options.items() if is_chosen)
    return _simplified(term, domain, prices, budget, chosen)


def require_defined(expression: Any, domain: Domain) -> None:
    """Refuse an expression that is not defined at every point of the domain."""
    NormalForm(domain).of(expression)


def _as_term(expression: Any, domain: Domain) -> Term:
    if isinstance(expression, Term):
        return expression
    if isinstance(expression, str):
        return parse_term(expression, names=domain.names)
    return to_term(from_sympy(expression))


@lru_cache(maxsize=4096)
def _simplified(
    term: Term, domain: Domain, prices: Prices, budget: int, options: frozenset[str]
) -> Simplified:
    form = NormalForm(domain, assume_defined="assume_defined" in options)
    value = run(term, form, form.symbol)
    steps = tuple(explained(form)) if "explain" in options else ()
    extraction = Extraction(form, prices, budget)
    found = extraction.condition(value) if isinstance(value, Condition) else extraction.term(value)
    price_before, price = map(extraction.pricing.total, (term, found))
    if price > price_before:
        return Simplified(term, domain, price_before, price_before, steps)
    return Simplified(found, domain, price, price_before, steps)

"""Simplification: the normal form of an expression, and the cheapest program that computes it.

>>> from layoutalg.domain import Domain
>>> found = simplify("x // 28 * 28 + x % 28", Domain.of({"x": 420}), explain=True)
>>> found.expr, found.cost_before, found.cost
(x, 8, 0)
>>> print(simplify("(k // 8 ^ m % 8) * 8 + k % 8", Domain.of({"m": 128, "k": 64})))
8*(m % 8) ^ k
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from layoutalg.display import Displayed
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError, MissingFactError, of_kind, shown
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.index.sympy_forms import from_sympy
from layoutalg.reading.near_attributes import NearAttributes
from layoutalg.reading.near_names import not_one_of
from layoutalg.reading.signature_note import noted
from layoutalg.rules.condition import Condition
from layoutalg.rules.every_point import answer_at_every_point
from layoutalg.rules.explained_step import ExplainedStep, explained
from layoutalg.rules.extract import BUDGET, Extraction
from layoutalg.rules.from_text import parse_term_in
from layoutalg.rules.normal_form import SYSTEMS, NormalForm
from layoutalg.rules.second_look import SecondLook
from layoutalg.term import Interpretation, Term, interpret_term
from layoutalg.term.as_terms import to_term, with_tables
from layoutalg.term.cost import GFX9, PRICES, Prices

if TYPE_CHECKING:
    from collections.abc import Callable

    from sympy import Expr

    from layoutalg.rules.polynomial import Polynomial

__all__ = [
    "Simplified",
    "Simplifier",
    "closed_forms",
    "require_defined",
    "simplify",
    "simplify_all",
]


@dataclass(frozen=True)
class Simplified(NearAttributes, Displayed):
    """An equal expression as the term a program computes; its price, and that of the input.

    ``steps`` are the rules used, if asked for. ``expr`` is the term as a SymPy expression or
    condition, which SymPy may arrange in another order.

    >>> import layoutalg as la
    >>> found = la.simplify("x // 28 * 28 + x % 28", la.Domain.of({"x": 420}))
    >>> found.expr, found.cost_before, found.cost
    (x, 8, 0)
    """

    program: Term
    domain: Domain
    cost: int
    cost_before: int
    steps: tuple[ExplainedStep, ...] = ()

    @cached_property
    def expr(self) -> Expr:
        found: Expr = interpret_term(self.program, SYMBOLIC, self.domain.__getitem__)
        return found

    def __str__(self) -> str:
        return str(self.program)


class Simplifier:
    """Simplifies expressions of one domain, each as if it were the first.

    :func:`simplify` keeps a simplifier for each of the domains met last, and :func:`simplify_all` shares work
    between expressions.

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
        self.domain = of_kind(domain, Domain, "simplify: domain", "a Domain such as Domain.of({'x': 64})")
        self.explain = explain
        self.budget = budget
        self.prices = _prices(target)
        self._bare = NormalForm(domain, assume_defined=assume_defined, eliminates=True)

    def fresh(self) -> NormalForm:
        """A normal form of the domain that has seen no expression yet."""
        return self._bare.copy()

    def __call__(self, expression: Expr | Term | str | int) -> Simplified:
        """The cheapest form found of one expression or condition; see :func:`simplify`."""
        return _Work(self, self.fresh()).simplified(_as_term(expression, self.domain))

    def all(self, expressions: Iterable[Expr | Term | str | int]) -> list[Simplified]:
        """The forms of several expressions, what they have in common worked out once.

        They are taken from the smallest to the largest, so the forms follow from the set of expressions.
        """
        if isinstance(expressions, str) or not isinstance(expressions, Iterable):
            raise LayoutError(f"simplify_all: wanted a list of expressions, got {shown(expressions)}")
        terms = [_as_term(expression, self.domain) for expression in expressions]
        work = _Work(self, self.fresh())
        in_order = sorted(dict.fromkeys(map(work.kept, terms)), key=lambda term: (term.size, str(term)))
        found = {term: work.simplified(term) for term in in_order}
        return [found[term] for term in terms]


class _Remembering(Interpretation):
    """Computes terms of declared symbols in a normal form, equal terms once under the same facts.

    A divisor that is taken as positive adds to the facts: what was computed is kept under those after it.
    """

    on: NormalForm

    def value(self, term: Term) -> Any:
        """The value of a term."""
        found = self.on.terms.get(term)
        if found is None:
            found = self.compute(term)
            self.on.terms[term] = found
        return found

    def in_branch(self) -> Interpretation:
        """The same: facts of a branch are others."""
        return self


class _Work:
    """What is learned of one expression, and used for the next of the same set."""

    def __init__(self, simplifier: Simplifier, form: NormalForm) -> None:
        self.simplifier = simplifier
        self.form = form
        self.extraction = Extraction(form, simplifier.prices)
        self.run = _Remembering(form, form.symbol)
        self.second_look = SecondLook(form.domain, assume_defined=form.assume_defined)
        self._terms: dict[Term, Term] = {}

    def simplified(self, given: Term) -> Simplified:
        """The cheapest form found of a term."""
        term, form, extraction = self.kept(given), self.form, self.extraction
        extraction.budget = self.simplifier.budget
        form.systems_left = SYSTEMS
        form.steps.clear()
        with form.scope():
            value = self.run.value(term)
        steps = tuple(explained(form)) if self.simplifier.explain else ()
        if isinstance(value, Condition) and not value.is_decided:
            answer = answer_at_every_point(given, form.domain)
            value = value if answer is None else form.truth(answer)
        found = extraction.condition(value) if isinstance(value, Condition) else extraction.term(value)
        if extraction.budget <= 0:  # forms found in haste are not kept for the next expression
            self.extraction = Extraction(form, self.simplifier.prices)
        price_before, price = map(extraction.pricing.total, (term, found))
        if (price, found.size) > (price_before, term.size):  # of two as cheap the shorter one
            found, price = term, price_before
        self.second_look.require_same(term, found)
        return Simplified(found, form.domain, price, price_before, steps)

    def kept(self, term: Term) -> Term:
        """The term that stands for all equal ones, so that looking one up compares nothing twice."""
        found = self._terms.get(term)
        if found is None:
            found = Term(term.op, tuple(map(self.kept, term.args))) if term.parts else term
            self._terms[found] = found
        return found


@noted
def simplify_all(
    expressions: Iterable[Expr | Term | str | int],
    domain: Domain,
    *,
    target: str | Prices = "gfx9",
    budget: int = BUDGET,
    assume_defined: bool = False,
) -> list[Simplified]:
    """The cheapest forms found of many expressions of one domain, such as those of a kernel.

    Like :func:`simplify` of each, several times as fast where they share parts. The forms follow from the
    set of expressions alone, not from their order or from what was simplified before.

    >>> from layoutalg.domain import Domain
    >>> [str(found) for found in simplify_all(["x // 4 * 4 + x % 4", "x // 4 // 8"], Domain.of({"x": 420}))]
    ['x', 'x // 32']
    """
    simplifier = Simplifier(domain, target=target, budget=budget, assume_defined=assume_defined)
    return simplifier.all(expressions)


@noted
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

    >>> import layoutalg as la
    >>> print(la.simplify("tid // 8 * 64 + (tid % 8 ^ tid // 8 % 8) * 8", la.Domain.of({"tid": 256})))
    8*(tid ^ tid // 8 % 8)
    """
    term = _as_term(expression, domain)
    if explain:
        simplifier = Simplifier(
            domain, target=target, explain=True, budget=budget, assume_defined=assume_defined
        )
        return simplifier(term)
    return _simplified(term, domain, _prices(target), budget, assume_defined)


def closed_forms(
    compute: Callable[[NormalForm], Iterable[Polynomial]], domain: Domain, when: Callable[[], Term]
) -> tuple[Term, ...]:
    """The cheapest terms found of values that ``compute`` gets in the normal form of a domain.

    Nothing is written out in between, as it is where an expression is built and then simplified. Where some
    operation is not defined everywhere, the forms hold at the points where the condition ``when()`` does.
    """
    form = _simplifier(domain, GFX9, BUDGET, assume_defined=False).fresh()
    try:
        values = tuple(compute(form))
    except MissingFactError:
        condition: Any = interpret_term(when(), form, form.symbol)
        form.assume(condition)
        values = tuple(compute(form))
    return tuple(Extraction(form).term(value) for value in values)


@lru_cache(maxsize=4096)
def _simplified(
    term: Term,
    domain: Domain,
    prices: Prices,
    budget: int,
    assume_defined: bool,  # noqa: FBT001  a key of the cache
) -> Simplified:
    """The results of :func:`simplify`, kept."""
    return _simplifier(domain, prices, budget, assume_defined)(term)


@lru_cache(maxsize=16)
def _simplifier(
    domain: Domain,
    prices: Prices,
    budget: int,
    assume_defined: bool,  # noqa: FBT001  a key of the cache
) -> Simplifier:
    """The bare normal forms of the domains met last."""
    return Simplifier(domain, target=prices, budget=budget, assume_defined=assume_defined)


def _prices(target: str | Prices) -> Prices:
    if isinstance(target, Prices):
        return target
    if target not in PRICES:
        raise not_one_of("one", target, PRICES, where="target")
    return PRICES[target]


def require_defined(expression: Any, domain: Domain) -> None:
    """Refuse an expression that is not defined at every point of the domain."""
    form = _simplifier(domain, GFX9, BUDGET, assume_defined=False).fresh()
    form.leaves_entries = True
    interpret_term(_as_term(expression, domain), form, form.symbol)


def _as_term(expression: Any, domain: Domain) -> Term:
    if isinstance(expression, Term):
        return expression
    of_kind(domain, Domain, "simplify: domain", "a Domain such as Domain.of({'x': 64})")
    if isinstance(expression, str):
        return with_tables(parse_term_in(expression, domain), domain.table)
    return to_term(from_sympy(expression))

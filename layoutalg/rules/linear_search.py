"""Polynomials shown not to be negative by linear arithmetic over their monomials.

A number is >= 0 if its being below contradicts what is known. Every monomial is taken as a real number of its
own; facts, what is supposed, and their products with letters that are natural numbers are linear in these.
So it is shown that workgroups dealt out to the dies of an MI300 compute tiles that there are, and that the
last group of rows of tiles is not empty: ``p//N >= 4*(M//4)`` with ``p < M*N`` gives ``M > 4*(M//4)``, by
products with ``N``.
It takes milliseconds, and much more than a look at ranges: it is asked where much depends on the answer.
Source of the method: H. Sherali, W. Adams, "A Hierarchy of Relaxations between the Continuous and Convex Hull
Representations for Zero-One Programming Problems", SIAM J. Discrete Math. 3 (1990), of first order.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> form = NormalForm(Domain.of({"p": "M*N"}, {"M": (1, 99), "N": (1, 99)}, ["p//N >= 4*(M//4)"]))
>>> number = form.symbol("M")
>>> groups = form.quotient(form.symbol("M"), form.integer(4))
>>> is_shown_by_products(form, (number - groups.scaled(4)).plus(-1))
True
>>> is_shown_by_products(form, (number - groups.scaled(4)).plus(-2))
False
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from layoutalg.rules.facts_about import FactsAbout, Sum
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.polynomial import Monomial, Polynomial

__all__ = ["contradiction_by", "is_shown_by_products"]

FACTS = 400
LETTERS = 60
PRODUCTS = 400


def is_shown_by_products(form: NormalForm, polynomial: Polynomial) -> bool:
    """Whether a polynomial is shown to be >= 0, with the facts that are taken at the moment."""
    if form.bounds.falsifier.refute(polynomial, form.bounds.facts):
        return False
    known = FactsAbout(form, polynomial, FACTS, LETTERS, as_digits=False)
    below: Sum = {monomial: -factor for monomial, factor in known.asked.items()}
    below[()] = below.get((), Fraction(0)) - 1
    sums = [below, *known.facts]
    sums += _products(sums, known)
    return any(is_contradiction(_system(sums, known)) for is_contradiction in _solver)


_solver: list[Callable[[str], bool]] = []


def contradiction_by(is_contradiction: Callable[[str], bool]) -> None:
    """Let a solver decide whether linear inequalities contradict each other; without one nothing is shown."""
    _solver[:] = [is_contradiction]


def _system(sums: list[Sum], known: FactsAbout) -> str:
    """In SMT-LIB 2: none of these sums is negative, and no product of natural numbers."""
    names: dict[Monomial, str] = {}
    rows = []
    for one in sums:
        terms = [
            f"(* {_rational(factor)} {names.setdefault(monomial, f'p{len(names)}')})"
            for monomial, factor in one.items()
            if monomial
        ]
        rows.append(f"(assert (>= (+ 0 {' '.join(terms)}) {_rational(-one.get((), Fraction(0)))}))")
    naturals = [name for monomial, name in names.items() if known.shifts.keys() >= set(monomial)]
    declared = [f"(declare-const {name} Real)" for name in names.values()]
    return "\n".join((*declared, *rows, *(f"(assert (>= {name} 0))" for name in naturals)))


def _rational(number: Fraction) -> str:
    text = f"{abs(number.numerator)}.0"
    text = text if number.denominator == 1 else f"(/ {text} {number.denominator}.0)"
    return f"(- {text})" if number < 0 else text


def _products(sums: list[Sum], known: FactsAbout) -> list[Sum]:
    """Linear sums times letters that are met in products.

    First those that bring few new products, with letters of products that are asked about.
    """
    met = {monomial for one in sums for monomial in one if len(monomial) > 1}
    asked = {letter for monomial in known.asked if len(monomial) > 1 for letter in monomial}
    letters = sorted({letter for monomial in met for letter in monomial} & known.shifts.keys())
    found = list[tuple[int, Sum]]()
    for one in sums:
        if any(len(monomial) > 1 for monomial in one):
            continue
        for letter in letters:
            product = {tuple(sorted((*monomial, letter))): factor for monomial, factor in one.items()}
            new = len([m for m in product if len(m) > 1 and m not in met])
            found.append((new + (letter not in asked), product))
    return [product for _, product in sorted(found, key=lambda one: one[0])[:PRODUCTS]]

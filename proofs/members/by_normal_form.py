"""Proofs by normal form: both sides reduced to polynomials, their difference judged by ranges and facts.

Fast, for all sizes, and only ever "proved" or "unknown".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError
from layoutalg.proofs.digits.bound_propagation import propagated
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.rules import NormalForm
from layoutalg.rules.bound_steps import product_steps, steps_with_bounds
from layoutalg.rules.explained_step import explained
from layoutalg.verdict import Proved, Unknown, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from layoutalg.claim import Claim, Comparison
    from layoutalg.domain import Domain
    from layoutalg.rules.explained_step import ExplainedStep
    from layoutalg.rules.polynomial import Polynomial

__all__ = [
    "form_under",
    "gap_of",
    "is_shown",
    "judged",
    "prove_by_normal_form",
    "rewrites",
    "shown_by_normal_form",
]


def prove_by_normal_form(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Proved where the normal form shows every comparison, else unknown."""
    del limits
    return judged(claim, is_shown, Proved("normal form"), "the normal form does not show")


def judged(
    claim: Claim, shows: Callable[[NormalForm, Comparison], bool], shown: Proved, otherwise: str
) -> Proved | Unknown:
    """``shown`` where each comparison is, else unknown: ``otherwise`` and the first that is not."""
    if claim.witness is not None or (claim.kind == "pairs" and claim.map is not None):
        return Unknown(NOT_MINE)
    try:
        form = form_under(claim.domain, claim.when)
        missing = next((one for one in claim.then if not shows(form, one)), None)
    except LayoutError as error:
        return Unknown(f"the normal form is undefined here: {error.message}")
    return shown if missing is None else Unknown(f"{otherwise} {missing}")


def shown_by_normal_form(claim: Claim) -> tuple[int, ...]:
    """The numbers of the comparisons that the normal form shows."""
    form = form_under(claim.domain, claim.when)
    return tuple(number for number, comparison in enumerate(claim.then) if is_shown(form, comparison))


def rewrites(claim: Claim, *, with_products: bool = False) -> list[ExplainedStep]:
    """The steps by which the normal form reduces both sides of a claim, as far as it is defined.

    ``with_products``: the products of facts, too, that show what ranges do not.
    """
    try:
        form = form_under(claim.domain, claim.when)
        gaps = [gap_of(form, comparison) for comparison in claim.then if comparison.op != "=="]
        for comparison in claim.then:
            is_shown(form, comparison)
    except LayoutError:
        return []
    steps = steps_with_bounds(form, gaps)
    if with_products:
        steps += [step for gap in gaps for step in product_steps(form, gap)]
    return explained(form, steps, budget=0)


def form_under(domain: Domain, when: tuple[Any, ...]) -> NormalForm:
    """A normal form for the points at which the conditions hold."""
    domain, rest = propagated(domain, when)
    form = NormalForm(domain)
    for condition in rest:
        form.assume(form.of(condition))
    return form


def is_shown(form: NormalForm, comparison: Comparison) -> bool:
    """Whether ranges and the facts by themselves show a comparison."""
    gap = gap_of(form, comparison)
    return not gap if comparison.op == "==" else form.bounds.is_nonnegative(gap)


def gap_of(form: NormalForm, comparison: Comparison) -> Polynomial:
    """What must not be negative, or must be zero."""
    gap: Polynomial = form.of(comparison.right) - form.of(comparison.left)
    return gap.plus(-1) if comparison.op == "<" else gap

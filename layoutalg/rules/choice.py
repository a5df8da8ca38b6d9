"""Minimum and selection: decided by ranges where ranges decide them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.rules.atoms import Atom
from layoutalg.rules.condition import FALSE, TRUE, Condition
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial
from layoutalg.rules.rule import Bindings, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from layoutalg.rules.normal_form import NormalForm

__all__ = ["MAX_AS_MIN", "MIN_OF_ORDERED", "SELECTION_RULES", "at_least_zero", "minimum", "select", "zero"]


def at_least_zero(form: NormalForm, polynomial: Polynomial) -> Condition:
    """The condition ``polynomial >= 0``, decided if its range decides it."""
    if form.bounds.is_nonnegative(polynomial):
        return TRUE
    if form.bounds.is_nonnegative((-polynomial).plus(-1)):
        return FALSE
    return Condition("nonnegative", (polynomial,))


def zero(form: NormalForm, polynomial: Polynomial) -> Condition:
    """The condition ``polynomial == 0``, decided if its range decides it."""
    if not polynomial:
        return TRUE
    above = form.bounds.is_positive(polynomial)
    if above or form.bounds.is_positive(-polynomial):
        return FALSE
    lead = max(polynomial.terms, key=lambda monomial: (len(monomial), monomial))
    return Condition("zero", (polynomial if polynomial.terms[lead] > 0 else -polynomial,))


def minimum(form: NormalForm, left: Polynomial, right: Polynomial) -> Polynomial:
    """``min(left, right)``, decided where one is shown never to exceed the other."""
    for operands in ((left, right), (right, left)):
        ordered = form.rewritten(MIN_OF_ORDERED, operands)
        if ordered is not None:
            return ordered
    first, second = sorted((left, right), key=lambda p: sorted(p.terms.items()))
    found = form.atoms.find("min", (first, second))
    if found is not None:
        return found
    with form.without_branch_facts():
        lowers, uppers = zip(_ends(form, first), _ends(form, second), strict=True)
        lower = _common_end(form, *lowers, up=False)
        upper = _common_end(form, *uppers, up=False)
        if upper is None:  # either end bounds the smaller one
            upper = next((end for end in uppers if end is not None), None)
        if lower is None and all(map(form.bounds.is_nonnegative, (first, second))):
            lower = ZERO
    uniform = form.atoms.is_uniform(first) and form.atoms.is_uniform(second)
    both = (first, second)
    return form.atoms.letter(Atom("min", both, lower, upper, uniform, cases=both, more_uppers=both))


def _both(form: NormalForm, left: Polynomial, right: Polynomial) -> Iterator[Bindings]:
    del form
    yield {"a": left, "b": right}


MIN_OF_ORDERED = Rule("min_of_ordered", "min(a, b)", "a", when="a <= b", find=_both)
MAX_AS_MIN = Rule("max_as_min", "max(a, b)", "-min(-a, -b)")
SELECT_SAME = Rule("select_same", "select(a <= b, x, x)", "x")
SELECTION_RULES = (  # the first two are carried out by the condition, which ranges decide
    Rule("select_shown", "select(a <= b, x, y)", "x", when="a <= b"),
    Rule("select_refuted", "select(a <= b, x, y)", "y", when="b < a"),
    SELECT_SAME,
)

Ends = tuple[Polynomial | None, Polynomial | None]


def _ends(form: NormalForm, polynomial: Polynomial) -> Ends:
    """A lower and an upper end, and 0 or 1 as lower end where facts show it."""
    lower, upper = form.bounds.lower(polynomial), form.bounds.upper(polynomial)
    if lower is None or not form.bounds.is_nonnegative(lower):
        lower = ZERO if form.bounds.is_nonnegative(polynomial) else lower
    if lower is not None and form.bounds.facts and not form.bounds.is_positive(lower):
        lower = ONE if form.bounds.is_positive(polynomial) else lower
    return lower, upper


def _common_end(
    form: NormalForm, first: Polynomial | None, second: Polynomial | None, *, up: bool
) -> Polynomial | None:
    if first is None or second is None:
        return None
    if form.bounds.is_nonnegative(second - first):
        return second if up else first
    if form.bounds.is_nonnegative(first - second):
        return first if up else second
    return None


def select(
    form: NormalForm,
    condition: Condition,
    if_true: Callable[[], Polynomial],
    if_false: Callable[[], Polynomial],
) -> Polynomial:
    """The branch a condition picks; inside a branch its condition is a fact."""
    if condition.is_decided:
        return if_true() if condition == TRUE else if_false()
    with form.under(condition):
        first = if_true()
        first_ends = _ends(form, first)
        never_negative = form.bounds.is_nonnegative(first)
    with form.under(condition.negated()):
        second = if_false()
        second_ends = _ends(form, second)
        never_negative = never_negative and form.bounds.is_nonnegative(second)
    if first == second:
        if condition.kind == "nonnegative":
            form.noted(SELECT_SAME, a=ZERO, b=condition.polynomials()[0], x=first)
        return first
    found = form.atoms.find("select", (condition, first, second))
    if found is not None:
        return found
    with form.without_branch_facts():
        lower = _common_end(form, first_ends[0], second_ends[0], up=False)
        upper = _common_end(form, first_ends[1], second_ends[1], up=True)
        if never_negative and (lower is None or not form.bounds.is_nonnegative(lower)):
            lower = ZERO
    operands = (condition, first, second)
    return form.atoms.letter(Atom("select", operands, lower, upper, cases=(first, second)))

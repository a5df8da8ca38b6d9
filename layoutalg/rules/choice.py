"""Minimum and selection: decided by ranges where ranges decide them."""

from __future__ import annotations

import math
from itertools import permutations
from typing import TYPE_CHECKING

from layoutalg.rules.atoms import Atom
from layoutalg.rules.condition import FALSE, TRUE, Condition
from layoutalg.rules.entailment import implied, impossible
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial
from layoutalg.rules.rule import Bindings, Rule
from layoutalg.rules.totality import is_total

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from layoutalg.rules.normal_form import NormalForm

__all__ = [
    "MAX_AS_MIN",
    "MIN_OF_MIN",
    "MIN_OF_ORDERED",
    "SELECTION_RULES",
    "at_least_zero",
    "decided",
    "minimum",
    "minimum_letter",
    "select",
    "select_letter",
    "zero",
]


def at_least_zero(form: NormalForm, polynomial: Polynomial) -> Condition:
    """The condition ``polynomial >= 0``, decided if its range decides it."""
    if form.bounds.is_nonnegative(polynomial):
        return TRUE
    if form.bounds.is_nonnegative((-polynomial).plus(-1)):
        return FALSE
    return Condition("nonnegative", (polynomial,))


def decided(form: NormalForm, condition: Condition) -> Condition:
    """True or false where all that is known decides the condition; else the condition itself."""
    if condition.is_decided or not form.eliminates:
        return condition
    if impossible(form, [condition]):
        return FALSE
    return TRUE if implied(form, condition) else condition


def zero(form: NormalForm, polynomial: Polynomial) -> Condition:
    """The condition ``polynomial == 0``, decided if its range or a common factor decides it.

    ``2*x - 4*y == 1`` holds of no integers.
    """
    if not polynomial:
        return TRUE
    common = math.gcd(*(coefficient for monomial, coefficient in polynomial if monomial))
    if common and polynomial.terms.get((), 0) % common:
        return FALSE
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
    if form.eliminates:
        for operands in ((left, right), (right, left)):
            nested = form.rewritten(MIN_OF_MIN, operands)
            if nested is not None:
                return nested
        shifted = _shifted(form, left, right)
        if shifted is not None:
            return shifted
    return minimum_letter(form, left, right)


def _shifted(form: NormalForm, left: Polynomial, right: Polynomial) -> Polynomial | None:
    """A minimum met before of what differs as much: ``min(x + 3, y + 3)`` is ``min(x, y) + 3``.

    Of ``-x`` and ``-y`` too, so that maxima and minima of the same two are one letter.
    """
    for known in form.atoms.all_of_kind("min"):
        first, second = form.atoms[known].operands
        for one, other in ((first, second), (second, first)):
            shift = left - one
            if shift == right - other:
                return Polynomial.letter(known) + shift
    return None


def minimum_letter(form: NormalForm, left: Polynomial, right: Polynomial) -> Polynomial:
    """The letter of a minimum as it stands."""
    first, second = sorted((left, right), key=Polynomial.in_order)
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


def _nested(form: NormalForm, left: Polynomial, right: Polynomial) -> Iterator[Bindings]:
    """Another minimum inside, of which one operand is not needed."""
    for letter in form.atoms.of_kind("min", left):
        rest = left - Polynomial.letter(letter)
        if letter not in rest.letters:
            for a, b in permutations(form.atoms[letter].operands):
                yield {"a": a, "b": b, "s": rest, "c": right}


MIN_OF_MIN = Rule("min_of_min", "min(min(a, b) + s, c)", "min(a + s, c)", when="c <= b + s", find=_nested)
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
    condition = decided(form, condition)
    if condition.is_decided:
        return if_true() if condition == TRUE else if_false()
    with form.under(condition):
        first = if_true()
    with form.under(condition.negated()):
        second = if_false()
    if first == second:
        if condition.kind == "nonnegative":
            form.noted(SELECT_SAME, a=ZERO, b=condition.polynomials()[0], x=first)
        return first
    if form.eliminates and is_total(form, first - second) and is_total(form, condition):
        simpler = _simpler(form, condition, first, second)
        if simpler is not None:
            return simpler
    return select_letter(form, condition, first, second)


def _simpler(
    form: NormalForm, condition: Condition, first: Polynomial, second: Polynomial
) -> Polynomial | None:
    """A branch that is equal to the other where that is taken; or the larger, or the smaller of both."""
    same = Condition("zero", (first - second,))
    if implied(form, same, [condition]):
        return second
    opposite = condition.negated()
    if implied(form, same, [opposite]):
        return first
    gap = Condition("nonnegative", (first - second,)), Condition("nonnegative", (second - first,))
    if implied(form, gap[0], [condition]) and implied(form, gap[1], [opposite]):
        return form.maximum(first, second)
    if implied(form, gap[1], [condition]) and implied(form, gap[0], [opposite]):
        return form.minimum(first, second)
    return None


def select_letter(
    form: NormalForm, condition: Condition, first: Polynomial, second: Polynomial
) -> Polynomial:
    """The letter of a selection as it stands.

    Its ends are those of each branch where its own condition holds, whatever is known around it now: the
    letter is met again elsewhere.
    """
    if first == second:
        return first
    found = form.atoms.find("select", (condition, first, second))
    if found is not None:
        return found
    with form.without_branch_facts():
        with form.under(condition):
            first_ends, never_negative = _ends(form, first), form.bounds.is_nonnegative(first)
        with form.under(condition.negated()):
            second_ends = _ends(form, second)
            never_negative = never_negative and form.bounds.is_nonnegative(second)
        lower = _common_end(form, first_ends[0], second_ends[0], up=False)
        upper = _common_end(form, first_ends[1], second_ends[1], up=True)
        if never_negative and (lower is None or not form.bounds.is_nonnegative(lower)):
            lower = ZERO
    operands = (condition, first, second)
    return form.atoms.letter(Atom("select", operands, lower, upper, cases=(first, second)))

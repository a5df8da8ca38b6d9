"""Other ways to say a comparison: without what divides both sides, without quotients, minima and selections.

Each is equal to the comparison wherever the facts hold; which is the cheapest is a matter of price.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.from_text import parse
>>> from layoutalg.rules.normal_form import NormalForm
>>> domain = Domain.of({"x": (None, None), "y": 8})
>>> form = NormalForm(domain, eliminates=True)
>>> less = form.of(parse("8*x + y < 16", domain))
>>> Condition("nonnegative", (form.of(parse("1 - x", domain)),)) in list(equal_comparisons(form, less))
True
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

from layoutalg.errors import LimitError, MissingFactError
from layoutalg.rules.bounds import strengthened
from layoutalg.rules.choice import at_least_zero, decided, zero
from layoutalg.rules.condition import FALSE, Condition
from layoutalg.rules.division import by_term, quotient_of_known
from layoutalg.rules.polynomial import ONE, Polynomial

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.rules.normal_form import NormalForm

__all__ = ["equal_comparisons"]


def equal_comparisons(form: NormalForm, condition: Condition) -> Iterator[Condition]:
    """Conditions that hold where the comparison does and nowhere else."""
    (polynomial,) = condition.polynomials()
    try:
        with form.proposing():
            if condition.kind == "nonnegative":
                yield from _nonnegative(form, polynomial)
            elif condition.kind == "zero":
                yield from _zero(form, polynomial)
            else:
                yield from (other.negated() for other in _zero(form, polynomial))
    except (MissingFactError, LimitError):  # not shown, or too long to be shown
        return


def _nonnegative(form: NormalForm, polynomial: Polynomial) -> Iterator[Condition]:
    yield at_least_zero(form, strengthened(polynomial))
    for factor in _factors(form, polynomial):
        quotient = quotient_of_known(form, polynomial, factor)  # p >= 0 just where p // d >= 0
        if quotient is not None and len(quotient.terms) <= len(polynomial.terms):
            yield at_least_zero(form, quotient)
    split = form.digits.split(polynomial)
    if split != polynomial:
        yield Condition("nonnegative", (split,))
    if form.bounds.is_nonnegative(-polynomial):
        yield Condition("zero", (split,))
    yield from _without_quotient(form, polynomial)
    yield from _case_by_case(form, "nonnegative", polynomial)


def _zero(form: NormalForm, polynomial: Polynomial) -> Iterator[Condition]:
    yield zero(form, polynomial)
    common = math.gcd(*(c for m, c in polynomial if m))
    if common > 1:
        scaled, rest = polynomial.divided(Polynomial.constant(common))
        yield FALSE if rest else zero(form, scaled)
    for factor in _factors(form, polynomial):
        scaled, rest = polynomial.divided(factor)
        if not rest:
            yield zero(form, scaled)
            continue
        scaled, rest = by_term(polynomial, factor)
        if scaled and form.bounds.is_less(rest, factor) and form.bounds.is_less(-rest, factor):
            yield zero(form, scaled).and_(zero(form, rest))
        quotient = quotient_of_known(form, polynomial, factor)
        if quotient is not None and (rest := polynomial - factor * quotient).letters < polynomial.letters:
            yield zero(form, quotient).and_(zero(form, rest))
    split = form.digits.split(polynomial)
    if split != polynomial:
        yield Condition("zero", (split,))
    for sign in (1, -1):
        if form.bounds.is_nonnegative(polynomial.scaled(sign)):
            yield Condition("nonnegative", (polynomial.scaled(-sign),))
    yield from _case_by_case(form, "zero", polynomial)


def _factors(form: NormalForm, polynomial: Polynomial) -> list[Polynomial]:
    """Numbers and sizes that parts of the polynomial have in common."""
    sizes = [abs(c) for m, c in polynomial if m]
    numbers = {math.gcd(a, b) for a, b in combinations(sizes, 2)} | set(sizes)
    letters = {x for m, _ in polynomial for x in m if form.atoms[x].is_uniform}
    found = [Polynomial.constant(number) for number in sorted(numbers - {1, 0}, reverse=True)]
    found += [Polynomial.letter(x) for x in sorted(letters) if len(polynomial.terms) > 1]
    return [factor for factor in found if form.bounds.is_positive(factor)]


def _without_quotient(form: NormalForm, polynomial: Polynomial) -> Iterator[Condition]:
    """``k - n // d >= 0`` is ``n < (k + 1)*d``, and ``n // d - k >= 0`` is ``n >= k*d``."""
    for letter in form.atoms.of_kind("floor", polynomial):
        number, divisor = form.atoms[letter].operands
        factor, rest = polynomial.coefficient(letter), polynomial.without(letter)
        times = None if factor is None else factor.as_integer
        if not times:
            continue
        k = rest if abs(times) == 1 else quotient_of_known(form, rest, Polynomial.constant(abs(times)))
        if k is None:
            continue
        gap = (k.plus(1) * divisor - number).plus(-1) if times < 0 else number + k * divisor
        yield at_least_zero(form, gap)
    for letter in form.atoms.of_kind("trunc", polynomial):
        number, divisor = form.atoms[letter].operands
        factor, k = polynomial.coefficient(letter), polynomial.without(letter)
        if factor in (ONE, -ONE):
            up = number if factor == ONE else -number  # up / d + k >= 0
            if form.bounds.is_nonnegative(k):
                yield at_least_zero(form, (up + k.plus(1) * divisor).plus(-1))
            elif form.bounds.is_nonnegative(-k):
                yield at_least_zero(form, up + k * divisor)


def _case_by_case(form: NormalForm, kind: str, polynomial: Polynomial) -> Iterator[Condition]:
    """The comparison in each case of a minimum or a selection, where some of them are decided."""
    for letter in sorted(polynomial.letters, reverse=True):
        atom = form.atoms[letter]
        if atom.kind not in ("min", "select"):
            continue
        *condition, first, second = atom.operands
        holds = condition[0] if condition else at_least_zero(form, second - first)
        with form.under(holds):
            at_first = decided(form, _compared(form, kind, polynomial.replaced(letter, first)))
        with form.under(holds.negated()):
            at_second = decided(form, _compared(form, kind, polynomial.replaced(letter, second)))
        if at_first.is_decided or at_second.is_decided:
            yield holds.and_(at_first).or_(holds.negated().and_(at_second))
        factor = polynomial.coefficient(letter)
        if kind == "nonnegative" and atom.kind == "min" and factor and factor.as_integer:
            first, second = (polynomial.replaced(letter, case) for case in atom.operands)
            both = (at_least_zero(form, first), at_least_zero(form, second))
            yield both[0].and_(both[1]) if factor.as_integer > 0 else both[0].or_(both[1])


def _compared(form: NormalForm, kind: str, polynomial: Polynomial) -> Condition:
    return at_least_zero(form, polynomial) if kind == "nonnegative" else zero(form, polynomial)

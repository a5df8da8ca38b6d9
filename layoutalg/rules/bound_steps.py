"""Why a polynomial is not negative, in steps: ends of quotients, and products of what is not negative.

Ranges show ``A*B - 1 - (B*a + b) >= 0`` as ``B*(A - 1 - a) + (B - 1 - b)``. A solver that is told of the
product has only to add up; products and ends of quotients are what solvers give up on.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.from_text import parse
>>> from layoutalg.rules.normal_form import NormalForm
>>> domain = Domain.of({"a": "A", "b": "B"}, {"A": (1, None), "B": (1, None)})
>>> form = NormalForm(domain)
>>> (step,) = bound_steps(form, form.of(parse("A*B - 1 - B*a - b", domain)))
>>> step.rule.when, step.bindings["b"] == form.of(parse("A - 1 - a", domain))
('0 <= a and 0 <= b', True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.rules.polynomial import ONE, ZERO, Polynomial
from layoutalg.rules.products_of_facts import products_that_show
from layoutalg.rules.rule import Rule, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from layoutalg.rules.normal_form import NormalForm

__all__ = ["BOUND_RULES", "bound_steps", "product_steps", "steps_with_bounds"]

PRODUCT = Rule("product_of_nonnegatives", "min(a*b, 0)", "0", when="0 <= a and 0 <= b")
QUOTIENT_BELOW = Rule("quotient_below", "min(k - n // d, 0)", "0", when="n < (k + 1)*d")
QUOTIENT_ABOVE = Rule("quotient_above", "min(n // d - k, 0)", "0", when="k*d <= n")
BOUND_RULES = (PRODUCT, QUOTIENT_BELOW, QUOTIENT_ABOVE)  # that ranges carry out: for who checks a proof
DEEPEST = 40  # letters taken out one after another


def steps_with_bounds(form: NormalForm, gaps: Iterable[Polynomial]) -> list[Step]:
    """The steps of a normal form, each after those that its premise rests on, and those of some gaps."""
    found: list[Step] = []
    for step in tuple(form.steps):
        for op, gap in step.rule.gaps(form, step.bindings):
            found += bound_steps(form, gap) if op != "==" else ()
        found.append(step)
    return [*found, *(step for gap in gaps for step in bound_steps(form, gap))]


def bound_steps(form: NormalForm, polynomial: Polynomial, depth: int = DEEPEST) -> Iterator[Step]:
    """The steps, innermost first, for a polynomial that is shown not to be negative."""
    if polynomial.as_integer is not None or depth == 0:
        return
    if form.bounds.interval(polynomial).low >= 0:
        yield from _monomials(form, polynomial)
        return
    for written in dict.fromkeys((form.digits.split(polynomial), polynomial)):
        taken = (_by_end(form, written) if written.letters else None) or _by_quotient(form, written)
        taken = taken or _by_fact(form, written)
        if taken is not None:
            factor, gap = taken
            yield from _end_of_letter(form, max(gap.letters), gap, depth - 1)
            yield from bound_steps(form, factor, depth - 1)
            yield from _product(form, factor, gap)
            yield from bound_steps(form, written - factor * gap, depth - 1)
            return


def product_steps(form: NormalForm, polynomial: Polynomial) -> Iterator[Step]:
    """The steps for a polynomial that products of facts show not to be negative."""
    for one, other in products_that_show(form, polynomial) or ():
        yield from _product(form, one, other)


def _product(form: NormalForm, one: Polynomial, other: Polynomial) -> Iterator[Step]:
    if one.as_integer is None and other.as_integer is None:
        yield Step(PRODUCT, {"a": form.digits.join(one), "b": form.digits.join(other)})


def _monomials(form: NormalForm, polynomial: Polynomial) -> Iterator[Step]:
    """Each product of letters none of which is negative, two at a time."""
    for monomial, coefficient in polynomial:
        letters = [Polynomial.letter(letter) for letter in monomial]
        if coefficient > 0 and all(form.bounds.interval(letter).low >= 0 for letter in letters):
            for count in range(1, len(letters)):
                yield from _product(form, Polynomial({monomial[:count]: 1}), letters[count])


def _by_end(form: NormalForm, polynomial: Polynomial) -> tuple[Polynomial, Polynomial] | None:
    """How far the latest letter is from an end, and how often that is taken."""
    number = max(polynomial.letters)
    letter, factor = Polynomial.letter(number), polynomial.coefficient(number)
    atom, shown = form.atoms[number], form.bounds.is_nonnegative
    if factor is None:
        return None
    if shown(factor):
        gaps = [] if atom.lower is None else [letter - atom.lower]
    elif shown(-factor):
        gaps, factor = [end - letter for end in (atom.upper, *atom.more_uppers) if end is not None], -factor
    else:
        return None
    return next(((factor, gap) for gap in gaps if shown(polynomial - factor * gap)), None)


def _by_quotient(form: NormalForm, polynomial: Polynomial) -> tuple[Polynomial, Polynomial] | None:
    """How far a quotient by a number is from where it would be without rounding."""
    for number in reversed(form.atoms.of_kind("floor", polynomial)):
        value, divisor = form.atoms[number].operands
        factor, base = polynomial.coefficient(number), divisor.as_integer
        times = None if factor is None else factor.as_integer
        if base is None or times is None or times % base:
            continue
        rounded = divisor * Polynomial.letter(number)
        gap = value - rounded if times < 0 else rounded - value.plus(1 - base)
        gap = gap.scaled(abs(times) // base)
        if form.bounds.is_nonnegative(polynomial - gap):
            return ONE, gap
    return None


def _by_fact(form: NormalForm, polynomial: Polynomial) -> tuple[Polynomial, Polynomial] | None:
    """How often a fact is taken, and the fact."""
    for fact in form.bounds.facts:
        for times in form.bounds.times(polynomial, fact):
            if form.bounds.is_nonnegative(polynomial - times * fact):
                return times, fact
    return None


def _end_of_letter(form: NormalForm, number: int, gap: Polynomial, depth: int) -> Iterator[Step]:
    """Why a quotient or a digit is so far from its end."""
    atom, letter = form.atoms[number], Polynomial.letter(number)
    ends = (letter - (atom.lower or ZERO), (atom.upper or ZERO) - letter)
    if atom.kind not in ("floor", "digit") or gap not in ends:
        return
    value, divisor = atom.operands[:2]
    above = ZERO
    if atom.kind == "digit":
        if divisor == ONE:
            return
        above = form.digits.joined[number] - form.divided(value, divisor)
    is_lower = gap.coefficient(number) == ONE
    end = -(gap - letter) if is_lower else gap + letter
    k = form.digits.join(end - above)
    if is_lower and not k:
        return
    premise = value - k * divisor if is_lower else k.plus(1) * divisor - value.plus(1)
    yield from bound_steps(form, premise, depth)
    letters = {"n": form.digits.join(value), "d": form.digits.join(divisor), "k": k}
    yield Step(QUOTIENT_ABOVE if is_lower else QUOTIENT_BELOW, letters)

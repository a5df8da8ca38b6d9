"""Shorter ways to write minima and selections: common parts taken out, those that belong together as one.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.simplify import simplify
>>> domain = Domain.of({"x": (None, None), "y": (None, None), "z": 8})
>>> print(simplify("min(x, y - z) + z", domain), simplify("min(x // 10, y // 10)", domain))
min(x + z, y) min(x, y) // 10
>>> print(simplify("select(x < y, z, 3) + select(x < y, 4, 5)", domain))
select(x < y, z + 4, 8)
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

from layoutalg.rules.choice import minimum, minimum_letter, select_letter
from layoutalg.rules.polynomial import ONE, Polynomial
from layoutalg.rules.totality import is_total

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.rules.normal_form import NormalForm

__all__ = ["choice_proposals"]


def choice_proposals(form: NormalForm, polynomial: Polynomial) -> Iterator[Polynomial]:
    """Polynomials equal to the given one, with a minimum or a selection written in another way."""
    for letter in form.atoms.of_kind("min", polynomial):
        yield from _without_square(form, letter, polynomial)
        factor, rest = polynomial.coefficient(letter), polynomial.without(letter)
        if factor is not None:
            for found, more in _as_other_minimum(form, letter, factor, rest):
                yield factor * found + more
    selections = form.atoms.of_kind("select", polynomial)
    for letter in selections:
        factor, rest = polynomial.coefficient(letter), polynomial.without(letter)
        if factor is not None:
            yield from _as_other_selection(form, letter, factor, rest)
    for one, other in combinations(selections, 2):
        yield from _as_one_selection(form, polynomial, one, other)


def _as_other_minimum(
    form: NormalForm, letter: int, factor: Polynomial, rest: Polynomial
) -> Iterator[tuple[Polynomial, Polynomial]]:
    """What the minimum may be written as, and the rest that stands beside it then."""
    first, second = form.atoms[letter].operands
    inside, _ = rest.divided(factor)
    for taken in (inside, _met(inside, first, second), -_shared(first, second)):
        if taken:
            yield minimum_letter(form, first + taken, second + taken), rest - factor * taken
    yield first + second + minimum_letter(form, -first, -second), rest
    scale = _scale(form, first, second)
    if scale != ONE:
        yield scale * minimum_letter(form, first.divided(scale)[0], second.divided(scale)[0]), rest
    quotient = _of_quotients(form, first, second)
    if quotient is not None:
        yield quotient, rest


def _without_square(form: NormalForm, letter: int, polynomial: Polynomial) -> Iterator[Polynomial]:
    """The square of a minimum m of a and b is ``m*(a + b) - a*b``, as one of both is m."""
    first, second = form.atoms[letter].operands
    for monomial, coefficient in polynomial:
        if monomial.count(letter) == 2:
            rest = tuple(other for other in monomial if other != letter)
            square = Polynomial({monomial: coefficient})
            found = Polynomial.letter(letter) * (first + second) - first * second
            yield polynomial - square + found * Polynomial({rest: coefficient})


def _met(inside: Polynomial, first: Polynomial, second: Polynomial) -> Polynomial:
    """The terms that cancel with one of an operand."""
    return Polynomial({m: c for m, c in inside if -c in (first.terms.get(m), second.terms.get(m))})


def _shared(first: Polynomial, second: Polynomial) -> Polynomial:
    """The terms that both have, and the constant of the first."""
    terms = {m: c for m, c in first if m and second.terms.get(m) == c}
    constants = first.terms.get((), 0), second.terms.get((), 0)
    smaller = min(constants, key=abs) if constants[0] * constants[1] > 0 else constants[0]
    return Polynomial(terms | {(): smaller}) if smaller else Polynomial(terms)


def _scale(form: NormalForm, first: Polynomial, second: Polynomial) -> Polynomial:
    """What is a factor of both and not negative."""
    for monomial in {m for m, _ in first if m}:
        for letter in monomial:
            factor = Polynomial.letter(letter)
            if not first.divided(factor)[1] and not second.divided(factor)[1]:
                return factor if form.bounds.is_nonnegative(factor) else ONE
    return Polynomial.constant(math.gcd(*first.terms.values(), *second.terms.values()) or 1)


def _of_quotients(form: NormalForm, first: Polynomial, second: Polynomial) -> Polynomial | None:
    """``min(x // d + s, y // d + s)`` is ``min(x, y) // d + s``."""
    for one in form.atoms.of_kind("floor", first):
        for other in form.atoms.of_kind("floor", second):
            shared = first - Polynomial.letter(one)
            (number, divisor), (another, by) = form.atoms[one].operands, form.atoms[other].operands
            if divisor == by and one != other and shared == second - Polynomial.letter(other):
                return form.divided(minimum(form, number, another), divisor) + shared
    return None


def _as_other_selection(
    form: NormalForm, letter: int, factor: Polynomial, rest: Polynomial
) -> Iterator[Polynomial]:
    """What both branches share outside, what stands outside within, a factor within, two choices as one."""
    condition, first, second = form.atoms[letter].operands
    shared = _shared(first, second)
    if shared:
        yield factor * (shared + select_letter(form, condition, first - shared, second - shared)) + rest
    scale = Polynomial.constant(math.gcd(*first.terms.values(), *second.terms.values()) or 1)
    for one in (scale, *(Polynomial.letter(x) for x in sorted(first.letters & second.letters))):
        parts = first.divided(one), second.divided(one)
        if one != ONE and not any(more for _, more in parts):
            yield factor * one * select_letter(form, condition, parts[0][0], parts[1][0]) + rest
    yield select_letter(form, condition, factor * first + rest, factor * second + rest)
    if factor != ONE:
        yield select_letter(form, condition, factor * first, factor * second) + rest
    for inner, outer, holds in ((first, second, True), (second, first, False)):
        number = inner.as_letter
        if number is None or form.atoms[number].kind != "select":
            continue
        if not is_total(form, form.atoms[number].operands[0]):  # both conditions will be asked
            continue
        also, a, b = form.atoms[number].operands
        given = condition if holds else condition.negated()
        if b == outer:
            yield factor * select_letter(form, given.and_(also), a, b) + rest
        elif a == outer:
            yield factor * select_letter(form, given.and_(also.negated()), b, a) + rest


def _as_one_selection(form: NormalForm, polynomial: Polynomial, one: int, other: int) -> Iterator[Polynomial]:
    """Two selections on one condition, or on it and its opposite."""
    (condition, a, b), (another, c, d) = form.atoms[one].operands, form.atoms[other].operands
    if another == condition.negated():
        c, d = d, c
    elif another != condition:
        return
    factors = polynomial.coefficient(one), polynomial.without(one).coefficient(other)
    if factors[0] is None or factors[1] is None or other in factors[0].letters:
        return
    branches = (factors[0] * a + factors[1] * c, factors[0] * b + factors[1] * d)
    yield select_letter(form, condition, *branches) + polynomial.without(one).without(other)

"""Shorter ways to write sums of quotients: constants within, quotients that add up, facts used.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.simplify import simplify
>>> domain = Domain.of({"x": (None, None)})
>>> print(simplify("(x + 1) // 2 + 3", domain), simplify("x // 3 + (x + 1) // 3 + (x + 2) // 3", domain))
(x + 7) // 2 x
>>> print(simplify("x // 4 * 4 + 9", Domain.of({"x": 64}, facts=["x % 4 == 0"])))
x + 9
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from layoutalg.rules.division import quotient_letter
from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.rules.normal_form import NormalForm

__all__ = ["sum_proposals"]


def sum_proposals(form: NormalForm, polynomial: Polynomial) -> Iterator[Polynomial]:
    """Polynomials equal to the given one where the facts hold."""
    yield from _constant_within(form, polynomial)
    yield from _adding_up(form, polynomial)
    yield from _halves(form, polynomial)
    yield from _up_to_next(form, polynomial)
    yield from _by_equal_facts(form, polynomial)
    yield from _truncated_digits(form, polynomial)


def _constant_within(form: NormalForm, polynomial: Polynomial) -> Iterator[Polynomial]:
    """``n // d + k`` is ``(n + k*d) // d``, which saves an addition where n has a constant already."""
    constant = polynomial.terms.get((), 0)
    for letter in form.atoms.of_kind("floor", polynomial) if constant else ():
        number, divisor = form.atoms[letter].operands
        factor = polynomial.coefficient(letter)
        times = None if factor is None else factor.as_integer
        if times and constant % times == 0:
            within = quotient_letter(form, number + divisor.scaled(constant // times), divisor)
            yield polynomial.without(letter).plus(-constant) + within.scaled(times)


def _adding_up(form: NormalForm, polynomial: Polynomial) -> Iterator[Polynomial]:
    """``n // d + (n + 1) // d + ... + (n + d - 1) // d`` is n."""
    rows: dict[tuple[Polynomial, int], dict[int, tuple[int, int]]] = {}
    for letter in form.atoms.of_kind("floor", polynomial):
        number, divisor = form.atoms[letter].operands
        base, constant = divisor.as_integer, number.terms.get((), 0)
        if base is not None:
            rows.setdefault((number.plus(-constant), base), {})[constant % base] = (letter, constant // base)
    for (number, base), found in rows.items():
        if len(found) < base:
            continue
        place, (letter, extra) = list(found.items())[-1]
        whole = number.plus(extra)
        for other, (another, more) in found.items():
            if other != place:
                whole = whole - Polynomial.letter(another).plus(-more)
        yield polynomial.replaced(letter, whole)


def _halves(form: NormalForm, polynomial: Polynomial) -> Iterator[Polynomial]:
    """``(n + 1) // 2`` is ``n - n // 2``, and ``-n // d`` is ``-((n + d - 1) // d)``."""
    for letter in form.atoms.of_kind("floor", polynomial):
        number, divisor = form.atoms[letter].operands
        if divisor.as_integer == 2 and number.terms.get((), 0) % 2:
            less = number.plus(-1)
            yield polynomial.replaced(letter, less - form.divided(less, divisor))
        if all(coefficient <= 0 for monomial, coefficient in number if monomial):
            up = (divisor - number).plus(-1)
            yield polynomial.replaced(letter, -form.divided(up, divisor))


def _up_to_next(form: NormalForm, polynomial: Polynomial) -> Iterator[Polynomial]:
    """How far ``n`` is below the next multiple: ``d*(n // d) - n + d - 1`` is ``(-n - 1) % d``."""
    for letter in form.atoms.of_kind("floor", polynomial):
        number, divisor = form.atoms[letter].operands
        factor, base = polynomial.coefficient(letter), divisor.as_integer
        times, rest = factor.divided(divisor) if factor else (None, None)
        if base is None or rest or not times:
            continue
        value = divisor * Polynomial.letter(letter) - number + divisor.plus(-1)
        left = (-number).plus(-1)
        constant = left.terms.get((), 0)
        digit = form.digits.known_digit(left.plus(constant % base - constant), divisor, value)
        yield polynomial + times * (digit - value)


def _by_equal_facts(form: NormalForm, polynomial: Polynomial) -> Iterator[Polynomial]:
    """What is equal to 0 by a fact, taken away as often as lets a letter go."""
    for fact, other in combinations(form.bounds.facts, 2):
        if fact + other:
            continue
        for letter in sorted(fact.letters & polynomial.letters, reverse=True):
            ours, its = polynomial.coefficient(letter), fact.coefficient(letter)
            if ours and its:
                times, rest = ours.divided(its)
                if not rest:
                    yield polynomial - times * fact


def _truncated_digits(form: NormalForm, polynomial: Polynomial) -> Iterator[Polynomial]:
    """``n - d*trunc_div(n, d)`` is ``trunc_mod(n, d)``."""
    for letter in form.atoms.of_kind("trunc", polynomial):
        number, divisor = form.atoms[letter].operands
        factor = polynomial.coefficient(letter)
        if factor:
            times, rest = (-factor).divided(divisor)
            whole = number - divisor * Polynomial.letter(letter)
            if times and not rest:
                yield polynomial + times * (form.digits.left(number, divisor, letter) - whole)

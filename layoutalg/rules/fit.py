"""Sums of letters that a quotient may be equal to, as a few points suggest; whether it is, rules ask.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.from_text import parse
>>> from layoutalg.rules.normal_form import NormalForm
>>> domain = Domain.of({"a": 4})
>>> form = NormalForm(domain, eliminates=True)
>>> a = form.of(parse("a", domain))
>>> list(fitted_quotients(form, a.scaled(3).plus(3), Polynomial.constant(4))) == [a]
True
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from layoutalg.rules.polynomial import ZERO, Polynomial

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from layoutalg.rules.normal_form import NormalForm

__all__ = ["fitted_quotients"]

FEW = 4  # points that are too few to tell
MOST = 4  # letters of a number for which a fit is tried


def fitted_quotients(form: NormalForm, number: Polynomial, divisor: Polynomial) -> Iterator[Polynomial]:
    """Sums of letters with the quotient's values at the points of the falsifier, simplest first."""
    falsifier = form.bounds.falsifier
    points = falsifier.points_with(form.bounds.facts, (number, divisor))
    wanted = [
        n // d for n, d in zip(*(falsifier.at(p, points) for p in (number, divisor)), strict=True) if d > 0
    ]
    letters = sorted(number.letters)
    if len(wanted) != len(points) or not points or len(letters) > MOST:
        return
    related = [x for x in form.atoms.all_of_kind("floor") if _is_quotient_of(form, x, number, divisor)]
    if len(set(wanted)) == 1:
        yield Polynomial.constant(wanted[0])
    columns = {x: falsifier.at(Polynomial.letter(x), points) for x in (*letters, *related)}
    for letter in (x for x in related if form.atoms[x].operands[1] == divisor):
        rest = {w - v for w, v in zip(wanted, columns[letter], strict=True)}
        if len(rest) == 1:
            yield Polynomial.letter(letter).plus(rest.pop())
    for letter in (*letters, *related):
        yield from _line(wanted, {letter: columns[letter]})
    for one, other in (*combinations(letters, 2), *combinations(related, 2)):
        yield from _line(wanted, {one: columns[one], other: columns[other]})
    if form.bounds.facts and len(points) < FEW:
        yield from _nearest(number, divisor)


def _nearest(number: Polynomial, divisor: Polynomial) -> Iterator[Polynomial]:
    """The quotient without rounding, each slope up: where facts leave too few points to fit one."""
    base = divisor.as_integer
    slopes = {m: -(-c // base) for m, c in number if m} if base else {}
    if any(slopes.values()):
        yield Polynomial({m: c for m, c in slopes.items() if c})
        for monomial, slope in slopes.items():
            if slope and len(slopes) > 1:
                yield Polynomial({monomial: slope})


def _is_quotient_of(form: NormalForm, letter: int, number: Polynomial, divisor: Polynomial) -> bool:
    """Whether a letter is the quotient of another number by this divisor or a multiple."""
    atom = form.atoms[letter]
    return atom.operands[0].letters <= number.letters and not atom.operands[1].divided(divisor)[1]


def _line(wanted: Sequence[int], columns: dict[int, list[int]]) -> Iterator[Polynomial]:
    """The whole slopes, if any, by which the columns make what is wanted, but for a constant."""
    rows = list(zip(*columns.values(), strict=True))
    steps = [
        ([v - w for v, w in zip(row, rows[0], strict=True)], value - wanted[0])
        for row, value in zip(rows, wanted, strict=True)
    ]
    slopes = _solved(steps, len(columns))
    if slopes is None or not any(slopes):
        return
    if all(sum(s * v for s, v in zip(slopes, step, strict=True)) == value for step, value in steps):
        constant = wanted[0] - sum(s * v for s, v in zip(slopes, rows[0], strict=True))
        found = sum((Polynomial.letter(x).scaled(s) for x, s in zip(columns, slopes, strict=True)), ZERO)
        yield found.plus(constant)


def _solved(steps: Sequence[tuple[list[int], int]], unknowns: int) -> list[int] | None:
    """Whole slopes from the first steps that tell them."""
    if unknowns == 1:
        found = next(((step[0], value) for step, value in steps if step[0]), None)
        return None if found is None or found[1] % found[0] else [found[1] // found[0]]
    for (first, one), (second, other) in combinations(steps, 2):
        determinant = first[0] * second[1] - first[1] * second[0]
        if determinant:
            x, y = one * second[1] - other * first[1], other * first[0] - one * second[0]
            return None if x % determinant or y % determinant else [x // determinant, y // determinant]
    return None

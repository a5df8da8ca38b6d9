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
from operator import mul
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
    letters = sorted(number.letters)
    if len(letters) > MOST:
        return
    related = [x for x in form.atoms.all_of_kind("floor") if _is_quotient_of(form, x, number, divisor)]
    if not related and _is_no_line(form, number, divisor):
        return
    falsifier = form.bounds.falsifier.anywhere
    points, wanted = _wanted(form, number, divisor)
    if not points:
        return
    if len(set(wanted)) == 1:
        yield Polynomial.constant(wanted[0])
    columns = {
        x: [value or 0 for value in falsifier.values(Polynomial.letter(x), points)]
        for x in (*letters, *related)
    }
    for letter in (x for x in related if form.atoms[x].operands[1] == divisor):
        rest = {w - v for w, v in zip(wanted, columns[letter], strict=True)}
        if len(rest) == 1:
            yield Polynomial.letter(letter).plus(rest.pop())
    steps, rises = {x: _steps(column) for x, column in columns.items()}, _steps(wanted)
    for chosen in (
        *((letter,) for letter in (*letters, *related)),
        *combinations(letters, 2),
        *combinations(related, 2),
    ):
        slopes = _slopes([steps[x] for x in chosen], rises)
        if slopes:
            found = sum((Polynomial.letter(x).scaled(s) for x, s in zip(chosen, slopes, strict=True)), ZERO)
            yield found.plus(wanted[0] - sum(s * columns[x][0] for x, s in zip(chosen, slopes, strict=True)))
    if form.bounds.facts and len(points) < FEW:
        yield from _nearest(number, divisor)


def _is_no_line(form: NormalForm, number: Polynomial, divisor: Polynomial) -> bool:
    """Whether a number of axes strays as far as the divisor from its multiples by any whole slopes."""
    base, spread = divisor.as_integer, 0
    if base is None or form.bounds.facts or form.other_facts:
        return False
    for monomial, coefficient in number.plus(-number.terms.get((), 0)):
        atom = form.atoms[monomial[0]]
        if len(monomial) > 1 or atom.kind != "axis" or atom.lower is None or atom.upper is None:
            return False
        width = (atom.upper - atom.lower).as_integer
        if width is None:
            return False
        spread += min(coefficient % base, -coefficient % base) * width
    return spread >= base


def _wanted(form: NormalForm, number: Polynomial, divisor: Polynomial) -> tuple[list[int], list[int]]:
    """The points at which both have values, and the quotients there; none where a divisor is not positive."""
    inside = form.bounds.falsifier.anywhere.points(form.bounds.facts)
    columns = (form.bounds.falsifier.anywhere.values(p, inside) for p in (number, divisor))
    rows = [(p, n, d) for p, n, d in zip(inside, *columns, strict=True) if n is not None and d is not None]
    if any(d <= 0 for _, _, d in rows):
        return [], []
    return [p for p, _, _ in rows], [n // d for _, n, d in rows]


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


def _steps(values: Sequence[int]) -> list[int]:
    """How far each is from the first."""
    return [value - values[0] for value in values]


def _slopes(columns: Sequence[list[int]], rises: list[int]) -> list[int] | None:
    """The whole slopes, if any, by which the columns make what is wanted, but for a constant."""
    slopes = (
        _one_slope(columns[0], rises) if len(columns) == 1 else _two_slopes(columns[0], columns[1], rises)
    )
    if slopes is None or not any(slopes):
        return None
    fits = all(sum(map(mul, slopes, row)) == rise for *row, rise in zip(*columns, rises, strict=True))
    return slopes if fits else None


def _one_slope(column: list[int], rises: list[int]) -> list[int] | None:
    """The whole slope from the first step that tells it."""
    step, rise = next(((v, w) for v, w in zip(column, rises, strict=True) if v), (0, 0))
    return None if not step or rise % step else [rise // step]


def _two_slopes(first: list[int], second: list[int], rises: list[int]) -> list[int] | None:
    """Whole slopes from the first two steps that tell them."""
    for (a, b, one), (c, d, other) in combinations(zip(first, second, rises, strict=True), 2):
        determinant = a * d - b * c
        if determinant:
            x, y = one * d - other * b, other * a - one * c
            return None if x % determinant or y % determinant else [x // determinant, y // determinant]
    return None

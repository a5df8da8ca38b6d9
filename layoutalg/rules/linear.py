"""Whether linear conditions on whole numbers can hold together: elimination one unknown after another.

Each monomial of letters counts as one unknown. What the elimination refutes holds at no point; what it does
not refute may still have no whole solution.

>>> x, y = Polynomial.letter(0), Polynomial.letter(1)
>>> contradictory([x - y.scaled(2)], [y - x.plus(-3), x.plus(-8)])  # x == 2*y, y >= x - 3 and x >= 8
True
>>> contradictory([x.scaled(2) - y.scaled(2).plus(1)], [])  # an even number is not odd
True
>>> contradictory([], [x - y])
False

References: W. Pugh, "The Omega test" (1991), without its dark shadows.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from collections.abc import Iterable

    from layoutalg.rules.polynomial import Monomial

__all__ = ["contradictory"]

ROUNDS = 3  # of equations that rows turn out to be
MOST = 80  # rows at any time; beyond, nothing is refuted

Row = tuple[dict["Monomial", int], int]  # coefficients, and the constant beside them


class _RefutedError(Exception):
    """A row that no whole numbers fulfil."""


def contradictory(zeros: Iterable[Polynomial], nonnegatives: Iterable[Polynomial]) -> bool:
    """Whether it is shown that not all of the first can be 0 while all of the second are 0 or more."""
    try:
        equations = [_row(one) for one in zeros]
        rows = [_row(one) for one in nonnegatives]
        for _ in range(ROUNDS):
            rows = _substituted(equations, rows)
            equations = _equations(rows)
            if not equations:
                break
        return _eliminated(rows)
    except _RefutedError:
        return True


def _row(polynomial: Polynomial) -> Row:
    coefficients = dict(polynomial.terms)
    return coefficients, coefficients.pop((), 0)


def _equations(rows: list[Row]) -> list[Row]:
    """Rows of which the opposite is a row too: that both are 0 tells more than each by itself."""
    kept = _tightened(rows)
    return [
        (dict(key), constant)
        for key, constant in kept.items()
        if kept.get(frozenset((m, -c) for m, c in key)) == -constant and min(key)[1] > 0
    ]


def _substituted(equations: list[Row], rows: list[Row]) -> list[Row]:
    """The rows with unknowns replaced that an equation gives; an equation that gives none is two rows."""
    while equations:
        coefficients, constant = equations.pop()
        common = math.gcd(*coefficients.values())
        if not common:
            if constant:
                raise _RefutedError
            continue
        if constant % common:
            raise _RefutedError
        coefficients, constant = {m: c // common for m, c in coefficients.items()}, constant // common
        unknown = next((m for m, c in coefficients.items() if abs(c) == 1), None)
        if unknown is None:  # said by two rows, if it is not yet
            rows.append((coefficients, constant))
            rows.append(({m: -c for m, c in coefficients.items()}, -constant))
            continue
        sign, found = coefficients[unknown], (coefficients, constant)
        equations = [_plus(row, found, -row[0].get(unknown, 0) * sign) for row in equations]
        rows = [_plus(row, found, -row[0].get(unknown, 0) * sign) for row in rows]
    return rows


def _plus(row: Row, other: Row, times: int, scale: int = 1) -> Row:
    """``scale*row + times*other``."""
    if not times:
        return row
    coefficients = {m: c * scale for m, c in row[0].items()}
    for monomial, coefficient in other[0].items():
        found = coefficients.get(monomial, 0) + coefficient * times
        if found:
            coefficients[monomial] = found
        else:
            coefficients.pop(monomial, None)
    return coefficients, row[1] * scale + other[1] * times


def _eliminated(rows: list[Row]) -> bool:
    """Whether elimination ends in a row that says a negative number is not."""
    kept = _tightened(rows)
    while kept and len(kept) <= MOST:
        counts: dict[Monomial, list[int]] = {}
        for row in kept:
            for monomial, coefficient in row:
                found = counts.setdefault(monomial, [0, 0])
                found[coefficient > 0] += 1
        unknown = min(counts, key=lambda m: (counts[m][0] * counts[m][1] - sum(counts[m]), m))
        above: list[Row] = []
        below: list[Row] = []
        others: list[Row] = []
        for key, constant in kept.items():
            coefficients = dict(key)
            sign = coefficients.get(unknown, 0)
            (above if sign > 0 else below if sign < 0 else others).append((coefficients, constant))
        for low in above:
            for high in below:
                a, b = low[0][unknown], -high[0][unknown]
                common = math.gcd(a, b)
                others.append(_plus(low, high, a // common, b // common))
        kept = _tightened(others)
    return False


def _tightened(rows: Iterable[Row]) -> dict[frozenset[tuple[Monomial, int]], int]:
    """Each row divided by what its coefficients have in common, rounded down; the tightest of equals."""
    kept: dict[frozenset[tuple[Monomial, int]], int] = {}
    for coefficients, constant in rows:
        common = math.gcd(*coefficients.values())
        if not common:
            if constant < 0:
                raise _RefutedError
            continue
        key = frozenset((m, c // common) for m, c in coefficients.items())
        tight = constant // common
        known = kept.get(key)
        if known is None or tight < known:
            kept[key] = tight
            opposite = kept.get(frozenset((m, -c) for m, c in key))
            if opposite is not None and opposite + tight < 0:
                raise _RefutedError
    return kept

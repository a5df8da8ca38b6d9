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
from operator import neg
from typing import TYPE_CHECKING

from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from layoutalg.rules.polynomial import Monomial

__all__ = ["contradictory"]

ROUNDS = 3  # of equations that rows turn out to be
MOST = 80  # rows at any time; beyond, nothing is refuted

Row = tuple[dict["Monomial", int], int]  # coefficients, and the constant beside them
Coefficients = tuple[int, ...]


class _RefutedError(Exception):
    """A row that no whole numbers fulfil."""


def contradictory(zeros: Iterable[Polynomial], nonnegatives: Iterable[Polynomial]) -> bool:
    """Whether it is shown that not all of the first can be 0 while all of the second are 0 or more."""
    try:
        equations = [_row(one) for one in zeros]
        rows = [_row(one) for one in nonnegatives]
        for _ in range(ROUNDS):
            rows = _substituted(equations, rows)
            system = _System(rows)
            equations = system.equations()
            if not equations:
                break
        return system.is_refuted()
    except _RefutedError:
        return True


def _row(polynomial: Polynomial) -> Row:
    coefficients = dict(polynomial.terms)
    return coefficients, coefficients.pop((), 0)


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


def _plus(row: Row, other: Row, times: int) -> Row:
    """``row + times*other``."""
    if not times:
        return row
    coefficients = row[0].copy()
    for monomial, coefficient in other[0].items():
        found = coefficients.get(monomial, 0) + coefficient * times
        if found:
            coefficients[monomial] = found
        else:
            coefficients.pop(monomial, None)
    return coefficients, row[1] + other[1] * times


class _System:
    """Rows over the same unknowns in order: the coefficients of each, and the constant beside them."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.unknowns = sorted({monomial for coefficients, _ in rows for monomial in coefficients})
        none = dict.fromkeys(self.unknowns, 0)
        self.rows = _tightened((tuple((none | row).values()), constant) for row, constant in rows)

    def equations(self) -> list[Row]:
        """Rows of which the opposite is a row too: that both are 0 tells more than each by itself."""
        return [
            ({m: c for m, c in zip(self.unknowns, row, strict=True) if c}, constant)
            for row, constant in self.rows.items()
            if self.rows.get(_opposite(row)) == -constant and next(filter(None, row)) > 0
        ]

    def is_refuted(self) -> bool:
        """Whether elimination ends in a row that says a negative number is not; it raises there."""
        while self.rows and len(self.rows) <= MOST:
            place = self._cheapest()
            above = [item for item in self.rows.items() if item[0][place] > 0]
            below = [item for item in self.rows.items() if item[0][place] < 0]
            others = [item for item in self.rows.items() if not item[0][place]]
            self.rows = _tightened(
                [*others, *(_without(place, low, high) for low in above for high in below)]
            )
        return False

    def _cheapest(self) -> int:
        """The place of the unknown whose elimination leaves the fewest rows."""
        found = []
        for place, column in enumerate(zip(*self.rows, strict=True)):
            some = len(column) - column.count(0)
            if some:
                above = len([c for c in column if c > 0])
                found.append((above * (some - above) - some, place))
        return min(found)[1]


def _without(
    place: int, low: tuple[Coefficients, int], high: tuple[Coefficients, int]
) -> tuple[Coefficients, int]:
    """The sum of multiples of two rows in which an unknown cancels."""
    a, b = low[0][place], -high[0][place]
    common = math.gcd(a, b)
    a, b = a // common, b // common
    return tuple([b * x + a * y for x, y in zip(low[0], high[0], strict=True)]), b * low[1] + a * high[1]


def _tightened(rows: Iterable[tuple[Coefficients, int]]) -> dict[Coefficients, int]:
    """Each row divided by what its coefficients have in common, rounded down; the tightest of equals."""
    kept: dict[Coefficients, int] = {}
    for given, given_constant in rows:
        row, constant = given, given_constant
        common = math.gcd(*row)
        if not common:
            if constant < 0:
                raise _RefutedError
            continue
        if common > 1:
            row, constant = tuple([c // common for c in row]), constant // common
        known = kept.get(row)
        if known is None or constant < known:
            kept[row] = constant
            opposite = kept.get(_opposite(row))
            if opposite is not None and opposite + constant < 0:
                raise _RefutedError
    return kept


def _opposite(row: Coefficients) -> Coefficients:
    return tuple(map(neg, row))

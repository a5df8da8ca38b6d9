"""Index formulas at a few points at once, in whole numbers of any size: a second opinion on every result.

A value is a list with one integer (or truth) for each point, ``None`` where it is not defined: a divisor
that is not positive, a negative operand of a bit operation. Only the walk over an expression
(:mod:`layoutalg.index.interpret`) is shared with rules and provers; the arithmetic is Python's own.

>>> points = Pointwise(3)
>>> points.quotient([-7, 7, 7], [2, 2, 0])
[-4, 3, None]
>>> points.select([True, False, None], lambda: [1, 1, 1], lambda: [None, 2, 2])
[1, 2, None]
"""

from __future__ import annotations

from bisect import bisect_right
from operator import add, and_, floordiv, lshift, mod, mul, or_, rshift, xor
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from sympy import Integer

from layoutalg.index.arithmetic import Arithmetic
from layoutalg.index.interpret import interpret
from layoutalg.index.table_values import VARIANTS, TableEntries, possible_entries
from layoutalg.reading.input_limits import SHIFT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from layoutalg.index.table import Table

__all__ = ["Pointwise", "Values", "at_points"]

Values: TypeAlias = list[Any]  # int or bool at each point, None where not defined


class Pointwise(Arithmetic[Values]):
    """The arithmetic of ``count`` points.

    Points at which a number gets too long are put into ``beyond``, those at which any operation is not
    defined into ``undefined``, also where the value does not depend on it.
    """

    def __init__(self, count: int, points: Mapping[str, Values] | None = None) -> None:
        self.count = count
        self.points = points or {}
        self._tables: dict[Any, TableEntries | None] = {}
        self.beyond: set[int] = set()
        self.undefined: set[int] = set()

    def integer(self, number: int) -> Values:
        return [number] * self.count

    def add(self, left: Values, right: Values) -> Values:
        return _each(add, left, right)

    def mul(self, left: Values, right: Values) -> Values:
        return _each(mul, left, right)

    def quotient(self, left: Values, right: Values) -> Values:
        return _each(floordiv, left, self._at_least(1, right))

    def exact_quotient(self, left: Values, right: Values) -> Values:
        found, rest = self.quotient(left, right), self.remainder(left, right)
        return [q if r == 0 else None for q, r in zip(found, rest, strict=True)]

    def remainder(self, left: Values, right: Values) -> Values:
        return _each(mod, left, self._at_least(1, right))

    def bit_xor(self, left: Values, right: Values) -> Values:
        return _each(xor, self._bits(left), self._bits(right))

    def bit_and(self, left: Values, right: Values) -> Values:
        return _each(and_, self._bits(left), self._bits(right))

    def bit_or(self, left: Values, right: Values) -> Values:
        return _each(or_, self._bits(left), self._bits(right))

    def shift_left(self, left: Values, right: Values) -> Values:
        far = {
            point for point, exponent in enumerate(right) if exponent is not None and exponent > SHIFT.most
        }
        self.beyond |= far
        near = [None if point in far else exponent for point, exponent in enumerate(right)] if far else right
        return _each(lshift, self._bits(left), self._bits(near))

    def shift_right(self, left: Values, right: Values) -> Values:
        return _each(rshift, self._bits(left), self._bits(right))

    def minimum(self, left: Values, right: Values) -> Values:
        return _each(min, left, right)

    def maximum(self, left: Values, right: Values) -> Values:
        return _each(max, left, right)

    def select(
        self, condition: Values, if_true: Callable[[], Values], if_false: Callable[[], Values]
    ) -> Values:
        branches = zip(condition, if_true(), if_false(), strict=True)
        return [None if c is None else first if c else second for c, first, second in branches]

    def entry(self, table: Table, index: Sequence[Values]) -> Values:
        """The table at each point with entries that it might have there, by the sizes of the point."""
        return [self._entry(table, point, [part[point] for part in index]) for point in range(self.count)]

    def run_of(self, table: Table, value: Values) -> Values:
        """The run of each value among the entries that the table might have at its point."""
        return [self._run_of(table, point, value[point]) for point in range(self.count)]

    def _run_of(self, table: Table, point: int, value: Any) -> int | None:
        entries = self._entries(table, point)[1]
        if entries is None or value is None:
            self.beyond.add(point)
            return None
        found = bisect_right(entries, value) - 1
        if not 0 <= found < len(entries) - 1:
            self.undefined.add(point)
            return None
        return found

    def _entries(self, table: Table, point: int) -> tuple[Table, TableEntries | None]:
        """The table with the sizes of a point, and its entries there."""
        sizes = {s: self.points[s.name][point] for s in table.free_symbols}
        fixed = table.xreplace({s: Integer(v) for s, v in sizes.items() if v is not None})
        known = (fixed, sum(v or 0 for v in sizes.values()) % VARIANTS)
        if known not in self._tables:
            self._tables[known] = possible_entries(*known)
        return fixed, self._tables[known]

    def _entry(self, table: Table, point: int, index: list[Any]) -> int | None:
        fixed, entries = self._entries(table, point)
        if entries is None or None in index:
            self.beyond.add(point)
            return None
        lengths = [int(length) for length in fixed.lengths]
        if any(not 0 <= i < length for i, length in zip(index, lengths, strict=True)):
            self.undefined.add(point)
            return None
        return int(fixed.at([np.array(i) for i in index], entries, lengths))

    def truth(self, value: bool) -> Values:  # noqa: FBT001
        return [value] * self.count

    def less(self, left: Values, right: Values) -> Values:
        return _each(int.__lt__, left, right)

    def equal(self, left: Values, right: Values) -> Values:
        return _each(int.__eq__, left, right)

    def both(self, left: Values, right: Values) -> Values:
        """The conjunction: False where either is False, even if the other has no value."""
        return [
            False if False in (one, other) else None if None in (one, other) else True
            for one, other in zip(left, right, strict=True)
        ]

    def negation(self, condition: Values) -> Values:
        return [None if c is None else not c for c in condition]

    def _bits(self, operands: Values) -> Values:
        return self._at_least(0, operands)

    def _at_least(self, least: int, operands: Values) -> Values:
        """The operands that are, None for others."""
        if all(n is None or n >= least for n in operands):
            return operands
        self.undefined |= {point for point, n in enumerate(operands) if n is not None and n < least}
        return [None if n is None or n < least else n for n in operands]


def at_points(
    expression: Any, points: Mapping[str, Values], count: int, beyond: set[int] | None = None
) -> Values:
    """The values of a SymPy index expression or condition where symbols have these values.

    Points at which a number gets too long to be worked out have no value, and are put into ``beyond``.

    >>> from layoutalg.domain import Domain
    >>> x = Domain.of({"x": 64})["x"]
    >>> at_points(3 * x + 1, {"x": [0, 10**30]}, 2)
    [1, 3000000000000000000000000000001]
    """
    arithmetic = Pointwise(count, points)
    values = interpret(expression, arithmetic, lambda symbol: points[symbol.name])
    if beyond is not None:
        beyond |= arithmetic.beyond
    return values


def _each(operation: Callable[[Any, Any], Any], left: Values, right: Values) -> Values:
    return [None if a is None or b is None else operation(a, b) for a, b in zip(left, right, strict=True)]

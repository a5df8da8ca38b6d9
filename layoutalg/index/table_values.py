"""Numbers that a table known at run time might hold: entries that satisfy all that is said of it.

Whoever claims something of every table can be asked about these: in order, reversed and scattered where no
two may be equal; flat, in one jump and in steps where they never fall.

>>> from layoutalg.index.table import Table
>>> [possible_entries(Table.of("cu", (4,), monotone="rising", first=0, last=6), k) for k in range(3)]
[(0, 2, 4, 6), (0, 6, 6, 6), (0, 0, 0, 6)]
>>> possible_entries(Table.of("page", (3,), 0, 5, one_to_one=True), 1)
(4, 3, 2)
>>> possible_entries(Table.of("page", (3,), 0, 2, one_to_one=True), 0) is None
True
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from layoutalg.reading.input_limits import ENUMERATED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sympy import Expr

    from layoutalg.index.table import Table

__all__ = ["MOST", "VARIANTS", "TableEntries", "are_possible", "contradiction", "possible_entries"]

VARIANTS = 5
MOST = min(ENUMERATED, 1 << 16)  # entries of a table that is written out
SCATTER = 2654435761  # 2**32 over the golden ratio: neighbouring numbers land far apart


class TableEntries(tuple[int, ...]):
    """The entries of a table at a point, all in a row, the last index fastest."""

    __slots__ = ()


def possible_entries(table: Table, variant: int) -> TableEntries | None:
    """Entries of a table whose lengths and ends are numbers; None where it has none, or too many."""
    if table.entries is not None:
        return TableEntries(table.entries)
    lengths = [_number(length) for length in table.lengths]
    if None in lengths:
        return None
    count = math.prod(length for length in lengths if length is not None)
    if not 0 < count <= MOST:
        return None
    step = table.multiple_of
    found = _rising(table, count, lengths[-1] or 1, variant) if table.step is not None else None
    if table.step is None:
        low, span = _span(table, count)
        found = _distinct(count, span, variant) if table.is_one_to_one else _any(count, span, variant)
        found = None if found is None else [step * (low + value) for value in found]
        for place, end in ((0, table.first), (-1, table.last)):
            if found is not None and end is not None and end.is_Integer:
                found[place] = int(end)
    return TableEntries(found) if found is not None and are_possible(table, found) else None


def are_possible(table: Table, entries: Sequence[int]) -> bool:
    """Whether these entries satisfy what is said of a table whose lengths and ends are numbers."""
    lengths = [_number(length) for length in table.lengths]
    if None in lengths or math.prod(length for length in lengths if length is not None) != len(entries):
        return False
    run, step = lengths[-1] or 1, table.step
    rows = [entries[start : start + run] for start in range(0, len(entries), run)]
    return (
        all(value % table.multiple_of == 0 for value in entries)
        and _fits(table, list(entries))
        and (step is None or all(after - before >= step for row in rows for before, after in pairwise(row)))
    )


def contradiction(table: Table) -> str:
    """Why no table can be as this one is said to be, as far as numbers tell; empty where one may be.

    Of a table that cannot be, everything could be proved.

    >>> from layoutalg.index.table import Table
    >>> contradiction(Table.of("page", (10,), 0, 5, one_to_one=True))
    'no two of 10 entries are equal, and there are 5 numbers'
    """
    lengths = [_number(length) for length in table.lengths]
    if table.entries is not None:
        return "" if are_possible(table, table.entries) else "the entries are not as they are said to be"
    lowest, highest = _number(table.lowest), _number(table.highest)
    if lowest is None or highest is None:
        return ""
    numbers = highest // table.multiple_of - -(-lowest // table.multiple_of) + 1
    if numbers < 1:
        return "there is no number between the ends"
    if None in lengths:
        return ""
    count = math.prod(length for length in lengths if length is not None)
    run = count if table.args[7] else (lengths[-1] or 1) if table.step == 1 else 1
    return f"no two of {run} entries are equal, and there are {numbers} numbers" if run > numbers else ""


def _number(end: Expr | None) -> int | None:
    return int(end) if end is not None and end.is_Integer else None


def _span(table: Table, count: int) -> tuple[int, int]:
    """The lowest entry and how many numbers there are, in multiples of what all are multiples of."""
    step = table.multiple_of
    lower, upper = _number(table.lower), _number(table.upper)
    if lower is None:
        lower = 0 if upper is None else min(0, upper - 2 * count * step)
    low = -(-lower // step)
    return low, (low + 2 * count if upper is None else -(-upper // step)) - low


def _distinct(count: int, span: int, variant: int) -> list[int] | None:
    if span < count:
        return None
    if variant == 0:
        return list(range(count))
    if variant == 1:
        return [span - 1 - k for k in range(count)]
    stride = next(s for s in range(span // 2 + variant, 2 * span + variant + 1) if math.gcd(s, span) == 1)
    return [(k * stride + variant) % span for k in range(count)]


def _any(count: int, span: int, variant: int) -> list[int] | None:
    if span < 1:
        return None
    if variant == 0:
        return [span - 1] * count
    if variant == 1:
        return [0] * count
    return [((k + variant) * SCATTER >> 7) % span for k in range(count)]


def _rising(table: Table, count: int, run: int, variant: int) -> list[int] | None:
    """Rows of so many entries that never fall, from the first entry to the last."""
    step, least = table.multiple_of, table.step or 0
    lower, upper = _number(table.lower), _number(table.upper)
    first, last = _number(table.first), _number(table.last)
    low = first if first is not None else lower if lower is not None else 0
    high = last if last is not None else upper - 1 if upper is not None else low + 3 * run * step
    room = (high - low) // step - least * (run - 1)
    if room < 0 or low % step or (last is not None and (high - low) % step):
        return None
    row = [low + step * (least * k + _part(room, k, run, variant)) for k in range(run)]
    return row * (count // run)


def _part(room: int, place: int, run: int, variant: int) -> int:
    """How much of the room above the least steps is used up at a place; all of it at the last."""
    if run == 1 or place == run - 1:
        return room if run > 1 else 0
    if variant == 0:
        return room * place // (run - 1)
    if variant == 1:
        return room if place else 0
    if variant == 2:
        return 0
    return -(-room * place // (run - 1)) if variant == 3 else room * (place // variant * variant) // run


def _fits(table: Table, found: list[int]) -> bool:
    lower, upper, first, last = (_number(end) for end in (table.lower, table.upper, table.first, table.last))
    return (
        all((lower is None or lower <= value) and (upper is None or value < upper) for value in found)
        and (first is None or found[0] == first)
        and (last is None or found[-1] == last)
        and (not table.is_one_to_one or len(set(found)) == len(found))
    )

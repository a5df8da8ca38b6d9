"""What solvers may assume of tables known at run time: the facts, for the entries a question speaks of.

Each entry is an unknown integer. Of two entries of one table it is said that equal indices give equal
entries, and what the table's own facts say of two: that is all that can be said of an unknown function.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from layoutalg.proofs.smt.formula import Formula, all_of
from layoutalg.rules.polynomial import ZERO, Polynomial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from layoutalg.index.table import Table

__all__ = ["EntryOf", "facts_of_entry"]


@dataclass(frozen=True)
class EntryOf:
    """An entry that was met: its index, whether it lies inside the table, its value."""

    index: tuple[Polynomial, ...]
    inside: Formula
    value: Polynomial


def facts_of_entry(
    table: Table, entry: EntryOf, others: Sequence[EntryOf], of: Callable[[Any], Polynomial]
) -> Iterator[Formula]:
    """The facts of an entry met for the first time, and of it beside those met before.

    ``of`` gives the polynomial of an end or a length.
    """
    for fact in _of_one(table, entry, of):
        yield entry.inside.implies(fact)
    for other in others:
        both = all_of(entry.inside, other.inside)
        for fact in _of_two(table, entry, other):
            yield both.implies(fact)


def _of_one(table: Table, entry: EntryOf, of: Callable[[Any], Polynomial]) -> Iterator[Formula]:
    value = entry.value
    if table.lower is not None:
        yield Formula.at_least(value, of(table.lower))
    if table.upper is not None:
        yield Formula.less(value, of(table.upper))
    if table.first is not None:
        first = of(table.first)
        yield Formula.equal(entry.index[0], ZERO).implies(Formula.equal(value, first))
        if table.step is not None:
            yield Formula.at_least(value, first)
    if table.last is not None:
        last = of(table.last)
        yield Formula.equal(entry.index[0], of(table.lengths[0]).plus(-1)).implies(Formula.equal(value, last))
        if table.step is not None:
            yield Formula.at_least(last, value)
    for place, number in enumerate(table.entries or ()):
        here = Formula.equal(entry.index[0], Polynomial.constant(place))
        yield here.implies(Formula.equal(value, Polynomial.constant(number)))


def _of_two(table: Table, one: EntryOf, other: EntryOf) -> Iterator[Formula]:
    same = [Formula.equal(a, b) for a, b in zip(one.index, other.index, strict=True)]
    equal = Formula.equal(one.value, other.value)
    yield all_of(*same).implies(equal)
    if table.is_one_to_one:
        yield equal.implies(all_of(*same))
    if table.step is None:
        return
    for low, high in ((one, other), (other, one)):
        gap = high.index[-1] - low.index[-1]
        above = Formula.at_least(high.value, low.value + gap.scaled(table.step))
        yield all_of(*same[:-1], Formula.nonnegative(gap)).implies(above)

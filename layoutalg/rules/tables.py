"""Entries of tables known at run time: letters of which the facts of the table are known.

Ends and multiples are those of the letter. Of two entries of a table that never falls, the one at the index
that is shown to be larger is not smaller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.rules.atoms import Atom
from layoutalg.rules.defined import require_nonnegative
from layoutalg.rules.polynomial import ZERO, Polynomial

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.index.table import Table
    from layoutalg.rules.normal_form import NormalForm

__all__ = ["entry", "run_of"]


def entry(
    form: NormalForm, table: Table, index: tuple[Polynomial, ...], lengths: Sequence[Polynomial]
) -> Polynomial:
    """The normal form of a table at an index."""
    known = _end_entry(form, table, index, lengths)
    if known is not None:
        return known
    operands = (table, *index)
    found = form.atoms.find("entry", operands)
    if found is None:
        with form.without_branch_facts():
            lower, upper = _ends(form, table)
            uniform = all(map(form.atoms.is_uniform, index))
            atom = Atom("entry", operands, lower, upper, uniform, multiple_of=table.multiple_of)
            found = form.atoms.letter(atom)
    if table.step is not None:
        _compare(form, table, index, found)
    return found.scaled(table.multiple_of)


def run_of(form: NormalForm, table: Table, value: Polynomial) -> Polynomial:
    """The normal form of the run in which a value lies: between its own first entry and the next's."""
    assert table.first is not None
    assert table.last is not None
    wanted = f"a value in a run of {table.name} must lie between its first and its last entry"
    first, last = form.of_expression(table.first), form.of_expression(table.last)
    require_nonnegative(form, value - first, value, wanted)
    require_nonnegative(form, (last - value).plus(-1), value, wanted)
    upper = form.of_expression(table.lengths[0]).plus(-2)
    found = form.atoms.letter(Atom("run", (table, value), ZERO, upper, form.atoms.is_uniform(value)))
    form.bounds.note(value - form.entry(table, [found]))
    form.bounds.note((form.entry(table, [found.plus(1)]) - value).plus(-1))
    return found


def _end_entry(
    form: NormalForm, table: Table, index: tuple[Polynomial, ...], lengths: Sequence[Polynomial]
) -> Polynomial | None:
    """The first or last entry, where it is known and the index is shown to be there."""
    if table.first is not None and not index[0]:
        return form.of_expression(table.first)
    if table.last is not None and index[0] == lengths[0].plus(-1):
        return form.of_expression(table.last)
    return None


def _ends(form: NormalForm, table: Table) -> tuple[Polynomial | None, Polynomial | None]:
    """The lowest and highest entry, in multiples of what all are multiples of."""
    step = table.multiple_of
    lower, upper = (None if end is None else form.of_expression(end) for end in (table.lowest, table.highest))
    if step == 1:
        return lower, upper
    by = Polynomial.constant(step)
    return (
        None if lower is None else form.divided(lower.plus(step - 1), by),
        None if upper is None else form.divided(upper, by),
    )


def _compare(form: NormalForm, table: Table, index: tuple[Polynomial, ...], found: Polynomial) -> None:
    """Note which entries of a table that never falls are not below which."""
    least = table.step or 0
    for letter in range(len(form.atoms)):
        atom = form.atoms[letter]
        if atom.kind != "entry" or atom.operands[0] != table or atom.operands[1:-1] != index[:-1]:
            continue
        other, gap = Polynomial.letter(letter), index[-1] - atom.operands[-1]
        if not gap:
            continue
        if form.bounds.is_nonnegative(gap):
            form.bounds.note(found - other - gap.scaled(least))
        elif form.bounds.is_nonnegative(-gap):
            form.bounds.note(other - found + gap.scaled(least))

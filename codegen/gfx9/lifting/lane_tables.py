"""Polynomials as tables over all lanes and waves of a workgroup: equal tables are equal formulas there.

Lanes and waves are few: what depends on nothing else is a table of numbers, however it was computed. A
polynomial becomes one such table for each monomial of the other letters (sizes, workgroups, turns).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.lifting.formula_numbers import Numbers, OpaqueLetterError
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import Monomial, Polynomial

__all__ = ["InLanes", "LaneTables"]

Table = NDArray[Any]  # of whole numbers, one for each lane that counts


@dataclass(frozen=True)
class InLanes:
    """A polynomial in the lanes of a workgroup: what differs between lanes, and what all of them share.

    ``shape`` are the tables of each monomial from the first lane on, as bytes; ``shared`` is the polynomial in
    the first lane.
    """

    shape: tuple[tuple[Monomial, bytes], ...]
    shared: Polynomial


class LaneTables:
    """The tables of one kernel; ``waves`` are those of a workgroup."""

    def __init__(self, words: Words, waves: int) -> None:
        self.words = words
        self._waves = [Numbers(words, {"wave": wave}) for wave in range(waves)]
        letters = (words.lane.as_letter, words.form.symbol("wave").as_letter)
        self._own = frozenset(letter for letter in letters if letter is not None)
        self._letters: dict[int, Table | None] = {}

    def of(self, polynomial: Polynomial, lanes: Table) -> InLanes:
        """The polynomial in those lanes where ``lanes`` is true, of which there is one at least."""
        tables: dict[Monomial, Table] = {}
        for monomial, coefficient in polynomial:
            outer: list[int] = []
            table = np.full(int(lanes.sum()), coefficient, dtype=object)
            for letter in monomial:
                own = self._letter(letter)
                if own is None:
                    outer.append(letter)
                else:
                    table = table * own[lanes]
            key = tuple(outer)
            tables[key] = tables[key] + table if key in tables else table
        shape, shared = [], []
        for monomial, table in tables.items():
            first, steps = int(table[0]), table - table[0]
            if first:
                shared.append((monomial, first))
            if steps.any():
                shape.append((monomial, repr(steps.tolist()).encode()))
        return InLanes(tuple(sorted(shape)), Polynomial(dict(shared)))

    def _letter(self, letter: int) -> Table | None:
        """The values of a letter that lane and wave decide; None where they do not."""
        if letter not in self._letters:
            bases = self.words.bases_of(letter)
            found = None
            if bases and bases <= self._own:
                found = self._values(letter)
            self._letters[letter] = found
        return self._letters[letter]

    def _values(self, letter: int) -> Table | None:
        try:
            return np.concatenate([wave.letter(letter) for wave in self._waves])
        except OpaqueLetterError:
            return None

    def where(self, guard: int) -> Table:
        """The lanes in which a guard may hold, by those of its conditions that lane and wave decide."""
        table = self.words.guards
        found = np.ones(len(self._waves) * 64, dtype=bool)
        for number, value in table.literals(guard):
            variable = table.variables[number]
            if isinstance(variable, Condition) and self._is_decided(variable.polynomials()):
                holds = np.concatenate([wave.guard(table.of(variable)) for wave in self._waves])
                found &= holds == value
        return found

    def _is_decided(self, polynomials: Iterable[Polynomial]) -> bool:
        bases = frozenset().union(*map(self.words.bases, polynomials))
        return bool(bases) and bases <= self._own

"""Polynomials as tables over all lanes and waves of a workgroup: equal tables are equal formulas there.

Lanes and waves are few: what depends on nothing else is a table of numbers, however it was computed. A
polynomial becomes one such table for each monomial of the other letters (sizes, workgroups, turns). Where a
launch has so few workgroups, tables go over these too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import sympify

from layoutalg.codegen.gfx9.lifting.formula_numbers import FITS, LANES, OpaqueLetterError
from layoutalg.codegen.gfx9.lifting.kernel_start import KernelStart
from layoutalg.codegen.gfx9.lifting.lane_numbers import LaneNumbers
from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import Monomial, Polynomial

__all__ = ["InLanes", "LaneTables"]

Table = NDArray[Any]  # of whole numbers, or truths, one for each lane
MOST_POINTS = 1 << 17
AXES = "xyz"


@dataclass(frozen=True)
class InLanes:
    """A polynomial in the lanes of a workgroup: what differs between lanes, and what all of them share.

    ``shape`` are the tables of each monomial from the first lane on, as bytes of words or as numbers that
    are longer; ``shared`` is the polynomial in the first lane.
    """

    shape: tuple[tuple[Monomial, bytes | tuple[int, ...]], ...]
    shared: Polynomial


class LaneTables:
    """The tables of one kernel, over lanes and waves, or over ``points`` with the workgroups beside them."""

    def __init__(self, start: KernelStart, *, has_workgroups: bool = False) -> None:
        self.words = start.words
        extents = {"wave": start.waves}
        if has_workgroups:
            grid_extents = _workgroups(start) or ()
            extents |= {f"workgroup_{axis}": n for axis, n in zip(AXES, grid_extents, strict=True)}
        self._lanes = LaneNumbers(self.words, extents)
        self._numbers = self._lanes.numbers
        letters = (self.words.form.symbol(name).as_letter for name in ("lane", *extents))
        self._own = frozenset(letter for letter in letters if letter is not None)
        self._where: dict[int, Table] = {}

    @classmethod
    def of_launch(cls, start: KernelStart) -> LaneTables | None:
        """Tables over every lane of every workgroup; None where these are many, or open."""
        extents = _workgroups(start)
        if extents is None or math.prod(extents) * start.waves * LANES > MOST_POINTS:
            return None
        return cls(start, has_workgroups=True)

    def of(self, polynomial: Polynomial, lanes: Table) -> InLanes:
        """The polynomial in those lanes where ``lanes`` is true, of which there is one at least."""
        parts = dict[Monomial, dict[Monomial, int]]()
        for monomial, coefficient in polynomial:
            others = tuple(letter for letter in monomial if self._lanes.letter(letter) is None)
            own = tuple(letter for letter in monomial if self._lanes.letter(letter) is not None)
            parts.setdefault(others, {})[own] = coefficient
        chosen = np.flatnonzero(lanes)
        tables = {others: self._numbers.total(own, chosen) for others, own in parts.items()}
        shape, shared = [], {}
        for monomial, table in tables.items():
            first, steps = int(table[0]), table - table[0]
            if first:
                shared[monomial] = first
            if steps.any():
                shape.append((monomial, _as_key(steps)))
        return InLanes(tuple(sorted(shape)), Polynomial(shared))

    def values(self, polynomial: Polynomial) -> Table | None:
        """A polynomial that nothing but the axes of the tables decides; None of others."""
        if not self._is_decided([polynomial]):
            return None
        try:
            return self._numbers.of(polynomial)
        except OpaqueLetterError:
            return None

    def truths(self, guard: int) -> Table | None:
        """Where a guard holds that nothing but the axes of the tables decides; None of others."""
        if not self.words.bases_of_guard(guard) <= self._own:
            return None
        try:
            return self._numbers.guard(guard)
        except OpaqueLetterError:
            return None

    def where(self, guard: int) -> Table:
        """The lanes in which a guard may hold, by those of its conditions that the axes decide."""
        if guard not in self._where:
            self._where[guard] = self._found_where(guard)
        return self._where[guard]

    def _found_where(self, guard: int) -> Table:
        table, decided = self.words.guards, self.truths(guard)
        if decided is not None:
            return decided
        found = np.ones(self._numbers.size, dtype=bool)
        for number, value in table.literals(guard):
            variable = table.variables[number]
            if isinstance(variable, Condition) and self._is_decided(variable.polynomials()):
                found &= self._numbers.guard(table.of(variable)) == value
        return found

    def _is_decided(self, polynomials: Iterable[Polynomial]) -> bool:
        """Whether nothing but the axes of the tables decides them."""
        return frozenset().union(*map(self.words.bases, polynomials)) <= self._own


def _as_key(numbers: Table) -> bytes | tuple[int, ...]:
    """Equal just for equal numbers, whatever they were computed in."""
    if numbers.dtype == object and np.abs(numbers).max() >= FITS:
        return tuple(numbers)
    return numbers.astype(np.int64).tobytes()


def _workgroups(start: KernelStart) -> tuple[int, ...] | None:
    """Workgroups along x, y and z; None where they are open or depend on sizes."""
    found = [sympify(extent) for extent in start.assumed.extents if extent is not None]
    if len(found) < len(AXES) or not all(extent.is_Integer for extent in found):
        return None
    return tuple(map(int, found))

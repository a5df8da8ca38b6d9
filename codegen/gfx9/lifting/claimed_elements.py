"""The elements of a claimed access that a thread holds, looked up by their places.

>>> from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS
>>> from layoutalg.rules.polynomial import ZERO
>>> ClaimedElement(number=3, place=ZERO, valid=ALWAYS).chosen == ALWAYS
True
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS
from layoutalg.codegen.gfx9.lifting.lane_tables import InLanes, LaneTables, Table
from layoutalg.rules.polynomial import ZERO, Polynomial

__all__ = ["ClaimedElement", "ClaimedElements"]

FEW_LANES = 8  # that tell most elements apart


@dataclass(frozen=True)
class ClaimedElement:
    """An element that a thread holds: its place in bytes and where it is there, by the letter of the turn.

    ``chosen``: where the claim's selections go the way that this place is of.
    """

    number: int
    place: Polynomial
    valid: int
    chosen: int = ALWAYS


class ClaimedElements:
    """All in one form; ``cases``: ways that selections may go; ``turn``: the letter of turns, if any."""

    def __init__(
        self, members: tuple[ClaimedElement, ...], cases: int, tables: LaneTables, turn: int | None
    ) -> None:
        self.members, self._cases, self._tables, self._turn = members, cases, tables, turn
        self._by_lanes: dict[bytes, dict[tuple[Any, ...], list[tuple[Polynomial, ClaimedElement]]]] = {}

    @cached_property
    def by_ways(self) -> dict[tuple[int, ...], list[tuple[ClaimedElement, ...]]]:
        """The elements of each register, one a way that selections may go, by the guards of the ways."""
        count, found = self._cases, dict[tuple[int, ...], list[tuple[ClaimedElement, ...]]]()
        if count > 1 and self._turn is None:
            for first in range(0, len(self.members), count):
                alike = self.members[first : first + count]
                found.setdefault(tuple(one.chosen for one in alike), []).append(alike)
        return found

    def alike(self, given: InLanes, lanes: Table) -> list[tuple[Polynomial, ClaimedElement]]:
        """The elements whose places in turn 0 differ between lanes as the given one does."""
        key = lanes.tobytes()
        if key not in self._by_lanes:
            table: dict[tuple[Any, ...], list[tuple[Polynomial, ClaimedElement]]] = {}
            for element in self.members:
                place = element.place
                at = self._tables.of(place if self._turn is None else place.replaced(self._turn, ZERO), lanes)
                table.setdefault(at.shape, []).append((at.shared, element))
            self._by_lanes[key] = table
        return self._by_lanes[key].get(given.shape, [])

    def in_place(self, place: Polynomial, lanes: Table) -> set[int]:
        """The numbers of elements that are at a place in these lanes: asked of a few lanes first."""
        few = lanes & (np.cumsum(lanes) <= FEW_LANES)
        given, whole = self._tables.of(place, few), self._tables.of(place, lanes)
        found = (one for shared, one in self.alike(given, few) if shared == given.shared)
        return {one.number for one in found if self._tables.of(one.place, lanes) == whole}

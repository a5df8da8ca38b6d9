"""Every address of a launch as the executor finds it: per instruction, wave and turn of the loops around it.

>>> AddressTrace((4,)).headers
(4,)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.access_counts import NotedAccesses
from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.machine import Machine
from layoutalg.codegen.gfx9.registers import Group
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.gfx9.word_arithmetic import Execute

__all__ = ["AddressTrace", "Passage", "TracingMachine"]


@dataclass(frozen=True)
class Passage:
    """One wave at one memory instruction: the addresses of its lanes, and which lanes reach memory.

    ``number``: of an instruction that moves two values, which of them; ``turns``: of each loop (by the place
    of its header), how often its header was come back to since the loop was entered.
    """

    place: int
    number: int
    wave: int
    addresses: NDArray[Any]
    active: NDArray[np.bool_]
    turns: dict[int, int]


@dataclass
class AddressTrace:
    """The passages of a launch; ``headers``: the places of loops' headers, ``bodies`` those of the loops."""

    headers: tuple[int, ...]
    bodies: dict[int, frozenset[int]] = field(default_factory=dict)
    passages: list[Passage] = field(default_factory=list)


class TracingMachine(Machine):
    """A machine that keeps the addresses of all vector accesses."""

    def __init__(self, assembly: Assembly, unchecked: frozenset[str], trace: AddressTrace) -> None:
        super().__init__(assembly, unchecked)
        self.kept = trace
        self.counts = NotedAccesses(assembly.target, self._note)
        self._turns: dict[int, dict[int, int]] = {}
        self._before: dict[int, int] = {}
        self._now: tuple[Waves, Group, int] | None = None
        self._number = 0

    def _run_block(self, waves: Waves, group: Group, place: int, status: Any) -> int:
        for wave in waves.members(group).tolist():
            turns = self._turns.setdefault(wave, {})
            if place in self.kept.headers:
                came_back = self._before.get(wave, -1) in self.kept.bodies[place]
                turns[place] = turns[place] + 1 if came_back else 0
        length = super()._run_block(waves, group, place, status)
        for wave in waves.members(group).tolist():
            self._before[wave] = place + length - 1
        return length

    def _execute(self, execute: Execute, waves: Waves, group: Group, place: int) -> None:
        self._now, self._number = (waves, group, place), 0
        super()._execute(execute, waves, group, place)

    def _note(self, direction: Any, size: int, addresses: Any, active: Any, is_shared: Any) -> None:
        """Addresses of the waves that are being executed."""
        del direction, size, is_shared
        assert self._now is not None
        waves, group, place = self._now
        shape = active.shape
        rows = np.broadcast_to(addresses, shape)
        for row, wave in enumerate(waves.members(group).tolist()):
            passage = Passage(
                place, self._number, wave, rows[row].copy(), active[row].copy(), dict(self._turns[wave])
            )
            self.kept.passages.append(passage)
        self._number += 1

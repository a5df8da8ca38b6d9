"""Bank conflicts of an access to shared memory, phase by phase: counted by enumeration.

Rows of 64 bytes, each lane reads 8 bytes of a row of its own: 16 lanes at a time meet in 4 of 32 banks.

>>> from layoutalg.domain import Domain
>>> access = WaveAccess.of_expression("lane*32", Domain.of({"lane": 64}), "f16", 4, "read")
>>> report = bank_conflicts(access, "gfx942")
>>> report.degree, report.conflicts, print(report.worst)
phase 0 (lanes 0-15): 8 dwords in bank 0, wanted by lanes 0, 2, 4, 6, 8, 10, 12, 14
(8, 28, None)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from layoutalg.display import Displayed
from layoutalg.errors import LayoutError, shown
from layoutalg.machine.lds import BYTES_PER_BANK, LdsPhases
from layoutalg.memory.wave_access import WaveAccess
from layoutalg.reading.near_attributes import NearAttributes

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BankConflicts", "WorstPhase", "bank_conflicts"]


@dataclass(frozen=True)
class WorstPhase:
    """The phase that takes longest: its busiest bank, and the lanes that want different dwords of it."""

    phase: int
    members: tuple[int, ...]
    bank: int
    lanes: tuple[int, ...]
    cycles: int
    at: dict[str, int]

    def __str__(self) -> str:
        where = ", ".join(f"{name}={value}" for name, value in self.at.items())
        shown = ", ".join(map(str, self.lanes))
        at = f" with {where}" if where else ""
        return (
            f"phase {self.phase} (lanes {_runs(self.members)}){at}: "
            f"{self.cycles} dwords in bank {self.bank}, wanted by lanes {shown}"
        )


@dataclass(frozen=True)
class BankConflicts(NearAttributes, Displayed):
    """What an instruction costs: ``cycles[row, phase]`` for each point of everything but the lane."""

    access: WaveAccess
    phases: LdsPhases
    cycles: NDArray[np.int64]

    @property
    def degree(self) -> int:
        """The cycles of the worst phase; 1 is free of conflicts."""
        return int(self.cycles.max(initial=1))

    @property
    def is_free(self) -> bool:
        return self.degree == 1

    @property
    def conflicts(self) -> int:
        """Cycles lost to conflicts in one execution by one wave, the worst of all points."""
        return int(np.maximum(self.cycles - 1, 0).sum(axis=1).max(initial=0))

    @property
    def total_conflicts(self) -> int:
        """Cycles lost at all points together: what ``SQ_LDS_BANK_CONFLICT`` counts."""
        return int(np.maximum(self.cycles - 1, 0).sum())

    @property
    def worst_point(self) -> int:
        """The row of ``cycles`` that holds the longest phase, the first of several."""
        return int(np.argmax(self.cycles.max(axis=1)))

    @cached_property
    def dwords(self) -> NDArray[np.int64]:
        """The dwords of every point and lane; -1 for lanes that take no part."""
        return _dwords(self.access, self.phases)

    @cached_property
    def worst(self) -> WorstPhase:
        """The phase with most cycles, the first of several."""
        row, phase = self.worst_point, int(np.argmax(self.cycles[self.worst_point]))
        members = self.phases.phases[phase]
        dwords = self.dwords[row, list(members)]
        banks = dwords % self.phases.banks
        wanted = {b: len(set(dwords[banks == b].tolist()) - {-1}) for b in set(banks[dwords >= 0].tolist())}
        bank = max(sorted(wanted), key=lambda b: wanted[b])
        lanes = tuple(
            lane for lane, own in zip(members, dwords, strict=True) if bank in own % self.phases.banks
        )
        return WorstPhase(phase, members, bank, lanes, int(self.cycles[row, phase]), self.access.point(row))

    def __str__(self) -> str:
        verdict = "free of bank conflicts" if self.is_free else f"{self.degree}-way bank conflict"
        return f"{self.phases}: {verdict}"


def bank_conflicts(access: WaveAccess, target: str, source: str | None = None) -> BankConflicts:
    """The conflicts of an access on a target; ``source`` chooses whose model of the banks.

    >>> import layoutalg as la
    >>> rows = WaveAccess.of_expression("lane*32", la.Domain.of({"lane": 64}), "f16", 4, "read")
    >>> print(bank_conflicts(rows, "gfx942"))
    ds_read_b64 on gfx942 (32 banks; amd-shark-ai): 8-way bank conflict
    """
    if not hasattr(access, "addresses"):  # an executor has accesses of its own, without a closed form
        raise LayoutError(f"bank_conflicts: wanted a WaveAccess, got {shown(access)}")
    phases = LdsPhases.of(target, access.direction, access.bits, source)
    if access.lanes != phases.wave_size:
        msg = (
            f"{access.direction}: a wave of {target} has {phases.wave_size} lanes, the access {access.lanes}"
        )
        raise LayoutError(msg)
    dwords = _dwords(access, phases)
    cycles = [_cycles(dwords[:, list(members)], phases) for members in phases.phases]
    return BankConflicts(access, phases, np.stack(cycles, axis=1))


def _dwords(access: WaveAccess, phases: LdsPhases) -> NDArray[np.int64]:
    """The dwords of every point and lane; -1 for lanes that take no part."""
    addresses = access.addresses()
    if access.bits >= 32 and (addresses % BYTES_PER_BANK).any():
        msg = f"{phases.instruction}: some addresses are not multiples of {BYTES_PER_BANK} bytes"
        raise LayoutError(msg)
    words = max(1, access.bytes // BYTES_PER_BANK)
    dwords = addresses[:, :, np.newaxis] // BYTES_PER_BANK + np.arange(words)
    return np.where(access.taking_part()[:, :, np.newaxis], dwords, -1)


def _cycles(dwords: NDArray[np.int64], phases: LdsPhases) -> NDArray[np.int64]:
    """For each point the most dwords that one bank has to give in a phase."""
    points = len(dwords)
    flat = np.sort(dwords.reshape(points, -1), axis=1)
    counted = flat >= 0
    if phases.merges:
        counted[:, 1:] &= flat[:, 1:] != flat[:, :-1]
    rows = np.repeat(np.arange(points), flat.shape[1]).reshape(flat.shape)
    places = rows * phases.banks + flat % phases.banks
    found = np.bincount(places[counted], minlength=points * phases.banks)
    return found.reshape(points, phases.banks).max(axis=1)


def _runs(lanes: tuple[int, ...]) -> str:
    """Lanes as runs: ``0-3, 20-23``."""
    found: list[list[int]] = []
    for lane in lanes:
        if found and lane == found[-1][1] + 1:
            found[-1][1] = lane
        else:
            found.append([lane, lane])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in found)

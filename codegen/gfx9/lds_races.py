"""Races in LDS: two waves touch the same byte, at least one changes it, and no barrier lies between.

The LDS is watched in grains, the largest pieces that every access of the kernel takes whole. For each grain
is kept in which epoch it was last written and read (barriers are counted), and by which waves of its
workgroup, a bit each. Several waves may write the same value: a write that changes nothing is no race, and
whoever wrote what is there may read it.

An access that was still under way when its wave reached a barrier, for want of an ``s_waitcnt``, counts as
made after the barrier.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["LdsAccess", "LdsRaces"]

U32 = np.uint32


@dataclass(frozen=True)
class LdsAccess:
    """One instruction's access: grains (a row a lane), the wave of each row, and its line or address.

    ``changes``: where a write changes what is there; ``agrees``: where it left what it wrote, so that no
    other lane wrote another value there at the same time. Both are of the shape of ``grains``.
    """

    grains: NDArray[np.int64]
    waves: NDArray[np.int64]
    is_write: bool
    line: int
    changes: Any = True
    agrees: Any = True

    def of_rows(self, rows: NDArray[np.bool_]) -> LdsAccess:
        """The access of some lanes, all of it as if it changed what is there."""
        return replace(self, grains=self.grains[rows], waves=self.waves[rows], changes=True, agrees=True)


@dataclass
class LdsRaces:
    """The last accesses to each grain of the LDS, for all workgroups of a batch."""

    grains: int
    grain_bytes: int
    grains_of_workgroup: int
    epoch: int = 1
    is_checked: bool = True
    written: NDArray[np.int64] = field(init=False)
    read: NDArray[np.int64] = field(init=False)
    writers: NDArray[np.uint32] = field(init=False)
    readers: NDArray[np.uint32] = field(init=False)
    lines: dict[bool, NDArray[np.int64]] = field(init=False)

    def __post_init__(self) -> None:
        self.written, self.read = np.zeros((2, self.grains), dtype=np.int64)
        self.writers, self.readers = np.zeros((2, self.grains), dtype=U32)
        self.lines = {way: np.zeros(self.grains, dtype=np.int64) for way in (False, True)}

    def touch(self, access: LdsAccess, what: object, first_wave: NDArray[np.int64]) -> None:
        """Look for a race with what was done since the last barrier, then remember the access.

        ``first_wave``: the number in the batch of the first wave of each wave's workgroup.
        """
        at, mine = access.grains, self._mine(access, first_wave)
        writers = np.where(self.written[at] == self.epoch, self.writers[at], U32(0))
        if access.is_write:
            readers = np.where(self.read[at] == self.epoch, self.readers[at], U32(0))
            self._require(access, (writers & ~mine != 0) & access.changes, writers, (True, what, first_wave))
            self._require(access, (readers & ~mine != 0) & access.changes, readers, (False, what, first_wave))
        else:
            self._require(access, (writers != 0) & (writers & mine == 0), writers, (True, what, first_wave))
        self.remember(access, first_wave)
        if access.is_write and access.agrees is not True:
            others = self.writers[at] & ~mine
            self._require(access, ~access.agrees & (others != 0), others, (True, what, first_wave))

    def remember(self, access: LdsAccess, first_wave: NDArray[np.int64]) -> None:
        """Mark an access as made in the present epoch."""
        at, mine = access.grains, np.broadcast_to(self._mine(access, first_wave), access.grains.shape)
        epochs, waves = (self.written, self.writers) if access.is_write else (self.read, self.readers)
        if access.is_write and access.changes is not True:  # who writes what is there joins who wrote it
            chosen = access.changes | (epochs[at] == self.epoch)
            at, mine = at[chosen], mine[chosen]
        waves[at[epochs[at] != self.epoch]] = 0
        epochs[at] = self.epoch
        np.bitwise_or.at(waves, at, mine)
        self.lines[access.is_write][at] = access.line

    def pass_barrier(self, under_way: list[LdsAccess], first_wave: NDArray[np.int64]) -> None:
        """A new epoch begins; accesses that nobody waited for go on in it."""
        self.epoch += 1
        for access in under_way:
            self.remember(access, first_wave)
            self.lines[access.is_write][access.grains] = -access.line

    @staticmethod
    def _mine(access: LdsAccess, first_wave: NDArray[np.int64]) -> Any:
        """The bit of each row's wave among those of its workgroup."""
        return (U32(1) << (access.waves - first_wave[access.waves]).astype(U32))[:, None]

    def _require(self, access: LdsAccess, bad: Any, theirs: Any, told: Any) -> None:
        if not self.is_checked or not bad.any():
            return
        is_write, what, first_wave = told
        row, column = np.unravel_index(int(np.argmax(bad)), bad.shape)
        grain = int(access.grains[row, column])
        here = int(access.waves[row] - first_wave[access.waves[row]])
        others = int(np.broadcast_to(theirs, bad.shape)[row, column]) & ~(1 << here)
        there = (others & -others).bit_length() - 1
        offset = grain % self.grains_of_workgroup * self.grain_bytes
        line = int(self.lines[is_write][grain])
        msg = (
            f"{what}: wave {here} {'writes' if access.is_write else 'reads'} LDS offset {offset}, which wave"
        )
        place = what.named(abs(line)) if isinstance(what, Instruction) else f"line {abs(line)}"
        msg += f" {there} {'writes' if is_write else 'reads'} in {place}, with no barrier between"
        if line < 0:
            msg += " that comes after an s_waitcnt for it"
        raise ExecutionFaultError(msg)

"""Races in LDS: two waves touch the same byte, at least one writes, and no barrier lies between.

The LDS is watched in grains, the largest pieces that every access of the kernel takes whole. For each grain
three numbers are kept: who wrote last, and the highest and the lowest wave that read since the last barrier
(between them any reader that is not the writer shows). A number is the epoch, which counts barriers, and
the wave, so that a larger number is later and a number of an older epoch is no danger.

An access that was still under way when its wave reached a barrier, for want of an ``s_waitcnt``, counts as
made after the barrier.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["LdsAccess", "LdsRaces"]

BITS = 16  # of the wave within a batch; the epoch stands above
MOST = (1 << BITS) - 1


@dataclass(frozen=True)
class LdsAccess:
    """One instruction's access: grains (a row a lane), the wave of each row, its place in the code."""

    grains: NDArray[np.int64]
    waves: NDArray[np.int64]
    is_write: bool
    line: int


@dataclass
class LdsRaces:
    """The last accesses to each grain of the LDS, for all workgroups of a batch."""

    grains: int
    grain_bytes: int
    grains_of_workgroup: int
    epoch: int = 1
    written: NDArray[np.int64] = field(init=False)
    highest_read: NDArray[np.int64] = field(init=False)
    lowest_read: NDArray[np.int64] = field(init=False)
    lines: dict[bool, NDArray[np.int32]] = field(init=False)

    def __post_init__(self) -> None:
        self.written, self.highest_read, self.lowest_read = np.zeros((3, self.grains), dtype=np.int64)
        self.lines = {way: np.zeros(self.grains, dtype=np.int32) for way in (False, True)}

    def touch(self, access: LdsAccess, what: object, first_wave: NDArray[np.int64]) -> None:
        """Look for a race with what was done since the last barrier, then remember the access.

        ``first_wave``: the number in the batch of the first wave of each wave's workgroup, for messages.
        """
        at, mine = access.grains, self._mine(access)
        now = self.epoch << BITS
        found = [(self.written[at], True)]
        if access.is_write:
            lowest = self.lowest_read[at]
            lowest = np.where(lowest >= now, (now << 1) + MOST - lowest, 0)
            found += [(self.highest_read[at], False), (lowest, False)]
        for theirs, is_write in found:
            bad = (theirs >= now) & (theirs != mine)
            if bad.any():
                self._report(access, bad, theirs, is_write, (what, first_wave))
        self.remember(access)
        if access.is_write and (self.written[at] != mine).any():
            bad = self.written[at] != mine
            self._report(access, bad, self.written[at], is_write=True, told=(what, first_wave))

    def remember(self, access: LdsAccess) -> None:
        """Mark an access as made in the present epoch; of several waves in one place the last one stays."""
        at, mine = access.grains, self._mine(access)
        self.lines[access.is_write][at] = access.line
        if access.is_write:
            self.written[at] = mine
            return
        self.highest_read[at] = np.maximum(self.highest_read[at], mine)
        mirrored = (self.epoch << BITS << 1) + MOST - mine  # the lowest wave has the largest number
        backward = at[::-1].copy()  # the last assignment stays, in the order of memory
        self.lowest_read[backward] = np.maximum(self.lowest_read[backward], mirrored[::-1])

    def pass_barrier(self, under_way: list[LdsAccess]) -> None:
        """A new epoch begins; accesses that nobody waited for go on in it."""
        self.epoch += 1
        for access in under_way:
            self.remember(access)
            self.lines[access.is_write][access.grains] = -access.line

    def _mine(self, access: LdsAccess) -> Any:
        return (access.waves + (self.epoch << BITS))[:, None]

    def _report(self, access: LdsAccess, bad: Any, theirs: Any, is_write: bool, told: Any) -> None:  # noqa: FBT001
        what, first_wave = told
        row, column = np.unravel_index(int(np.argmax(bad)), bad.shape)
        grain = int(access.grains[row, column])
        first = int(first_wave[access.waves[row]])
        here, there = int(access.waves[row]) - first, int(theirs[row, column]) % (1 << BITS) - first
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

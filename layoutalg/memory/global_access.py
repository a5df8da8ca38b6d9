"""Global memory as a wave accesses it: bytes a lane, segments a wave, alignment, and whether it is coalesced.

>>> from layoutalg.domain import Domain
>>> rows = WaveAccess.of_expression("lane*8 + i*512", Domain.of({"lane": 64, "i": 4}), "f16", 8, "read")
>>> print(global_access(rows, "gfx942"))
16 bytes a lane, 8 lines of 128 bytes a wave where 8 would do, aligned to 16 bytes: coalesced
>>> columns = WaveAccess.of_expression("lane*4096", Domain.of({"lane": 64}), "f16", 1, "read")
>>> print(global_access(columns, "gfx942"))
2 bytes a lane, 64 lines of 128 bytes a wave where 1 would do, aligned to 8192 bytes: scattered
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from layoutalg.errors import LayoutError, shown
from layoutalg.machine.global_memory import BUFFER_REACH, GlobalMemory
from layoutalg.memory.wave_access import WaveAccess

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["GlobalAccess", "global_access"]

INT32_END = 2**31


@dataclass(frozen=True)
class GlobalAccess:
    """What every wave instruction touches: ``lines[row]``, for each point of everything but the lane.

    A tensor is taken to begin at the start of a line.
    """

    access: WaveAccess
    memory: GlobalMemory
    line_bytes: int

    @property
    def bytes_per_lane(self) -> int:
        return self.access.bytes

    @cached_property
    def lines(self) -> NDArray[np.int64]:
        """Different lines that one instruction of a wave touches."""
        first = self._taken(self.access.addresses() // self.line_bytes)
        last = self._taken((self.access.addresses() + self.access.bytes - 1) // self.line_bytes)
        return _distinct(np.concatenate([first, last], axis=1))

    @cached_property
    def fewest_lines(self) -> NDArray[np.int64]:
        """Lines that would hold the same bytes if they lay together."""
        starts = _distinct(self._taken(self.access.addresses()))
        return -(-starts * self.access.bytes // self.line_bytes)

    def _taken(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.where(self.access.taking_part(), values, -1)

    @cached_property
    def alignment(self) -> int:
        """The largest power of two that divides every address, in bytes."""
        used = self.access.addresses()[self.access.taking_part()]
        together = int(np.bitwise_or.reduce(used)) if used.size else 0
        return together & -together if together else self.line_bytes

    @property
    def is_aligned(self) -> bool:
        """Whether every lane's access begins at a multiple of its width (of 4 bytes at most counted)."""
        return self.alignment % min(4, self.access.bytes) == 0

    @property
    def is_coalesced(self) -> bool:
        """Whether no instruction touches more lines than its bytes need."""
        return bool((self.lines <= self.fewest_lines).all())

    @property
    def efficiency(self) -> float:
        """Bytes wanted over bytes of lines touched."""
        touched = int(self.lines.sum()) * self.line_bytes
        starts = _distinct(self._taken(self.access.addresses()))
        return int(starts.sum()) * self.access.bytes / touched if touched else 1.0

    @property
    def highest_byte(self) -> int:
        """The last byte touched."""
        used = self.access.addresses()[self.access.taking_part()]
        return int(used.max(initial=0)) + self.access.bytes - 1

    @property
    def fits_buffer(self) -> bool:
        """Whether a buffer resource (4 GiB) reaches every byte."""
        used = self.access.addresses()[self.access.taking_part()]
        return bool((used >= 0).all()) and self.highest_byte < BUFFER_REACH

    @property
    def fits_int32(self) -> bool:
        """Whether every byte offset fits a signed 32-bit integer."""
        used = self.access.addresses()[self.access.taking_part()]
        return self.highest_byte < INT32_END and bool((used >= -INT32_END).all())

    @property
    def verdict(self) -> str:
        """``coalesced``, ``partly coalesced`` (at least half of the bytes are wanted) or ``scattered``."""
        if self.is_coalesced:
            return "coalesced"
        return "partly coalesced" if self.efficiency >= 0.5 else "scattered"

    def __str__(self) -> str:
        worst = int(np.argmax(self.lines - self.fewest_lines)) if self.lines.size else 0
        found = [
            f"{self.bytes_per_lane} bytes a lane, ",
            f"{self.lines[worst]} lines of {self.line_bytes} bytes a wave",
            f" where {self.fewest_lines[worst]} would do, aligned to {self.alignment} bytes: {self.verdict}",
        ]
        if self.bytes_per_lane > self.memory.widest_bytes:
            found.append(f"; wider than the {self.memory.widest_bytes} bytes of one instruction")
        if not self.fits_buffer:
            found.append("; beyond the 4 GiB of a buffer resource")
        elif not self.fits_int32:
            found.append("; byte offsets need more than 31 bits")
        return "".join(found)


def global_access(access: WaveAccess, target: str, line_bytes: int | None = None) -> GlobalAccess:
    """What an access does to global memory; ``line_bytes`` sets another size of segments."""
    if not hasattr(access, "addresses"):  # an executor has accesses of its own, without a closed form
        raise LayoutError(f"global_access: wanted a WaveAccess, got {shown(access)}")
    memory = GlobalMemory.of(target)
    return GlobalAccess(access, memory, line_bytes or memory.line_bytes)


def _distinct(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each row how many different values it has; -1 does not count."""
    ordered = np.sort(values, axis=1)
    new = ordered >= 0
    new[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    counted: NDArray[np.int64] = new.sum(axis=1)
    return counted

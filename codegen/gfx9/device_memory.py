"""Global and local memory as kernels see them: buffers at addresses, with guards between them.

Every access is checked: inside one buffer, aligned (in the LDS to its size, in global memory to at most a
word of 32 bits, or to less where a buffer says so), reading only bytes that were set,
and writing only to buffers that are outputs. Data comes and goes as rows of bytes, one a lane; marks say of
each 32-bit word of a row whether it was set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.lds_races import LdsRaces
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["WORD", "Buffer", "GlobalMemory", "LocalMemory", "alignment_of"]

FIRST_ADDRESS = 0x7F00_0000_0000
GUARD = 1 << 21  # unmapped bytes between buffers
PAGE = 256
MAX_ALIGNMENT = 16
WORD = 4

Bytes = NDArray[np.uint8]


def alignment_of(size: int) -> int:
    """The natural alignment in bytes of an access of this many bytes: what the LDS wants."""
    return min(size & -size, MAX_ALIGNMENT)


@dataclass
class Buffer:
    """A named piece of memory at an address; ``is_set`` marks bytes that hold a value.

    Of one that ``is_full`` all do: then the marks are those of bytes that were written.
    ``alignment``: of its accesses, in bytes. The hardware wants none of global accesses that are no atomics
    where ``SH_MEM_CONFIG.alignment_mode`` is unaligned, as Linux sets it for compute on every target
    (``kfd_device_queue_manager_v9.c``) and LLVM assumes for ``amdhsa`` (feature ``unaligned-access-mode``).
    That an access is not aligned to a word mostly is a mistake all the same: kernels say where it is none.
    """

    name: str
    address: int
    content: Bytes
    is_set: NDArray[np.bool_]
    is_writable: bool
    is_full: bool
    alignment: int = WORD

    def pieces(self, size: int) -> tuple[Bytes, NDArray[np.bool_]]:
        """Content and marks as rows of ``size`` bytes; bytes that fill no row are out of reach of one."""
        whole = len(self.content) // size * size
        return self.content[:whole].reshape(-1, size), self.is_set[:whole].reshape(-1, size)


class GlobalMemory:
    """Buffers of a launch, placed far apart so that a stray address hits none."""

    def __init__(self) -> None:
        self.buffers: list[Buffer] = []
        self._next = FIRST_ADDRESS

    def add(
        self, name: str, content: Bytes, *, is_set: bool, is_writable: bool, alignment: int = WORD
    ) -> Buffer:
        """Place a buffer; ``content`` is used as it is, not copied."""
        is_input = is_set and not is_writable  # its marks never change: one stands for all
        marks = np.broadcast_to(np.True_, len(content)) if is_input else np.zeros(len(content), dtype=bool)
        buffer = Buffer(name, self._next, content, marks, is_writable, is_set, alignment)
        self._next += (len(content) + GUARD + PAGE - 1) // PAGE * PAGE
        self.buffers.append(buffer)
        return buffer

    def place(self, buffer: Buffer) -> None:
        """A buffer at an address of its own, below all that were added and above those placed before."""
        self.buffers.insert(sum(other.address < buffer.address for other in self.buffers), buffer)

    def load(self, addresses: NDArray[np.uint64], size: int, what: object) -> tuple[Any, Any]:
        """``size`` bytes at each address, as rows of bytes, and the marks of their words."""
        data = np.empty((len(addresses), size), dtype=np.uint8)
        marks = np.ones((len(addresses), max(1, size // WORD)), dtype=bool)
        for buffer, chosen, offsets in self._places(addresses, size, what):
            unit = _unit(offsets, size)
            content, is_set = buffer.pieces(unit)
            at = (offsets // unit)[:, None] + np.arange(size // unit)
            data[chosen] = content[at].reshape(-1, size)
            if not buffer.is_full:
                marks[chosen] = is_set[at].reshape(len(at), marks.shape[1], -1).all(axis=2)
        return data, marks

    def store(self, addresses: NDArray[np.uint64], data: Bytes, what: object) -> None:
        """Write a row of bytes at each address."""
        size = data.shape[1]
        for buffer, chosen, offsets in self._places(addresses, size, what):
            if not buffer.is_writable:
                msg = f"{what}: writes to {buffer.name}, which is an input"
                raise ExecutionFaultError(msg)
            unit = _unit(offsets, size)
            content, is_set = buffer.pieces(unit)
            at = (offsets // unit)[:, None] + np.arange(size // unit)
            content[at] = data[chosen].reshape(len(at), -1, unit)
            is_set[at] = True

    def _places(
        self, addresses: NDArray[np.uint64], size: int, what: object
    ) -> list[tuple[Buffer, Any, NDArray[np.int64]]]:
        if not len(addresses):
            return []
        starts = np.array([buffer.address for buffer in self.buffers], dtype=np.uint64)
        ends = np.array([addresses.min(), addresses.max()], dtype=np.uint64)
        low, high = (int(n) for n in np.searchsorted(starts, ends, side="right") - 1)
        if low == high:
            return [self._place(low, addresses, slice(None), size, what)]
        which = np.searchsorted(starts, addresses, side="right") - 1
        return [
            self._place(int(number), addresses, which == number, size, what) for number in np.unique(which)
        ]

    def _place(
        self, number: int, addresses: NDArray[np.uint64], chosen: Any, size: int, what: object
    ) -> tuple[Buffer, Any, NDArray[np.int64]]:
        buffer = self.buffers[max(number, 0)]
        offsets = (addresses[chosen] - np.uint64(buffer.address)).astype(np.int64)
        bad = (offsets < 0) | (offsets + size > len(buffer.content))
        if number < 0 or bad.any():
            first = int(offsets[int(np.argmax(bad))])
            msg = f"{what}: {size} bytes at offset {first} of {buffer.name},"
            msg += f" which has {len(buffer.content)} bytes ({int(bad.sum())} lanes out of bounds)"
            raise ExecutionFaultError(msg)
        _check_alignment(addresses[chosen], min(alignment_of(size), buffer.alignment), size, what)
        return buffer, chosen, offsets


class LocalMemory:
    """The LDS of each workgroup of a batch, side by side, in grains that no access takes a part of.

    ``alignment``: bytes to which accesses are held, if they are no shorter. The hardware wants none, as of
    global memory (:class:`Buffer`); that one is not aligned mostly is a mistake all the same.
    """

    def __init__(self, workgroups: int, size: int, alignment: int = MAX_ALIGNMENT) -> None:
        self.size = size
        self.alignment = alignment
        self.workgroups = workgroups
        self.divide(1)

    def divide(self, grain: int) -> None:
        """Begin anew with grains of this many bytes, the greatest alignment that all accesses have."""
        self.grain = grain
        self.grains = -(-self.size // grain)
        self.content = np.zeros((self.workgroups * self.grains, grain), dtype=np.uint8)
        self.is_set = np.zeros(self.workgroups * self.grains, dtype=bool)
        self.races = LdsRaces(len(self.is_set), grain, self.grains)

    def load(self, grains: NDArray[np.int64]) -> tuple[Any, Any]:
        """The bytes of grains (a row a lane), and the marks of their words."""
        rows = len(grains)
        data, marks = self.content[grains].reshape(rows, -1), self.is_set[grains]
        if self.grain >= WORD:
            return data, np.repeat(marks, self.grain // WORD, axis=1)
        return data, marks.reshape(rows, max(1, data.shape[1] // WORD), -1).all(axis=2)

    def holds(self, grains: NDArray[np.int64], data: Bytes) -> NDArray[np.bool_]:
        """Of each grain whether it holds these bytes already."""
        same = self.content[grains] == data.reshape(*grains.shape, self.grain)
        return same.all(axis=2) & self.is_set[grains]

    def store(self, grains: NDArray[np.int64], data: Bytes) -> None:
        """Write a row of bytes to each row of grains."""
        self.content[grains] = data.reshape(*grains.shape, self.grain)
        self.is_set[grains] = True

    def grains_at(
        self, workgroup: NDArray[np.int64], offsets: NDArray[np.int64], span: tuple[int, int], what: object
    ) -> NDArray[np.int64]:
        """The grains of bytes at these offsets of these workgroups; ``span``: how many, how aligned."""
        size, alignment = span
        _check_alignment(offsets.astype(np.uint64), alignment, size, what)
        bad = (offsets < 0) | (offsets + size > self.size)
        if bad.any():
            first = int(offsets[int(np.argmax(bad))])
            msg = f"{what}: {size} bytes at LDS offset {first}, of {self.size} allocated"
            raise ExecutionFaultError(msg)
        return (workgroup * self.grains + offsets // self.grain)[:, None] + np.arange(size // self.grain)


def _unit(offsets: NDArray[np.int64], size: int) -> int:
    """The largest piece that all accesses take whole: their natural alignment, a word of 32 bits, or less."""
    found = alignment_of(size)
    while (offsets % found).any():
        found = WORD if found > WORD else found // 2
    return found


def _check_alignment(addresses: NDArray[np.uint64], alignment: int, size: int, what: object) -> None:
    wrong = addresses & np.uint64(alignment - 1) != 0
    if wrong.any():
        address = int(addresses[int(np.argmax(wrong))])
        msg = f"{what}: {size} bytes at {address:#x}, which is not aligned to {alignment}"
        raise ExecutionFaultError(msg)


def as_bytes(columns: Sequence[NDArray[np.uint32]]) -> Bytes:
    """32-bit words, one array a column, as rows of bytes."""
    return np.stack(columns, axis=1).astype("<u4").view(np.uint8)

"""Global and local memory as kernels see them: buffers at addresses, with guards between them.

Every access is checked: inside one buffer, aligned to its size, reading only bytes that were set,
and writing only to buffers that are outputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.fault import ExecutionFaultError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Buffer", "GlobalMemory", "LocalMemory"]

FIRST_ADDRESS = 0x7F00_0000_0000
GUARD = 1 << 21  # unmapped bytes between buffers
PAGE = 256
MAX_ALIGNMENT = 16

Bytes = NDArray[np.uint8]


@dataclass
class Buffer:
    """A named piece of memory at an address; ``is_set`` marks bytes that hold a value."""

    name: str
    address: int
    content: Bytes
    is_set: NDArray[np.bool_]
    is_writable: bool


class GlobalMemory:
    """Buffers of a launch, placed far apart so that a stray address hits none."""

    def __init__(self) -> None:
        self.buffers: list[Buffer] = []
        self._next = FIRST_ADDRESS

    def add(self, name: str, content: Bytes, *, is_set: bool, is_writable: bool) -> Buffer:
        """Place a buffer; ``content`` is used as it is, not copied."""
        marks = np.full(len(content), is_set)
        buffer = Buffer(name, self._next, content, marks, is_writable)
        self._next += (len(content) + GUARD + PAGE - 1) // PAGE * PAGE
        self.buffers.append(buffer)
        return buffer

    def load(self, addresses: NDArray[np.uint64], size: int, what: str) -> tuple[Any, Any]:
        """``size`` bytes at each address, as rows of bytes, and rows of their marks."""
        data = np.empty((len(addresses), size), dtype=np.uint8)
        marks = np.empty((len(addresses), size), dtype=bool)
        for buffer, chosen, offsets in self._places(addresses, size, what):
            at = offsets[:, None] + np.arange(size)
            data[chosen] = buffer.content[at]
            marks[chosen] = buffer.is_set[at]
        return data, marks

    def store(self, addresses: NDArray[np.uint64], data: Bytes, what: str) -> None:
        """Write a row of bytes at each address."""
        size = data.shape[1]
        for buffer, chosen, offsets in self._places(addresses, size, what):
            if not buffer.is_writable:
                msg = f"{what}: writes to {buffer.name}, which is an input"
                raise ExecutionFaultError(msg)
            at = offsets[:, None] + np.arange(size)
            buffer.content[at] = data[chosen]
            buffer.is_set[at] = True

    def _places(
        self, addresses: NDArray[np.uint64], size: int, what: str
    ) -> list[tuple[Buffer, Any, NDArray[np.int64]]]:
        _check_alignment(addresses, size, what)
        starts = np.array([buffer.address for buffer in self.buffers], dtype=np.uint64)
        which = np.searchsorted(starts, addresses, side="right") - 1
        found = []
        for number in np.unique(which):
            chosen = which == number
            buffer = self.buffers[max(int(number), 0)]
            offsets = (addresses[chosen] - np.uint64(buffer.address)).astype(np.int64)
            bad = (offsets < 0) | (offsets + size > len(buffer.content))
            if number < 0 or bad.any():
                self._report(buffer, offsets, bad, size, what)
            found.append((buffer, chosen, offsets))
        return found

    @staticmethod
    def _report(buffer: Buffer, offsets: Any, bad: Any, size: int, what: str) -> None:
        first = int(offsets[int(np.argmax(bad))])
        msg = f"{what}: {size} bytes at offset {first} of {buffer.name},"
        msg += f" which has {len(buffer.content)} bytes ({int(bad.sum())} lanes out of bounds)"
        raise ExecutionFaultError(msg)


class LocalMemory:
    """The LDS of each workgroup of a batch, side by side."""

    def __init__(self, workgroups: int, size: int) -> None:
        self.size = size
        self.content = np.zeros(workgroups * size, dtype=np.uint8)
        self.is_set = np.zeros(workgroups * size, dtype=bool)

    def load(
        self, workgroup: NDArray[np.int64], offsets: NDArray[np.int64], size: int, what: str
    ) -> tuple[Any, Any]:
        at = self._at(workgroup, offsets, size, what)
        return self.content[at], self.is_set[at]

    def store(self, workgroup: NDArray[np.int64], offsets: NDArray[np.int64], data: Bytes, what: str) -> None:
        at = self._at(workgroup, offsets, data.shape[1], what)
        self.content[at] = data
        self.is_set[at] = True

    def _at(
        self, workgroup: NDArray[np.int64], offsets: NDArray[np.int64], size: int, what: str
    ) -> NDArray[np.int64]:
        _check_alignment(offsets.astype(np.uint64), size, what)
        bad = (offsets < 0) | (offsets + size > self.size)
        if bad.any():
            first = int(offsets[int(np.argmax(bad))])
            msg = f"{what}: {size} bytes at LDS offset {first}, of {self.size} allocated"
            raise ExecutionFaultError(msg)
        return (workgroup * self.size + offsets)[:, None] + np.arange(size)


def _check_alignment(addresses: NDArray[np.uint64], size: int, what: str) -> None:
    alignment = min(size & -size, MAX_ALIGNMENT)
    wrong = addresses % np.uint64(alignment) != 0
    if wrong.any():
        address = int(addresses[int(np.argmax(wrong))])
        msg = f"{what}: {size} bytes at {address:#x}, which is not aligned to {alignment}"
        raise ExecutionFaultError(msg)


def as_bytes(columns: Sequence[NDArray[np.uint32]]) -> Bytes:
    """32-bit words, one array a column, as rows of bytes."""
    return np.stack(columns, axis=1).astype("<u4").view(np.uint8)

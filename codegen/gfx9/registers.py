"""Registers of many waves at once, and which of their values were ever set.

A vector register is an array ``waves x 64`` of 32-bit words, a scalar register one word a wave. Every
word has a mark that says whether it holds a value: marks travel with values through arithmetic, and
using an unmarked value as an address, in stored data or in a branch is a fault.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["EXEC", "LANES", "VCC", "Group", "Registers", "lane_mask", "pack_lanes"]

LANES = 64
EXEC, VCC = 126, 106  # scalar register numbers of these pairs, as the hardware encodes them
SCALARS = 128
INDEX = 0xFF  # bits of M0 that are added to the number of an indexed register

SET = np.True_  # the mark of a value that is there

Group = Any  # slice(None) for all waves, or an array of wave numbers
Words = NDArray[np.uint32]


def lane_mask(words: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """A bit for each lane as a row of truth values, for each wave."""
    octets = words.astype("<u8").view(np.uint8).reshape(len(words), 8)
    return np.unpackbits(octets, axis=1, bitorder="little").astype(bool)


def pack_lanes(mask: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """A row of truth values as bits, for each wave."""
    packed = np.packbits(mask, axis=1, bitorder="little")
    return packed.view("<u8").reshape(len(mask)).astype(np.uint64)


@dataclass
class Registers:
    """The registers of ``count`` waves with their marks: so many vector registers and accumulators.

    ``skips``: waves that pass over vector instructions (``s_setvskip``).
    """

    count: int
    vgprs: int
    agprs: int
    vector: Words = field(init=False)
    accumulator: Words = field(init=False)
    scalar: Words = field(init=False)
    vector_set: NDArray[np.bool_] = field(init=False)
    accumulator_set: NDArray[np.bool_] = field(init=False)
    scalar_set: NDArray[np.bool_] = field(init=False)
    scc: NDArray[np.bool_] = field(init=False)
    m0: Words = field(init=False)
    skips: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        shape = (self.count, LANES)
        self.vector = np.zeros((self.vgprs, *shape), dtype=np.uint32)
        self.accumulator = np.zeros((self.agprs, *shape), dtype=np.uint32)
        self.scalar = np.zeros((SCALARS, self.count), dtype=np.uint32)
        self.vector_set = np.zeros((self.vgprs, *shape), dtype=bool)
        self.accumulator_set = np.zeros((self.agprs, *shape), dtype=bool)
        self.scalar_set = np.zeros((SCALARS, self.count), dtype=bool)
        self.scc = np.zeros(self.count, dtype=bool)
        self.m0 = np.zeros(self.count, dtype=np.uint32)
        self.skips = np.zeros(self.count, dtype=bool)
        self._active: NDArray[np.bool_] | None = None
        self.write_scalar64(EXEC, slice(None), np.full(self.count, 2**64 - 1, dtype=np.uint64))

    def size(self, group: Group) -> int:
        return self.count if isinstance(group, slice) else len(group)

    def members(self, group: Group) -> NDArray[np.int64]:
        """The numbers of the waves."""
        found: NDArray[np.int64] = np.arange(self.count)[group]
        return found

    def indices(self, group: Group) -> NDArray[np.int64]:
        """What is added to the numbers of indexed registers, for each wave."""
        return (self.m0[group] & np.uint32(INDEX)).astype(np.int64)

    def active(self, group: Group) -> NDArray[np.bool_]:
        """Which lanes are switched on."""
        if self._active is None:
            self._active = lane_mask(self.scalar64(EXEC, slice(None)))
        return self._active[group]

    def scalar64(self, register: int, group: Group) -> NDArray[np.uint64]:
        low = self.scalar[register][group].astype(np.uint64)
        return low | self.scalar[register + 1][group].astype(np.uint64) << np.uint64(32)

    def write_scalar64(self, register: int, group: Group, values: NDArray[np.uint64]) -> None:
        self.write_scalar(register, group, (values & np.uint64(0xFFFFFFFF)).astype(np.uint32))
        self.write_scalar(register + 1, group, (values >> np.uint64(32)).astype(np.uint32))

    def write_scalar(self, register: int, group: Group, values: Any, marks: Any = SET) -> None:
        self.scalar[register][group] = values
        self.scalar_set[register][group] = marks
        if register in (EXEC, EXEC + 1):
            self._active = None

    def write_vector(self, register: int, group: Group, values: Any, marks: Any) -> None:
        """Write the lanes that are switched on."""
        self._write(self.vector, self.vector_set, register, group, values, marks)

    def write_accumulator(self, register: int, group: Group, values: Any, marks: Any) -> None:
        self._write(self.accumulator, self.accumulator_set, register, group, values, marks)

    def _write(
        self,
        bank: Words,
        bank_set: NDArray[np.bool_],
        register: int,
        group: Group,
        values: Any,
        marks: Any,
    ) -> None:
        active = self.active(group)
        if isinstance(group, slice):
            np.copyto(bank[register], values, where=active)
            np.copyto(bank_set[register], marks, where=active)
            return
        rows, marked = bank[register][group], bank_set[register][group]
        np.copyto(rows, values, where=active)
        np.copyto(marked, marks, where=active)
        bank[register][group] = rows
        bank_set[register][group] = marked

"""Where a buffer instruction goes: the resource, the index and offsets of a lane, and what lies beyond.

A resource is four scalar registers: the base address (48 bits), a stride, the length and flags. Without an
index (``idxen``) the buffer is raw: its length is in bytes, and each 32-bit word of an access is checked by
itself. With an index and a stride the length counts elements, and an index beyond it is outside.
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 9.1.5 (buffer resource, range checking).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lane_data import chosen_lanes, offset_of, refuse_unknown_modifiers
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import Group
from layoutalg.codegen.gfx9.scalar import read_scalar
from layoutalg.codegen.gfx9.scratch_memory import PRIVATE_SEGMENT_BASE
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["BufferAddress", "BufferLanes"]

U64, I64 = np.uint64, np.int64
ADD_TID = 23  # bit of the resource's last word
STRIDE = U64(0x3FFF)
WORD = 4


@dataclass(frozen=True)
class BufferLanes:
    """The lanes of an access that are switched on: base address, offset and end of the buffer, in bytes.

    ``is_private``: the buffer is the scratch memory of each lane.
    """

    base: Any
    offset: Any
    end: Any
    is_private: bool = False

    @property
    def address(self) -> Any:
        return self.base + self.offset.astype(U64)

    def inside(self, size: int, first: int = 0) -> Any:
        """The lanes whose ``size`` bytes from ``first`` on are in the buffer."""
        return self.offset + first + size <= self.end


class BufferAddress:
    """The address operands ``vaddr|off, resource, soffset`` of an instruction, from operand ``first`` on."""

    def __init__(self, instruction: Instruction, first: int, known: set[str]) -> None:
        refuse_unknown_modifiers(instruction, {"offset", "offen", "idxen", *known})
        self.instruction = instruction
        self.place, self.resource, self.more = (
            Operand.of(t) for t in instruction.operands[first : first + 3]
        )
        self.constant = offset_of(instruction)
        self.has_index = "idxen" in instruction.modifiers
        self.has_offset = "offen" in instruction.modifiers

    def lanes(self, waves: Waves, group: Group) -> BufferLanes:
        """Where the lanes that are switched on go."""
        halves = (self.resource, Operand("s", self.resource.first + 2, 2))
        (base, known), (size, size_known) = (read_scalar(half, "u64", waves, group) for half in halves)
        extra, extra_known = read_scalar(self.more, "u32", waves, group)
        marks = np.asarray(known & size_known & extra_known)[..., None]
        is_private = (base & U64(2**48 - 1)) == U64(PRIVATE_SEGMENT_BASE)
        if not is_private.all():
            self._require_plain(base, size)
        length = (size & U64(0xFFFFFFFF)).astype(I64)[:, None]
        offsets = np.asarray(extra).astype(I64)[..., None] + self.constant
        end: Any = length
        if self.has_offset:
            low = self.place.words(waves, group, int(self.has_index))
            offsets, marks = offsets + low.values.astype(I64), np.logical_and(marks, low.marks)
        if self.has_index:
            index = self.place.words(waves, group)
            stride = (base >> U64(48) & STRIDE).astype(I64)[:, None]
            numbers, marks = index.values.astype(I64), np.logical_and(marks, index.marks)
            offsets = offsets + numbers * stride
            end = np.where(stride == 0, length, np.where(numbers < length, np.iinfo(I64).max // 2, -1))
        active = waves.active(group)
        chosen = chosen_lanes(offsets, marks, active, self.instruction)
        start = np.broadcast_to((base & U64(2**48 - 1))[:, None], active.shape)[active]
        ends = np.broadcast_to(end, active.shape)[active]
        return BufferLanes(start, chosen, ends, is_private=bool(is_private.all()))

    def _require_plain(self, base: Any, size: Any) -> None:
        """Refuse a resource that is swizzled, or that adds the number of the lane."""
        is_swizzled = (base >> U64(63)).any()
        if is_swizzled or (size >> U64(32 + ADD_TID) & U64(1)).any():
            what = "is swizzled" if is_swizzled else "adds the number of the lane"
            msg = f"{self.instruction}: wanted a plain buffer, got a resource that {what}"
            raise ExecutionFaultError(msg)

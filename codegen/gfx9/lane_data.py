"""Lanes' data on its way between registers and memory: widths, bytes to store, bytes that were loaded.

A width says how many bytes a lane moves and what becomes of values narrower than a register.
Source: AMD Instinct MI300 Instruction Set Architecture, chapters 9 to 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.device_memory import as_bytes
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import LANES, Group
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = [
    "LDS_WIDTHS",
    "WIDTHS",
    "Width",
    "marks_of",
    "offset_of",
    "refuse_unknown_modifiers",
    "stored",
    "write_loaded",
]

U32 = np.uint32


@dataclass(frozen=True)
class Width:
    """Bytes a lane moves; ``signed`` extends a narrow value, ``high`` uses the upper half register."""

    bytes: int
    signed: bool = False
    high: bool = False
    keeps_other_half: bool = False

    @property
    def registers(self) -> int:
        return max(1, self.bytes // 4)


WIDTHS = {
    "ubyte": Width(1),
    "sbyte": Width(1, signed=True),
    "byte": Width(1),
    "ubyte_d16": Width(1, keeps_other_half=True),
    "ubyte_d16_hi": Width(1, high=True, keeps_other_half=True),
    "sbyte_d16": Width(1, signed=True, keeps_other_half=True),
    "sbyte_d16_hi": Width(1, signed=True, high=True, keeps_other_half=True),
    "byte_d16_hi": Width(1, high=True),
    "ushort": Width(2),
    "sshort": Width(2, signed=True),
    "short": Width(2),
    "short_d16": Width(2, keeps_other_half=True),
    "short_d16_hi": Width(2, high=True, keeps_other_half=True),
    "dword": Width(4),
    "dwordx2": Width(8),
    "dwordx3": Width(12),
    "dwordx4": Width(16),
}
LDS_WIDTHS = {
    "u8": Width(1),
    "i8": Width(1, signed=True),
    "b8": Width(1),
    "u8_d16": WIDTHS["ubyte_d16"],
    "u8_d16_hi": WIDTHS["ubyte_d16_hi"],
    "i8_d16": WIDTHS["sbyte_d16"],
    "i8_d16_hi": WIDTHS["sbyte_d16_hi"],
    "b8_d16_hi": Width(1, high=True),
    "u16": Width(2),
    "i16": Width(2, signed=True),
    "b16": Width(2),
    "u16_d16": Width(2, keeps_other_half=True),
    "u16_d16_hi": Width(2, high=True, keeps_other_half=True),
    "b16_d16_hi": Width(2, high=True),
    "b32": Width(4),
    "b64": Width(8),
    "b96": Width(12),
    "b128": Width(16),
}
IGNORED = {"sc0", "sc1", "nt", "glc", "slc"}  # cache hints


def offset_of(instruction: Instruction, name: str = "offset") -> int:
    """A constant offset among the modifiers, 0 if there is none."""
    return int(instruction.modifiers.get(name, "0"), 0)


def refuse_unknown_modifiers(instruction: Instruction, known: set[str]) -> None:
    """Refuse an instruction with a modifier that is not ``known``: it could change the meaning."""
    unknown = set(instruction.modifiers) - known - IGNORED
    if unknown:
        msg = f"{instruction}: the modifier {min(unknown)} has no meaning in the tables"
        raise ExecutionFaultError(msg)


def chosen_lanes(total: Any, marks: Any, active: Any, instruction: Instruction) -> Any:
    """The addresses of lanes that are switched on; all must have been set."""
    known = np.broadcast_to(marks, active.shape)[active]
    if not known.all():
        msg = f"{instruction}: {int((~known).sum())} lanes use an address that was never set"
        raise ExecutionFaultError(msg)
    return np.broadcast_to(total, active.shape)[active]


def write_loaded(waves: Waves, group: Group, target: Operand, width: Width, data: Any, marks: Any) -> None:
    """Write loaded rows of bytes, one for each lane that is switched on, to registers, with their marks."""
    active = waves.active(group)
    write = waves.write_accumulator if target.bank == "a" else waves.write_vector
    words = data.view("<u4") if width.bytes >= 4 else _extended(data, width)[:, None]
    for register in range(width.registers):
        values = np.zeros(active.shape, dtype=U32)
        set_marks = np.zeros(active.shape, dtype=bool)
        values[active], set_marks[active] = words[:, register], marks[:, register]
        if width.keeps_other_half:
            kept = target.words(waves, group, register).values
            low = values & U32(0xFFFF)
            values = kept & U32(0xFFFF) | values << U32(16) if width.high else kept & U32(0xFFFF0000) | low
        write(target.first + register, group, values, set_marks)


def _extended(data: Any, width: Width) -> Any:
    narrow = np.ascontiguousarray(data).view("<u1" if width.bytes == 1 else "<u2")[:, 0]
    if width.signed:
        return narrow.view(np.int8 if width.bytes == 1 else np.int16).astype(np.int32).view(U32)
    return narrow.astype(U32)


def stored(
    waves: Waves,
    group: Group,
    source: Operand,
    width: Width,
    instruction: Instruction,
    *,
    unset_as_zero: bool = False,
) -> Any:
    """The bytes to store, a row for each lane that is switched on; all must have been set, or count as 0."""
    active = waves.active(group)
    columns = []
    for register in range(width.registers):
        reading = source.words(waves, group, register)
        known = np.broadcast_to(reading.marks, active.shape)[active]
        if not (known.all() or unset_as_zero or waves.stores_unset):
            msg = f"{instruction}: {int((~known).sum())} lanes store a value that was never set"
            raise ExecutionFaultError(msg)
        columns.append(np.broadcast_to(reading.values, (waves.size(group), LANES))[active])
    first = 2 if width.high else 0
    return as_bytes(columns)[:, first : first + width.bytes]


def marks_of(waves: Waves, group: Group, source: Operand, width: Width) -> Any:
    """Whether each word that lanes store was set, a row for each lane that is switched on."""
    active = waves.active(group)
    words = [source.words(waves, group, number).marks for number in range(width.registers)]
    return np.stack([np.broadcast_to(marks, active.shape)[active] for marks in words], axis=1)

"""Moving data: loads and stores of global memory, LDS, and scalar loads.

A row says how many bytes a lane moves and what becomes of values narrower than a register.
Source: AMD Instinct MI300 Instruction Set Architecture, chapters 8, 9, 10 and 11.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.fault import ExecutionFaultError
from layoutalg.codegen.gfx9.memory import as_bytes
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.scalar import read_scalar
from layoutalg.codegen.gfx9.state import LANES, Group, Waves

__all__ = ["transfer_operation"]

Execute = Callable[[Waves, Group], None]
U32, U64, I64 = np.uint32, np.uint64, np.int64


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


def transfer_operation(instruction: Instruction) -> Execute | None:
    """The execution of a memory instruction, or None if it has no row."""
    name = instruction.mnemonic
    if name.startswith("s_load_dword"):
        return _scalar_load(instruction)
    found = re.match(r"^global_(load|store)_(\w+)$", name)
    if found and found[2] in WIDTHS:
        return _global(instruction, found[1], WIDTHS[found[2]])
    found = re.match(r"^ds_(read|write)(2(?:st64)?)?_(\w+)$", name)
    if found and found[3] in LDS_WIDTHS:
        kind = "load" if found[1] == "read" else "store"
        return _local(instruction, kind, LDS_WIDTHS[found[3]], found[2] or "")
    return None


def _number(text: str) -> int:
    return int(text, 0)


def _refuse_unknown_modifiers(instruction: Instruction, known: set[str]) -> None:
    unknown = set(instruction.modifiers) - known - IGNORED
    if unknown:
        msg = f"{instruction}: the modifier {min(unknown)} has no meaning in the tables"
        raise ExecutionFaultError(msg)


def _scalar_load(instruction: Instruction) -> Execute:
    """Consecutive words from global memory into scalar registers; addresses are cut to words."""
    _refuse_unknown_modifiers(instruction, set())
    target, base, offset = (Operand.of(text) for text in instruction.operands[:3])
    count = int(instruction.mnemonic.removeprefix("s_load_dword").removeprefix("x") or 1)

    def execute(waves: Waves, group: Group) -> None:
        address, marks = read_scalar(base, "u64", waves, group)
        more, more_marks = read_scalar(offset, "i32", waves, group)
        if not np.logical_and(marks, more_marks).all():
            msg = f"{instruction}: the address was never set"
            raise ExecutionFaultError(msg)
        total = np.broadcast_to(address + more.astype(I64).astype(U64), waves.size(group))
        for word in range(count):
            addresses = (total & ~U64(3)) + U64(4 * word)
            data, data_marks = waves.memory.load(addresses, 4, str(instruction))
            values = data.view("<u4")[:, 0]
            waves.write_scalar(target.first + word, group, values, data_marks.all(axis=1))

    return execute


def _global(instruction: Instruction, kind: str, width: Width) -> Execute:
    """``vdst, vaddr, saddr|off`` or ``vaddr, vdata, saddr|off``, with a constant offset."""
    _refuse_unknown_modifiers(instruction, {"offset"})
    operands = [Operand.of(text) for text in instruction.operands]
    data, place = (operands[0], operands[1]) if kind == "load" else (operands[1], operands[0])
    base = operands[2]
    offset = _number(instruction.modifiers.get("offset", "0"))

    def addresses(waves: Waves, group: Group) -> tuple[Any, Any]:
        low = place.words(waves, group)
        if base.bank == "s":
            start, marks = read_scalar(base, "u64", waves, group)
            total = start[:, None] + low.values.astype(U64)
            return total + U64(offset % 2**64), np.logical_and(low.marks, np.asarray(marks)[..., None])
        high = place.words(waves, group, 1)
        total = low.values.astype(U64) | high.values.astype(U64) << U64(32)
        return total + U64(offset % 2**64), np.logical_and(low.marks, high.marks)

    def execute(waves: Waves, group: Group) -> None:
        total, marks = addresses(waves, group)
        active = waves.active(group)
        chosen = _chosen(total, marks, active, instruction)
        if kind == "load":
            found, found_marks = waves.memory.load(chosen, width.bytes, str(instruction))
            _write_loaded(waves, group, data, width, found, found_marks)
        else:
            waves.memory.store(chosen, _stored(waves, group, data, width, instruction), str(instruction))

    return execute


def _local(instruction: Instruction, kind: str, width: Width, pair: str) -> Execute:
    """LDS accesses; a ``2`` form moves two values, its offsets count values (times 64 for st64)."""
    _refuse_unknown_modifiers(instruction, {"offset", "offset0", "offset1"})
    operands = [Operand.of(text) for text in instruction.operands]
    place, values = (operands[1], operands[:1]) if kind == "load" else (operands[0], operands[1:])
    offsets = [_number(instruction.modifiers.get("offset", "0"))]
    if pair:
        unit = width.bytes * (64 if pair == "2st64" else 1)
        given = (instruction.modifiers.get(key, "0") for key in ("offset0", "offset1"))
        offsets = [_number(value) * unit for value in given]
    if kind == "load":
        first = values[0].first
        registers = [Operand("v", first + i * width.registers) for i in range(len(offsets))]
    else:
        registers = values

    def execute(waves: Waves, group: Group) -> None:
        low = place.words(waves, group)
        active = waves.active(group)
        groups = np.broadcast_to(waves.workgroup[group][:, None], active.shape)[active]
        for operand, offset in zip(registers, offsets, strict=True):
            total = _chosen(low.values.astype(U64), low.marks, active, instruction).astype(I64) + offset
            if kind == "load":
                found, marks = waves.local.load(groups, total, width.bytes, str(instruction))
                _write_loaded(waves, group, operand, width, found, marks)
            else:
                data = _stored(waves, group, operand, width, instruction)
                waves.local.store(groups, total, data, str(instruction))

    return execute


def _chosen(total: Any, marks: Any, active: Any, instruction: Instruction) -> Any:
    """The addresses of lanes that are switched on; all must have been set."""
    known = np.broadcast_to(marks, active.shape)[active]
    if not known.all():
        msg = f"{instruction}: {int((~known).sum())} lanes use an address that was never set"
        raise ExecutionFaultError(msg)
    return np.broadcast_to(total, active.shape)[active]


def _write_loaded(waves: Waves, group: Group, target: Operand, width: Width, data: Any, marks: Any) -> None:
    active = waves.active(group)
    write = waves.write_accumulator if target.bank == "a" else waves.write_vector
    for register in range(width.registers):
        if width.bytes >= 4:
            part = slice(4 * register, 4 * register + 4)
            words, known = data[:, part].copy().view("<u4")[:, 0], marks[:, part].all(axis=1)
        else:
            words, known = _extended(data, width), marks.all(axis=1)
        values = np.zeros(active.shape, dtype=U32)
        set_marks = np.zeros(active.shape, dtype=bool)
        values[active], set_marks[active] = words, known
        if width.keeps_other_half:
            kept = target.words(waves, group, register).values
            values = kept & U32(0xFFFF) | values << U32(16) if width.high else kept & U32(0xFFFF0000) | values
        write(target.first + register, group, values, set_marks)


def _extended(data: Any, width: Width) -> Any:
    narrow = data.view("<u1" if width.bytes == 1 else "<u2")[:, 0]
    if width.signed:
        return narrow.view(np.int8 if width.bytes == 1 else np.int16).astype(np.int32).view(U32)
    return narrow.astype(U32)


def _stored(waves: Waves, group: Group, source: Operand, width: Width, instruction: Instruction) -> Any:
    """The bytes to store, a row for each lane that is switched on; all must have been set."""
    active = waves.active(group)
    columns = []
    for register in range(width.registers):
        reading = source.words(waves, group, register)
        known = np.broadcast_to(reading.marks, active.shape)[active]
        if not known.all():
            msg = f"{instruction}: {int((~known).sum())} lanes store a value that was never set"
            raise ExecutionFaultError(msg)
        columns.append(np.broadcast_to(reading.values, (waves.size(group), LANES))[active])
    rows = as_bytes(columns)
    return rows[:, 2:4] if width.high else rows[:, : width.bytes]

"""Global memory: loads and stores by address, loads straight into the LDS, and scalar loads.

Source: AMD Instinct MI300 Instruction Set Architecture, chapters 8 (scalar) and 10 (global). A load into the
LDS puts the data of lane ``l`` at M0 + offset + ``l`` times its bytes; 12 and 16 bytes on gfx950 only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.global_addresses import GlobalAddress
from layoutalg.codegen.gfx9.lane_data import (
    WIDTHS,
    Width,
    chosen_lanes,
    offset_of,
    refuse_unknown_modifiers,
    stored,
    write_loaded,
)
from layoutalg.codegen.gfx9.local_transfer import GLOBAL_TO_LDS, LdsArrival
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import Group
from layoutalg.codegen.gfx9.scalar import read_scalar
from layoutalg.codegen.gfx9.waitcnt_scoreboard import registers_of
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["global_transfer", "memory_grain", "scalar_load", "scalar_store"]

Execute = Callable[[Waves, Group], None]
_FORM = re.compile(r"^(?:global|flat|buffer)_(?:load|store)_(\w+)$")
WORD = 4
U32, U64, I64 = np.uint32, np.uint64, np.int64


def global_transfer(instruction: Instruction) -> Execute | None:
    """The execution of a global load or store, or None if it has no row."""
    found = re.match(r"^(?:global|flat)_(load_lds|load|store)_(\w+)$", instruction.mnemonic)
    if found is None:
        return None
    if found[1] == "load_lds":
        return _load_to_lds(instruction, GLOBAL_TO_LDS[found[2]]) if found[2] in GLOBAL_TO_LDS else None
    if found[2] not in WIDTHS:
        return None
    return (_load if found[1] == "load" else _store)(instruction, WIDTHS[found[2]])


def memory_grain(instructions: Iterable[Instruction]) -> int:
    """The largest piece of global memory, of a word at most, that every access of these takes whole.

    >>> from layoutalg.codegen.gfx9.assembly import parse_instruction
    >>> memory_grain([parse_instruction("global_store_short v[0:1], v2, off", 1)])
    2
    """
    forms = (_FORM.match(instruction.mnemonic) for instruction in instructions)
    return min([WORD, *(WIDTHS[form[1]].bytes for form in forms if form and form[1] in WIDTHS)])


def _load(instruction: Instruction, width: Width) -> Execute:
    target = Operand.of(instruction.operands[0])
    address = GlobalAddress(instruction, *(*instruction.operands[1:], "off")[:2])
    uses = registers_of(instruction)

    def execute(waves: Waves, group: Group) -> None:
        total, marks = address.lanes(waves, group)
        active = waves.active(group)
        chosen = chosen_lanes(total, marks, active, instruction)
        found, found_marks = waves.memory.load(chosen, width.bytes, instruction)
        if waves.counts is not None:
            waves.counts.memory("read", width.bytes, total, active)
        write_loaded(waves, group, target, width, found, found_marks)
        waves.scoreboard.issue(uses, group, instruction)

    return execute


def _store(instruction: Instruction, width: Width) -> Execute:
    place, data, *base = instruction.operands
    source, address = Operand.of(data), GlobalAddress(instruction, place, *(*base, "off")[:1])
    uses = registers_of(instruction)

    def execute(waves: Waves, group: Group) -> None:
        total, marks = address.lanes(waves, group)
        active = waves.active(group)
        chosen = chosen_lanes(total, marks, active, instruction)
        waves.memory.store(chosen, stored(waves, group, source, width, instruction), instruction)
        if waves.counts is not None:
            waves.counts.memory("write", width.bytes, total, active)
        waves.scoreboard.issue(uses, group, instruction)

    return execute


def _load_to_lds(instruction: Instruction, size: int) -> Execute:
    address = GlobalAddress(instruction, *(*instruction.operands, "off")[:2])
    arrival = LdsArrival(instruction, size)

    def execute(waves: Waves, group: Group) -> None:
        total, marks = address.lanes(waves, group)
        active = waves.active(group)
        chosen = chosen_lanes(total, marks, active, instruction)
        data, known = waves.memory.load(chosen, size, instruction)
        if not known.all():
            msg = f"{instruction}: {int((~known.all(axis=1)).sum())} lanes load bytes that were never set"
            raise ExecutionFaultError(msg)
        if waves.counts is not None:
            waves.counts.memory("read", size, total, active)
        arrival.put(waves, group, data)

    return execute


def scalar_load(instruction: Instruction) -> Execute | None:
    """Consecutive words from global memory into scalar registers; addresses are cut to words."""
    if not instruction.mnemonic.startswith("s_load_dword"):
        return None
    refuse_unknown_modifiers(instruction, {"offset"})
    target, base, offset = (Operand.of(text) for text in instruction.operands[:3])
    count = int(instruction.mnemonic.removeprefix("s_load_dword").removeprefix("x") or 1)
    beside = U64(offset_of(instruction) % 2**64)  # where a register gives the offset
    uses = registers_of(instruction)

    def execute(waves: Waves, group: Group) -> None:
        address, marks = read_scalar(base, "u64", waves, group)
        more, more_marks = read_scalar(offset, "i32", waves, group)
        if not np.logical_and(marks, more_marks).all():
            msg = f"{instruction}: the address was never set"
            raise ExecutionFaultError(msg)
        total = np.broadcast_to(address + more.astype(I64).astype(U64) + beside, waves.size(group))
        for word in range(count):
            data, known = waves.memory.load((total & ~U64(3)) + U64(4 * word), 4, instruction)
            waves.write_scalar(target.first + word, group, data.view("<u4")[:, 0], known[:, 0])
        waves.scoreboard.issue(uses, group, instruction)

    return execute


def scalar_store(instruction: Instruction) -> Execute | None:
    """Consecutive scalar registers to words of global memory; addresses are cut to words."""
    if not instruction.mnemonic.startswith("s_store_dword"):
        return None
    refuse_unknown_modifiers(instruction, {"offset"})
    source, base, offset = (Operand.of(text) for text in instruction.operands[:3])
    count = int(instruction.mnemonic.removeprefix("s_store_dword").removeprefix("x") or 1)
    beside = U64(offset_of(instruction) % 2**64)
    uses = registers_of(instruction)

    def execute(waves: Waves, group: Group) -> None:
        address, marks = read_scalar(base, "u64", waves, group)
        more, more_marks = read_scalar(offset, "i32", waves, group)
        given = [source.scalar_words(waves, group, word) for word in range(count)]
        if not all(np.all(known) for known in (marks, more_marks, *(word.marks for word in given))):
            msg = f"{instruction}: the address or a value was never set"
            raise ExecutionFaultError(msg)
        size = waves.size(group)
        total = np.broadcast_to(address + more.astype(I64).astype(U64) + beside, size) & ~U64(3)
        for number, word in enumerate(given):
            data = np.ascontiguousarray(np.broadcast_to(word.values, size)).astype("<u4").view(np.uint8)
            waves.memory.store(total + U64(4 * number), data.reshape(-1, 4), instruction)
        waves.scoreboard.issue(uses, group, instruction)

    return execute

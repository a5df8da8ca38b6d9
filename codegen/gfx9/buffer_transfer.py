"""Buffer loads and stores: what lies beyond a buffer reads as 0 and is not written.

A load with ``lds`` goes straight to the LDS: the data of lane ``l`` to M0 + offset + ``l`` times its bytes.
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 9.1 (buffers, loads into the LDS).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.buffer_addresses import WORD, BufferAddress, BufferLanes
from layoutalg.codegen.gfx9.lane_data import WIDTHS, Width, marks_of, stored, write_loaded
from layoutalg.codegen.gfx9.local_transfer import GLOBAL_TO_LDS, LdsArrival
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import Group
from layoutalg.codegen.gfx9.scratch_memory import load_scratch, store_scratch
from layoutalg.codegen.gfx9.waitcnt_scoreboard import registers_of
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["buffer_transfer"]

Execute = Callable[[Waves, Group], None]
U64 = np.uint64


def buffer_transfer(instruction: Instruction) -> Execute | None:
    """The execution of a buffer load or store, or None if it has no row."""
    found = re.match(r"^buffer_(load|store)_(\w+)$", instruction.mnemonic)
    if found is None or found[2] not in WIDTHS:
        return None
    if "lds" in instruction.modifiers:
        return _load_to_lds(instruction, GLOBAL_TO_LDS[found[2]]) if found[2] in GLOBAL_TO_LDS else None
    return (_load if found[1] == "load" else _store)(instruction, WIDTHS[found[2]])


def _loaded(lanes: BufferLanes, size: int, waves: Waves, instruction: Instruction) -> tuple[Any, Any]:
    """The bytes of each lane, and the marks of their words."""
    word = min(WORD, size)
    data = np.zeros((len(lanes.base), size), dtype=np.uint8)
    marks = np.ones((len(lanes.base), max(1, size // WORD)), dtype=bool)
    at, inside = lanes.address, lanes.inside(size)
    data[inside], marks[inside] = waves.memory.load(at[inside], size, instruction)
    for first in range(0, size, word):
        part = ~inside & lanes.inside(word, first)
        if part.any():
            found, known = waves.memory.load(at[part] + U64(first), word, instruction)
            data[part, first : first + word], marks[part, first // WORD] = found, known[:, 0]
    return data, marks


def _load(instruction: Instruction, width: Width) -> Execute:
    target, address = Operand.of(instruction.operands[0]), BufferAddress(instruction, 1, set())
    uses = registers_of(instruction)

    def execute(waves: Waves, group: Group) -> None:
        lanes = address.lanes(waves, group)
        if lanes.is_private:
            data, marks = load_scratch(waves, group, lanes.offset, width.bytes, instruction)
        else:
            data, marks = _loaded(lanes, width.bytes, waves, instruction)
            _count(waves, group, "read", width.bytes, lanes)
        write_loaded(waves, group, target, width, data, marks)
        waves.scoreboard.issue(uses, group, instruction)

    return execute


def _load_to_lds(instruction: Instruction, size: int) -> Execute:
    address, arrival = BufferAddress(instruction, 0, {"lds"}), LdsArrival(instruction, size)

    def execute(waves: Waves, group: Group) -> None:
        lanes = address.lanes(waves, group)
        data, known = _loaded(lanes, size, waves, instruction)
        if not known.all():
            msg = f"{instruction}: {int((~known.all(axis=1)).sum())} lanes load bytes that were never set"
            raise ExecutionFaultError(msg)
        _count(waves, group, "read", size, lanes)
        arrival.put(waves, group, data)

    return execute


def _store(instruction: Instruction, width: Width) -> Execute:
    source, address = Operand.of(instruction.operands[0]), BufferAddress(instruction, 1, set())
    uses, word = registers_of(instruction), min(WORD, width.bytes)

    def execute(waves: Waves, group: Group) -> None:
        lanes = address.lanes(waves, group)
        if lanes.is_private:
            rows = stored(waves, group, source, width, instruction, unset_as_zero=True)
            marks = marks_of(waves, group, source, width)
            store_scratch(waves, group, lanes.offset, rows, marks, instruction)
            waves.scoreboard.issue(uses, group, instruction)
            return
        data = stored(waves, group, source, width, instruction)
        at, inside = lanes.address, lanes.inside(width.bytes)
        waves.memory.store(at[inside], data[inside], instruction)
        for first in range(0, width.bytes, word):
            part = ~inside & lanes.inside(word, first)
            if part.any():
                rows = np.ascontiguousarray(data[part, first : first + word])
                waves.memory.store(at[part] + U64(first), rows, instruction)
        _count(waves, group, "write", width.bytes, lanes)
        waves.scoreboard.issue(uses, group, instruction)

    return execute


def _count(waves: Waves, group: Group, direction: Any, size: int, lanes: BufferLanes) -> None:
    """Lanes that reach memory with their whole width count."""
    if waves.counts is None:
        return
    active = waves.active(group).copy()
    addresses = np.zeros(active.shape, dtype=U64)
    addresses[active] = lanes.address
    active[active] = lanes.inside(size)
    waves.counts.memory(direction, size, addresses, active)

"""Scratch memory: what each lane keeps for itself, where a kernel has too few registers or arrays of its own.

``scratch_load`` and ``scratch_store`` go to ``vaddr`` (or ``off``) + ``saddr`` (or ``off``) + offset of a
lane's own bytes, as many as the kernel asks for (``private_segment_fixed_size``).
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 10 (SCRATCH instructions).
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lane_data import (
    WIDTHS,
    Width,
    chosen_lanes,
    marks_of,
    offset_of,
    refuse_unknown_modifiers,
    stored,
    write_loaded,
)
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import Group
from layoutalg.codegen.gfx9.scratch_memory import load_scratch, store_scratch
from layoutalg.codegen.gfx9.waitcnt_scoreboard import registers_of
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.gfx9.word_arithmetic import Execute

__all__ = ["scratch_transfer"]


def scratch_transfer(instruction: Instruction) -> Execute | None:
    """The execution of a load from or store to scratch memory, or None if it has no row."""
    found = re.match(r"^scratch_(load|store)_(\w+)$", instruction.mnemonic)
    if found is None or found[2] not in WIDTHS:
        return None
    refuse_unknown_modifiers(instruction, {"offset"})
    return (_load if found[1] == "load" else _store)(instruction, WIDTHS[found[2]])


def _offsets(instruction: Instruction, parts: tuple[str, str], waves: Waves, group: Group) -> Any:
    """The offsets of the lanes that are switched on."""
    active = waves.active(group)
    total: Any = np.full(active.shape, offset_of(instruction), dtype=np.int64)
    marks: Any = np.True_
    for text in parts:
        if text != "off":
            reading = Operand.of(text).words(waves, group)
            total, marks = total + reading.values.view(np.int32), np.logical_and(marks, reading.marks)
    return chosen_lanes(total, marks, active, instruction)


def _load(instruction: Instruction, width: Width) -> Execute:
    target, uses = Operand.of(instruction.operands[0]), registers_of(instruction)
    place, base = instruction.operands[1:3]

    def execute(waves: Waves, group: Group) -> None:
        offsets = _offsets(instruction, (place, base), waves, group)
        data, marks = load_scratch(waves, group, offsets, width.bytes, instruction)
        write_loaded(waves, group, target, width, data, marks)
        waves.scoreboard.issue(uses, group, instruction)

    return execute


def _store(instruction: Instruction, width: Width) -> Execute:
    place, data, base = instruction.operands[:3]
    source, uses = Operand.of(data), registers_of(instruction)

    def execute(waves: Waves, group: Group) -> None:
        offsets = _offsets(instruction, (place, base), waves, group)
        rows = stored(waves, group, source, width, instruction, unset_as_zero=True)
        store_scratch(waves, group, offsets, rows, marks_of(waves, group, source, width), instruction)
        waves.scoreboard.issue(uses, group, instruction)

    return execute

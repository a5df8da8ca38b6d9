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
    offset_of,
    refuse_unknown_modifiers,
    stored,
    write_loaded,
)
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import Group
from layoutalg.codegen.gfx9.waitcnt_scoreboard import registers_of
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.gfx9.word_arithmetic import Execute
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["scratch_transfer"]

WORD = 4


def scratch_transfer(instruction: Instruction) -> Execute | None:
    """The execution of a load from or store to scratch memory, or None if it has no row."""
    found = re.match(r"^scratch_(load|store)_(\w+)$", instruction.mnemonic)
    if found is None or found[2] not in WIDTHS:
        return None
    refuse_unknown_modifiers(instruction, {"offset"})
    return (_load if found[1] == "load" else _store)(instruction, WIDTHS[found[2]])


def _places(instruction: Instruction, parts: tuple[str, str], size: int, waves: Waves, group: Group) -> Any:
    """Waves, lanes and first bytes of the lanes that are switched on."""
    active = waves.active(group)
    total: Any = np.full(active.shape, offset_of(instruction), dtype=np.int64)
    marks: Any = np.True_
    for text in parts:
        if text != "off":
            reading = Operand.of(text).words(waves, group)
            total, marks = total + reading.values.view(np.int32), np.logical_and(marks, reading.marks)
    chosen = chosen_lanes(total, marks, active, instruction)
    if ((chosen < 0) | (chosen + size > waves.scratch_bytes)).any():
        bad = int(chosen[(chosen < 0) | (chosen + size > waves.scratch_bytes)][0])
        msg = (
            f"{instruction}: {size} bytes at offset {bad} of scratch memory, of {waves.scratch_bytes} a lane"
        )
        raise ExecutionFaultError(msg)
    rows = np.broadcast_to(waves.numbers[group][:, None], active.shape)[active]
    lanes = np.broadcast_to(np.arange(active.shape[1]), active.shape)[active]
    return rows[:, None], lanes[:, None], chosen[:, None] + np.arange(size)


def _load(instruction: Instruction, width: Width) -> Execute:
    target, uses = Operand.of(instruction.operands[0]), registers_of(instruction)
    place, base = instruction.operands[1:3]

    def execute(waves: Waves, group: Group) -> None:
        at = _places(instruction, (place, base), width.bytes, waves, group)
        data = np.ascontiguousarray(waves.scratch[at])
        marks = waves.scratch_set[at].reshape(len(data), max(1, width.bytes // WORD), -1).all(axis=2)
        write_loaded(waves, group, target, width, data, marks)
        waves.scoreboard.issue(uses, group, instruction)

    return execute


def _store(instruction: Instruction, width: Width) -> Execute:
    place, data, base = instruction.operands[:3]
    source, uses = Operand.of(data), registers_of(instruction)

    def execute(waves: Waves, group: Group) -> None:
        at = _places(instruction, (place, base), width.bytes, waves, group)
        waves.scratch[at] = stored(waves, group, source, width, instruction, unset_as_zero=True)
        waves.scratch_set[at] = np.repeat(_marks(waves, group, source, width), min(WORD, width.bytes), axis=1)
        waves.scoreboard.issue(uses, group, instruction)

    return execute


def _marks(waves: Waves, group: Group, source: Operand, width: Width) -> Any:
    """Whether each word that lanes store was set: a spill may keep what is never used."""
    active = waves.active(group)
    words = [source.words(waves, group, number).marks for number in range(width.registers)]
    return np.stack([np.broadcast_to(marks, active.shape)[active] for marks in words], axis=1)

"""Instructions that move values between lanes, or between lanes and scalars, in registers.

``v_readlane``, ``v_readfirstlane`` and ``v_writelane`` do not look at which lanes are on; a lane is chosen by
the low six bits of an operand. ``v_permlane32_swap`` (gfx950) exchanges the upper half of its first register
with the lower half of its second, ``v_permlane16_swap`` odd rows of 16 lanes with even ones.
Source: AMD Instinct MI300 and CDNA4 Instruction Set Architecture, chapter 16.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import LANES, Group
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.gfx9.word_arithmetic import Execute
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["SWAPS", "cross_lane_operation"]

SWAPS = {"v_permlane16_swap_b32": 16, "v_permlane32_swap_b32": 32}  # lanes that change places


def cross_lane_operation(instruction: Instruction) -> Execute | None:
    """The execution of an exchange between lanes, or None if it has no row."""
    name = instruction.mnemonic.removesuffix("_e32").removesuffix("_e64")
    if name == "v_readfirstlane_b32":
        return _read_lane(instruction, None)
    if name == "v_readlane_b32":
        return _read_lane(instruction, Operand.of(instruction.operands[2]))
    if name == "v_writelane_b32":
        return _write_lane(instruction)
    if name in SWAPS and not instruction.modifiers:
        return _swap(instruction, SWAPS[name])
    return None


def _read_lane(instruction: Instruction, chosen: Operand | None) -> Execute:
    """A scalar from one lane: that which an operand names, else the first that is on (lane 0 if none is)."""
    target, source = (Operand.of(text) for text in instruction.operands[:2])

    def execute(waves: Waves, group: Group) -> None:
        size = waves.size(group)
        if chosen is None:
            lane, known = np.argmax(waves.active(group), axis=1), np.True_
        else:
            reading = chosen.scalar_words(waves, group)
            lane, known = np.broadcast_to(reading.values % LANES, size), reading.marks
        reading, rows = source.words(waves, group), np.arange(size)
        values = np.broadcast_to(reading.values, (size, LANES))[rows, lane]
        marks = np.broadcast_to(reading.marks, (size, LANES))[rows, lane] & known
        if chosen is None and not marks.all():
            msg = f"{instruction}: the first lane holds no value"
            raise ExecutionFaultError(msg)
        waves.write_scalar(target.first, group, values, marks)

    return execute


def _write_lane(instruction: Instruction) -> Execute:
    """A scalar to one lane, whether it is on or not."""
    target, source, chosen = (Operand.of(text) for text in instruction.operands)

    def execute(waves: Waves, group: Group) -> None:
        given, place = source.scalar_words(waves, group), chosen.scalar_words(waves, group)
        if not np.all(place.marks):
            msg = f"{instruction}: the number of the lane was never set"
            raise ExecutionFaultError(msg)
        at = waves.numbers[group], np.broadcast_to(place.values % LANES, waves.size(group))
        row = target.first + (waves.indices(group) if target.is_indexed else 0)
        waves.vector[(row, *at)] = given.values
        waves.vector_set[(row, *at)] = given.marks

    return execute


def _swap(instruction: Instruction, rows: int) -> Execute:
    """Odd rows of the first register and even ones of the second change places, where both lanes are on."""
    first, second = (Operand.of(text) for text in instruction.operands)
    odd = np.arange(LANES) // rows % 2 == 1
    partner = np.where(odd, np.arange(LANES) - rows, np.arange(LANES) + rows)

    def execute(waves: Waves, group: Group) -> None:
        active = waves.active(group)
        taken = active & active[:, partner]
        upper, lower = (_rows(waves, group, operand) for operand in (first, second))
        for operand, own, other, moves in ((first, upper, lower, odd), (second, lower, upper, ~odd)):
            values, marks = (
                np.where(moves & taken, b[:, partner], a) for a, b in zip(own, other, strict=True)
            )
            waves.write_vector(operand.first, group, values, marks)

    return execute


def _rows(waves: Waves, group: Group, operand: Operand) -> tuple[Any, Any]:
    reading = operand.words(waves, group)
    return reading.values.copy(), reading.marks.copy()

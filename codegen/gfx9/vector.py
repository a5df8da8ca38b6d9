"""Executing vector arithmetic: operands in, the row's meaning, results to the lanes switched on."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import LANES, Group, lane_mask, pack_lanes
from layoutalg.codegen.gfx9.sdwa import SDWA_MODIFIERS, Placement, SdwaOperand
from layoutalg.codegen.gfx9.special_rows import placement_of, special_row
from layoutalg.codegen.gfx9.vector_rows import TYPES, VECTOR_ROWS
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["Execute", "read_lanes", "vector_operation", "write_lanes"]

Execute = Callable[[Waves, Group], None]
U16, U32, U64 = np.uint16, np.uint32, np.uint64
WIDE = ("u64", "i64", "f64")  # types of two registers


def vector_operation(instruction: Instruction, target: str) -> Execute | None:
    """The execution of a vector instruction on a target, or None if it has no row."""
    mnemonic = re.sub("_(e32|e64|sdwa)$", "", instruction.mnemonic)
    if mnemonic == "v_readfirstlane_b32":
        return _read_first_lane(instruction)
    row = VECTOR_ROWS.get(mnemonic) or special_row(mnemonic, instruction, target)
    is_sdwa = instruction.mnemonic.endswith("_sdwa")
    known = SDWA_MODIFIERS if is_sdwa else {"op_sel", "bitop3"}
    if row is None or set(instruction.modifiers) - known:
        return None
    texts = list(instruction.operands)
    targets = [Operand.of(texts.pop(0)) for _ in row.results]
    halves = _halves(instruction, len(row.sources))
    fetchers = []
    for number, kind in enumerate(row.sources):
        old = kind.startswith("old")
        operand = targets[0] if old else _operand(instruction, texts.pop(0), number if is_sdwa else None)
        fetchers.append((operand, kind.removeprefix("old.") if old else kind, halves.pop(0)))
    placement = placement_of(mnemonic, instruction, len(row.sources))
    write = write_lanes if placement is None else _writer(placement)

    def execute(waves: Waves, group: Group) -> None:
        values = []
        marks: Any = np.True_
        low_marks: Any = np.True_
        for operand, kind, half in fetchers:
            value, mark = read_lanes(operand, kind, waves, group, half=half)
            values.append(_flushed(value) if waves.flushes_denormals and kind == "f32" else value)
            marks = marks & mark
            if row.low_from_low:
                wide = kind in WIDE
                low_marks = low_marks & (operand.words(waves, group).marks if wide else mark)
        found = row.meaning(*values)
        results = found if len(row.results) > 1 else (found,)
        for register, kind, result in zip(targets, row.results, results, strict=True):
            low = low_marks if row.low_from_low else marks
            given = _flushed(result) if waves.flushes_denormals and kind == "f32" else result
            write(register, kind, given, (low, marks), waves, group)

    return execute


def _flushed(values: Any) -> Any:
    """Floats of 32 bits with 0, of the same sign, for those that are not normal."""
    values = np.asarray(values).astype(np.float32)
    return np.where(np.abs(values) < np.finfo(np.float32).tiny, np.copysign(np.float32(0), values), values)


def _operand(instruction: Instruction, text: str, sdwa_source: int | None) -> Operand:
    """An operand; of an SDWA instruction the part that its modifier selects."""
    if sdwa_source is None:
        return Operand.of(text)
    return SdwaOperand.selected(text, instruction.modifiers.get(f"src{sdwa_source}_sel", "DWORD"))


def _writer(placement: Placement) -> Callable[..., None]:
    """Writes results into a part of a register; the part decides about the mark."""

    def write(
        target: Operand, kind: str, result: Any, word_marks: tuple[Any, Any], waves: Waves, group: Group
    ) -> None:
        if kind == "mask":
            write_lanes(target, kind, result, word_marks, waves, group)
            return
        typed = np.asarray(result).astype(TYPES[kind])
        word = typed.view(U16).astype(U32) if typed.itemsize == 2 else typed.view(U32)
        placed = placement.placed(word, target.words(waves, group).values)
        write_lanes(target, "u32", placed, word_marks, waves, group)

    return write


def _halves(instruction: Instruction, count: int) -> list[int]:
    given = instruction.modifiers.get("op_sel", "")
    found = [int(bit) for bit in given.strip("[]").split(",") if bit]
    return (found + [0] * count)[:count]


def read_lanes(operand: Operand, kind: str, waves: Waves, group: Group, *, half: int = 0) -> tuple[Any, Any]:
    """An operand as a typed array that broadcasts to waves x lanes, and its marks."""
    if kind == "mask":
        low, high = operand.scalar_words(waves, group), operand.scalar_words(waves, group, 1)
        words = low.values.astype(U64) | high.values.astype(U64) << U64(32)
        return lane_mask(words), np.logical_and(low.marks, high.marks)[..., None]
    if operand.is_float_number and kind in ("f16", "f64", "u16"):
        number = np.float64(operand.text) if kind == "f64" else np.float16(operand.text)
        value = np.full((1, 1), number)
        return (value.view(U16) if kind == "u16" else value), True
    low = operand.words(waves, group)
    if kind in WIDE:
        high = operand.words(waves, group, 1)
        both = low.values.astype(U64) | high.values.astype(U64) << U64(32)
        return _signed_value(both.view(TYPES[kind]), operand), np.logical_and(low.marks, high.marks)
    if kind in ("u16", "i16", "f16"):
        cut = (low.values >> U32(16 * half)).astype(U16).view(TYPES[kind])
        return _signed_value(cut, operand), low.marks
    return _signed_value(low.values.view(TYPES[kind]), operand), low.marks


def _signed_value(value: Any, operand: Operand) -> Any:
    if operand.absolute:
        value = np.abs(value)
    return -value if operand.negate else value


def write_lanes(
    target: Operand, kind: str, result: Any, word_marks: tuple[Any, Any], waves: Waves, group: Group
) -> None:
    """Write a result of the given type to the lanes that are switched on.

    ``word_marks`` are the marks of its low word and of the whole.
    """
    low_marks, marks = word_marks
    if kind == "mask":
        shape = (waves.size(group), LANES)
        bits = pack_lanes(np.broadcast_to(result, shape) & waves.active(group))
        all_set = np.where(waves.active(group), marks, np.True_).all(axis=1)
        waves.write_scalar(target.first, group, (bits & U64(0xFFFFFFFF)).astype(U32), all_set)
        waves.write_scalar(target.first + 1, group, (bits >> U64(32)).astype(U32), all_set)
        return
    write = waves.write_accumulator if target.bank == "a" else waves.write_vector
    typed = np.asarray(result).astype(TYPES[kind])
    if kind in WIDE:
        both = typed.view(U64)
        write(target.first, group, (both & U64(0xFFFFFFFF)).astype(U32), low_marks)
        write(target.first + 1, group, (both >> U64(32)).astype(U32), marks)
    elif kind in ("u16", "i16", "f16"):
        write(target.first, group, typed.view(U16).astype(U32), marks)
    else:
        write(target.first, group, typed.view(U32), marks)


def _read_first_lane(instruction: Instruction) -> Execute:
    """A scalar from the first lane that is switched on (lane 0 if none is)."""
    target, source = (Operand.of(text) for text in instruction.operands)

    def execute(waves: Waves, group: Group) -> None:
        size = waves.size(group)
        first = np.argmax(waves.active(group), axis=1)
        reading = source.words(waves, group)
        rows = np.arange(size)
        values = np.broadcast_to(reading.values, (size, LANES))[rows, first]
        marks = np.broadcast_to(reading.marks, (size, LANES))[rows, first]
        if not marks.all():
            msg = f"{instruction}: the first lane holds no value"
            raise ExecutionFaultError(msg)
        waves.write_scalar(target.first, group, values)

    return execute

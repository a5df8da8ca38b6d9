"""Executing scalar arithmetic: one value a wave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction, UnknownInstructionError
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import EXEC, Group
from layoutalg.codegen.gfx9.scalar_rows import LOGIC, SCALAR_ROWS, TYPES
from layoutalg.codegen.gfx9.waves import Waves

__all__ = ["read_scalar", "scalar_operation", "write_scalar"]

Execute = Callable[[Waves, Group], None]
I32, U32, U64 = np.int32, np.uint32, np.uint64


def scalar_operation(instruction: Instruction) -> Execute | None:
    """The execution of a scalar instruction, or None if it has no row."""
    if instruction.mnemonic.endswith("_saveexec_b64"):
        return _save_exec(instruction)
    row = SCALAR_ROWS.get(instruction.mnemonic)
    if row is None:
        return None
    texts = list(instruction.operands)
    target = Operand.of(texts.pop(0)) if row.result else None
    fetchers: list[tuple[Operand | None, str]] = []
    for kind in row.sources:
        if kind == "scc":
            fetchers.append((Operand.of("scc"), "scc"))
        elif kind == "old":
            fetchers.append((target, "u32"))
        else:
            fetchers.append((Operand.of(texts.pop(0)), kind))

    def execute(waves: Waves, group: Group) -> None:
        values = []
        marks: Any = np.True_
        for operand, kind in fetchers:
            value, mark = read_scalar(operand, kind, waves, group)
            values.append(value)
            marks = marks & mark
        found = row.meaning(*values)
        if not row.result:
            waves.scc[group] = found
            return
        result, scc = found if row.writes_scc else (found, None)
        write_scalar(target, row.result, result, marks, waves, group)
        if scc is not None:
            waves.scc[group] = scc

    return execute


def read_scalar(operand: Operand | None, kind: str, waves: Waves, group: Group) -> tuple[Any, Any]:
    """A scalar operand as a typed array, one value a wave, and its marks."""
    assert operand is not None
    low = operand.scalar_words(waves, group)
    if kind == "scc":
        return low.values.astype(bool), low.marks
    if kind == "k16":
        return low.values.astype(np.uint16).view(np.int16).astype(I32).view(U32), low.marks
    if kind in ("u32", "i32"):
        return low.values.view(TYPES[kind]), low.marks
    high = operand.scalar_words(waves, group, 1)
    both = low.values.astype(U64) | high.values.astype(U64) << U64(32)
    return both.view(TYPES[kind]), np.logical_and(low.marks, high.marks)


def write_scalar(
    operand: Operand | None, kind: str, value: Any, marks: Any, waves: Waves, group: Group
) -> None:
    """Write a scalar result of the given type."""
    assert operand is not None
    if operand.bank == "m0":
        waves.m0[group] = value.astype(U32)
        return
    if operand.bank != "s":
        msg = f"{operand.text} is no scalar register these tables can write"
        raise UnknownInstructionError(msg)
    if kind in ("u64", "i64"):
        both = np.asarray(value).astype(TYPES[kind]).view(U64)
        waves.write_scalar(operand.first, group, (both & U64(0xFFFFFFFF)).astype(U32), marks)
        waves.write_scalar(operand.first + 1, group, (both >> U64(32)).astype(U32), marks)
        return
    word = np.asarray(value).astype(TYPES[kind]).view(U32)
    waves.write_scalar(operand.first, group, word, marks)


def _save_exec(instruction: Instruction) -> Execute:
    """Keep the lane mask and combine it with a condition."""
    operation = instruction.mnemonic.removeprefix("s_").removesuffix("_saveexec_b64")
    meanings = LOGIC | {"andn1": lambda a, b: ~a & b, "orn1": lambda a, b: ~a | b}
    target, source = (Operand.of(text) for text in instruction.operands)

    def execute(waves: Waves, group: Group) -> None:
        lanes = waves.scalar64(EXEC, group)
        value, marks = read_scalar(source, "u64", waves, group)
        result = np.broadcast_to(meanings[operation](value, lanes), lanes.shape)
        write_scalar(target, "u64", lanes, marks, waves, group)
        waves.write_scalar64(EXEC, group, result)
        waves.scc[group] = result != 0

    return execute

"""Packed arithmetic: an instruction that works on two numbers, in the halves of a register or in two.

``op_sel`` says from which half of each source the low result comes, ``op_sel_hi`` the same of the high result
(0 and 1 unless given); ``neg_lo`` and ``neg_hi`` negate. ``v_pk_mov_b32`` takes its low result from its
first source, its high one from its second.
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 6.7 (packed math) and 16.10 (VOP3P).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction, UnknownInstructionError
from layoutalg.codegen.gfx9.exact_sums import fused_multiply_add
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import Group
from layoutalg.codegen.gfx9.vector_rows import maximum, minimum
from layoutalg.codegen.gfx9.waves import Waves

__all__ = ["PACKED_ROWS", "packed_operation"]

Execute = Callable[[Waves, Group], None]
Halves = list[list[tuple[Operand, int, int]]]  # an operand, the half of it, whether it is negated
U16, U32, I16 = np.uint16, np.uint32, np.int16
KNOWN = {"op_sel", "op_sel_hi", "neg_lo", "neg_hi"}
TYPES: dict[str, Any] = {"f32": np.float32, "f16": np.float16, "u16": U16, "i16": I16, "b16": U16, "b32": U32}
PACKED_ROWS: dict[str, Callable[..., Any]] = {
    "v_pk_add_f32": np.add,
    "v_pk_mul_f32": np.multiply,
    "v_pk_fma_f32": fused_multiply_add,
    "v_pk_mov_b32": lambda a: a,
    "v_pk_add_f16": np.add,
    "v_pk_mul_f16": np.multiply,
    "v_pk_fma_f16": fused_multiply_add,
    "v_pk_min_f16": minimum,
    "v_pk_max_f16": maximum,
    "v_pk_add_u16": np.add,
    "v_pk_sub_u16": np.subtract,
    "v_pk_sub_i16": np.subtract,
    "v_pk_mul_lo_u16": np.multiply,
    "v_pk_min_u16": np.minimum,
    "v_pk_max_u16": np.maximum,
    "v_pk_min_i16": np.minimum,
    "v_pk_max_i16": np.maximum,
    "v_pk_lshlrev_b16": lambda a, b: b << (a & U16(15)),
    "v_pk_lshrrev_b16": lambda a, b: b >> (a & U16(15)),
    "v_pk_ashrrev_i16": lambda a, b: b >> (a & I16(15)),
}


def packed_operation(instruction: Instruction) -> Execute | None:
    """The execution of a packed instruction, or None if it has no row."""
    meaning = PACKED_ROWS.get(instruction.mnemonic)
    if meaning is None or set(instruction.modifiers) - KNOWN:
        return None
    kind = instruction.mnemonic.rsplit("_", maxsplit=1)[-1]
    target, *sources = (Operand.of(text) for text in instruction.operands)
    halves = [
        [
            (operand, select, negate)
            for operand, select, negate in zip(
                sources,
                _bits(instruction, selects, len(sources), default),
                _bits(instruction, negates, len(sources), 0),
                strict=True,
            )
        ]
        for selects, negates, default in (("op_sel", "neg_lo", 0), ("op_sel_hi", "neg_hi", 1))
    ]
    if instruction.mnemonic == "v_pk_mov_b32":
        selects = _bits(instruction, "op_sel", 2, 0)
        halves = [[(operand, select, 0)] for operand, select in zip(sources, selects, strict=True)]
    _refuse_constants(instruction, kind, halves)

    def execute(waves: Waves, group: Group) -> None:
        words, marks = [], []
        for half in halves:
            values, known = zip(*(_part(*choice, kind, waves, group) for choice in half), strict=True)
            found = np.asarray(meaning(*values)).astype(TYPES[kind])
            words.append(found.view(U32 if kind.endswith("32") else U16).astype(U32))
            marks.append(np.logical_and.reduce(np.broadcast_arrays(*known)))
        if kind.endswith("32"):
            waves.write_vector(target.first, group, words[0], marks[0])
            waves.write_vector(target.first + 1, group, words[1], marks[1])
        else:
            both = words[0] | words[1] << U32(16)
            waves.write_vector(target.first, group, both, np.logical_and(*marks))

    return execute


def _bits(instruction: Instruction, name: str, count: int, default: int) -> list[int]:
    given = instruction.modifiers.get(name)
    if given is None:
        return [default] * count
    return [int(bit) for bit in given.strip("[]").split(",")]


def _refuse_constants(instruction: Instruction, kind: str, halves: Halves) -> None:
    """A constant fills the low part only; what stands above it differs between targets."""
    for operand, select, _ in (choice for half in halves for choice in half):
        if operand.bank == "number" and select and operand.bits:
            msg = f"{instruction}: the high part of a constant has no meaning in the tables ({kind})"
            raise UnknownInstructionError(msg)


def _part(operand: Operand, select: int, negate: int, kind: str, waves: Waves, group: Group) -> Any:
    """One number of a source, and its marks."""
    if operand.is_float_number and kind == "f16":
        value = np.full((1, 1), np.float16(operand.text))
        return (-value if negate else value), np.True_
    wide = kind.endswith("32")
    reading = operand.words(waves, group, select if wide and operand.count > 1 else 0)
    values = reading.values if wide else (reading.values >> U32(16 * select)).astype(U16)
    values = np.ascontiguousarray(values).view(TYPES[kind])
    return (-values if negate else values), reading.marks

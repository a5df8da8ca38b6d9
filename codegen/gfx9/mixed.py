"""Multiply-add of mixed floats: each source a float of 32 bits, or a half of a register.

``op_sel_hi`` says that a source is a half, ``op_sel`` which. ``v_fma_mix_f32`` gives 32 bits,
``v_fma_mixlo_f16`` and ``v_fma_mixhi_f16`` a half, and keep the other one. All is computed in 32 bits, as one
multiply-add.
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 16.10 (V_FMA_MIX_F32 and its kin).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.rows.exact_sums import fused_multiply_add
from layoutalg.codegen.gfx9.rows.output_modifiers import clamped
from layoutalg.codegen.gfx9.word_arithmetic import Arithmetic, Word

__all__ = ["mixed_arithmetic"]

F16, F32, U16, U32 = np.float16, np.float32, np.uint16, np.uint32
NAMES = {"v_fma_mix_f32", "v_fma_mixlo_f16", "v_fma_mixhi_f16"}
KNOWN = {"op_sel", "op_sel_hi", "neg_lo", "neg_hi", "clamp"}


def mixed_arithmetic(instruction: Instruction) -> Arithmetic | None:
    """What a mixed multiply-add computes, or None if the instruction is none."""
    name = instruction.mnemonic
    if name not in NAMES or set(instruction.modifiers) - KNOWN:
        return None
    target, *sources = (Operand.of(text) for text in instruction.operands)
    bits = {key: _bits(instruction, key) for key in KNOWN - {"clamp"}}
    keeps = name != "v_fma_mix_f32"

    def compute(*words: Any) -> tuple[Any, ...]:
        values = []
        for number, operand in enumerate(sources):
            value = _number(operand, words[number], bits["op_sel_hi"][number], bits["op_sel"][number])
            value = np.abs(value) if operand.absolute or bits["neg_hi"][number] else value
            values.append(-value if operand.negate or bits["neg_lo"][number] else value)
        found = fused_multiply_add(*values).astype(F32)
        if "clamp" in instruction.modifiers:
            found = clamped(found)
        if not keeps:
            return (found.view(U32),)
        half, old = found.astype(F16).view(U16).astype(U32), words[3]
        is_high = name.endswith("hi_f16")
        return (old & U32(0xFFFF) | half << U32(16) if is_high else old & U32(0xFFFF0000) | half,)

    read = [Word(operand) for operand in sources]
    every = tuple(range(len(read)))
    return Arithmetic(
        (*read, *([Word(target)] if keeps else [])), (Word(target),), (every,), compute, is_scalar=False
    )


def _bits(instruction: Instruction, name: str) -> list[int]:
    given = instruction.modifiers.get(name)
    return [0, 0, 0] if given is None else [int(bit) for bit in given.strip("[]").split(",")]


def _number(operand: Operand, word: Any, is_half: int, is_high: int) -> Any:
    """A source as a float of 32 bits."""
    if not is_half:
        return word.view(F32)
    if operand.is_float_number:
        return word.view(F32) if is_high == 0 else word.view(F32) * F32(0)
    return (word >> U32(16 * is_high)).astype(U16).view(F16).astype(F32)

"""Packed arithmetic: an instruction that works on two numbers, in the halves of a register or in two.

``op_sel`` says from which half of each source the low result comes, ``op_sel_hi`` the same of the high result
(0 and 1 unless given); ``neg_lo`` and ``neg_hi`` negate. ``v_pk_mov_b32`` takes its low result from its
first source, its high one from its second.
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 6.7 (packed math) and 16.10 (VOP3P).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction, UnknownInstructionError
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.rows.exact_sums import fused_multiply_add
from layoutalg.codegen.gfx9.rows.float_rows import maximum, minimum
from layoutalg.codegen.gfx9.word_arithmetic import Arithmetic, Word, words_of

__all__ = ["PACKED_ROWS", "packed_arithmetic"]

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


@dataclass(frozen=True)
class Part:
    """A half of a source, the number of a type that it holds, and whether that is negated."""

    operand: Operand
    half: int
    negate: int
    kind: str

    @property
    def _is_written_half(self) -> bool:
        return self.operand.is_float_number and self.kind == "f16"

    @property
    def words(self) -> tuple[Word, ...]:
        wide = self.kind.endswith("32") and self.operand.count > 1
        return () if self._is_written_half else (Word(self.operand, self.half if wide else 0),)

    def typed(self, words: list[Any]) -> Any:
        """The number, of which the words are given."""
        if self._is_written_half:
            value = np.float16(self.operand.text)
        elif self.kind.endswith("32"):
            value = words[0].view(TYPES[self.kind])
        else:
            value = (words[0] >> U32(16 * self.half)).astype(U16).view(TYPES[self.kind])
        return -value if self.negate else value


def packed_arithmetic(instruction: Instruction) -> Arithmetic | None:
    """What a packed instruction computes, or None if it has no row."""
    meaning = PACKED_ROWS.get(instruction.mnemonic)
    if meaning is None or set(instruction.modifiers) - KNOWN:
        return None
    kind = instruction.mnemonic.rsplit("_", maxsplit=1)[-1]
    wide = kind.endswith("32")
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

    chosen = [Part(*choice, kind) for half in halves for choice in half]
    words = [part.words for part in chosen]
    every = tuple(word for of in words for word in of)
    count = len(halves[0])

    def compute(*values: Any) -> tuple[Any, ...]:
        given = iter(values)
        numbers = [part.typed([next(given) for _ in of]) for part, of in zip(chosen, words, strict=True)]
        found = [meaning(*of).astype(TYPES[kind]) for of in (numbers[:count], numbers[count:])]
        if wide:
            return tuple(number.view(U32) for number in found)
        low, high = (number.view(U16).astype(U32) for number in found)
        return (low | high << U32(16),)

    first = len([word for of in words[:count] for word in of])
    everything = tuple(range(len(every)))
    depends = (everything[:first], everything[first:]) if wide else (everything,)
    return Arithmetic(every, words_of(target, 2 if wide else 1), depends, compute, is_scalar=False)


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

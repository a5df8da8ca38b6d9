"""Scalar arithmetic: one value a wave."""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import IMAGE_BASE, Instruction
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.register_indexing import indexed_by
from layoutalg.codegen.gfx9.registers import INDEX, Group
from layoutalg.codegen.gfx9.rows.scalar_rows import LOGIC, SCALAR_ROWS, TYPES
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.gfx9.word_arithmetic import Arithmetic, Word, pair_of, words_of

__all__ = ["read_scalar", "scalar_arithmetic"]

I32, U32, U64 = np.int32, np.uint32, np.uint64
GETPC_BYTES = 4  # of the instruction that asks for the program counter
WIDE = ("u64", "i64")  # types of two registers
OLD = {"old": "u32", "old64": "u64"}  # the register written, as it was
SCC = Operand.of("scc")
EXEC = Operand.of("exec")
M0 = Operand.of("m0")
SKIP = Operand.of("vskip")


def scalar_arithmetic(instruction: Instruction) -> Arithmetic | None:
    """What a scalar instruction computes, or None if it has no row."""
    if instruction.mnemonic.endswith("_saveexec_b64"):
        return _save_exec(instruction)
    if instruction.mnemonic == "s_getpc_b64" and instruction.address is not None:
        return _program_counter(instruction, IMAGE_BASE + instruction.address + GETPC_BYTES)
    if instruction.mnemonic == "s_set_gpr_idx_on":
        return _index_registers(instruction)
    if instruction.mnemonic == "s_setvskip":
        return _skip_vectors(instruction)
    row = SCALAR_ROWS.get(instruction.mnemonic)
    if row is None:
        return None
    texts = list(instruction.operands)
    target = Operand.of(texts.pop(0)) if row.result else SCC
    sources: list[tuple[Operand, str]] = []
    for kind in row.sources:
        if kind == "scc":
            sources.append((SCC, kind))
        elif kind in OLD:
            sources.append((target, OLD[kind]))
        else:
            sources.append((Operand.of(texts.pop(0)), kind))
    words = [words_of(operand, 2 if kind in WIDE else 1) for operand, kind in sources]
    results = words_of(target, 2 if row.result in WIDE else 1)
    targets = (*results, Word(SCC)) if row.result and row.writes_scc else results

    def compute(*values: Any) -> tuple[Any, ...]:
        given = iter(values)
        found = row.meaning(
            *(_typed(kind, [next(given) for _ in of]) for (_, kind), of in zip(sources, words, strict=True))
        )
        if not row.result:
            return (found,)
        result, *scc = found if row.writes_scc else (found,)
        return (*_as_words(row.result, result), *scc)

    every = tuple(word for of in words for word in of)
    return Arithmetic(every, targets, (tuple(range(len(every))),) * len(targets), compute, is_scalar=True)


def _typed(kind: str, words: list[Any]) -> Any:
    """The value of a type that words hold."""
    if kind == "scc":
        return words[0]
    if kind == "k16":
        return words[0].astype(np.uint16).view(np.int16).astype(I32).view(U32)
    return pair_of(*words).view(TYPES[kind]) if kind in WIDE else words[0].view(TYPES[kind])


def _as_words(kind: str, value: Any) -> tuple[Any, ...]:
    typed = value.astype(TYPES[kind])
    if kind not in WIDE:
        return (typed.view(U32),)
    both = typed.view(U64)
    return (both & U64(0xFFFFFFFF)).astype(U32), (both >> U64(32)).astype(U32)


def read_scalar(operand: Operand, kind: str, waves: Waves, group: Group) -> tuple[Any, Any]:
    """A scalar operand as a typed array, one value a wave, and its marks."""
    readings = [operand.scalar_words(waves, group, number) for number in range(2 if kind in WIDE else 1)]
    marks = np.logical_and.reduce(np.broadcast_arrays(*(reading.marks for reading in readings)))
    return _typed(kind, [reading.values for reading in readings]), marks


def _program_counter(instruction: Instruction, following: int) -> Arithmetic:
    """The address of the instruction that follows, where the code object is loaded."""
    targets = words_of(Operand.of(instruction.operands[0]), 2)
    words = U32(following & 0xFFFFFFFF), U32(following >> 32)
    return Arithmetic((), targets, ((), ()), lambda: words, is_scalar=True)


def _index_registers(instruction: Instruction) -> Arithmetic:
    """The index goes into the low byte of M0, what is indexed into bits 15:12 (``register_indexing``)."""
    source, named = Operand.of(instruction.operands[0]), indexed_by(instruction)

    def compute(index: Any, old: Any) -> tuple[Any, ...]:
        return (old & U32(0xFFFF0F00) | index & U32(INDEX) | U32(named << 12),)

    return Arithmetic((Word(source), Word(M0)), (Word(M0),), ((0,),), compute, is_scalar=True)


def _skip_vectors(instruction: Instruction) -> Arithmetic:
    """A bit says whether vector instructions are passed over from now on."""
    sources = tuple(Word(Operand.of(text)) for text in instruction.operands)

    def compute(bits: Any, chosen: Any) -> tuple[Any, ...]:
        return (bits >> (chosen & U32(31)) & U32(1) == 1,)

    return Arithmetic(sources, (Word(SKIP),), ((0, 1),), compute, is_scalar=True)


def _save_exec(instruction: Instruction) -> Arithmetic:
    """Keep the lane mask and combine it with a condition."""
    operation = instruction.mnemonic.removeprefix("s_").removesuffix("_saveexec_b64")
    meanings = LOGIC | {"andn1": lambda a, b: ~a & b, "orn1": lambda a, b: ~a | b}
    target, source = (Operand.of(text) for text in instruction.operands)

    def compute(low: Any, high: Any, lanes_low: Any, lanes_high: Any) -> tuple[Any, ...]:
        results = meanings[operation](low, lanes_low), meanings[operation](high, lanes_high)
        return lanes_low, lanes_high, *results, (results[0] | results[1]) != 0

    sources = (*words_of(source, 2), *words_of(EXEC, 2))
    targets = (*words_of(target, 2), *words_of(EXEC, 2), Word(SCC))
    return Arithmetic(sources, targets, ((0, 1), (0, 1), (), (), ()), compute, is_scalar=True)

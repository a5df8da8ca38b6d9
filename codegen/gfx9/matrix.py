"""Executing matrix instructions: operands gathered from lanes by their layout, multiplied, dealt out again.

Layouts are those of the table of instructions (``layoutalg.machine.mma``), which are AMD's own slot by slot.
A product of 16-bit floats is exact in 32 bits; the hardware's order of additions is not documented, so
sums are made in 64 bits and rounded once. Integers wrap as the hardware's do.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.fault import UnknownInstructionError
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.state import LANES, Group, Waves
from layoutalg.data_type import DataType
from layoutalg.errors import LayoutError
from layoutalg.machine.mma import MatrixInstruction

__all__ = ["matrix_operation"]

Execute = Callable[[Waves, Group], None]
U32, U64 = np.uint32, np.uint64
NO_ROUNDING = {"f16", "bf16", "f8_fnuz", "bf8_fnuz", "f8_ocp", "bf8_ocp"}


def matrix_operation(instruction: Instruction, target: str) -> Execute | None:
    """The execution of a matrix instruction of a target, or None if it is none."""
    if not instruction.mnemonic.startswith("v_mfma_"):
        return None
    if instruction.modifiers:
        msg = f"{instruction}: modifiers of matrix instructions have no meaning in the tables"
        raise UnknownInstructionError(msg)
    try:
        mma = MatrixInstruction.named(instruction.mnemonic.removesuffix("_e64"), target)
    except LayoutError as error:
        raise UnknownInstructionError(f"{instruction}: {error.message}") from None
    result, *sources = (Operand.of(text) for text in instruction.operands)
    operands = list(zip("ABC", sources, strict=True))

    def execute(waves: Waves, group: Group) -> None:
        held = [_held(mma, letter, operand, waves, group) for letter, operand in operands]
        found = _product(mma, *(values for values, _ in held))
        known = np.logical_and.reduce([marks for _, marks in held])
        _deal_out(mma, result, found, known, waves, group)

    return execute


def _product(mma: MatrixInstruction, a: NDArray[Any], b: NDArray[Any], c: NDArray[Any]) -> NDArray[Any]:
    """Waves x blocks x M x N: the sum of products, added to C and rounded once."""
    if mma.type_d == "i32":
        total = np.matmul(a.astype(np.int64), b.astype(np.int64).swapaxes(-1, -2)) + c
        return total.astype(U64).astype(U32).view(np.int32)
    total = np.matmul(a.astype(np.float64), b.astype(np.float64).swapaxes(-1, -2)) + c.astype(np.float64)
    return total.astype(_numpy(mma.type_d))


def _held(
    mma: MatrixInstruction, letter: str, operand: Operand, waves: Waves, group: Group
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """An operand as waves x blocks x rows x columns, and whether all of it was set, for each wave."""
    count = waves.size(group)
    shape = (count, *_shape(mma, letter))
    if operand.bank == "number":
        number = 0.0 if operand.bits == 0 else float(operand.text)
        return np.full(shape, number, dtype=_numpy(mma.type_of(letter))), np.ones(count, dtype=bool)
    bits, marks = [], np.ones(count, dtype=bool)
    for register in range(mma.registers(letter)):
        reading = operand.words(waves, group, register)
        bits.append(np.broadcast_to(reading.values, (count, LANES)))
        marks = marks & np.broadcast_to(reading.marks, (count, LANES)).all(axis=1)
    words = np.ascontiguousarray(np.stack(bits, axis=2))
    elements = _decoded(words, mma, letter)
    found = np.zeros(shape, dtype=elements.dtype)
    found[_places(mma, letter)] = elements
    return found, marks


def _deal_out(
    mma: MatrixInstruction, target: Operand, result: NDArray[Any], known: Any, waves: Waves, group: Group
) -> None:
    """The result to its lanes and registers; matrix instructions do not look at which lanes are on."""
    held = np.ascontiguousarray(result[_places(mma, "D")])
    words = held.view(U32).reshape(len(held), LANES, -1)
    bank, bank_set = (
        (waves.accumulator, waves.accumulator_set) if target.bank == "a" else (waves.vector, waves.vector_set)
    )
    for register in range(words.shape[2]):
        bank[target.first + register][group] = words[:, :, register]
        bank_set[target.first + register][group] = np.asarray(known)[:, None]


def _shape(mma: MatrixInstruction, letter: str) -> tuple[int, int, int]:
    return (mma.blocks, *{"A": (mma.m, mma.k), "B": (mma.n, mma.k)}.get(letter, (mma.m, mma.n)))


@cache
def _places(mma: MatrixInstruction, letter: str) -> tuple[Any, ...]:
    """All waves, then block, row and column of every lane and element."""
    lanes, elements = np.arange(LANES)[:, None], np.arange(mma.elements(letter))[None, :]
    row, column, *block = mma.element(letter, lanes, elements)
    shape = (LANES, mma.elements(letter))
    index = (*(block or [np.zeros(1, np.int64)]), row, column)
    return (slice(None), *(np.broadcast_to(x, shape) for x in index))


def _decoded(words: NDArray[np.uint32], mma: MatrixInstruction, letter: str) -> NDArray[Any]:
    """Registers (waves x lanes x registers) as elements, low bits of a register first."""
    name = mma.type_of(letter)
    kind = DataType.named(name)
    if name == "bf16":
        return (words.view(np.uint16).astype(U32) << U32(16)).view(np.float32)
    if name in NO_ROUNDING and kind.bits == 8:
        table = np.array([kind.value(bits) for bits in range(256)], dtype=np.float32)
        return table[words.view(np.uint8)]
    return words.view(_numpy(name))


def _numpy(name: str) -> np.dtype[Any]:
    kinds = {"xf32": "float32", "bf16": "float32"}
    return np.dtype(kinds.get(name, DataType.named(name).numpy))

"""Executing matrix instructions: operands are gathered from lanes, multiplied, and written back to lanes.

Layouts are those of the table of instructions (``layoutalg.mma``), which are AMD's own slot by slot.
A product of 16-bit floats is exact in 32 bits; the hardware's order of additions is not documented, so
sums are made in 64 bits and rounded once. Integers wrap as the hardware's do.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.assembly import Instruction, UnknownInstructionError
from layoutalg.codegen.gfx9.matrix_passes import formats_of, row_name
from layoutalg.codegen.gfx9.matrix_scales import SELECTORS, block_scales, is_scaled
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import LANES, Group
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.data_type import DataType
from layoutalg.errors import LayoutError
from layoutalg.mma import MatrixInstruction

__all__ = ["matrix_of", "matrix_operation", "number_of"]

Execute = Callable[[Waves, Group], None]
U32, U64 = np.uint32, np.uint64
NO_ROUNDING = {"f16", "bf16", "f8_fnuz", "bf8_fnuz", "f8_ocp", "bf8_ocp"}


def matrix_operation(instruction: Instruction, target: str) -> Execute | None:
    """The execution of a matrix instruction of a target, or None if it is none."""
    if not instruction.mnemonic.startswith("v_mfma_"):
        return None
    mma = matrix_of(instruction, target)
    result, *sources = (Operand.of(text) for text in instruction.operands)
    fetchers = [_fetcher(mma, letter, operand) for letter, operand in zip("ABC", sources, strict=False)]
    scales = block_scales(instruction, mma, sources[3:])
    deal_out = _dealer(mma, result)

    def execute(waves: Waves, group: Group) -> None:
        held = [fetch(waves, group) for fetch in fetchers]
        known = held[0][1] & held[1][1] & held[2][1]
        (a, b, c), of_blocks = (values for values, _ in held), [scale(waves, group) for scale in scales]
        if of_blocks:
            (of_a, a_known), (of_b, b_known) = of_blocks
            a, b, known = a * of_a, b * of_b, known & a_known & b_known
        deal_out(_product(mma, a, b, c), known, waves, group)

    return execute


def matrix_of(instruction: Instruction, target: str) -> MatrixInstruction:
    """The matrix instruction of a target; refused where it has modifiers or the target lacks it."""
    of_scales = SELECTORS if is_scaled(instruction) else ()
    if set(instruction.modifiers) - {*formats_of(instruction), *of_scales}:
        msg = f"{instruction}: modifiers of matrix instructions have no meaning in the tables"
        raise UnknownInstructionError(msg)
    try:
        return MatrixInstruction.named(row_name(instruction), target)
    except LayoutError as error:
        raise UnknownInstructionError(f"{instruction}: {error.message}") from None


def _product(mma: MatrixInstruction, a: NDArray[Any], b: NDArray[Any], c: NDArray[Any]) -> NDArray[Any]:
    """Waves x blocks x M x N: the sum of products, added to C and rounded once."""
    if mma.type_d == "i32":
        total = np.matmul(a.astype(np.int64), b.astype(np.int64).swapaxes(-1, -2)) + c
        return total.astype(U64).astype(U32).view(np.int32)
    total = np.matmul(a.astype(np.float64), b.astype(np.float64).swapaxes(-1, -2))
    total += c
    return total.astype(_numpy(mma.type_d))


def _fetcher(mma: MatrixInstruction, letter: str, operand: Operand) -> Callable[[Waves, Group], Any]:
    """An operand as waves x blocks x rows x columns, and whether all of it was set, for each wave."""
    shape, order, decoded = _shape(mma, letter), _order(mma, letter), _decoder(mma.type_of(letter))
    if operand.bank == "number":
        constant = np.full((1, *shape), number_of(operand, mma.type_of(letter)))
        return lambda _waves, _group: (constant, np.True_)
    registers = slice(operand.first, operand.first + mma.registers(letter))

    def fetch(waves: Waves, group: Group) -> tuple[Any, Any]:
        bank, marks = _bank(waves, operand)
        words = np.ascontiguousarray(bank[registers, group].transpose(1, 2, 0))  # waves, lanes, registers
        elements = decoded(words).reshape(len(words), -1)
        known = marks[registers, group]
        is_known = np.True_ if known.all() else known.all(axis=(0, 2))
        return elements.take(order, axis=1).reshape(len(words), *shape), is_known

    return fetch


def _dealer(mma: MatrixInstruction, target: Operand) -> Callable[[Any, Any, Waves, Group], None]:
    """The result to its lanes and registers; matrix instructions do not look at which lanes are on."""
    places = np.argsort(_order(mma, "D"))
    registers = slice(target.first, target.first + mma.registers("D"))

    def deal_out(result: NDArray[Any], known: Any, waves: Waves, group: Group) -> None:
        bank, marks = _bank(waves, target)
        held = result.reshape(len(result), -1).take(places, axis=1)
        words = held.view(U32).reshape(len(held), LANES, -1)
        bank[registers, group] = words.transpose(2, 0, 1)
        marks[registers, group] = np.asarray(known)[..., None]

    return deal_out


def _bank(waves: Waves, operand: Operand) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
    if operand.bank == "a":
        return waves.accumulator, waves.accumulator_set
    return waves.vector, waves.vector_set


def number_of(operand: Operand, kind: str) -> Any:
    """A constant in place of C: a float as written, an integer as its bits."""
    if operand.is_float_number or kind == "i32":
        return np.float64(operand.text).astype(_numpy(kind))
    if operand.bits and kind != "f32":
        msg = f"{operand.text} as C of {kind} has no meaning in the tables"
        raise UnknownInstructionError(msg)
    return np.array(operand.bits, dtype=U32).view(np.float32).astype(_numpy(kind))


def _shape(mma: MatrixInstruction, letter: str) -> tuple[int, int, int]:
    return (mma.blocks, *{"A": (mma.m, mma.k), "B": (mma.n, mma.k)}.get(letter, (mma.m, mma.n)))


@cache
def _order(mma: MatrixInstruction, letter: str) -> NDArray[np.int64]:
    """For each place of a matrix, block by block and row by row: lane times elements plus element."""
    lanes, elements = np.arange(LANES)[:, None], np.arange(mma.elements(letter))[None, :]
    row, column, *block = mma.element(letter, lanes, elements)
    index = (*(block or [np.zeros(1, np.int64)]), row, column)
    _, rows, columns = _shape(mma, letter)
    places = (index[0] * rows + index[1]) * columns + index[2]
    return np.argsort(np.broadcast_to(places, (LANES, elements.size)).reshape(-1))


def _decoder(name: str) -> Callable[[NDArray[np.uint32]], NDArray[Any]]:
    """Registers (waves x lanes x registers) as elements, low bits of a register first."""
    kind = DataType.named(name)
    if name == "bf16":
        return lambda words: (words.view(np.uint16).astype(U32) << U32(16)).view(np.float32)
    if name in NO_ROUNDING and kind.bits == 8:
        table = np.array([kind.value(bits) for bits in range(256)], dtype=np.float32)
        return lambda words: table[words.view(np.uint8)]
    if kind.bits < 8:
        values = np.array([kind.value(bits) for bits in range(1 << kind.bits)], dtype=np.float32)
        return lambda words: values[_narrow(words, kind.bits)]
    dtype = _numpy(name)
    return lambda words: words.view(dtype)


def _narrow(words: NDArray[np.uint32], bits: int) -> NDArray[np.int64]:
    """Elements of 4 or 6 bits, which stand one after the other across words."""
    single = np.unpackbits(words.view(np.uint8), axis=-1, bitorder="little")
    whole = single[..., : single.shape[-1] // bits * bits].reshape(*words.shape[:-1], -1, bits)
    return whole.astype(np.int64) @ (1 << np.arange(bits))


def _numpy(name: str) -> np.dtype[Any]:
    kinds = {"xf32": "float32", "bf16": "float32"}
    return np.dtype(kinds.get(name, DataType.named(name).numpy))

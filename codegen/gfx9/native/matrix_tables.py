"""Matrix instructions as tables: where rows of their operands begin among lanes and elements.

In every matrix instruction of gfx9 consecutive rows of an operand (columns of the result) stand in
consecutive lanes, so that a row is known by where it begins. One of which that is not so is not native.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.matrix_cores import matrix_of, number_of
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import LANES
from layoutalg.codegen.gfx9.rows.small_floats import small_float_values
from layoutalg.data_type import DataType
from layoutalg.mma import MatrixInstruction

__all__ = ["MatrixTables", "constant_bits", "matrix_tables"]

KINDS = {
    "f16": 0,
    "bf16": 1,
    **dict.fromkeys(("f8_fnuz", "bf8_fnuz", "f8_ocp", "bf8_ocp", "f6", "bf6", "f4"), 2),
    "f32": 3,
    "xf32": 3,
    "f64": 4,
    "i8": 5,
}
RESULTS = {"f32": 3, "f64": 4, "i32": 6}
SMALL = 2
MOST = 32  # elements of a lane, and rows of a matrix, that the C has room for
MOST_K = 128


@dataclass(frozen=True)
class MatrixTables:
    """What the C knows of an instruction: sizes, types, and for each block and k (row) where it begins.

    A place is the element of a lane times 64, and the lane.
    """

    numbers: tuple[int, ...]  # as ``Matrix`` of matrix.h begins
    places: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]
    values: tuple[NDArray[np.float32] | None, NDArray[np.float32] | None]


def constant_bits(instruction: Instruction, target: str) -> int | None:
    """The bits of a constant C; None for a C in registers, and for what is not native."""
    operand = Operand.of(instruction.operands[3])
    kind = matrix_of(instruction, target).type_d
    if operand.bank != "number" or (kind == "f64" and operand.bits):
        return None
    return 0 if kind == "f64" else int(np.asarray(number_of(operand, kind)).view(np.uint32))


@cache
def matrix_tables(mma: MatrixInstruction) -> MatrixTables | None:
    """The tables of an instruction, or None if it is not native."""
    kind = KINDS.get(mma.type_a)
    if kind is None or KINDS.get(mma.type_b) != kind or mma.type_d not in RESULTS:
        return None
    if max(mma.m, mma.n, mma.elements("A")) > MOST or mma.elements("D") > MOST or mma.k > MOST_K:
        return None
    starts = [_starts(mma, letter) for letter in "ABD"]
    if any(start is None for start in starts):
        return None
    numbers = (
        kind, RESULTS[mma.type_d], mma.blocks, mma.m, mma.n, mma.k, mma.elements("A"), mma.elements("D"),
        mma.registers("A"), mma.registers("B"), mma.registers("D"),
        *(DataType.named(name).bits for name in (mma.type_a, mma.type_b)),
    )  # fmt: skip
    values = [small_float_values(name) if kind == SMALL else None for name in (mma.type_a, mma.type_b)]
    return MatrixTables(numbers, tuple(starts), tuple(values))  # type: ignore[arg-type]


def _starts(mma: MatrixInstruction, letter: str) -> NDArray[np.int32] | None:
    """For each block and each k (row of D) the place of row (column) 0, if the others follow lane by lane."""
    lanes, elements = np.arange(LANES)[:, None], np.arange(mma.elements(letter))[None, :]
    row, column, *block = mma.element(letter, lanes, elements)
    shape: tuple[Any, ...] = (LANES, elements.size)
    first = np.broadcast_to(block[0] if block else np.zeros(1, np.int64), shape)
    row, column = np.broadcast_to(row, shape), np.broadcast_to(column, shape)
    if letter == "D":
        row, column = column, row  # rows of the result are kept together, so columns follow lane by lane
    follow, kept = (mma.n, mma.m) if letter == "D" else ({"A": mma.m, "B": mma.n}[letter], mma.k)
    places = np.full((mma.blocks, kept, follow), -1, dtype=np.int64)
    places[first, column, row] = elements * LANES + lanes
    begin = places[..., 0]
    is_straight = (places == begin[..., None] + np.arange(follow)).all() and (begin >= 0).all()
    return np.ascontiguousarray(begin.reshape(-1), dtype=np.int32) if is_straight else None

"""Block scales of ``v_mfma_scale_...``: a power of two for each 32 neighbours along K of a row of A or B.

A lane's register holds four of them as bytes (E8M0: ``2**(byte - 127)``, 255 is no number); two modifiers say
which byte an instruction takes, ``op_sel`` its low bit and ``op_sel_hi`` its high one. Lanes hold the rows of
the first block of K, then those of the next.
Source: AMD CDNA4 Instruction Set Architecture, chapter 7.2 (scaled matrix operations); CK,
``test/mx_mfma_op/mx_mfma_op.hpp``; OCP Microscaling Formats (MX) 1.0, 5.3 (E8M0).

>>> to_numbers(np.array([127, 129, 0, 255], np.uint32), SCALE).tolist()
[1.0, 4.0, 5.877471754111438e-39, nan]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import LANES, Group
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.data_type import DataType, to_numbers
from layoutalg.mma import MatrixInstruction
from layoutalg.mma.cdna4 import SCALE_BLOCK

__all__ = ["SELECTORS", "block_scales", "bytes_of_scales", "is_scaled"]

SELECTORS = ("op_sel", "op_sel_hi")  # low and high bit of the number of a byte, for A, then for B
SCALE = DataType.named("e8m0")


def is_scaled(instruction: Instruction) -> bool:
    """Whether a matrix instruction takes scales."""
    return "_scale_" in instruction.mnemonic


def block_scales(
    instruction: Instruction, mma: MatrixInstruction, operands: Sequence[Operand]
) -> list[Callable[[Waves, Group], tuple[Any, Any]]]:
    """For A and for B what each element is multiplied with, waves x 1 x rows x K, and whether it was set."""
    if not is_scaled(instruction):
        return []
    return [
        _fetcher(operand, rows, mma.k, byte)
        for operand, rows, byte in zip(operands, (mma.m, mma.n), bytes_of_scales(instruction), strict=True)
    ]


def bytes_of_scales(instruction: Instruction) -> tuple[int, int]:
    """Which byte of its word of scales an instruction takes, of A and of B.

    >>> from layoutalg.codegen.gfx9.assembly import parse_instruction
    >>> text = "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], 0, v20, v21"
    >>> bytes_of_scales(parse_instruction(text + " op_sel:[0,1,0] op_sel_hi:[1,1,0]", 1))
    (2, 3)
    """
    low, high = (instruction.modifiers.get(name, "[0,0,0]").strip("[]").split(",") for name in SELECTORS)
    return int(low[0]) + 2 * int(high[0]), int(low[1]) + 2 * int(high[1])


def _fetcher(operand: Operand, rows: int, k: int, byte: int) -> Callable[[Waves, Group], tuple[Any, Any]]:
    lanes = np.arange(rows)[:, None] + rows * (np.arange(k)[None, :] // SCALE_BLOCK)

    def fetch(waves: Waves, group: Group) -> tuple[Any, Any]:
        words = operand.words(waves, group)
        found = to_numbers(words.values >> np.uint32(8 * byte) & np.uint32(0xFF), SCALE)
        known = np.asarray(words.marks)
        is_known = known.all(axis=-1) if known.ndim else known
        return np.broadcast_to(found, (len(found), LANES))[:, None, lanes], is_known

    return fetch

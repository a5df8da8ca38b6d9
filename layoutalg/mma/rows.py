"""Rows of the tables: what differs between instructions of one target."""

from __future__ import annotations

from collections.abc import Iterable

from layoutalg.mma.matrix_instruction import MatrixInstruction

__all__ = ["CALCULATOR", "Row", "instructions"]

CALCULATOR = "AMD matrix instruction calculator, commit 2ef9189 (2025-05-20)"

# Name; M, N, K, blocks; types of A, of B, of C and D; cycles.
Row = tuple[str, tuple[int, int, int, int], tuple[str, str, str], int]


def instructions(
    target: str, family: str, rows: Iterable[Row], *, wave_size: int = 64, source: str = CALCULATOR
) -> tuple[MatrixInstruction, ...]:
    """The instructions that rows describe.

    >>> row = ("v_mfma_f32_32x32x2f32", (32, 32, 2, 1), ("f32", "f32", "f32"), 64)
    >>> instructions("gfx908", "mfma", [row])[0].flops
    4096
    """
    return tuple(
        MatrixInstruction(name, target, *shape, a, b, d, d, cycles, wave_size, family, source)
        for name, shape, (a, b, d), cycles in rows
    )

"""Rows of the tables: what differs between instructions of one target, and what all of them have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["CALCULATOR", "Row", "instructions"]

CALCULATOR = "AMD matrix instruction calculator, commit 2ef9189 (2025-05-20)"

# Name; M, N, K, blocks; types of A, of B, of C and D; cycles.
Row = tuple[str, tuple[int, int, int, int], tuple[str, str, str], int]


def instructions(
    target: str, family: str, rows: Iterable[Row], *, wave_size: int = 64, source: str = CALCULATOR
) -> tuple[tuple[Any, ...], ...]:
    """For each row the fields of its :class:`~layoutalg.mma.matrix_instruction.MatrixInstruction`.

    >>> row = ("v_mfma_f32_32x32x2f32", (32, 32, 2, 1), ("f32", "f32", "f32"), 64)
    >>> instructions("gfx908", "mfma", [row], source="a manual")[0]
    ('v_mfma_f32_32x32x2f32', 'gfx908', 32, 32, 2, 1, 'f32', 'f32', 'f32', 'f32', 64, 64, 'mfma', 'a manual')
    """
    return tuple(
        (name, target, *shape, a, b, d, d, cycles, wave_size, family, source)
        for name, shape, (a, b, d), cycles in rows
    )

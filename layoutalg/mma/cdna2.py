"""Matrix instructions of CDNA2 (gfx90a): those of CDNA1, twice the K for BF16 (``_1k``), and FP64."""

from __future__ import annotations

from layoutalg.mma import cdna1
from layoutalg.mma.rows import Row, instructions

__all__ = ["INSTRUCTIONS", "ROWS"]

ROWS: tuple[Row, ...] = (
    *cdna1.ROWS,
    ("v_mfma_f32_32x32x4bf16_1k", (32, 32, 4, 2), ("bf16", "bf16", "f32"), 64),
    ("v_mfma_f32_16x16x4bf16_1k", (16, 16, 4, 4), ("bf16", "bf16", "f32"), 32),
    ("v_mfma_f32_4x4x4bf16_1k", (4, 4, 4, 16), ("bf16", "bf16", "f32"), 8),
    ("v_mfma_f32_32x32x8bf16_1k", (32, 32, 8, 1), ("bf16", "bf16", "f32"), 64),
    ("v_mfma_f32_16x16x16bf16_1k", (16, 16, 16, 1), ("bf16", "bf16", "f32"), 32),
    ("v_mfma_f64_16x16x4f64", (16, 16, 4, 1), ("f64", "f64", "f64"), 32),
    ("v_mfma_f64_4x4x4f64", (4, 4, 4, 4), ("f64", "f64", "f64"), 16),
)
INSTRUCTIONS = instructions("gfx90a", "mfma", ROWS)

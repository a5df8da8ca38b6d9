"""Matrix instructions of RDNA3 (gfx1100), for waves of 32 and of 64; signs of integers are modifiers."""

from __future__ import annotations

from layoutalg.mma.rows import Row, instructions

__all__ = ["INSTRUCTIONS"]

BOTH_WAVES: tuple[Row, ...] = (
    ("v_wmma_f32_16x16x16_f16", (16, 16, 16, 1), ("f16", "f16", "f32"), 32),
    ("v_wmma_f32_16x16x16_bf16", (16, 16, 16, 1), ("bf16", "bf16", "f32"), 32),
    ("v_wmma_f16_16x16x16_f16", (16, 16, 16, 1), ("f16", "f16", "f16"), 32),
    ("v_wmma_bf16_16x16x16_bf16", (16, 16, 16, 1), ("bf16", "bf16", "bf16"), 32),
    ("v_wmma_i32_16x16x16_iu8", (16, 16, 16, 1), ("i8", "i8", "i32"), 32),
)
# The calculator prints no layout of these for waves of 64.
WAVE_32: tuple[Row, ...] = (("v_wmma_i32_16x16x16_iu4", (16, 16, 16, 1), ("i4", "i4", "i32"), 16),)
INSTRUCTIONS = (
    *instructions("gfx1100", "wmma_rdna3", (*BOTH_WAVES, *WAVE_32), wave_size=32),
    *instructions("gfx1100", "wmma_rdna3", BOTH_WAVES, wave_size=64),
)

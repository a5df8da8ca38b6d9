"""Matrix instructions of RDNA4 (gfx1201), for waves of 32 and of 64; FP8 is that of OCP."""

from __future__ import annotations

from layoutalg.mma.rows import Row, instructions

__all__ = ["INSTRUCTIONS"]

BOTH_WAVES: tuple[Row, ...] = (
    ("v_wmma_f32_16x16x16_f16", (16, 16, 16, 1), ("f16", "f16", "f32"), 16),
    ("v_wmma_f32_16x16x16_bf16", (16, 16, 16, 1), ("bf16", "bf16", "f32"), 16),
    ("v_wmma_f16_16x16x16_f16", (16, 16, 16, 1), ("f16", "f16", "f16"), 16),
    ("v_wmma_bf16_16x16x16_bf16", (16, 16, 16, 1), ("bf16", "bf16", "bf16"), 16),
    ("v_wmma_i32_16x16x16_iu8", (16, 16, 16, 1), ("i8", "i8", "i32"), 8),
    ("v_wmma_i32_16x16x32_iu4", (16, 16, 32, 1), ("i4", "i4", "i32"), 8),
    ("v_wmma_f32_16x16x16_fp8_fp8", (16, 16, 16, 1), ("f8_ocp", "f8_ocp", "f32"), 8),
    ("v_wmma_f32_16x16x16_fp8_bf8", (16, 16, 16, 1), ("f8_ocp", "bf8_ocp", "f32"), 8),
    ("v_wmma_f32_16x16x16_bf8_fp8", (16, 16, 16, 1), ("bf8_ocp", "f8_ocp", "f32"), 8),
    ("v_wmma_f32_16x16x16_bf8_bf8", (16, 16, 16, 1), ("bf8_ocp", "bf8_ocp", "f32"), 8),
)
# The calculator prints no layout of these for waves of 64.
WAVE_32: tuple[Row, ...] = (("v_wmma_i32_16x16x16_iu4", (16, 16, 16, 1), ("i4", "i4", "i32"), 8),)
INSTRUCTIONS = (
    *instructions("gfx1201", "wmma_rdna4", (*BOTH_WAVES, *WAVE_32), wave_size=32),
    *instructions("gfx1201", "wmma_rdna4", BOTH_WAVES, wave_size=64),
)

"""Matrix instructions of CDNA4 (gfx950): CDNA3's without xf32, twice the K, and mixed types of 8, 6, 4 bits.

The calculator does not know gfx950, so all rows are derived. What they stand on:

- LLVM, SISchedule.td, ``SIDPGFX950FullSpeedModel``: passes of every instruction, four cycles each; the only
  old one that changed is FP64 16x16x4, 8 passes before and 16 now.
- LLVM, ``FeatureXF32Insts``: gfx942 has it and gfx950 has not.
- LLVM: FP8 of gfx950 is OCP's, under the names that FNUZ had on gfx942.
- CK Tile, ``warp_gemm_attribute_mfma_impl.hpp``: lanes and elements of the forms with twice the K.
- CK, ``test/mx_mfma_op/mx_mfma_op.hpp``, and for 8 and 4 bits also AMD's post on matrix cores of CDNA3 and
  CDNA4: registers of f8f6f4. Elements of 8 bits come in two runs of 16, those of 6 and 4 bits in one of 32.
  CK Tile's own encoding has one run of 32 for all. Without scales both give the same D when A and B are of
  8 bits, since the order of K does not matter there.
- Not confirmed: an operand of 8 bits with one of fewer bits. Here each lies as it does among its own kind,
  but AMD's post vouches for the runs of 16 only if both operands are of 8 bits.

The scaled forms, ``v_mfma_scale_...``, place A, B and D as the f8f6f4 rows here do.
"""

from __future__ import annotations

from layoutalg.mma import cdna3
from layoutalg.mma.rows import CALCULATOR, Row, instructions

__all__ = ["INSTRUCTIONS", "SCALE_BLOCK"]

SCALE_BLOCK = 32  # numbers along K of a row that share a scale in the scaled forms (OCP MX 1.0)

MIXED_WIDTHS = (
    "derived, not confirmed: A and B each as in CK, test/mx_mfma_op/mx_mfma_op.hpp, with its own kind;"
    " cycles as LLVM, SISchedule.td"
)
PASSES = "cycles are four times the passes in LLVM, SISchedule.td"
KEPT = f"derived: CDNA3's layout ({CALCULATOR}); {PASSES}"
WIDER = f"derived: CDNA3's rule with twice the K, as CK Tile, warp_gemm_attribute_mfma_impl.hpp; {PASSES}"
MIXED = f"derived: A and B as CK, test/mx_mfma_op/mx_mfma_op.hpp; D by CDNA3's rule; {PASSES}"

CHANGED_CYCLES = {"v_mfma_f64_16x16x4_f64": 64}
FP8 = {"f8_fnuz": "f8_ocp", "bf8_fnuz": "bf8_ocp"}
KEPT_ROWS: tuple[Row, ...] = tuple(
    (name, shape, (FP8.get(a, a), FP8.get(b, b), d), CHANGED_CYCLES.get(name, cycles))
    for name, shape, (a, b, d), cycles in cdna3.ROWS
    if a != "xf32"
)

WIDER_ROWS: tuple[Row, ...] = (
    ("v_mfma_f32_16x16x32_f16", (16, 16, 32, 1), ("f16", "f16", "f32"), 16),
    ("v_mfma_f32_32x32x16_f16", (32, 32, 16, 1), ("f16", "f16", "f32"), 32),
    ("v_mfma_f32_16x16x32_bf16", (16, 16, 32, 1), ("bf16", "bf16", "f32"), 16),
    ("v_mfma_f32_32x32x16_bf16", (32, 32, 16, 1), ("bf16", "bf16", "f32"), 32),
    ("v_mfma_i32_16x16x64_i8", (16, 16, 64, 1), ("i8", "i8", "i32"), 16),
    ("v_mfma_i32_32x32x32_i8", (32, 32, 32, 1), ("i8", "i8", "i32"), 32),
)

# In the order of the codes that the modifiers cbsz (for A) and blgp (for B) take; the assembler leaves 0 out.
FORMATS = ("f8_ocp", "bf8_ocp", "f6", "bf6", "f4")
BYTES = {"f8_ocp", "bf8_ocp"}  # with one of these as A or B the instruction takes twice as long


def _mixed(name: str, shape: tuple[int, int, int, int], cycles: int) -> tuple[Row, ...]:
    rows = []
    for cbsz, a in enumerate(FORMATS):
        for blgp, b in enumerate(FORMATS):
            codes = (f" cbsz:{cbsz}" if cbsz else "") + (f" blgp:{blgp}" if blgp else "")
            rows.append((name + codes, shape, (a, b, "f32"), cycles * (2 if BYTES & {a, b} else 1)))
    return tuple(rows)


MIXED_ROWS: tuple[Row, ...] = (
    *_mixed("v_mfma_f32_16x16x128_f8f6f4", (16, 16, 128, 1), 16),
    *_mixed("v_mfma_f32_32x32x64_f8f6f4", (32, 32, 64, 1), 32),
)
UNSURE_ROWS = tuple(row for row in MIXED_ROWS if (row[2][0] in BYTES) != (row[2][1] in BYTES))
SURE_ROWS = tuple(row for row in MIXED_ROWS if row not in UNSURE_ROWS)

INSTRUCTIONS = (
    *instructions("gfx950", "mfma", KEPT_ROWS, source=KEPT),
    *instructions("gfx950", "mfma", WIDER_ROWS, source=WIDER),
    *instructions("gfx950", "mfma_f8f6f4", SURE_ROWS, source=MIXED),
    *instructions("gfx950", "mfma_f8f6f4", UNSURE_ROWS, source=MIXED_WIDTHS),
)

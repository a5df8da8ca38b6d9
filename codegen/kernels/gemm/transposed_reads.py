"""Reads of shared memory that the hardware transposes: 8 bytes a lane, of a builtin of gfx950.

>>> transposing_read(DataType.named("f16"))[1]
'__device__ column read_transposed(const _Float16* place)'
"""

from __future__ import annotations

from layoutalg.codegen.text.source import INDENT, typedef
from layoutalg.data_type import DataType
from layoutalg.machine import Target
from layoutalg.mma.transposing_read import SIXTEEN

__all__ = ["TRANSPOSED_BYTES", "has_transposing_reads", "transposing_read"]

TRANSPOSED_BYTES = 8  # that a lane reads at once
_READS = {1: ("tr8_b64_v2i32", "int", 2), 2: ("tr16_b64_v4i16", "short", 4)}


def has_transposing_reads(target: str, kind: DataType, instruction: tuple[int, int]) -> bool:
    """Whether a GPU has them for elements of a type: of whole numbers in a byte or two.

    Not for instructions of 16 x 16: their lanes read rows of four k, two and two of which are alike to the
    swizzles that are tried, so that banks conflict (2-byte elements).
    """
    is_free = min(instruction) > SIXTEEN
    return Target.named(target).transposes_reads and kind.bytes in _READS and kind.packs is None and is_free


def transposing_read(kind: DataType) -> list[str]:
    """The function that reads neighbours across and gets neighbours along."""
    builtin, word, count = _READS[kind.bytes]
    shared = "(__attribute__((address_space(3))) column*)"
    return [
        typedef(word, count, "column") + "  // 8 bytes of a fragment, along K",
        f"__device__ column read_transposed(const {kind.hip}* place)",
        "{",
        f"{INDENT}return __builtin_amdgcn_ds_read_{builtin}({shared}place);",
        "}",
    ]

"""Which lane each lane reads from: DPP (chapter 13, "DPP_CTRL") and ``ds_swizzle_b32`` (chapter 11).

A lane without a source, or whose source is switched off, is not written; with ``bound_ctrl`` it reads 0.
``row_mask`` and ``bank_mask`` say which rows of 16 lanes, and which fours of a row, may be written.
The modes of ``ds_swizzle`` beyond four and 32 lanes (rotation, FFT) are those of the Vega guide, which
LLVM's assembler takes on gfx9.
"""

from __future__ import annotations

import re

__all__ = ["CONTROLS", "dpp_source", "dpp_writes", "swizzle_source"]

CONTROLS = [
    *(
        f"quad_perm:[{a},{b},{c},{d}]"
        for a, b, c, d in ((0, 1, 2, 3), (1, 0, 3, 2), (3, 3, 0, 2), (2, 2, 2, 2))
    ),
    *(f"row_{way}:{n}" for way in ("shl", "shr", "ror") for n in range(1, 16)),
    *(f"wave_{way}:1" for way in ("shl", "shr", "rol", "ror")),
    "row_mirror",
    "row_half_mirror",
    "row_bcast:15",
    "row_bcast:31",
    *(f"row_newbcast:{n}" for n in (0, 1, 7, 15)),
]


def dpp_source(control: str, lane: int) -> int | None:
    """The lane that is read, None if there is none."""
    name, numbers = control.split(":", maxsplit=1)[0], [int(digit) for digit in re.findall(r"\d+", control)]
    n = numbers[0] if numbers else 0
    first_of_row = lane // 16 * 16
    wanted = {
        "row_shl": lane + n,
        "row_shr": lane - n,
        "row_ror": first_of_row + (lane + 16 - n) % 16,
        "wave_shl": lane + 1,
        "wave_shr": lane - 1,
        "wave_rol": (lane + 1) % 64,
        "wave_ror": (lane + 63) % 64,
        "row_mirror": lane ^ 15,
        "row_half_mirror": lane ^ 7,
        "row_bcast": first_of_row - 1 if n == 15 else 31 if lane >= 32 else -1,
        "row_newbcast": first_of_row + n,
        "quad_perm": lane & ~3 | numbers[lane & 3] if name == "quad_perm" else -1,
    }[name]
    stays = wanted // 16 == lane // 16 if name in ("row_shl", "row_shr") else 0 <= wanted < 64
    return wanted if stays else None


def dpp_writes(lane: int, row_mask: int, bank_mask: int) -> bool:
    return bool(row_mask & 1 << lane // 16 and bank_mask & 1 << lane // 4 % 4)


def swizzle_source(offset: int, lane: int) -> int:
    """The lane that ``ds_swizzle_b32`` with an offset of 16 bits reads."""
    low, half = lane & 31, lane & 32
    if offset >= 0xE000:
        mask = offset & 31
        return int(f"{low:05b}"[::-1], 2) >> mask.bit_count() | low & mask | half
    if offset >= 0xC000:
        by, mask = offset >> 5 & 31, offset & 31
        by = -by if offset & 0x400 else by
        return low & mask | (low + by) & ~mask & 31 | half
    if offset & 0x8000:
        return lane & ~3 | offset >> 2 * (lane & 3) & 3
    return ((low & offset | offset >> 5) ^ offset >> 10) & 31 | half

"""Operands from other lanes: what the DPP encoding (data parallel primitives) selects.

The first source of an instruction comes from another lane of the wave. Where there is no such lane, or it is
switched off, the result is not written, or with ``bound_ctrl`` the source is 0. A row is 16 lanes, a bank 4.
Sources: AMD Instinct MI300 Instruction Set Architecture, chapter 13.3.9 (DPP); LLVM, "User Guide for AMDGPU
Backend", DPP modifiers.

>>> LaneMove.of({"row_shr": "1", "row_mask": "0xf", "bank_mask": "0xf"}).lanes[:4]
(-1, 0, 1, 2)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.registers import LANES

__all__ = ["DPP_MODIFIERS", "LaneMove", "swizzle_of"]

ROW, BANK = 16, 4
NONE = -1
ALL = 2**LANES - 1
ROTATED, OF_FFT = 0xC000, 0xE000  # offsets of ds_swizzle from here on
DPP_MODIFIERS = {
    "quad_perm", "row_shl", "row_shr", "row_ror", "wave_shl", "wave_shr", "wave_rol", "wave_ror",
    "row_mirror", "row_half_mirror", "row_bcast", "row_newbcast", "row_mask", "bank_mask", "bound_ctrl",
}  # fmt: skip


@dataclass(frozen=True)
class LaneMove:
    """From which lane each lane reads (-1: none), which lanes may be written, and whether none reads 0."""

    lanes: tuple[int, ...]
    mask: int
    zeros: bool

    @classmethod
    def of(cls, modifiers: Mapping[str, str]) -> LaneMove | None:
        """The move that modifiers describe, or None if they describe none."""
        rows, banks = (int(modifiers.get(name, "0xf"), 0) for name in ("row_mask", "bank_mask"))
        mask = sum(
            1 << lane for lane in range(LANES) if rows >> lane // ROW & 1 and banks >> lane % ROW // BANK & 1
        )
        control = [
            name for name in modifiers if name in DPP_MODIFIERS - {"row_mask", "bank_mask", "bound_ctrl"}
        ]
        if len(control) != 1:
            return None
        numbers = [int(digits) for digits in re.findall(r"\d+", modifiers[control[0]])]
        found = tuple(_source(control[0], numbers, lane) for lane in range(LANES))
        return cls(found, mask, "bound_ctrl" in modifiers)

    def moved(self, values: Any, marks: Any, active: Any) -> tuple[Any, Any]:
        """What each lane reads, and its marks; 0, which is set, where there is none."""
        lanes, there = np.maximum(self.lanes, 0), self.there(active)
        values = np.broadcast_to(values, active.shape)[:, lanes]
        marks = np.broadcast_to(marks, active.shape)[:, lanes]
        return np.where(there, values, values.dtype.type(0)), marks | ~there

    def there(self, active: Any) -> Any:
        """The lanes that have one to read from."""
        return (np.array(self.lanes) >= 0) & active[:, np.maximum(self.lanes, 0)]

    def written(self, active: Any) -> Any:
        """The lanes that may be written."""
        allowed = np.array([bool(self.mask >> lane & 1) for lane in range(LANES)])
        return np.broadcast_to(allowed, active.shape) if self.zeros else allowed & self.there(active)


def swizzle_of(instruction: Instruction) -> LaneMove | None:
    """What ``ds_swizzle`` does: lanes of four by their places, or lanes of 32 by bits of their numbers.

    The offset is a number or one of LLVM's spellings of it; None for one that is neither.
    """
    text = instruction.modifiers.get("offset", "0")
    numbers = [int(digits, 0) for digits in re.findall(r"\b(?:0x[0-9a-fA-F]+|\d+)\b", text)]
    name = re.search(r"QUAD_PERM|BITMASK_PERM|BROADCAST|SWAP|REVERSE|ROTATE|FFT", text)
    match name[0] if name else "":
        case "QUAD_PERM":
            lanes = [lane - lane % BANK + numbers[lane % BANK] for lane in range(LANES)]
        case "BITMASK_PERM":
            bits = re.search('"([01pi]{5})"', text)
            if bits is None:
                return None
            lanes = [lane & ~31 | _masked(lane & 31, bits[1]) for lane in range(LANES)]
        case "BROADCAST":
            lanes = [lane - lane % numbers[0] + numbers[1] for lane in range(LANES)]
        case "SWAP":
            lanes = [lane ^ numbers[0] for lane in range(LANES)]
        case "REVERSE":
            lanes = [lane ^ (numbers[0] - 1) for lane in range(LANES)]
        case "ROTATE":
            lanes = [_by_number(lane, ROTATED | numbers[0] << 10 | numbers[1] << 5) for lane in range(LANES)]
        case "FFT":
            lanes = [_by_number(lane, OF_FFT | numbers[0]) for lane in range(LANES)]
        case _:
            if len(numbers) != 1 or "swizzle" in text:
                return None
            lanes = [_by_number(lane, numbers[0]) for lane in range(LANES)]
    return LaneMove(tuple(lanes), ALL, zeros=True)


def _masked(lane: int, bits: str) -> int:
    """The number of a lane with each bit kept (p), turned (i), or set, the highest first."""
    found = 0
    for place, bit in enumerate(reversed(bits)):
        own = lane >> place & 1
        found |= {"p": own, "i": 1 - own, "0": 0, "1": 1}[bit] << place
    return found


def _by_number(lane: int, offset: int) -> int:
    if offset >= OF_FFT:
        kept = offset & 31
        return lane & ~31 | int(f"{lane & 31:05b}"[::-1], 2) >> kept.bit_count() | lane & kept
    if offset >= ROTATED:
        kept, by = offset & 31, (offset >> 5 & 31) * (-1 if offset >> 10 & 1 else 1)
        return lane & ~31 | lane & kept | lane + by & 31 & ~kept
    if offset >> 15 & 1:
        return lane - lane % BANK + (offset >> 2 * (lane % BANK) & 3)
    keep, fixed, turned = offset & 31, offset >> 5 & 31, offset >> 10 & 31
    return lane & ~31 | ((lane & 31 & keep | fixed) ^ turned)


def _source(control: str, numbers: list[int], lane: int) -> int:
    """The lane that a lane reads from, -1 if none."""
    row, place = lane - lane % ROW, lane % ROW
    by = numbers[0] if numbers else 0
    match control:
        case "quad_perm":
            return lane - lane % BANK + numbers[lane % BANK]
        case "row_shl":
            return lane + by if place + by < ROW else NONE
        case "row_shr":
            return lane - by if place >= by else NONE
        case "row_ror":
            return row + (place - by) % ROW
        case "wave_shl":
            return lane + by if lane + by < LANES else NONE
        case "wave_shr":
            return lane - by if lane >= by else NONE
        case "wave_rol":
            return (lane + by) % LANES
        case "wave_ror":
            return (lane - by) % LANES
        case "row_mirror":
            return row + ROW - 1 - place
        case "row_half_mirror":
            return lane - lane % 8 + 7 - lane % 8
        case "row_bcast":  # the last lane of a row to the next one, or of half a wave to the other half
            last = lane - lane % (by + 1) - 1
            return last if lane // (by + 1) % 2 == 1 or by == 15 else NONE
        case _:  # row_newbcast
            return row + by

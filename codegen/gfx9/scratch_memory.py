"""Scratch memory of lanes: bytes that each lane has for itself, at offsets of its own.

Before gfx940 kernels reach it by a buffer resource in their first four scalars, which is swizzled over lanes:
here that resource has an address of its own, and an access by it goes to scratch memory at its offset.
Source: LLVM, "User Guide for AMDGPU Backend", section "Private Segment Buffer".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.registers import Group
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["PRIVATE_SEGMENT", "PRIVATE_SEGMENT_BASE", "load_scratch", "store_scratch"]

PRIVATE_SEGMENT_BASE = 0x2000_0000_0000
PRIVATE_SEGMENT = (0, PRIVATE_SEGMENT_BASE >> 32 | 1 << 31, 0xFFFFFFFF, 1 << 23)  # swizzled, lane as index
WORD = 4


def load_scratch(
    waves: Waves, group: Group, offsets: Any, size: int, instruction: Instruction
) -> tuple[Any, Any]:
    """``size`` bytes at the offset of each lane that is switched on, and the marks of their words."""
    at = _places(waves, group, offsets, size, instruction)
    data = np.ascontiguousarray(waves.scratch[at])
    return data, waves.scratch_set[at].reshape(len(data), max(1, size // WORD), -1).all(axis=2)


def store_scratch(
    waves: Waves, group: Group, offsets: Any, data: Any, marks: Any, instruction: Instruction
) -> None:
    """Write rows of bytes; ``marks`` of their words say what was set: a spill may keep what is never used."""
    size = data.shape[1]
    at = _places(waves, group, offsets, size, instruction)
    waves.scratch[at] = data
    waves.scratch_set[at] = np.repeat(marks, min(WORD, size), axis=1)


def _places(waves: Waves, group: Group, offsets: Any, size: int, instruction: Instruction) -> Any:
    """Waves, lanes and bytes of the lanes that are switched on."""
    active = waves.active(group)
    outside = (offsets < 0) | (offsets + size > waves.scratch_bytes)
    if outside.any():
        first = int(offsets[outside][0])
        msg = f"{instruction}: {size} bytes at offset {first} of scratch memory,"
        msg += f" which has {waves.scratch_bytes} a lane"
        raise ExecutionFaultError(msg)
    rows = np.broadcast_to(waves.numbers[group][:, None], active.shape)[active]
    lanes = np.broadcast_to(np.arange(active.shape[1]), active.shape)[active]
    return rows[:, None], lanes[:, None], offsets[:, None] + np.arange(size)

"""Where an instruction on global memory goes: ``vaddr, saddr`` or ``vaddr pair, off``, and an offset.

Source: AMD Instinct MI300 Instruction Set Architecture, chapter 10.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lane_data import offset_of, refuse_unknown_modifiers
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import Group
from layoutalg.codegen.gfx9.scalar import read_scalar
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.gfx9.word_arithmetic import pair_of

__all__ = ["GlobalAddress"]

U64 = np.uint64


class GlobalAddress:
    """The address operands of an instruction."""

    def __init__(self, instruction: Instruction, place: str, base: str) -> None:
        refuse_unknown_modifiers(instruction, {"offset"})
        self.place, self.base = Operand.of(place), Operand.of(base)
        self.offset = U64(offset_of(instruction) % 2**64)

    def lanes(self, waves: Waves, group: Group) -> tuple[Any, Any]:
        """The address of each lane, and its marks."""
        low = self.place.words(waves, group)
        if self.base.bank == "s":
            start, marks = read_scalar(self.base, "u64", waves, group)
            total = start[:, None] + low.values.astype(U64)
            return total + self.offset, np.logical_and(low.marks, np.asarray(marks)[..., None])
        high = self.place.words(waves, group, 1)
        return pair_of(low.values, high.values) + self.offset, np.logical_and(low.marks, high.marks)

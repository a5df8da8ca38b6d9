"""Parts of registers as operands: what the SDWA encoding and ``op_sel`` select.

SDWA (sub-dword addressing): each source is a byte, a half or all of its register, extended by zeros, or by
its sign where ``sext(...)`` says so; the result goes to a part of its register, and the rest is cleared
(``UNUSED_PAD``), filled with the sign (``UNUSED_SEXT``) or kept (``UNUSED_PRESERVE``).
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 13.3.8 (SDWA).

>>> PARTS["BYTE_1"], PARTS["WORD_1"]
((8, 255), (16, 65535))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.operands import Operand

__all__ = ["PARTS", "SDWA_MODIFIERS", "Placement", "SdwaOperand"]

U32 = np.uint32
PARTS = {
    "DWORD": (0, 0xFFFFFFFF),
    "WORD_0": (0, 0xFFFF),
    "WORD_1": (16, 0xFFFF),
    **{f"BYTE_{number}": (8 * number, 0xFF) for number in range(4)},
}
SDWA_MODIFIERS = {"dst_sel", "dst_unused", "src0_sel", "src1_sel"}


@dataclass(frozen=True)
class SdwaOperand(Operand):
    """An operand of which only a part is read, extended to 32 bits; ``part`` is a key of ``PARTS``."""

    part: str = "DWORD"
    extends_sign: bool = False

    @classmethod
    def selected(cls, text: str, part: str) -> SdwaOperand:
        """The operand written like this, with its part."""
        extends = text.startswith("sext(")
        whole = Operand.of(text[5:-1] if extends else text)
        return cls(
            whole.bank, whole.first, whole.count, whole.bits, whole.text, whole.negate, whole.absolute,
            part, extends,
        )  # fmt: skip

    def part_of(self, word: Any) -> Any:
        """The selected part of a word, extended."""
        first, ones = PARTS[self.part]
        values = word >> U32(first) & U32(ones)
        if self.extends_sign:
            unused = U32(32 - ones.bit_length())
            values = ((values << unused).view(np.int32) >> unused.astype(np.int32)).view(U32)
        return values


@dataclass(frozen=True)
class Placement:
    """Where a result of 32 bits or fewer goes in its register, and what becomes of the rest."""

    part: str = "DWORD"
    unused: str = "UNUSED_PAD"

    @classmethod
    def of(cls, instruction: Instruction) -> Placement:
        given = instruction.modifiers
        return cls(given.get("dst_sel", "DWORD"), given.get("dst_unused", "UNUSED_PAD"))

    def placed(self, result: Any, old: Any) -> Any:
        """The register's new word."""
        first, ones = PARTS[self.part]
        word = (result & U32(ones)) << U32(first)
        if self.unused == "UNUSED_PRESERVE":
            return word | old & U32(~(ones << first) & 0xFFFFFFFF)
        if self.unused == "UNUSED_SEXT":
            unused = U32(32 - first - ones.bit_length())
            return ((word << unused).view(np.int32) >> unused.astype(np.int32)).view(U32)
        return word

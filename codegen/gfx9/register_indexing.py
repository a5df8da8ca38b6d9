"""Operands whose register is chosen as the kernel runs, by M0.

Between ``s_set_gpr_idx_on`` and ``s_set_gpr_idx_off`` the low byte of M0 is added to the numbers of the
vector registers of vector arithmetic: of those operands that ``s_set_gpr_idx_on`` names. Its own value goes
into that byte, what it names into bits 15:12. Operands that are indexed so are written ``idx(v4)`` here.
Source: AMD "Vega" Instruction Set Architecture, chapters 3 (M0, MODE) and 12.5 (S_SET_GPR_IDX_ON).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from layoutalg.codegen.gfx9.assembly import Instruction, UnknownInstructionError

__all__ = ["indexed_by", "with_indexed_operands"]

NAMED = ("SRC0", "SRC1", "SRC2", "DST")  # by bit
_REGISTER = re.compile(r"v(\d|\[)")
_NOT_INDEXED = re.compile(r"^(?!v_)|^v_(s?mfmac?|permlane|swap|readlane|readfirstlane)|_(sdwa|dpp)$")


def indexed_by(instruction: Instruction) -> int:
    """Which operands ``s_set_gpr_idx_on`` names, a bit each.

    >>> from layoutalg.codegen.gfx9.assembly import parse_instruction
    >>> indexed_by(parse_instruction("s_set_gpr_idx_on s3, gpr_idx(SRC0,DST)", 1))
    9
    """
    named = re.search(r"gpr_idx\(([\w, ]*)\)", instruction.text)
    if named is not None:
        return sum(1 << NAMED.index(name.strip()) for name in named[1].split(",") if name.strip())
    return int(instruction.operands[1], 0)


def with_indexed_operands(
    instructions: Sequence[Instruction], entries: Collection[int]
) -> tuple[Instruction, ...]:
    """The instructions with ``idx(...)`` around operands that are indexed.

    ``entries``: places that branches lead to. Refused: a branch into the span, and what is no plain vector
    arithmetic inside of it.
    """
    found: list[Instruction] = []
    named = 0
    for place, instruction in enumerate(instructions):
        if named and place in entries:
            msg = f"{instruction}: a branch leads to where registers are indexed"
            raise UnknownInstructionError(msg)
        if instruction.mnemonic == "s_set_gpr_idx_on":
            named = indexed_by(instruction)
        elif instruction.mnemonic == "s_set_gpr_idx_off":
            named = 0
        elif named and instruction.mnemonic != "s_nop":
            found.append(_with_index(instruction, named))
            continue
        found.append(instruction)
    return tuple(found)


def _with_index(instruction: Instruction, named: int) -> Instruction:
    if _NOT_INDEXED.search(instruction.mnemonic):
        msg = f"no row for {instruction.mnemonic} ({instruction}) where registers are indexed"
        raise UnknownInstructionError(msg)
    target, *sources = instruction.operands
    chosen = [named >> 3 & 1, *(named >> number & 1 for number in range(len(sources)))]
    texts = (
        f"idx({text})" if chosen and _REGISTER.match(text) else text
        for text, chosen in zip((target, *sources), chosen, strict=True)
    )
    return replace(instruction, operands=tuple(texts))

"""Writes to the register MODE: what they may change here, which is nothing that arithmetic depends on.

Rounding, denormals, clamping and overflow are those that the kernel's descriptor asks for as it starts. A
write that leaves them so, or that goes to the bits of exceptions alone, has no effect; others are refused.
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 3.8 (MODE), 16.1 (S_SETREG).
"""

from __future__ import annotations

import re

from layoutalg.codegen.gfx9.assembly import Assembly, Instruction, UnknownInstructionError

__all__ = ["SETS_REGISTER", "keeps_modes", "require_same_modes"]

SETS_REGISTER = ("s_setreg_b32", "s_setreg_imm32_b32")
EXCEPTIONS = 0x1FF << 12 | 0x700  # EXCP_EN; DX10_CLAMP, IEEE and LOD_CLAMPED say what becomes of NaN alone
DENORMALS_32, DENORMALS_OTHERS = 4, 6
KEPT = 3  # both inputs and results may be denormal
MODE = re.compile(r"hwreg\((\w+)(?:\s*,\s*(\d+)\s*,\s*(\d+))?\)")
NAMES = ("HW_REG_MODE", "1")


def require_same_modes(instruction: Instruction, assembly: Assembly) -> None:
    """Refuse an instruction that changes how numbers are rounded, flushed or clamped.

    >>> from layoutalg.codegen.gfx9.assembly import Assembly, parse_instruction
    >>> written = parse_instruction("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0", 1)
    >>> require_same_modes(written, Assembly("kernel", "gfx942", (), {}, {}))
    """
    named = MODE.search(instruction.text)
    if named is None or named[1] not in NAMES:
        msg = f"no row for {instruction.mnemonic} ({instruction}): only MODE may be written"
        raise UnknownInstructionError(msg)
    first, size = (int(text) for text in (named[2] or "0", named[3] or "32"))
    bits = ((1 << size) - 1) << first & ~EXCEPTIONS
    if instruction.mnemonic == "s_setreg_imm32_b32":
        value = int(instruction.operands[-1].removeprefix("lit(").removesuffix(")"), 0) << first
        begin = KEPT << DENORMALS_OTHERS | (0 if assembly.flushes_denormals else KEPT) << DENORMALS_32
        bits &= value ^ begin
    if bits:
        msg = f"no row for {instruction.mnemonic} ({instruction}): it changes bits {bits:#x} of MODE,"
        msg += " which say how numbers are rounded, flushed and clamped"
        raise UnknownInstructionError(msg)


def keeps_modes(assembly: Assembly) -> bool:
    """Whether numbers are rounded, flushed and clamped to the end as they are where a kernel starts."""
    try:
        for instruction in assembly.instructions:
            if instruction.mnemonic in SETS_REGISTER:
                require_same_modes(instruction, assembly)
    except UnknownInstructionError:
        return False
    return True

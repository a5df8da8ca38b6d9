"""Scalar instructions as text: SOP1, SOP2, SOPC, SOPK, SOPP and SMEM.

Source: AMD Instinct MI300 Instruction Set Architecture, chapter 13 (microcode formats); LLVM, "AMDGPU
Instruction Syntax", for what the text looks like.
"""

from __future__ import annotations

from collections.abc import Callable

from layoutalg.codegen.gfx9.decoding.encoded import Encoded, UndecodableError
from layoutalg.codegen.gfx9.decoding.opcodes import Opcode, Slot
from layoutalg.codegen.gfx9.decoding.operand_names import scalar_text, source_text

__all__ = ["BRANCH_LABEL", "branch_target", "scalar_load_text", "sop1", "sop2", "sopc", "sopk", "sopp"]

BRANCH_LABEL = "L_{:x}"  # of the address a branch leads to
HARDWARE_REGISTERS = {
    1: "MODE", 2: "STATUS", 3: "TRAPSTS", 4: "HW_ID", 5: "GPR_ALLOC", 6: "LDS_ALLOC", 7: "IB_STS",
    15: "SH_MEM_BASES", 16: "TBA_LO", 17: "TBA_HI", 18: "TMA_LO", 19: "TMA_HI",
}  # fmt: skip
XCC_ID = 20  # a hardware register of gfx942 and gfx950
MESSAGES = {
    1: "MSG_INTERRUPT", 4: "MSG_SAVEWAVE", 5: "MSG_STALL_WAVE_GEN", 6: "MSG_HALT_WAVES",
    7: "MSG_ORDERED_PS_DONE", 8: "MSG_EARLY_PRIM_DEALLOC", 9: "MSG_GS_ALLOC_REQ", 10: "MSG_GET_DOORBELL",
}  # fmt: skip
SIMM16 = 1 << 16
MOST_INLINE = 64


def sop2(code: Encoded, row: Opcode) -> str:
    """Two sources, one result."""
    fields = {"D": code.bits(22, 16), "a": code.bits(7, 0), "b": code.bits(15, 8)}
    return _text(code, row, fields)


def sop1(code: Encoded, row: Opcode) -> str:
    """One source, one result."""
    return _text(code, row, {"D": code.bits(22, 16), "a": code.bits(7, 0)})


def sopc(code: Encoded, row: Opcode) -> str:
    """A comparison."""
    return _text(code, row, {"a": code.bits(7, 0), "b": code.bits(15, 8)})


def sopk(code: Encoded, row: Opcode) -> str:
    """A number of 16 bits."""
    return _text(code, row, {"D": code.bits(22, 16)})


def sopp(code: Encoded, row: Opcode) -> str:
    """Flow, waits, messages."""
    text = _text(code, row, {})
    return f"{text} {code.bits(15, 0)}" if row.mnemonic == "s_endpgm" and code.bits(15, 0) else text


def branch_target(code: Encoded) -> int:
    """The address that a branch of 16 signed bits leads to."""
    words = code.bits(15, 0)
    return code.address + 4 + 4 * (words - SIMM16 if words >= SIMM16 // 2 else words)


def _text(code: Encoded, row: Opcode, fields: dict[str, int]) -> str:
    parts = [_operand(code, slot, fields) for slot in row.operands]
    return f"{row.mnemonic} {', '.join(parts)}".strip()


def _operand(code: Encoded, slot: Slot, fields: dict[str, int]) -> str:
    if slot.role in fields:
        value = fields[slot.role]
        return source_text(value, slot.width, code.word(1))
    return _WORDS[slot.role](code)


def _waitcnt(code: Encoded) -> str:
    """Counters that are waited for; those that are at their most are left out."""
    vector = code.bits(3, 0) | code.bits(15, 14) << 4
    export, local = code.bits(6, 4), code.bits(11, 8)
    waits = (("vmcnt", vector, 63), ("expcnt", export, 7), ("lgkmcnt", local, 15))
    is_all = code.bits(15, 0) & 0xCF7F == 0xCF7F
    return " ".join(f"{name}({count})" for name, count, most in waits if count != most or is_all)


def _hardware_register(code: Encoded) -> str:
    number, offset, size = code.bits(5, 0), code.bits(10, 6), code.bits(15, 11) + 1
    known = {**HARDWARE_REGISTERS, XCC_ID: "XCC_ID"} if code.has_cache_bits else HARDWARE_REGISTERS
    if number not in known:
        msg = f"hardware register {number} is not named"
        raise UndecodableError(msg)
    name = f"HW_REG_{known[number]}"
    return f"hwreg({name})" if (offset, size) == (0, 32) else f"hwreg({name}, {offset}, {size})"


def _message(code: Encoded) -> str:
    number = code.bits(15, 0)
    if number not in MESSAGES:
        msg = f"message {number:#x} is none of compute kernels"
        raise UndecodableError(msg)
    return f"sendmsg({MESSAGES[number]})"


def _number(number: int) -> str:
    """Small numbers, which could stand in the instruction itself, are written in tens."""
    return str(number) if number <= MOST_INLINE else f"{number:#x}"


def _index_mode(code: Encoded) -> str:
    is_mode = code.bits(31, 23) == 0b101111111
    value = code.bits(15, 0) if is_mode else code.bits(15, 8)
    names = [name for bit, name in enumerate(("SRC0", "SRC1", "SRC2", "DST")) if value >> bit & 1]
    return f"gpr_idx({','.join(names)})" if value < 16 else f"{value:#x}"


_WORDS: dict[str, Callable[[Encoded], str]] = {
    "label": lambda code: BRANCH_LABEL.format(branch_target(code)),
    "number": lambda code: _number(code.bits(15, 0)),
    "half": lambda code: f"{code.bits(15, 0):#x}",
    "k": lambda code: f"{code.word(1):#x}",
    "waitcnt": _waitcnt,
    "hwreg": _hardware_register,
    "message": _message,
    "index_mode": _index_mode,
}


def scalar_load_text(code: Encoded, row: Opcode) -> str:
    """SMEM: data, base address (in pairs of registers), offset of 21 signed bits or in a register."""
    parts = []
    for slot in row.operands:
        if slot.role == "o":
            parts.append(_smem_offset(code))
        elif slot.role == "i7":
            parts.append(_number(code.bits(12, 6)))
        else:
            number = code.bits(12, 6) if slot.role == "D" else 2 * code.bits(5, 0)
            parts.append(scalar_text(number, slot.width))
    text = f"{row.mnemonic} {', '.join(parts)}".strip()
    both = code.bits(17, 17) and code.bits(14, 14)
    if row.has("o") and both:
        text += f" offset:{_signed(code.bits(52, 32)):#x}"
    return text + (" glc" if code.bits(16, 16) else "")


def _smem_offset(code: Encoded) -> str:
    if code.bits(14, 14):
        return scalar_text(code.bits(63, 57), 1)
    if code.bits(17, 17):
        return f"{_signed(code.bits(52, 32)):#x}"
    return scalar_text(code.bits(38, 32), 1)


def _signed(offset: int) -> int:
    return offset - (1 << 21) if offset >> 20 else offset

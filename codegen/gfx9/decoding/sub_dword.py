"""Parts of registers and of lanes: the words behind a vector instruction that say SDWA or DPP.

Source: AMD Instinct MI300 Instruction Set Architecture, chapter 13.3 (SDWA and DPP); LLVM, "AMDGPU
Instruction Syntax" (dpp_ctrl).
"""

from __future__ import annotations

from layoutalg.codegen.gfx9.decoding.encoded import Encoded, UndecodableError
from layoutalg.codegen.gfx9.decoding.opcodes import Opcode, Slot
from layoutalg.codegen.gfx9.decoding.operand_names import scalar_text, source_text, vector_text

__all__ = ["OMOD", "dpp_text", "sdwa_text", "signed_source"]

PARTS = ("BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD")
UNUSED = ("UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE")
FROM_SMALL_FLOATS = ("v_cvt_f32_fp8", "v_cvt_f32_bf8", "v_cvt_pk_f32_fp8", "v_cvt_pk_f32_bf8")  # always whole
OMOD = ("", " mul:2", " mul:4", " div:2")
_ROWS = {0x100: "row_shl", 0x110: "row_shr", 0x120: "row_ror", 0x150: "row_newbcast"}
_WHOLE = {
    0x130: "wave_shl:1",
    0x134: "wave_rol:1",
    0x138: "wave_shr:1",
    0x13C: "wave_ror:1",
    0x140: "row_mirror",
    0x141: "row_half_mirror",
    0x142: "row_bcast:15",
    0x143: "row_bcast:31",
}


def signed_source(text: str, *, negate: bool, absolute: bool) -> str:
    """A source with its sign changed, or without its sign."""
    text = f"|{text}|" if absolute else text
    if not negate:
        return text
    return f"-{text}" if absolute or (not text[0].isdigit() and text[0] != "-") else f"neg({text})"


def sdwa_text(code: Encoded, row: Opcode) -> str:
    """An instruction on parts of 32-bit words: which part of each source, where the result goes."""
    is_compare = row.mnemonic.startswith("v_cmp")
    if row.mnemonic.startswith("v_pk_fmac") and code.bits(53, 53) | code.bits(61, 61):
        msg = "a packed source without its sign"
        raise UndecodableError(msg)
    parts = []
    for slot in row.operands:
        if slot.role in ("a", "b"):
            parts.append(_sdwa_source(code, slot))
        elif slot.role == "vcc" and is_compare and code.bits(47, 47):
            parts.append(scalar_text(code.bits(46, 40), 2))
        elif slot.role == "vcc":
            parts.append("vcc")
        else:
            parts.append(vector_text(code.bits(24, 17), slot.width))
    text = f"{row.mnemonic.removesuffix('_e32')}_sdwa {', '.join(parts)}"
    if not is_compare:
        text += " clamp" if code.bits(45, 45) else ""
        text += OMOD[code.bits(47, 46)]
        if not row.mnemonic.startswith(FROM_SMALL_FLOATS):
            text += f" dst_sel:{_part(code.bits(42, 40))} dst_unused:{_unused(code.bits(44, 43))}"
    text += f" src0_sel:{_part(code.bits(50, 48))}"
    return text + (f" src1_sel:{_part(code.bits(58, 56))}" if row.has("b") else "")


def _sdwa_source(code: Encoded, slot: Slot) -> str:
    is_first = slot.role == "a"
    number, low = (code.bits(39, 32), 48) if is_first else (code.bits(16, 9), 56)
    is_scalar = code.bits(low + 7, low + 7)
    text = scalar_text(number, slot.width) if is_scalar else vector_text(number, slot.width)
    if code.bits(low + 3, low + 3):
        if code.bits(low + 5, low + 4):
            msg = "a source that is both extended and negated"
            raise UndecodableError(msg)
        return f"sext({text})"
    negate, absolute = code.bits(low + 4, low + 4), code.bits(low + 5, low + 5)
    return signed_source(text, negate=bool(negate), absolute=bool(absolute))


def _part(number: int) -> str:
    if number >= len(PARTS):
        msg = f"part {number} of a word is reserved"
        raise UndecodableError(msg)
    return PARTS[number]


def _unused(number: int) -> str:
    if number >= len(UNUSED):
        msg = f"dst_unused {number} is reserved"
        raise UndecodableError(msg)
    return UNUSED[number]


def dpp_text(code: Encoded, row: Opcode) -> str:
    """An instruction whose first source comes from another lane."""
    parts = []
    for slot in row.operands:
        if slot.role == "a":
            text = vector_text(code.bits(39, 32), slot.width)
            parts.append(_dpp_source(code, text, 52))
        elif slot.role == "b":
            parts.append(_dpp_source(code, source_text(256 + code.bits(16, 9), slot.width), 54))
        elif slot.role == "vcc":
            parts.append("vcc")
        else:
            parts.append(vector_text(code.bits(24, 17), slot.width))
    text = f"{row.mnemonic.removesuffix('_e32')}_dpp {', '.join(parts)} {_control(code.bits(48, 40))}"
    text += f" row_mask:{code.bits(63, 60):#x} bank_mask:{code.bits(59, 56):#x}"
    return text + (" bound_ctrl:1" if code.bits(51, 51) else "")


def _dpp_source(code: Encoded, text: str, low: int) -> str:
    negate, absolute = code.bits(low, low), code.bits(low + 1, low + 1)
    return signed_source(text, negate=bool(negate), absolute=bool(absolute))


def _control(number: int) -> str:
    """Which lane the value comes from."""
    if number < 0x100:
        return f"quad_perm:[{','.join(str(number >> 2 * lane & 3) for lane in range(4))}]"
    if number in _WHOLE:
        return _WHOLE[number]
    by = number & 0xF
    name = _ROWS.get(number & ~0xF)
    if name is None or (by == 0 and name != "row_newbcast"):
        msg = f"dpp_ctrl {number:#x} is reserved"
        raise UndecodableError(msg)
    return f"{name}:{by}"

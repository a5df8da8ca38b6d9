"""Vector arithmetic as text: VOP1, VOP2, VOPC and VOP3.

Source: AMD Instinct MI300 Instruction Set Architecture, chapter 13.3; LLVM, "AMDGPU Instruction Syntax".
"""

from __future__ import annotations

from layoutalg.codegen.gfx9.decoding.encoded import Encoded, UndecodableError
from layoutalg.codegen.gfx9.decoding.opcodes import Opcode, Slot
from layoutalg.codegen.gfx9.decoding.operand_names import (
    DPP,
    SDWA,
    VECTOR,
    is_float_constant,
    scalar_text,
    source_text,
    vector_text,
)
from layoutalg.codegen.gfx9.decoding.sub_dword import OMOD, dpp_text, sdwa_text, signed_source

__all__ = ["vop3", "vop_short"]

SOURCES = "abc"
TRUTH_TABLE = "v_bitop3"
INTEGERS_16 = ("_i16", "_u16", "_b16")
KEEPS_RESULT = (
    "v_cvt_sr_fp8",
    "v_cvt_sr_bf8",
    "v_cvt_scalef32_pk_fp4_",
)  # what was in the result counts as the third source
ACCUMULATORS = ("v_accvgpr_mov_b32",)  # both registers are accumulators though no bit says so


def vop_short(code: Encoded, row: Opcode) -> str:
    """VOP1, VOP2 or VOPC: first source of nine bits, the others registers; SDWA, DPP or a literal behind."""
    first = code.bits(8, 0)
    if first == SDWA:
        return sdwa_text(code, row)
    if first == DPP:
        return dpp_text(code, row)
    parts = []
    for slot in row.operands:
        match slot.role:
            case "a":
                parts.append(_first(code, row, slot))
            case "b":
                parts.append(vector_text(code.bits(16, 9), slot.width))
            case "k":
                parts.append(f"{code.word(1):#x}")
            case "vcc":
                parts.append("vcc")
            case "D":
                parts.append(scalar_text(code.bits(24, 17), slot.width))
            case _:
                accumulator = row.mnemonic in ACCUMULATORS
                parts.append(vector_text(code.bits(24, 17), slot.width, accumulator=accumulator))
    return f"{row.mnemonic} {', '.join(parts)}".strip()


def _first(code: Encoded, row: Opcode, slot: Slot) -> str:
    first = code.bits(8, 0)
    if row.mnemonic in ACCUMULATORS:
        return vector_text(first % VECTOR, slot.width, accumulator=True)
    return _plain(row, first, slot.width, code.word(1))


def _plain(row: Opcode, value: int, width: int, literal: int = 0) -> str:
    if is_float_constant(value) and row.mnemonic.removesuffix("_e32").removesuffix("_e64").endswith(
        INTEGERS_16
    ):
        msg = f"{row.mnemonic} with a constant that is a float"
        raise UndecodableError(msg)
    return source_text(value, width, literal, halves="f16" in row.mnemonic)


def vop3(code: Encoded, row: Opcode) -> str:
    """Three sources of nine bits with their signs, clamp, output factor, halves (op_sel)."""
    has_scalar = row.has("S")
    parts = []
    for slot in row.operands:
        if slot.role in SOURCES:
            parts.append(_source(code, row, slot))
        elif slot.role == "S":
            parts.append(scalar_text(code.bits(14, 8), slot.width))
        elif slot.role == "D":
            parts.append(scalar_text(code.bits(7, 0), slot.width))
        else:
            parts.append(vector_text(code.bits(7, 0), slot.width))
    text = f"{row.mnemonic} {', '.join(parts)}".strip()
    if row.mnemonic.startswith(TRUTH_TABLE):
        text += _truth_table(code)
    elif not has_scalar:
        text += _halves(code, row)
    if code.bits(15, 15):
        text += " clamp"
    return text if row.mnemonic.startswith(TRUTH_TABLE) else text + OMOD[code.bits(60, 59)]


def _source(code: Encoded, row: Opcode, slot: Slot) -> str:
    number, has_scalar = SOURCES.index(slot.role), row.has("S")
    text = _plain(row, code.bits(40 + 9 * number, 32 + 9 * number), slot.width)
    if row.mnemonic.startswith(TRUTH_TABLE):
        return text  # the bits of signs hold the table
    negate = bool(code.bits(61 + number, 61 + number))
    absolute = bool(not has_scalar and code.bits(8 + number, 8 + number))
    return signed_source(text, negate=negate, absolute=absolute)


def _halves(code: Encoded, row: Opcode) -> str:
    """op_sel: a bit a source, and one for the result."""
    if not code.bits(14, 11):
        return ""
    sources = len(SOURCES) if row.mnemonic.startswith(KEEPS_RESULT) else row.sources
    bits = [code.bits(11 + number, 11 + number) for number in range(sources)]
    return f" op_sel:[{','.join(map(str, [*bits, code.bits(14, 14)]))}]"


def _truth_table(code: Encoded) -> str:
    table = code.bits(63, 61) | code.bits(60, 59) << 6 | code.bits(10, 8) << 3
    text = str(table) if table < 10 else f"{table:#x}"
    return f" bitop3:{text}" if table else ""

"""VOP3P as text: packed arithmetic, dot products, and matrix cores with their accumulators.

Sources: AMD Instinct MI300 Instruction Set Architecture, chapters 7 (matrix arithmetic) and 13.3; for the
scaled forms of gfx950 AMD Instinct CDNA4 Instruction Set Architecture, chapter 7.
"""

from __future__ import annotations

from dataclasses import replace

from layoutalg.codegen.gfx9.decoding.encoded import Encoded
from layoutalg.codegen.gfx9.decoding.opcodes import Opcode, Slot, opcodes
from layoutalg.codegen.gfx9.decoding.operand_names import VECTOR, source_text, vector_text
from layoutalg.codegen.gfx9.decoding.sub_dword import signed_source

__all__ = ["SCALE", "scaled_matrix_text", "vop3p"]

SOURCES = "abc"
SCALE = "v_mfma_ld_scale_b32"  # the first half of an instruction of 16 bytes
SMALL_FLOATS = "_f8f6f4"
REGISTERS_OF_FORMAT = {0: 8, 1: 8, 2: 6, 3: 6, 4: 4}  # of 32 values in fp8, bf8, fp6, bf6, fp4
MIXED = "v_fma_mix"


def vop3p(code: Encoded, row: Opcode) -> str:
    """A packed instruction, or one of the matrix cores."""
    if row.mnemonic.startswith(("v_mfma", "v_smfmac", "v_accvgpr")):
        return _matrix_text(code, row)
    parts = [vector_text(code.bits(7, 0), row.width("d"))]
    is_mixed = row.mnemonic.startswith(MIXED)
    for slot in row.operands[1:]:
        number = SOURCES.index(slot.role)
        text = source_text(code.bits(40 + 9 * number, 32 + 9 * number), slot.width)
        if is_mixed:
            negate, absolute = code.bits(61 + number, 61 + number), code.bits(8 + number, 8 + number)
            text = signed_source(text, negate=bool(negate), absolute=bool(absolute))
        parts.append(text)
    return f"{row.mnemonic} {', '.join(parts)}" + _halves(code, row.sources, is_mixed=is_mixed)


def _halves(code: Encoded, sources: int, *, is_mixed: bool) -> str:
    """Which halves of the sources make the result's low and high half, and their signs."""
    low, high = code.bits(13, 11), code.bits(60, 59) | code.bits(14, 14) << 2
    text = _list("op_sel", low, sources, 0)
    text += _list("op_sel_hi", high, sources, 0 if is_mixed else -1)
    if not is_mixed:
        text += _list("neg_lo", code.bits(63, 61), sources, 0)
        text += _list("neg_hi", code.bits(10, 8), sources, 0)
    return text + (" clamp" if code.bits(15, 15) else "")


def _list(name: str, bits: int, count: int, usual: int) -> str:
    if bits & (1 << count) - 1 == usual & (1 << count) - 1:
        return ""
    return f" {name}:[{','.join(str(bits >> number & 1) for number in range(count))}]"


def _matrix_text(code: Encoded, row: Opcode) -> str:
    """A matrix instruction: each operand is in vector registers or in accumulators, as its bit says."""
    parts = [_matrix_operand(code, row, slot) for slot in row.operands]
    text = f"{row.mnemonic} {', '.join(parts)}"
    if row.mnemonic.startswith("v_accvgpr"):
        return text
    control, block, pattern = code.bits(10, 8), code.bits(14, 11), code.bits(63, 61)
    text += f" cbsz:{control}" if control else ""
    text += f" abid:{block}" if block else ""
    if pattern and row.mnemonic.endswith("f64") and code.has_cache_bits:
        return text + f" neg:[{','.join(str(pattern >> number & 1) for number in range(3))}]"
    return text + (f" blgp:{pattern}" if pattern else "")


def _matrix_operand(code: Encoded, row: Opcode, slot: Slot) -> str:
    has_accumulators = bool(code.bits(15, 15)) or code.target == "gfx908"
    if slot.role == "d":
        is_result = row.mnemonic.startswith("v_accvgpr_write") or (
            has_accumulators and not row.mnemonic.startswith("v_accvgpr")
        )
        return vector_text(code.bits(7, 0), slot.width, accumulator=is_result)
    number = SOURCES.index(slot.role)
    value = code.bits(40 + 9 * number, 32 + 9 * number)
    if value < VECTOR:
        return source_text(value, slot.width)
    accumulator = bool(code.bits(59 + number, 59 + number)) if number < 2 else has_accumulators
    if row.mnemonic.startswith("v_accvgpr") or (slot.role == "c" and row.mnemonic.startswith("v_smfmac")):
        accumulator = row.mnemonic.startswith("v_accvgpr_read")
    return vector_text(value - VECTOR, _width(code, row, slot), accumulator=accumulator)


def _width(code: Encoded, row: Opcode, slot: Slot) -> int:
    """Registers of an operand: those of small floats depend on which kind they are."""
    if SMALL_FLOATS in row.mnemonic and slot.role in ("a", "b"):
        kind = code.bits(10, 8) if slot.role == "a" else code.bits(63, 61)
        return REGISTERS_OF_FORMAT.get(kind, slot.width)
    return slot.width


def scaled_matrix_text(code: Encoded) -> str | None:
    """The instruction of 16 bytes whose second half is a matrix instruction; None if it is not one."""
    second = Encoded(code.words[2:], code.address, code.target)
    row = opcodes(code.target)["VOP3P"].get(second.bits(22, 16))
    if row is None or SMALL_FLOATS not in row.mnemonic or second.bits(31, 23) != 0b110100111:
        return None
    scaled = replace(row, mnemonic=row.mnemonic.replace("v_mfma", "v_mfma_scale"))
    operands = [_matrix_operand(second, scaled, slot) for slot in scaled.operands]
    operands += [source_text(code.bits(40, 32), 1), source_text(code.bits(49, 41), 1)]
    text = f"{scaled.mnemonic} {', '.join(operands)}" + _list("op_sel", code.bits(12, 11), 3, 0)
    text += _list("op_sel_hi", code.bits(60, 59), 3, -1)
    kinds = (("cbsz", second.bits(10, 8)), ("blgp", second.bits(63, 61)))
    return text + "".join(f" {name}:{kind}" for name, kind in kinds if kind)

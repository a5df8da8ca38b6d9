"""Vector memory instructions as text: DS, FLAT, GLOBAL, SCRATCH, MUBUF and MTBUF.

Source: AMD Instinct MI300 Instruction Set Architecture, chapters 9 to 11 and 13; LLVM, "AMDGPU
Instruction Syntax" (swizzle, format).
"""

from __future__ import annotations

from layoutalg.codegen.gfx9.decoding.encoded import Encoded
from layoutalg.codegen.gfx9.decoding.opcodes import Opcode
from layoutalg.codegen.gfx9.decoding.operand_names import scalar_text, vector_text

__all__ = ["buffer_text", "flat_text", "local_text", "typed_buffer_text"]

OFF = 0x7F  # saddr that says "none"
QUAD_PERM, FFT, ROTATE = 0x8000, 0xE000, 0xC000
DATA_FORMATS = ("INVALID", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10", "10_10_10_2",
                "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32",
                "RESERVED_15")  # fmt: skip
NUMBER_FORMATS = ("UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT")
USUAL_DATA, USUAL_NUMBER = 1, 0


def local_text(code: Encoded, row: Opcode) -> str:
    """DS: address, data, result, and one offset of 16 bits or two of 8."""
    accumulator = bool(code.bits(25, 25))
    low = {"p": 32, "x": 40, "y": 48, "d": 56}
    parts = []
    for slot in row.operands:
        at = low[slot.role]
        is_accumulator = accumulator and slot.role != "p"
        parts.append(vector_text(code.bits(at + 7, at), slot.width, accumulator=is_accumulator))
    text = f"{row.mnemonic} {', '.join(parts)}".strip()
    name = row.mnemonic
    if "read2" in name or "write2" in name or "wrxchg2" in name:
        first, second = code.bits(7, 0), code.bits(15, 8)
        text += f" offset0:{first}" if first else ""
        text += f" offset1:{second}" if second else ""
    elif name == "ds_swizzle_b32":
        text += _swizzle(code.bits(15, 0))
    elif code.bits(15, 0):
        text += f" offset:{code.bits(15, 0)}"
    return text + (" gds" if code.bits(16, 16) else "")


def _swizzle(number: int) -> str:
    """How ``ds_swizzle_b32`` exchanges lanes, in LLVM's words."""
    if not number:
        return ""
    if number >= FFT:
        return f" offset:swizzle(FFT,{number & 31})"
    if number >= ROTATE:
        return f" offset:swizzle(ROTATE,{number >> 10 & 1},{number >> 5 & 31})"
    if number & 0xFF00 == QUAD_PERM:
        lanes = ",".join(str(number >> 2 * lane & 3) for lane in range(4))
        return f" offset:swizzle(QUAD_PERM,{lanes})"
    if number & QUAD_PERM:
        return f" offset:{number}"
    keep, set_to, flip = number & 31, number >> 5 & 31, number >> 10 & 31
    if keep == 31 and not set_to and flip.bit_count() == 1:
        return f" offset:swizzle(SWAP,{flip})"
    if keep == 31 and not set_to and flip and not flip & (flip + 1):
        return f" offset:swizzle(REVERSE,{flip + 1})"
    group = 32 - keep
    if group > 1 and not group & (group - 1) and set_to < group and not flip:
        return f" offset:swizzle(BROADCAST,{group},{set_to})"
    mask = "".join(
        _swizzle_bit(keep >> bit & 1, set_to >> bit & 1, flip >> bit & 1) for bit in range(4, -1, -1)
    )
    return f' offset:swizzle(BITMASK_PERM,"{mask}")'


def _swizzle_bit(keep: int, set_to: int, flip: int) -> str:
    """What becomes of one bit of a lane's number: 0, 1, p (preserved) or i (inverted)."""
    if keep and not set_to:
        return "i" if flip else "p"
    return str(set_to ^ flip)


def flat_text(code: Encoded, row: Opcode) -> str:
    """FLAT, GLOBAL or SCRATCH: the segment says which address there is."""
    segment, returns = code.bits(15, 14), bool(code.bits(16, 16))
    accumulator = bool(code.bits(55, 55)) and code.target != "gfx908"
    parts = []
    for slot in row.operands:
        if slot.role == "p":
            parts.append(_flat_address(code, segment))
        elif slot.role == "x":
            parts.append(vector_text(code.bits(47, 40), slot.width, accumulator=accumulator))
        elif slot.role == "d" or returns:
            parts.append(vector_text(code.bits(63, 56), slot.width, accumulator=accumulator))
    if segment:
        base = code.bits(54, 48)
        width = 2 if segment == 2 else 1
        parts.append("off" if base == OFF else scalar_text(base, width))
    offset = code.bits(12, 0)
    if segment and offset >> 12:
        offset -= 1 << 13
    text = f"{row.mnemonic} {', '.join(parts)}" + (f" offset:{offset}" if offset else "")
    is_lds = code.bits(13, 13) and not code.has_cache_bits
    return text + _cache_bits(code, 16, 17, 25) + (" lds" if is_lds else "")


def _flat_address(code: Encoded, segment: int) -> str:
    has_base = code.bits(54, 48) != OFF
    if segment == 1:
        is_off = not code.bits(13, 13) if code.has_cache_bits else has_base
        return "off" if is_off else vector_text(code.bits(39, 32), 1)
    width = 1 if segment == 2 and has_base else 2
    return vector_text(code.bits(39, 32), width)


def _cache_bits(code: Encoded, first: int, second: int, third: int) -> str:
    names = ("sc0", "nt", "sc1") if code.has_cache_bits else ("glc", "slc", "scc")
    bits = (first, second, third)
    return "".join(f" {name}" for name, bit in zip(names, bits, strict=True) if code.bits(bit, bit))


def buffer_text(code: Encoded, row: Opcode) -> str:
    """MUBUF: data, address, resource and offset register; with bit lds the data goes to the LDS."""
    is_lds = bool(code.bits(16, 16))
    if not row.operands:
        return row.mnemonic + _cache_bits(code, 14, 17, 15)
    parts = [] if is_lds or not row.has("x") else [_buffer_data(code, row)]
    if row.has("x"):
        parts.append(_buffer_address(code))
    parts += [scalar_text(4 * code.bits(52, 48), 4), scalar_text(code.bits(63, 56), 1)]
    text = f"{row.mnemonic} {', '.join(parts)}" + _buffer_offset(code) + _cache_bits(code, 14, 17, 15)
    if code.bits(55, 55) and code.target == "gfx908":
        text += " tfe"
    return text + (" lds" if is_lds else "")


def _buffer_data(code: Encoded, row: Opcode) -> str:
    accumulator = bool(code.bits(55, 55)) and code.target != "gfx908"
    return vector_text(code.bits(47, 40), row.width("x"), accumulator=accumulator)


def _buffer_address(code: Encoded) -> str:
    words = code.bits(12, 12) + code.bits(13, 13)
    return vector_text(code.bits(39, 32), words) if words else "off"


def _buffer_offset(code: Encoded) -> str:
    text = " idxen" if code.bits(13, 13) else ""
    text += " offen" if code.bits(12, 12) else ""
    return text + (f" offset:{code.bits(11, 0)}" if code.bits(11, 0) else "")


def typed_buffer_text(code: Encoded, row: Opcode) -> str:
    """MTBUF: as MUBUF, with the format of the data in memory."""
    resource, more = scalar_text(4 * code.bits(52, 48), 4), scalar_text(code.bits(63, 56), 1)
    text = f"{row.mnemonic} {_buffer_data(code, row)}, {_buffer_address(code)}, {resource}, {more}"
    data, number = code.bits(22, 19), code.bits(25, 23)
    names = [f"BUF_DATA_FORMAT_{DATA_FORMATS[data]}"] if data != USUAL_DATA else []
    names += [f"BUF_NUM_FORMAT_{NUMBER_FORMATS[number]}"] if number != USUAL_NUMBER else []
    text += f" format:[{','.join(names)}]" if names else ""
    return text + _buffer_offset(code) + _cache_bits(code, 14, 54, 53)

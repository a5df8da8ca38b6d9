"""Registers and numbers as LLVM writes them, by their codes in an instruction.

>>> scalar_text(106, 2), scalar_text(193, 1), vector_text(20, 4), source_text(242, 1)
('vcc', '-1', 'v[20:23]', '1.0')

Source: AMD Instinct MI300 Instruction Set Architecture, chapter 12 (operand codes).
"""

from __future__ import annotations

from layoutalg.codegen.gfx9.decoding.encoded import UndecodableError

__all__ = [
    "DPP",
    "LITERAL",
    "SDWA",
    "VECTOR",
    "is_float_constant",
    "scalar_text",
    "source_text",
    "vector_text",
]

VECTOR, LITERAL, SDWA, DPP = 256, 255, 249, 250
LAST_SCALAR, FIRST_TTMP, LAST_TTMP = 101, 108, 123
_PAIRS = {102: "flat_scratch", 104: "xnack_mask", 106: "vcc", 126: "exec"}
_NAMED = {
    124: "m0",
    235: "src_shared_base",
    236: "src_shared_limit",
    237: "src_private_base",
    238: "src_private_limit",
    239: "src_pops_exiting_wave_id",
    251: "src_vccz",
    252: "src_execz",
    253: "src_scc",
    254: "src_lds_direct",
}
_FLOATS = dict(enumerate(("0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"), start=240))
_ONE_BY_TWO_PI = 248
FLOAT_CONSTANTS = (0x3F000000, 0xBF000000, 0x3F800000, 0xBF800000, 0x40000000, 0xC0000000,
                   0x40800000, 0xC0800000, 0x3E22F983)  # fmt: skip
HALF_CONSTANTS = (0x3800, 0xB800, 0x3C00, 0xBC00, 0x4000, 0xC000, 0x4400, 0xC400, 0x3118)
_ONE_BY_TWO_PI_TEXT = {2: "0.15915494309189532", 1: "0.15915494"}


def _registers(bank: str, first: int, width: int) -> str:
    return f"{bank}{first}" if width == 1 else f"{bank}[{first}:{first + width - 1}]"


def vector_text(number: int, width: int, *, accumulator: bool = False) -> str:
    """Vector registers, or accumulators."""
    if number + width > VECTOR:
        msg = f"registers {number} to {number + width - 1} are past the last"
        raise UndecodableError(msg)
    return _registers("a" if accumulator else "v", number, width)


def scalar_text(code: int, width: int) -> str:
    """A scalar register or an inline constant."""
    for bank, first, last in (("s", 0, LAST_SCALAR), ("ttmp", FIRST_TTMP, LAST_TTMP)):
        if first <= code <= last:
            if code + width - 1 > last or (code - first) % min(width, 4):
                msg = f"{bank}{code - first} is no first of {width} scalar registers"
                raise UndecodableError(msg)
            return _registers(bank, code - first, width)
    for first, name in _PAIRS.items():
        if width == 2 and code == first:
            return name
        if width == 1 and code in (first, first + 1):
            return name + ("_lo" if code == first else "_hi")
    if 128 <= code <= 192:
        return str(code - 128)
    if 193 <= code <= 208:
        return str(192 - code)
    if code in _FLOATS:
        return _FLOATS[code]
    if code == _ONE_BY_TWO_PI:
        return _ONE_BY_TWO_PI_TEXT[min(width, 2)]
    if code in _NAMED:
        return _NAMED[code]
    msg = f"operand code {code} of {width} registers is reserved"
    raise UndecodableError(msg)


def source_text(code: int, width: int, literal: int = 0, *, halves: bool = False) -> str:
    """A source of nine bits: scalar, constant, the literal behind the instruction, or a vector register."""
    if code >= VECTOR:
        return vector_text(code - VECTOR, width)
    return literal_text(literal, halves=halves) if code == LITERAL else scalar_text(code, width)


def literal_text(value: int, *, halves: bool = False) -> str:
    """A constant that stands behind its instruction; ``lit`` where it could have stood inside.

    ``halves``: the operand is a float of 16 bits.

    >>> literal_text(0x12345), literal_text(5), literal_text(0x3F800000)
    ('0x12345', 'lit(0x5)', 'lit(0x3f800000)')
    """
    floats = HALF_CONSTANTS if halves else FLOAT_CONSTANTS
    could_be_inside = value <= 64 or value >= 2**32 - 16 or value in floats
    return f"lit({value:#x})" if could_be_inside else f"{value:#x}"


def is_float_constant(code: int) -> bool:
    """Whether a source is one of the constants that are floats: their bits depend on the operand's type."""
    return code in _FLOATS or code == _ONE_BY_TWO_PI

"""One instruction from its bytes: how long it is, and LLVM's text for it.

>>> decode((0x02000501,), 0x1000, "gfx942")
Decoded(address=4096, size=4, text='v_add_f32_e32 v0, v1, v2', branch=None)

The text need not be trusted: ``round_trip`` has it assembled again. Source: AMD Instinct MI300 Instruction
Set Architecture, chapter 13 (microcode formats).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from layoutalg.codegen.gfx9.decoding.encoded import Encoded, UndecodableError
from layoutalg.codegen.gfx9.decoding.memory_text import buffer_text, flat_text, local_text, typed_buffer_text
from layoutalg.codegen.gfx9.decoding.opcodes import Opcode, opcodes
from layoutalg.codegen.gfx9.decoding.operand_names import DPP, LITERAL, SDWA
from layoutalg.codegen.gfx9.decoding.packed_text import SCALE, scaled_matrix_text, vop3p
from layoutalg.codegen.gfx9.decoding.scalar_text import (
    branch_target,
    scalar_load_text,
    sop1,
    sop2,
    sopc,
    sopk,
    sopp,
)
from layoutalg.codegen.gfx9.decoding.vector_text import vop3, vop_short

__all__ = ["Decoded", "decode"]

LONGEST = 4  # words


@dataclass(frozen=True)
class Decoded:
    """An instruction at an address: its bytes, its text, and where it branches to, if it does."""

    address: int
    size: int
    text: str
    branch: int | None

    @property
    def mnemonic(self) -> str:
        return self.text.partition(" ")[0]


@dataclass(frozen=True)
class Encoding:
    """The bits ``mask`` of the first word are ``value``; the opcode stands in bits ``high`` to ``low``."""

    name: str
    mask: int
    value: int
    high: int
    low: int
    text: Callable[[Encoded, Opcode], str]
    words: Callable[[Encoded, Opcode], int]


def _two(_: Encoded, __: Opcode) -> int:
    return 2


def _one_source(code: Encoded, _: Opcode) -> int:
    return 2 if code.bits(7, 0) == LITERAL else 1


def _two_sources(code: Encoded, _: Opcode) -> int:
    return 2 if LITERAL in (code.bits(7, 0), code.bits(15, 8)) else 1


def _with_constant(_: Encoded, row: Opcode) -> int:
    return 2 if row.has("k") else 1


def _vector_words(code: Encoded, row: Opcode) -> int:
    return 2 if row.has("k") or (row.has("a") and code.bits(8, 0) in (LITERAL, SDWA, DPP)) else 1


ENCODINGS = (  # the first that fits: those with longer prefixes come first
    Encoding("SOP1", 0xFF800000, 0xBE800000, 15, 8, sop1, _one_source),
    Encoding("SOPC", 0xFF800000, 0xBF000000, 22, 16, sopc, _two_sources),
    Encoding("SOPP", 0xFF800000, 0xBF800000, 22, 16, sopp, lambda _, __: 1),
    Encoding("SOPK", 0xF0000000, 0xB0000000, 27, 23, sopk, _with_constant),
    Encoding("SOP2", 0xC0000000, 0x80000000, 29, 23, sop2, _two_sources),
    Encoding("SMEM", 0xFC000000, 0xC0000000, 25, 18, scalar_load_text, _two),
    Encoding("VOP3P", 0xFF800000, 0xD3800000, 22, 16, vop3p, _two),
    Encoding("VOP3", 0xFC000000, 0xD0000000, 25, 16, vop3, _two),
    Encoding("DS", 0xFC000000, 0xD8000000, 24, 17, local_text, _two),
    Encoding("FLAT", 0xFC00C000, 0xDC000000, 24, 18, flat_text, _two),
    Encoding("SCRATCH", 0xFC00C000, 0xDC004000, 24, 18, flat_text, _two),
    Encoding("GLOBAL", 0xFC00C000, 0xDC008000, 24, 18, flat_text, _two),
    Encoding("MUBUF", 0xFC000000, 0xE0000000, 24, 18, buffer_text, _two),
    Encoding("MTBUF", 0xFC000000, 0xE8000000, 18, 15, typed_buffer_text, _two),
    Encoding("VOP1", 0xFE000000, 0x7E000000, 16, 9, vop_short, _vector_words),
    Encoding("VOPC", 0xFE000000, 0x7C000000, 24, 17, vop_short, _vector_words),
    Encoding("VOP2", 0x80000000, 0x00000000, 30, 25, vop_short, _vector_words),
)
BRANCHES = ("s_branch", "s_cbranch_", "s_call_b64")


def decode(words: Sequence[int], address: int, target: str) -> Decoded:
    """The instruction at ``address`` that begins with ``words`` (the longest has four, 16 bytes).

    Raises :class:`UndecodableError` where these are no instruction of ``target`` that the tables know.
    """
    code = Encoded(tuple(words[:LONGEST]), address, target)
    encoding = next((e for e in ENCODINGS if code.word(0) & e.mask == e.value), None)
    number = code.bits(encoding.high, encoding.low) if encoding else 0
    row = opcodes(target)[encoding.name].get(number) if encoding else None
    if encoding is None or row is None:
        what = f"opcode {number} of {encoding.name}" if encoding else "its encoding"
        msg = f"{what} is no instruction of {target}"
        raise UndecodableError(msg)
    if row.mnemonic == SCALE:
        text = scaled_matrix_text(code)
        if text is None:
            msg = "a scale without the matrix instruction that uses it"
            raise UndecodableError(msg)
        return Decoded(address, 16, text, None)
    size = 4 * encoding.words(code, row)
    if size > 4 * len(code.words):
        msg = f"{row.mnemonic} is cut off"
        raise UndecodableError(msg)
    branch = branch_target(code) if row.mnemonic.startswith(BRANCHES) else None
    return Decoded(address, size, encoding.text(code, row), branch)

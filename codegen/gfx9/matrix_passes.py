"""How many passes through the matrix core an instruction takes: four cycles each.

Source: the cycles in the rows of ``layoutalg.mma``; LLVM's passes are the same, as the wait states show that
it inserts. Sparse instructions (``v_smfmac``) and scaled ones are not among those rows: sparse ones take 4
or 8 passes by their M (LLVM's wait states again), scaled ones are taken to need as long as without scales.
"""

from __future__ import annotations

import re
from functools import cache

from layoutalg.codegen.gfx9.assembly import Instruction, UnknownInstructionError
from layoutalg.errors import LayoutError
from layoutalg.mma import MatrixInstruction

__all__ = ["formats_of", "matrix_cycles", "passes_of", "row_name"]

CYCLES = 4  # of a pass
FORMATS = ("cbsz", "blgp")  # say the types of A and B of f8f6f4
SPARSE = {32: 8, 16: 4}  # passes by M


def passes_of(instruction: Instruction, target: str) -> int:
    """The passes of a matrix instruction on a target.

    >>> from layoutalg.codegen.gfx9.assembly import parse_instruction
    >>> text = "v_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], v[0:3]"
    >>> passes_of(parse_instruction(text, 1), "gfx942")
    4
    """
    name = row_name(instruction)
    if name.startswith("v_smfmac_"):
        rows = re.search(r"_(\d+)x\d+x\d+", name)
        return SPARSE[int(rows[1])] if rows and int(rows[1]) in SPARSE else _unknown(instruction, target)
    return _row(name, target) or _unknown(instruction, target)


def row_name(instruction: Instruction) -> str:
    """The name of its row in the tables: without scales, and of f8f6f4 with the codes of its types.

    >>> from layoutalg.codegen.gfx9.assembly import parse_instruction
    >>> text = "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:7], v[8:11], 0, v12, v13 cbsz:4 blgp:4"
    >>> row_name(parse_instruction(text, 1))
    'v_mfma_f32_16x16x128_f8f6f4 cbsz:4 blgp:4'
    """
    name = instruction.mnemonic.removesuffix("_e64").replace("_scale_", "_")
    given = {key: int(instruction.modifiers.get(key, "0"), 0) for key in formats_of(instruction)}
    return name + "".join(f" {key}:{number}" for key, number in given.items() if number)


def formats_of(instruction: Instruction) -> tuple[str, ...]:
    """The modifiers that say the types of A and of B, of instructions that have them."""
    return FORMATS if instruction.mnemonic.removesuffix("_e64").endswith("_f8f6f4") else ()


def matrix_cycles(instruction: Instruction, target: str) -> int:
    """The cycles that it keeps its matrix core busy; its modifiers say which types f8f6f4 takes.

    >>> from layoutalg.codegen.gfx9.assembly import parse_instruction
    >>> text = "v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[16:23], v[24:31], v[0:15]"
    >>> [matrix_cycles(parse_instruction(text + codes, 1), "gfx950") for codes in ("", " cbsz:4 blgp:4")]
    [64, 32]
    """
    return CYCLES * passes_of(instruction, target)


@cache
def _row(name: str, target: str) -> int:
    try:
        return MatrixInstruction.named(name, target).cycles // CYCLES
    except LayoutError:
        return 0


def _unknown(instruction: Instruction, target: str) -> int:
    msg = f"no row for {instruction.mnemonic} of {target} ({instruction})"
    raise UnknownInstructionError(msg)

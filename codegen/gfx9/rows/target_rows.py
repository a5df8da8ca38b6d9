"""Rows of vector arithmetic that depend on the target or on a modifier.

``v_bitop3`` takes its truth table from a modifier: bit ``4 a + 2 b + c`` of the table is the result for bits
``a``, ``b``, ``c`` of the three sources (LLVM, AMDGPUISelDAGToDAG.cpp: the sources alone are 0xf0, 0xcc,
0xaa). Conversions of FP8 and BF8 mean FNUZ on gfx942 and OCP's types on gfx950.
Sources: AMD Instinct MI300 and CDNA4 Instruction Set Architecture, chapter 16.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.rows.row import VectorRow
from layoutalg.codegen.gfx9.rows.small_floats import from_small, to_small
from layoutalg.codegen.gfx9.sdwa import Placement
from layoutalg.data_type import DataType
from layoutalg.errors import LayoutError

__all__ = ["SMALL_FLOATS", "placement_of", "special_row"]

U32, U64 = np.uint32, np.uint64
SMALL_FLOATS = {"fp8": "f8", "bf8": "bf8"}
SMALL_FLOAT_ROWS = tuple(
    form.format(kind)
    for kind in SMALL_FLOATS
    for form in ("v_cvt_f32_{}", "v_cvt_pk_f32_{}", "v_cvt_pk_{}_f32")
)


def special_row(mnemonic: str, instruction: Instruction, target: str) -> VectorRow | None:
    """The row of an instruction on a target, or None if there is none."""
    if mnemonic in ("v_bitop3_b32", "v_bitop3_b16"):
        kind = "u32" if mnemonic.endswith("32") else "u16"
        table = int(instruction.modifiers.get("bitop3", "0"), 0)
        return VectorRow((kind,), (kind,) * 3, lambda a, b, c: _by_table(table, a, b, c))
    if mnemonic in SMALL_FLOAT_ROWS:
        return _conversion(mnemonic, target)
    return None


def placement_of(mnemonic: str, instruction: Instruction, sources: int) -> Placement | None:
    """Where the result goes, if not into the whole register: ``op_sel`` has a last bit for it."""
    if mnemonic == instruction.mnemonic.removesuffix("_sdwa") != instruction.mnemonic:
        found = Placement.of(instruction)
        return None if found.part == "DWORD" else found
    given = instruction.modifiers.get("op_sel", "").strip("[]").split(",")
    is_high = len(given) > sources and given[-1] == "1"
    if mnemonic in SMALL_FLOAT_ROWS and mnemonic.endswith("_f32"):
        return Placement("WORD_1" if is_high else "WORD_0", "UNUSED_PRESERVE")
    return Placement("WORD_1", "UNUSED_PRESERVE") if is_high else None


def _by_table(table: int, a: Any, b: Any, c: Any) -> Any:
    """The sum of products that the table lists."""
    found = a & ~a
    for number in range(8):
        if table >> number & 1:
            found = found | (
                (a if number & 4 else ~a) & (b if number & 2 else ~b) & (c if number & 1 else ~c)
            )
    return found


@cache
def _conversion(mnemonic: str, target: str) -> VectorRow | None:
    kind = next(kind for kind in SMALL_FLOATS if kind in mnemonic.split("_"))
    try:
        name = DataType.named(SMALL_FLOATS[kind]).on(target).name
    except LayoutError:
        return None
    if mnemonic.startswith("v_cvt_f32"):
        return VectorRow(("f32",), ("u32",), lambda a: from_small(name, a))
    if mnemonic.startswith("v_cvt_pk_f32"):
        return VectorRow(
            ("u64",), ("u32",), lambda a: _pair(*(from_small(name, a >> U32(n)) for n in (0, 8)))
        )
    return VectorRow(("u32",), ("f32", "f32"), lambda a, b: to_small(name, a) | to_small(name, b) << U32(8))


def _pair(low: Any, high: Any) -> Any:
    return low.view(U32).astype(U64) | high.view(U32).astype(U64) << U64(32)

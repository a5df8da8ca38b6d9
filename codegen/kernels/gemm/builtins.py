"""Matrix instructions as clang spells them: the builtin, the types of its operands, the call.

>>> from layoutalg.mma import MatrixInstruction
>>> builtin = MatrixBuiltin.of(MatrixInstruction.named("v_mfma_f32_32x32x8_f16", "gfx942"))
>>> builtin.call("a", "b", "c")
'__builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0)'
>>> builtin.fragment
('_Float16', 4)

Source: LLVM, ``clang/include/clang/Basic/BuiltinsAMDGPU.def``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Self

from layoutalg.data_type import DataType
from layoutalg.errors import LayoutError
from layoutalg.mma import MatrixInstruction

__all__ = ["NO_SCALES", "MatrixBuiltin", "accumulator", "deepest"]

MIXED = "_f8f6f4"  # types by code, and scales: a scale of nothing makes the instruction without scales
CODES = {"f8": 0, "bf8": 1, "f6": 2, "bf6": 3, "f4x2": 4}
NO_SCALES = ("0, 0", "0, 0")
MIXED_WORDS = 8  # that its operands take, of which types of fewer bits use the first ones
# Type of A and elements of it in a lane: how the name of the builtin ends, type and count of an operand.
_MFMA: dict[tuple[str, int], tuple[str, str, int]] = {
    ("f16", 4): ("f16", "_Float16", 4),
    ("f16", 8): ("_f16", "_Float16", 8),
    ("bf16", 4): ("bf16_1k", "short", 4),
    ("bf16", 8): ("_bf16", "__bf16", 8),
    ("f32", 1): ("f32", "float", 1),
    ("f64", 1): ("f64", "double", 1),
    ("i8", 4): ("i8", "int", 1),
    ("i8", 8): ("_i8", "long", 1),
    ("i8", 16): ("_i8", "int", 4),
    ("f8", 8): ("_fp8_fp8", "long", 1),
    ("bf8", 8): ("_bf8_bf8", "long", 1),
    ("f8", 32): (MIXED, "int", 8),
    ("bf8", 32): (MIXED, "int", 8),
    ("f6", 6): (MIXED, "int", 6),  # elements are words
    ("bf6", 6): (MIXED, "int", 6),
    ("f4x2", 16): (MIXED, "int", 4),
}
_WMMA: dict[tuple[str, int], tuple[str, str, int]] = {
    ("f16", 16): ("_f16_w32", "_Float16", 16),
    ("bf16", 16): ("_bf16_w32", "short", 16),
    ("i8", 16): ("_iu8_w32", "int", 4),
    ("f16", 8): ("_f16_w32_gfx12", "_Float16", 8),
    ("bf16", 8): ("_bf16_w32_gfx12", "short", 8),
    ("i8", 8): ("_iu8_w32_gfx12", "int", 2),
    ("f8", 8): ("_fp8_fp8_w32_gfx12", "int", 2),
    ("bf8", 8): ("_bf8_bf8_w32_gfx12", "int", 2),
}


@dataclass(frozen=True)
class MatrixBuiltin:
    """A builtin; ``fragment``: the C type that it takes A and B in, and how many of it (1 is no vector)."""

    name: str
    fragment: tuple[str, int]
    arguments: str

    @property
    def takes_scales(self) -> bool:
        return "_scale_" in self.name

    @classmethod
    def of(cls, mma: MatrixInstruction) -> Self:
        """The builtin of an instruction; refused where this table has none."""
        kind = "wmma" if mma.name.startswith("v_wmma") else "mfma"
        row = cls._row(mma)
        if row is None:
            msg = f"there is no builtin here for {mma.name}"
            raise LayoutError(msg)
        suffix, word, count = row
        scaled = "scale_" if suffix == MIXED else ""
        depth = DataType.named(mma.type_a).numbers(mma.k)
        name = f"__builtin_amdgcn_{kind}_{scaled}{mma.type_d}_{mma.m}x{mma.n}x{depth}{suffix}"
        arguments = "{a}, {b}, {c}, 0, 0, 0" if kind == "mfma" else "{a}, {b}, {c}"
        if scaled:
            code_a, code_b = (CODES[kind.partition("_")[0]] for kind in (mma.type_a, mma.type_b))
            a, b = (cls._widened(letter, count) for letter in "ab")
            arguments = f"{a}, {b}, {{c}}, {code_a}, {code_b}, {{scale_a}}, {{scale_b}}"
        if "_iu8" in suffix:  # signed operands, no clamp
            arguments = "true, {a}, true, {b}, {c}, false"
        return cls(name, (word, count), arguments)

    @staticmethod
    def _widened(operand: str, words: int) -> str:
        """An operand of fewer words than the builtin takes."""
        if words == MIXED_WORDS:
            return f"{{{operand}}}"
        chosen = ", ".join(str(word if word < words else -1) for word in range(MIXED_WORDS))
        return f"__builtin_shufflevector({{{operand}}}, {{{operand}}}, {chosen})"

    @classmethod
    def exists(cls, mma: MatrixInstruction) -> bool:
        """Whether the table has the instruction."""
        return cls._row(mma) is not None

    @staticmethod
    def _row(mma: MatrixInstruction) -> tuple[str, str, int] | None:
        table = _WMMA if mma.name.startswith("v_wmma") else _MFMA
        kind = mma.type_a.partition("_")[0]
        return table.get((kind, mma.elements_a))

    def call(self, a: str, b: str, c: str, scales: tuple[str, str] = NO_SCALES) -> str:
        """The text of a call; ``scales``: of A and B, each the number of a byte and the word it is in."""
        given = dict(zip(("scale_a", "scale_b"), scales, strict=True))
        return f"{self.name}({self.arguments.format(a=a, b=b, c=c, **given)})"


@cache
def deepest(
    target: str, lanes: int, size: tuple[int, int], kind: DataType, summed: str, tile_k: int
) -> MatrixInstruction:
    """The matrix instruction with a builtin of this M and N, with the deepest K that divides a tile's.

    >>> deepest("gfx942", 64, (16, 16), DataType.named("f16"), "f32", 32).name
    'v_mfma_f32_16x16x16_f16'
    """
    of_target = [row for row in MatrixInstruction.of_target(target) if row.wave_size == lanes]
    if kind.packs:
        inner = kind.packs[0]
        of_target += [row.in_packs(kind) for row in of_target if row.type_a == row.type_b == inner]
    usable = [row for row in of_target if row.blocks == 1 and MatrixBuiltin.exists(row)]
    wanted = (*size, kind.name, kind.name, summed)
    found = [row for row in usable if (row.m, row.n, row.type_a, row.type_b, row.type_d) == wanted]
    if not found:
        have = sorted({f"{row.type_a} {row.m}x{row.n}" for row in usable if row.type_a == row.type_b})
        msg = f"gemm: {target} has no {size[0]}x{size[1]} matrix instruction for {kind.name}"
        raise LayoutError(msg, hint=f"it has {', '.join(have) or 'none'}")
    return max(found, key=lambda row: (tile_k % row.k == 0, row.k))


def accumulator(element: str) -> str:
    """The type in which products of elements are summed.

    >>> accumulator("f16"), accumulator("i8"), accumulator("f64")
    ('f32', 'i32', 'f64')
    """
    return {"i8": "i32", "f64": "f64"}.get(element, "f32")

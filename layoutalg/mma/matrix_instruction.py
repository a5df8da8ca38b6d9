"""Dense matrix instructions: D = A * B + C for one wave, and which lane keeps which element where.

>>> mfma = MatrixInstruction.named("v_mfma_f32_32x32x8_f16", "gfx942")
>>> (mfma.m, mfma.n, mfma.k), mfma.cycles, mfma.flops_per_cu_cycle
((32, 32, 8), 32, 2048)
>>> mfma.a.hs_lengthss, mfma.registers_a, mfma.registers_d
(((32,), (2, 4)), 2, 16)

Lane 33 has row 1 of A from k = 4 on; its element 3 is the high half of its second register.

>>> mfma.element("A", 33, 3), mfma.place("A", 3)
((1, 7), (1, 16, 31))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import prod
from typing import Any

from layoutalg.data_type import DataType
from layoutalg.display import Displayed
from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    make_static_tile_distribution,
)
from layoutalg.errors import LayoutError
from layoutalg.machine import known_target
from layoutalg.mma import cdna1, cdna2, cdna3, cdna4, rdna3, rdna4
from layoutalg.mma.operand_layouts import FAMILIES
from layoutalg.reading.near_attributes import NearAttributes
from layoutalg.reading.near_names import meant

__all__ = ["MATRIX_INSTRUCTIONS", "MatrixInstruction"]

BITS_PER_REGISTER = 32


@dataclass(frozen=True)
class MatrixInstruction(NearAttributes, Displayed):
    """One instruction on one target and wave size.

    ``name``: as the assembler writes it, in lower case; ``m``, ``n``, ``k``: D[m, n] += A[m, k] B[k, n], in
    each of ``blocks`` independent blocks; ``type_a`` to ``type_d``: names of data types (integers of RDNA may
    be signed or not, a modifier of the instruction says which); ``cycles``: how long it keeps its matrix
    core busy; ``family``: the rules of its layout; ``source``: where the row comes from.

    X of A is (M, K), of B (N, K), of D (M, N), as CK has them; with several blocks the block is a last X.
    P is the lane. Y, counted through with the last one fastest, is the number of an element within a lane.
    """

    name: str
    target: str
    m: int
    n: int
    k: int
    blocks: int
    type_a: str
    type_b: str
    type_c: str
    type_d: str
    cycles: int
    wave_size: int
    family: str
    source: str

    @classmethod
    def named(cls, name: str, target: str | None = None, wave_size: int | None = None) -> MatrixInstruction:
        """The instruction with this name; target and wave size only where the name alone leaves a choice."""
        return _find(name, target, wave_size)

    @classmethod
    def of_target(cls, target: str) -> tuple[MatrixInstruction, ...]:
        """All instructions of a target.

        >>> len(MatrixInstruction.of_target("gfx90a"))
        27
        """
        return _of_target(target)

    @cached_property
    def a(self) -> TileDistributionEncoding:
        """Who holds what of A."""
        rule = FAMILIES[self.family].input
        return rule(self.m, self.k, self.blocks, DataType.named(self.type_a).bits, self.wave_size)

    @cached_property
    def b(self) -> TileDistributionEncoding:
        """Who holds what of B."""
        rule = FAMILIES[self.family].input
        return rule(self.n, self.k, self.blocks, DataType.named(self.type_b).bits, self.wave_size)

    @cached_property
    def d(self) -> TileDistributionEncoding:
        """Who holds what of D, and of C."""
        rule = FAMILIES[self.family].output
        return rule(self.m, self.n, self.blocks, DataType.named(self.type_d).bits, self.wave_size)

    def in_packs(self, kind: DataType) -> MatrixInstruction:
        """The same where A and B are counted in packs of their elements, neighbours along K.

        >>> row = MatrixInstruction.named("v_mfma_f32_16x16x128_f8f6f4 cbsz:4 blgp:4", "gfx950")
        >>> row.in_packs(DataType.named("f4x2")).k
        64
        """
        element = kind.unpacked[0]
        if {self.type_a, self.type_b} != {element}:
            raise LayoutError(f"{self}: wanted packs of {self.type_a} and {self.type_b}, got {kind.name}")
        return replace(self, k=kind.holding(self.k), type_a=kind.name, type_b=kind.name)

    @property
    def elements_a(self) -> int:
        """Elements of A in one lane."""
        return self.elements("A")

    @property
    def elements_d(self) -> int:
        return self.elements("D")

    @property
    def registers_a(self) -> int:
        """32-bit registers of one lane that A takes."""
        return self.registers("A")

    @property
    def registers_b(self) -> int:
        return self.registers("B")

    @property
    def registers_d(self) -> int:
        return self.registers("D")

    @property
    def flops(self) -> int:
        """Multiplications and additions of one instruction."""
        return 2 * self.m * self.n * self.k * self.blocks

    @property
    def flops_per_cu_cycle(self) -> int | None:
        """The floating-point rate of a compute unit; None for integers and where the source gives none."""
        units = FAMILIES[self.family].units_per_cu
        if units is None or not self.type_d.startswith("f"):
            return None
        return units * self.flops // self.cycles

    def encoding(self, operand: str) -> TileDistributionEncoding:
        """The encoding of operand ``A``, ``B``, ``C`` or ``D``."""
        return {"A": self.a, "B": self.b, "D": self.d}[_letter(operand)]

    def type_of(self, operand: str) -> str:
        """The name of an operand's data type."""
        return {"A": self.type_a, "B": self.type_b, "D": self.type_d}[_letter(operand)]

    def elements(self, operand: str) -> int:
        """Elements of an operand in one lane."""
        return prod(map(int, self.encoding(operand).y_lengths))

    def slot_bits(self, operand: str) -> int:
        """Bits of registers from one element of an operand to the next."""
        least = FAMILIES[self.family].output_slot_bits if _letter(operand) == "D" else 0
        return max(DataType.named(self.type_of(operand)).bits, least)

    def registers(self, operand: str) -> int:
        """32-bit registers of one lane that an operand takes."""
        return -(-self.elements(operand) * self.slot_bits(operand) // BITS_PER_REGISTER)

    def element(self, operand: str, lane: Any, number: Any) -> tuple[Any, ...]:
        """The X index of element ``number`` of a lane; integers or arrays that broadcast."""
        distribution = _distribution(self.encoding(operand))
        ys = []
        for length in reversed(distribution.y_lengths):
            ys.append(number % int(length))
            number = number // int(length)
        return distribution.element((lane,), ys[::-1])

    def place(self, operand: str, element: int) -> tuple[int, int, int]:
        """Register, first bit and last bit of element ``element`` of a lane, low bits first.

        A last bit beyond 31 lies in the next register: 64-bit elements, and 6-bit ones that straddle.

        >>> MatrixInstruction.named("v_wmma_f16_16x16x16_f16", "gfx1100", 32).place("D", 3)
        (3, 0, 15)
        >>> MatrixInstruction.named("v_mfma_f64_16x16x4_f64", "gfx942").place("D", 1)
        (2, 0, 63)
        """
        count = self.elements(operand)
        if not 0 <= element < count:
            msg = f"{self.name}: a lane has elements 0 to {count - 1} of {operand}, wanted {element}"
            raise LayoutError(msg)
        register, first = divmod(element * self.slot_bits(operand), BITS_PER_REGISTER)
        return register, first, first + DataType.named(self.type_of(operand)).bits - 1

    def __str__(self) -> str:
        return f"{self.name} ({self.target}, wave of {self.wave_size})"


@cache
def _distribution(encoding: TileDistributionEncoding) -> TileDistribution:
    return make_static_tile_distribution(encoding)


def _letter(operand: str) -> str:
    letter = operand.upper()
    if letter not in {"A", "B", "C", "D"}:
        msg = f"wanted an operand of A, B, C, D; got {operand!r}"
        raise LayoutError(msg)
    return "D" if letter == "C" else letter


_ARCHITECTURES = (cdna1, cdna2, cdna3, cdna4, rdna3, rdna4)
MATRIX_INSTRUCTIONS: tuple[MatrixInstruction, ...] = tuple(
    MatrixInstruction(*fields) for architecture in _ARCHITECTURES for fields in architecture.INSTRUCTIONS
)


def _of_target(target: str) -> tuple[MatrixInstruction, ...]:
    """All instructions of a target."""
    where = f"there are no matrix instructions of {target!r} here"
    wanted = known_target(target, dict.fromkeys(row.target for row in MATRIX_INSTRUCTIONS), where=where)
    return tuple(row for row in MATRIX_INSTRUCTIONS if row.target == wanted)


def _find(name: str, target: str | None = None, wave_size: int | None = None) -> MatrixInstruction:
    """The one instruction with this name, on this target and wave size where they are given."""
    wanted = " ".join(name.lower().split())
    rows = MATRIX_INSTRUCTIONS if target is None else _of_target(target)
    found = [row for row in rows if row.name == wanted]
    if not found:
        raise _unknown(wanted, target)
    targets = _listed(row.target for row in found)
    if target is None and "," in targets:
        msg = f"{wanted}: several targets have it, wanted one of {targets}"
        raise LayoutError(msg, hint="they may differ in cycles and in the meaning of FP8")
    waves = _listed(row.wave_size for row in found)
    fitting = [row for row in found if wave_size in (None, row.wave_size)]
    if len(fitting) == 1:
        return fitting[0]
    got = "" if wave_size is None else f"; got {wave_size}"
    msg = f"{wanted}: on {targets} wanted a wave size of {waves}{got}"
    raise LayoutError(msg)


def _unknown(wanted: str, target: str | None) -> LayoutError:
    elsewhere = [row.target for row in MATRIX_INSTRUCTIONS if row.name == wanted]
    if elsewhere:
        return LayoutError(f"{wanted}: {target} does not have it", hint=f"{_listed(elsewhere)} do")
    rows = MATRIX_INSTRUCTIONS if target is None else _of_target(target)
    near = meant(wanted, (row.name for row in rows))
    where = "" if target is None else f" on {target}"
    hint = near or "MatrixInstruction.of_target(...) lists them"
    return LayoutError(f"there is no dense matrix instruction {wanted}{where} here", hint=hint)


def _listed(values: Iterable[object]) -> str:
    return ", ".join(dict.fromkeys(map(str, values)))

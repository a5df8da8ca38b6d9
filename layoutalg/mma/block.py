"""A workgroup's matrix product as distributions: waves times rounds of waves times one instruction.

The GEMM tutorial: 256x128 of C by 4 waves one above the other, each 2 rounds of 32 rows and 4 of 32 columns.

>>> from layoutalg.mma.matrix_instruction import MatrixInstruction
>>> mfma = MatrixInstruction.named("v_mfma_f32_32x32x8_f16", "gfx942")
>>> block = BlockGemm(mfma, waves=(4, 1), rounds=(2, 4), k_steps=4)
>>> block.c.x_lengths, block.c.p_lengths, block.c.y_lengths
((256, 128), (4, 64), (2, 4, 4, 4))
>>> block.a.x_lengths, block.a.rs_lengths, BlockGemm(mfma, (2, 2), (1, 1), 1).a.rs_lengths
((256, 32), (1,), (2,))

Source: CK Tile, ``block_gemm_areg_breg_creg_v1.hpp``, ``warp_gemm_attribute_mfma.hpp``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from layoutalg.distribution import (
    TileDistributionEncoding,
    make_embed_tile_distribution_encoding,
)
from layoutalg.errors import LayoutError
from layoutalg.mma.matrix_instruction import MatrixInstruction

__all__ = ["BlockGemm", "along_k", "in_pieces", "transposed"]


@dataclass(frozen=True)
class BlockGemm:
    """``waves`` along M and N, ``rounds`` of each wave along M and N, ``k_steps`` along K.

    ``k_per_lane``: how many steps of K a lane holds as neighbours (CK's ``kKIter``), a divisor of
    ``k_steps``; None leaves one step as the instruction has it, which may be runs apart;
    ``is_c_transposed``: A and B change places in the instruction, so that a lane holds neighbours of a row
    of C and not of a column.
    """

    instruction: MatrixInstruction
    waves: tuple[int, int]
    rounds: tuple[int, int]
    k_steps: int = 1
    k_per_lane: int | None = None
    is_c_transposed: bool = False

    def __post_init__(self) -> None:
        if self.instruction.blocks != 1:
            msg = f"BlockGemm: {self.instruction.name} works on {self.instruction.blocks} blocks, wanted one"
            raise LayoutError(msg)
        if self.k_steps % (self.k_per_lane or 1):
            msg = f"BlockGemm: {self.k_per_lane} steps side by side do not divide {self.k_steps} steps"
            raise LayoutError(msg)

    @property
    def a(self) -> TileDistributionEncoding:
        """The registers of A: X is (M, K), replicated over the waves along N."""
        (m_waves, n_waves), (m_rounds, _) = self.waves, self.rounds
        outer = TileDistributionEncoding(
            (n_waves,), ((m_rounds, m_waves), (self._k_rounds,)), ((1, 0),), ((1, 0),), (1, 2), (0, 0)
        )
        inner = self.instruction.b if self.is_c_transposed else self.instruction.a
        return make_embed_tile_distribution_encoding(outer, self._held(inner))

    @property
    def b(self) -> TileDistributionEncoding:
        """The registers of B: X is (N, K), replicated over the waves along M."""
        (m_waves, n_waves), (_, n_rounds) = self.waves, self.rounds
        outer = TileDistributionEncoding(
            (m_waves,), ((n_rounds, n_waves), (self._k_rounds,)), ((0, 1),), ((0, 1),), (1, 2), (0, 0)
        )
        inner = self.instruction.a if self.is_c_transposed else self.instruction.b
        return make_embed_tile_distribution_encoding(outer, self._held(inner))

    @property
    def c(self) -> TileDistributionEncoding:
        """The registers of C: X is (M, N)."""
        (m_waves, n_waves), (m_rounds, n_rounds) = self.waves, self.rounds
        outer = TileDistributionEncoding(
            (), ((m_rounds, m_waves), (n_rounds, n_waves)), ((1, 2),), ((1, 1),), (1, 2), (0, 0)
        )
        inner = transposed(self.instruction.d) if self.is_c_transposed else self.instruction.d
        return make_embed_tile_distribution_encoding(outer, inner)

    @property
    def _k_rounds(self) -> int:
        return self.k_steps // (self.k_per_lane or 1)

    def _held(self, operand: TileDistributionEncoding) -> TileDistributionEncoding:
        return operand if self.k_per_lane is None else along_k(operand, self.k_per_lane)


def transposed(encoding: TileDistributionEncoding) -> TileDistributionEncoding:
    """The encoding with its two dimensions of X in each other's place."""
    first, second = encoding.hs_lengthss
    swapped = {0: 0, 1: 2, 2: 1}
    return replace(
        encoding,
        hs_lengthss=(second, first),
        ps_to_rhss_major=tuple(tuple(swapped[m] for m in majors) for majors in encoding.ps_to_rhss_major),
        ys_to_rhs_major=tuple(swapped[m] for m in encoding.ys_to_rhs_major),
    )


def along_k(operand: TileDistributionEncoding, steps: int) -> TileDistributionEncoding:
    """Several instructions along K, or one, whose elements are neighbours in a lane.

    A lane then loads all of them at once. Each instruction gets other elements of K than its layout says, the
    same ones of A and of B: the sum over K does not mind.

    >>> from layoutalg.mma.matrix_instruction import MatrixInstruction
    >>> along_k(MatrixInstruction.named("v_mfma_f32_32x32x8_f16", "gfx942").a, 2).hs_lengthss
    ((32,), (2, 8))
    """
    rows, ks = operand.hs_lengthss
    if set(operand.ys_to_rhs_major) != {2}:
        msg = "along_k: the registers of the operand do not count along K alone"
        raise LayoutError(msg)
    lanes = [minor for minor in range(len(ks)) if (2, minor) not in operand.ys_factors]
    held = math.prod(ks[minor] for minor in operand.ys_to_rhs_minor)
    moved = {minor: place for place, minor in enumerate(lanes)}
    factors = zip(operand.ps_to_rhss_major, operand.ps_to_rhss_minor, strict=True)
    minors = tuple(
        tuple(moved[n] if m == 2 else n for m, n in zip(majors, row, strict=True)) for majors, row in factors
    )
    return replace(
        operand,
        hs_lengthss=(rows, (*(ks[minor] for minor in lanes), held * steps)),
        ps_to_rhss_minor=minors,
        ys_to_rhs_major=(2,),
        ys_to_rhs_minor=(len(lanes),),
    )


def in_pieces(registers: TileDistributionEncoding, most: int) -> TileDistributionEncoding:
    """The same registers with the last Y in pieces of at most ``most`` neighbours, the width of a load.

    >>> from layoutalg.distribution import make_static_tile_distribution
    >>> from layoutalg.mma.matrix_instruction import MatrixInstruction
    >>> wmma = MatrixInstruction.named("v_wmma_f32_16x16x16_f16", "gfx1100", 32)
    >>> make_static_tile_distribution(in_pieces(wmma.a, 8)).y_lengths
    (2, 8)
    """
    major, minor = registers.ys_factors[-1]
    row = registers.hs_lengthss[major - 1]
    if minor != len(row) - 1:
        msg = "in_pieces: the last register does not count along a dimension"
        raise LayoutError(msg)
    if row[-1] <= most:
        return registers
    if row[-1] % most:
        msg = f"in_pieces: pieces of {most} do not divide {row[-1]} neighbours"
        raise LayoutError(msg)
    rows = list(registers.hs_lengthss)
    rows[major - 1] = (*row[:-1], row[-1] // most, most)
    return replace(
        registers,
        hs_lengthss=tuple(rows),
        ys_to_rhs_major=(*registers.ys_to_rhs_major, major),
        ys_to_rhs_minor=(*registers.ys_to_rhs_minor, minor + 1),
    )

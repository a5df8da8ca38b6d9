"""A workgroup's matrix product as distributions: waves times rounds of waves times one instruction.

The GEMM tutorial: 256x128 of C by 4 waves one above the other, each 2 rounds of 32 rows and 4 of 32 columns.

>>> from layoutalg.machine.mma.matrix_instruction import MatrixInstruction
>>> mfma = MatrixInstruction.named("v_mfma_f32_32x32x8_f16", "gfx942")
>>> block = BlockGemm(mfma, waves=(4, 1), rounds=(2, 4), k_steps=4)
>>> block.c.x_lengths, block.c.p_lengths, block.c.y_lengths
((256, 128), (4, 64), (2, 4, 4, 4))
>>> block.a.x_lengths, block.a.rs_lengths, BlockGemm(mfma, (2, 2), (1, 1), 1).a.rs_lengths
((256, 32), (1,), (2,))

Source: CK Tile, ``block_gemm_areg_breg_creg_v1.hpp``, ``warp_gemm_attribute_mfma.hpp``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from layoutalg.distribution import (
    TileDistributionEncoding,
    make_embed_tile_distribution_encoding,
)
from layoutalg.errors import LayoutError
from layoutalg.machine.mma.matrix_instruction import MatrixInstruction

__all__ = ["BlockGemm", "along_k", "transposed"]


@dataclass(frozen=True)
class BlockGemm:
    """``waves`` along M and N, ``rounds`` of each wave along M and N, ``k_steps`` along K.

    ``k_per_lane``: how many steps of K a lane holds as neighbours (CK's ``kKIter``), a divisor of
    ``k_steps``; ``is_c_transposed``: A and B change places in the instruction, so that a lane holds
    neighbours of a row of C and not of a column.
    """

    instruction: MatrixInstruction
    waves: tuple[int, int]
    rounds: tuple[int, int]
    k_steps: int = 1
    k_per_lane: int = 1
    is_c_transposed: bool = False

    def __post_init__(self) -> None:
        if self.instruction.blocks != 1:
            msg = f"BlockGemm: {self.instruction.name} works on {self.instruction.blocks} blocks, wanted one"
            raise LayoutError(msg)
        if self.k_steps % self.k_per_lane:
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
        return make_embed_tile_distribution_encoding(outer, along_k(inner, self.k_per_lane))

    @property
    def b(self) -> TileDistributionEncoding:
        """The registers of B: X is (N, K), replicated over the waves along M."""
        (m_waves, n_waves), (_, n_rounds) = self.waves, self.rounds
        outer = TileDistributionEncoding(
            (m_waves,), ((n_rounds, n_waves), (self._k_rounds,)), ((0, 1),), ((0, 1),), (1, 2), (0, 0)
        )
        inner = self.instruction.a if self.is_c_transposed else self.instruction.b
        return make_embed_tile_distribution_encoding(outer, along_k(inner, self.k_per_lane))

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
        return self.k_steps // self.k_per_lane


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
    """Several instructions along K whose elements are neighbours in a lane.

    A lane then loads ``steps`` times as many neighbours at once. Each instruction gets other elements of K
    than its layout says, the same ones of A and of B: the sum over K does not mind.

    >>> from layoutalg.machine.mma.matrix_instruction import MatrixInstruction
    >>> along_k(MatrixInstruction.named("v_mfma_f32_32x32x8_f16", "gfx942").a, 2).hs_lengthss
    ((32,), (2, 8))
    """
    if steps == 1:
        return operand
    last_y = operand.ys_factors[-1]
    rows, ks = operand.hs_lengthss
    if last_y != (2, len(ks) - 1):
        msg = "along_k: the last register of the operand does not count along K"
        raise LayoutError(msg)
    return replace(operand, hs_lengthss=(rows, (*ks[:-1], ks[-1] * steps)))

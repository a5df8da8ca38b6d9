"""CK wrapper's block GEMM: what each thread holds of C, as tensors of 8 dimensions.

``(MXdlPerWave, NXdlPerWave, MWave, NWave, NumGroups, NumInputs, GroupSize, NumThreads)``: rounds of a
wave, waves, and where the matrix instruction keeps its result. A thread has one wave, one input and one
column of it.

>>> traits = GemmTraits(32, 32, m_xdl_per_wave=4, n_xdl_per_wave=2, k1=8)
>>> c = make_blockwise_gemm_xdl_c_vgpr("f16", (256, 128), traits, block_size=256)
>>> c.layout.shape, c.memory_type
((4, 2, 1, 1, 4, 1, 4, 1), <MemoryType.VGPR: 'Vgpr'>)

Source: CK, ``include/ck/wrapper/operations/gemm.hpp``, ``blockwise_gemm_xdlops.hpp``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from layoutalg.descriptor import TensorDescriptor
from layoutalg.errors import LayoutError
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.layout import Layout, make_layout
from layoutalg.layout.nest import column_major_strides
from layoutalg.mma import MATRIX_INSTRUCTIONS, MatrixInstruction
from layoutalg.tensor.memory_type import MemoryType
from layoutalg.tensor.tensor import Tensor, make_register_tensor
from layoutalg.transforms import Slice

__all__ = [
    "GemmTraits",
    "c_descriptor_8d",
    "make_blockwise_gemm_xdl_c_local_partition",
    "make_blockwise_gemm_xdl_c_vgpr",
]

TARGET = "gfx90a"  # the first with every instruction the wrapper uses
WAVE = 64


@dataclass(frozen=True)
class GemmTraits:
    """CK's ``BlockwisGemmXdlTraits``: the instruction's size, its rounds in a wave, neighbours along K."""

    m_per_xdl: int
    n_per_xdl: int
    m_xdl_per_wave: int
    n_xdl_per_wave: int
    k1: int

    def waves(self, tile: tuple[int, int], block_size: int) -> tuple[int, int]:
        """Waves along M and N of a block's tile; refused where they are not all the block has."""
        shares = (self.m_per_xdl * self.m_xdl_per_wave, self.n_per_xdl * self.n_xdl_per_wave)
        if any(length % share for length, share in zip(tile, shares, strict=True)):
            msg = f"GemmTraits: a wave does {shares[0]}x{shares[1]} of C, which does not divide {tile}"
            raise LayoutError(msg)
        waves = (tile[0] // shares[0], tile[1] // shares[1])
        if waves[0] * waves[1] * WAVE != block_size:
            msg = f"GemmTraits: a tile of {tile} wants {waves[0] * waves[1]} waves,"
            raise LayoutError(f"{msg} the block has {block_size} threads")
        return waves

    def instruction(self, element: str) -> MatrixInstruction:
        """The matrix instruction of this size for an element type."""
        for row in MATRIX_INSTRUCTIONS:
            size = (row.m, row.n, row.blocks)
            if (row.target, row.type_a) == (TARGET, element) and size == (self.m_per_xdl, self.n_per_xdl, 1):
                return row
        msg = f"GemmTraits: there is no {self.m_per_xdl}x{self.n_per_xdl} matrix instruction for {element}"
        raise LayoutError(msg)


def c_descriptor_8d(
    c: TensorDescriptor, traits: GemmTraits, waves: tuple[int, int], element: str
) -> TensorDescriptor:
    """A C of two dimensions seen in 8: ``MakeCGridDescriptor_M0_N0_M1_N1_M2_M3_M4_N2``."""
    groups, inputs, size = map(int, traits.instruction(element).d.hs_lengthss[0])
    rows, columns = c.lengths
    (m_waves, n_waves), (m, n) = waves, (traits.m_per_xdl, traits.n_per_xdl)
    split = c.unmerge(1, (columns // (n_waves * n), n_waves, n))
    ordered = split.unmerge(0, (rows // (m_waves * m), m_waves, m)).permute(0, 3, 1, 4, 2, 5)
    return ordered.unmerge(4, (groups, inputs, size))


def make_blockwise_gemm_xdl_c_local_partition(
    c_local_tile: Tensor, element: str, traits: GemmTraits, block_size: int, thread_id: Any
) -> Tensor:
    """The part of a block's tile of C that a thread (a number or a symbol) writes, in 8 dimensions."""
    base = c_local_tile.layout.as_descriptor()
    rows, columns = map(int, base.lengths)
    waves = traits.waves((rows, columns), block_size)
    whole = c_descriptor_8d(base, traits, waves, element)
    m0, n0, _, _, groups, _, size, _ = whole.lengths
    lane, wave = _remainder(thread_id, WAVE), _quotient(thread_id, WAVE)
    columns_of_lane = traits.n_per_xdl
    origins = (
        0,
        0,
        _remainder(_quotient(wave, waves[1]), waves[0]),
        _remainder(wave, waves[1]),
        0,
        _quotient(lane, columns_of_lane),
        0,
        _remainder(lane, columns_of_lane),
    )
    lengths = (m0, n0, 1, 1, groups, 1, size, 1)
    parts = zip(whole.lengths, origins, lengths, strict=True)
    ids = [(i,) for i in range(8)]
    cut = whole.transform([Slice(n, begin, begin + length) for n, begin, length in parts], ids, ids)
    return Tensor(c_local_tile.memory_type, c_local_tile.data, Layout(lengths, cut))


def make_blockwise_gemm_xdl_c_vgpr(
    element: str, tile: tuple[int, int], traits: GemmTraits, block_size: int
) -> Tensor:
    """The registers of a thread for its part of C, packed, the last dimension fastest."""
    traits.waves(tile, block_size)
    mma = traits.instruction(element)
    groups, _, size = map(int, mma.d.hs_lengthss[0])
    shape = (traits.m_xdl_per_wave, traits.n_xdl_per_wave, 1, 1, groups, 1, size, 1)
    row_major = column_major_strides(shape[::-1])[::-1]
    return make_register_tensor(MemoryType.VGPR, mma.type_d, make_layout(shape, row_major))


def _quotient(value: Any, divisor: int) -> Any:
    return value // divisor if isinstance(value, int) else SYMBOLIC.quotient(value, SYMBOLIC.integer(divisor))


def _remainder(value: Any, divisor: int) -> Any:
    return value % divisor if isinstance(value, int) else SYMBOLIC.remainder(value, SYMBOLIC.integer(divisor))

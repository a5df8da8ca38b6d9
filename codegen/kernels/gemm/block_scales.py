"""Block scales of A and of B (MX): a power of two for 32 neighbours along K of each row, loaded beside tiles.

Scales lie as CK has them before any shuffle, rows by blocks of K. A lane loads those of a tile for its row at
once and moves its own to where the instruction looks for them: the lanes of a row take a block each.
Source: CK, ``test/mx_mfma_op/mx_mfma_op.hpp``, ``e8m0.hpp``; OCP Microscaling Formats (MX) 1.0.

>>> from layoutalg.codegen.kernels.gemm.ladder import configured
>>> from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem
>>> config = configured("pipelined", target="gfx950", element="f4x2", has_block_scales=True)
>>> scales = OperandScales.of(GemmProblem(config), M)
>>> scales.of_tile, scales.loads.index_map().outputs[0]
(4, 4*tile + y1 + (256*block_m + 64*y0 + 16*(warp // 1) + lane % 16)*(K // 16))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from sympy import Symbol

from layoutalg.claim import Claim, IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess, Launch
from layoutalg.codegen.kernels.gemm.buffer_access import BufferAccess
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.gemm_problem import TILE, GemmProblem, K, M
from layoutalg.codegen.kernels.gemm.whole_tiles import WholeTiles
from layoutalg.codegen.kernels.stored_matrix import StoredMatrix
from layoutalg.data_type import DataType
from layoutalg.distribution import (
    TileDistributionEncoding,
    TileWindow,
    make_static_tile_distribution,
    make_tile_window,
)
from layoutalg.properties import fits_integer, memory_bounds_map, vector_access_map

__all__ = ["SCALE", "OperandScales"]

SCALE = DataType.named("e8m0")
ONE = BufferAccess(SCALE, 1)  # as those of the last tile are loaded


@dataclass(frozen=True)
class OperandScales:
    """The scales of A or of B; ``of_tile``: blocks of a row along K that a tile has.

    ``leading``: the leading dimension of the operand, if it has one: what bounds that bounds its rows;
    ``whole``: how those of all tiles but the last along K are loaded, if that comes first.
    """

    name: str
    config: GemmConfig
    rounds: int
    matrix: StoredMatrix
    loads: TileWindow
    leading: tuple[Symbol, ...] = ()
    whole: WholeTiles | None = None

    @classmethod
    def of(cls, problem: GemmProblem, rows: Symbol) -> Self:
        """Those of A, whose rows are M, or of B, whose rows are N."""
        config, of_a = problem.config, rows == M
        axis = 0 if of_a else 1
        matrix = StoredMatrix(f"{'a' if of_a else 'b'}_scales", rows, problem.blocks_of_k)
        of_tile = config.tile[2] // config.block_elements
        origin = (problem.first_row if of_a else problem.first_column, of_tile * TILE)
        held = make_static_tile_distribution(_held(config, axis, of_tile))
        tensor, lengths = problem.scales(rows), (config.tile[axis], of_tile)
        window = make_tile_window(tensor, lengths, origin, held, problem.domain)
        whole = None
        if config.takes_last_tile_first:
            whole = WholeTiles(window, BufferAccess(SCALE, of_tile), matrix, problem.tiles_of_k)
        leading = tuple(problem.matrix(rows).parameters)
        return cls(matrix.name, config, config.block.rounds[axis], matrix, window, leading, whole)

    @property
    def of_tile(self) -> int:
        return self.config.tile[2] // self.config.block_elements

    @property
    def of_instruction(self) -> int:
        """Blocks of a row along K that an instruction takes, one of each of the lanes that have the row."""
        return self.config.instruction_row.k // self.config.block_elements

    def block(self, step: int, first: int = 0) -> int:
        """The block of a row in a tile that a lane multiplies at a step along K, given its first of a read.

        One read feeds ``k_per_lane`` steps: neighbouring blocks, of one lane after the other.

        >>> from layoutalg.codegen.kernels.gemm.ladder import configured
        >>> config = configured("pipelined", target="gfx950", element="f6_word", has_block_scales=True)
        >>> [OperandScales.of(GemmProblem(config), M).block(step, 2) for step in (0, 1)]
        [2, 3]
        """
        read, part = divmod(step, self.config.k_per_lane)
        return read * self.config.k_per_lane * self.of_instruction + first + part

    @cached_property
    def map(self) -> IndexMap:
        """Where scales are loaded, of all tiles."""
        made = self.loads.index_map()
        if self.whole:
            _, block = self.loads.tensor_map().outputs
            made = ONE.places(made, self.matrix.space, (block, self.matrix.length))
        used = (*made.outputs, *made.when, self.matrix.rows, K, *self.leading)
        return IndexMap(made.domain.only(*used), made.outputs, made.when)

    @cached_property
    def map_of_last(self) -> IndexMap:
        """Where scales of the last tile along K are loaded."""
        assert self.whole is not None
        return self.whole.last_of(self.map)

    def claims(self) -> Iterator[Claim]:
        """They are in bounds, whole vectors; which block a lane takes is claimed of the fragments."""
        subject = f"{self.name[0].upper()} scales loaded"
        yield memory_bounds_map(self.map, self.matrix.space, subject)
        yield fits_integer(self.map.outputs, self.map.domain, "int32", subject)
        if self.whole is None:
            yield from vector_access_map(self.map, self.loads.distribution.ys[-1], self.of_tile, subject)
            return
        row, block = self.loads.tensor_map().outputs
        across, along = (row, self.matrix.rows), (block, self.matrix.length)
        yield from ONE.claims(self.map, across, along, subject)
        of_whole = f"{self.name[0].upper()} scales of whole tiles"
        yield from self.whole.claims(self.matrix.rows, self.matrix.length, of_whole, bounds=self.leading)

    def accesses(self, launch: Launch) -> Iterator[ClaimedAccess]:
        """What compiled code is held to."""
        if self.whole is None:
            yield ClaimedAccess(self.name, "load", SCALE, self.map, launch, (TILE,))
            return
        yield ClaimedAccess(self.name, "load", SCALE, self.whole.loads, launch, (TILE,))
        yield ClaimedAccess(self.name, "load", SCALE, self.map_of_last, launch)


def _held(config: GemmConfig, axis: int, of_tile: int) -> TileDistributionEncoding:
    """Who holds which scales of a tile: rows as fragments have them, all blocks of each."""
    rows = config.instruction[axis]
    of_rows = (config.block.rounds[axis], config.waves[axis], rows)
    replicated = (config.waves[1 - axis], config.lanes // rows)
    waves = ((1, 0), (1, 0)) if axis == 0 else ((0, 1), (0, 1))
    return TileDistributionEncoding(
        replicated, (of_rows, (of_tile,)), (waves[0], (0, 1)), (waves[1], (1, 2)), (1, 2), (0, 0)
    )

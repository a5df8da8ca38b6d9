"""Block scales of A and of B (MX): a power of two for 32 neighbours along K of each row, loaded beside tiles.

Scales lie as CK has them before any shuffle, rows by blocks of K. A lane loads those of a tile for its row at
once and shifts its own to where the instruction looks for them: the lanes of a row take a block each.
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

import sympy
from sympy import Symbol

from layoutalg.claim import Claim, IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess, Launch
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.gemm_problem import TILE, GemmProblem, K, M
from layoutalg.codegen.kernels.stored_matrix import StoredMatrix
from layoutalg.data_type import DataType
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.distribution import (
    TileDistributionEncoding,
    TileWindow,
    make_static_tile_distribution,
    make_tile_window,
)
from layoutalg.index import FloorDiv
from layoutalg.properties import fits_integer, memory_bounds_map, vector_access_map

__all__ = ["SCALE", "OperandScales"]

SCALE = DataType.named("e8m0")


@dataclass(frozen=True)
class OperandScales:
    """The scales of A or of B; ``of_tile``: blocks of a row along K that a tile has."""

    name: str
    config: GemmConfig
    rounds: int
    matrix: StoredMatrix
    loads: TileWindow

    @classmethod
    def of(cls, problem: GemmProblem, rows: Symbol) -> Self:
        """Those of A, whose rows are M, or of B, whose rows are N."""
        config, of_a = problem.config, rows == M
        axis = 0 if of_a else 1
        blocks = FloorDiv.unchecked(K, sympy.Integer(config.block_elements))
        name = f"{'a' if of_a else 'b'}_scales"
        tensor = make_naive_tensor_descriptor((rows, blocks), (blocks, 1)).assuming(problem.sizes)
        of_tile = config.tile[2] // config.block_elements
        origin = (problem.first_row if of_a else problem.first_column, of_tile * TILE)
        held = make_static_tile_distribution(_held(config, axis, of_tile))
        window = make_tile_window(tensor, (config.tile[axis], of_tile), origin, held, problem.domain)
        return cls(name, config, config.block.rounds[axis], StoredMatrix(name, rows, blocks), window)

    @property
    def of_tile(self) -> int:
        return self.config.tile[2] // self.config.block_elements

    @property
    def of_instruction(self) -> int:
        """Blocks of a row along K that an instruction takes, one of each of the lanes that have the row."""
        return self.config.instruction_row.k // self.config.block_elements

    @cached_property
    def map(self) -> IndexMap:
        """Where scales are loaded."""
        made = self.loads.index_map()
        return IndexMap(made.domain.only(*made.outputs, self.matrix.rows, K), made.outputs)

    def claims(self) -> Iterator[Claim]:
        """They are in bounds, whole vectors; which block a lane takes is claimed of the fragments."""
        subject = f"{self.name[0].upper()} scales loaded"
        yield memory_bounds_map(self.map, self.matrix.space, subject)
        yield from vector_access_map(self.map, self.loads.distribution.ys[-1], self.of_tile, subject)
        yield fits_integer(self.map.outputs, self.map.domain, "int32", subject)

    def access(self, launch: Launch) -> ClaimedAccess:
        """What compiled code is held to."""
        return ClaimedAccess(self.name, "load", SCALE, self.map, launch, (TILE,))


def _held(config: GemmConfig, axis: int, of_tile: int) -> TileDistributionEncoding:
    """Who holds which scales of a tile: rows as fragments have them, all blocks of each."""
    rows = config.instruction[axis]
    of_rows = (config.block.rounds[axis], config.waves[axis], rows)
    replicated = (config.waves[1 - axis], config.lanes // rows)
    waves = ((1, 0), (1, 0)) if axis == 0 else ((0, 1), (0, 1))
    return TileDistributionEncoding(
        replicated, (of_rows, (of_tile,)), (waves[0], (0, 1)), (waves[1], (1, 2)), (1, 2), (0, 0)
    )

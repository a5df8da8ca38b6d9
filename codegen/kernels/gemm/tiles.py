"""The tiles of a GEMM: who loads, stores, reads and writes what, as windows on tensors.

>>> from layoutalg.codegen.kernels.gemm.config import GemmConfig
>>> GemmTiles(GemmConfig()).a.load.index_map().outputs[0]
K*(256*block_m + 16*warp + 64*y0 + lane // 4) + 32*tile + y1 + 8*(lane % 4)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr, Symbol

from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    TileWindow,
    make_static_tile_distribution,
    make_tile_window,
)
from layoutalg.domain import Domain, Variable
from layoutalg.index import FloorDiv
from layoutalg.length import sizes
from layoutalg.machine.mma import in_pieces
from layoutalg.make_descriptor import make_naive_tensor_descriptor
from layoutalg.memory import k_first, row_major, xor_swizzled

__all__ = ["GemmTiles", "OperandTiles"]

LARGEST_OFFSET = 2**31 - 1
LDS_LINE_BYTES = 128  # one turn of 32 banks
M, N, K = sizes("M N K")
BLOCK_M, BLOCK_N, TILE = sympy.symbols("block_m block_n tile", integer=True, nonnegative=True)


@dataclass(frozen=True)
class OperandTiles:
    """One operand on its way: loaded from its tensor, stored to shared memory, read as fragments."""

    name: str
    rows: Symbol
    load: TileWindow
    store: TileWindow
    read: TileWindow
    is_k_first: bool = True

    @property
    def tile_k(self) -> int:
        return int(self.lds.lengths[1])

    @property
    def step(self) -> Expr:
        """What the next tile along K adds to an offset in memory."""
        return sympy.Integer(self.tile_k) if self.is_k_first else self.tile_k * self.rows

    @property
    def stored_along(self) -> tuple[Symbol, int]:
        """The register index that counts neighbours along K, and how many a store moves at once."""
        held, axis = self.store.distribution, -1 if self.is_k_first else -2
        return held.ys[axis], int(held.y_lengths[axis])

    @property
    def lds(self) -> TensorDescriptor:
        return self.store.descriptor


@dataclass(frozen=True)
class GemmTiles:
    """Windows on A[m, k], B[n, k], C[m, n] (row-major) and on the tiles in shared memory."""

    config: GemmConfig

    @cached_property
    def domain(self) -> Domain:
        """All workgroups and steps along K, for all admissible sizes."""
        tile_m, tile_n, tile_k = self.config.tile
        counts = ((BLOCK_M, M, tile_m), (BLOCK_N, N, tile_n), (TILE, K, tile_k))
        axes = [
            Variable(symbol, sympy.Integer(0), FloorDiv.unchecked(size, sympy.Integer(part)))
            for symbol, size, part in counts
        ]
        return Domain((*axes, *self.sizes.variables), self.sizes.facts)

    @cached_property
    def sizes(self) -> Domain:
        """The admissible sizes: multiples of the tile, offsets within 32 bits."""
        tile_m, tile_n, tile_k = self.config.tile
        parameters = {M: (tile_m, None, tile_m), N: (tile_n, None, tile_n), K: (tile_k, None, tile_k)}
        return Domain.of({}, parameters, [sympy.Le(x, LARGEST_OFFSET) for x in (M * K, N * K, M * N)])

    @cached_property
    def a(self) -> OperandTiles:
        return self._operand("a", M, BLOCK_M, self.config.tile[0], self.config.block.a)

    @cached_property
    def b(self) -> OperandTiles:
        return self._operand("b", N, BLOCK_N, self.config.tile[1], self.config.block.b)

    @cached_property
    def c(self) -> TileWindow:
        """The workgroup's tile of C, as the matrix instructions leave it in registers."""
        tile_m, tile_n, _ = self.config.tile
        tensor = make_naive_tensor_descriptor((M, N), (N, 1)).assuming(self.sizes)
        made = make_static_tile_distribution(self.config.block.c)
        return make_tile_window(
            tensor, (tile_m, tile_n), (tile_m * BLOCK_M, tile_n * BLOCK_N), made, self.domain
        )

    def _operand(
        self, name: str, rows: Symbol, block: Symbol, tile_rows: int, registers: TileDistributionEncoding
    ) -> OperandTiles:
        tile_k, vector = self.config.tile[2], self.config.vector
        is_k_first = self.config.is_k_first(rows.name)
        tensor = make_naive_tensor_descriptor((rows, K), (K, 1) if is_k_first else (1, rows))
        tensor = tensor.assuming(self.sizes)
        loaders = self._along_k(tile_rows) if is_k_first else self._along_rows(tile_rows)
        lengths = (tile_rows, tile_k)
        lds = self._lds(tile_rows)
        return OperandTiles(
            name,
            rows,
            make_tile_window(tensor, lengths, (tile_rows * block, tile_k * TILE), loaders, self.domain),
            make_tile_window(lds, lengths, (0, 0), loaders),
            make_tile_window(
                lds, lengths, (0, 0), make_static_tile_distribution(in_pieces(registers, vector))
            ),
            is_k_first,
        )

    def _along_rows(self, rows: int) -> TileDistribution:
        """Who moves which 16 bytes where rows are neighbours: lanes along the rows, then along K.

        A thread holds neighbours along K of each of its rows, so that it can store them together.
        """
        vector, lanes = self.config.vector, self.config.lanes
        along_rows, waves = rows // vector, self.config.threads // lanes
        groups = lanes // along_rows
        each = self.config.tile[2] // (waves * groups)
        at_once = min(each, vector)
        return make_static_tile_distribution(
            TileDistributionEncoding(
                (1,),
                ((along_rows, vector), (each // at_once, waves, groups, at_once)),
                ((2,), (2, 1)),
                ((1,), (2, 0)),
                (2, 2, 1),
                (0, 3, 1),
            )
        )

    def _along_k(self, rows: int) -> TileDistribution:
        """Who moves which 16 bytes: lanes along K, then lanes, waves and rounds along the rows."""
        lanes = self.config.lanes
        waves = self.config.threads // lanes
        along_k = self.config.lanes_of_row
        at_once = lanes // along_k
        rounds = rows // (waves * at_once)
        return make_static_tile_distribution(
            TileDistributionEncoding(
                (1,),
                ((rounds, waves, at_once), (along_k, self.config.vector)),
                ((1,), (1, 2)),
                ((1,), (2, 0)),
                (1, 2),
                (0, 1),
            )
        )

    def _lds(self, rows: int) -> TensorDescriptor:
        columns, vector = self.config.tile[2], self.config.vector
        if self.config.lds == "padded":
            return k_first(rows, columns, vector)
        if self.config.lds == "xor":
            layers = max(1, LDS_LINE_BYTES // (columns * self.config.kind.bytes))
            return xor_swizzled(rows, columns, vector, layers=layers)
        return row_major(rows, columns, vector)

    @property
    def lds_elements(self) -> tuple[int, int]:
        """Elements of A and of B in shared memory."""
        return int(self.a.lds.element_space_size), int(self.b.lds.element_space_size)

    @property
    def lds_bytes(self) -> int:
        """Bytes of shared memory, over all buffers."""
        return self.config.schedule.buffers * sum(self.lds_elements) * self.config.kind.bytes

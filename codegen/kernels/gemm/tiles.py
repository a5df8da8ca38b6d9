"""The tiles of a GEMM: who loads, stores, reads and writes what, as windows on tensors.

>>> from layoutalg.codegen.kernels.gemm.config import GemmConfig
>>> GemmTiles(GemmConfig()).a.load.index_map().outputs[0]
K*(256*block_m + 16*warp + 64*y0 + lane // 4) + 32*tile + y1 + 8*(lane % 4)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import sympy
from sympy import Expr, Symbol

from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem, M, N
from layoutalg.codegen.kernels.stored_matrix import StoredMatrix
from layoutalg.codegen.schedule import BARRIER, READ, STORE, Schedule
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    TileWindow,
    make_static_tile_distribution,
    make_tile_window,
)
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.machine import Target
from layoutalg.memory import k_first, row_major, xor_swizzled
from layoutalg.mma import in_pieces

__all__ = ["ROUND", "STAGING_ORDER", "GemmTiles", "OperandTiles", "ResultStage", "staging"]

LDS_LINE_BYTES = 128  # one turn of 32 banks
ROUND = Symbol("round", integer=True, nonnegative=True)
STAGING_ORDER = Schedule((BARRIER, STORE, BARRIER, READ))  # of every round


def along_columns(rows: int, columns: int, vector: int, threads: int, lanes: int) -> TileDistribution:
    """Who moves what: lanes along the columns, then lanes, waves and rounds along the rows.

    >>> along_columns(256, 32, 8, threads=256, lanes=64).x
    (16*warp + 64*y0 + lane // 4, y1 + 8*(lane % 4))
    """
    waves, lanes_of_row = threads // lanes, columns // vector
    at_once = lanes // lanes_of_row
    return make_static_tile_distribution(
        TileDistributionEncoding(
            (1,),
            ((rows // (waves * at_once), waves, at_once), (lanes_of_row, vector)),
            ((1,), (1, 2)),
            ((1,), (2, 0)),
            (1, 2),
            (0, 1),
        )
    )


def along_rows(rows: int, columns: int, vector: int, threads: int, lanes: int) -> TileDistribution:
    """Lanes along the rows, then lanes and waves along the columns.

    A thread holds neighbours along the columns of each of its rows, so that it can store them together.

    >>> along_rows(256, 32, 8, threads=256, lanes=64).x
    (y2 + 8*(lane % 32), 8*warp + y1 + 4*(lane // 32))
    """
    waves, lanes_of_column = threads // lanes, rows // vector
    groups = lanes // lanes_of_column
    each = columns // (waves * groups)
    at_once = min(each, vector)
    return make_static_tile_distribution(
        TileDistributionEncoding(
            (1,),
            ((lanes_of_column, vector), (each // at_once, waves, groups, at_once)),
            ((2,), (2, 1)),
            ((1,), (2, 0)),
            (2, 2, 1),
            (0, 3, 1),
        )
    )


@dataclass(frozen=True)
class OperandTiles:
    """One operand on its way: loaded from its tensor, stored to shared memory, read as fragments."""

    name: str
    rows: Symbol
    matrix: StoredMatrix
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
        return sympy.Integer(self.tile_k) if self.is_k_first else self.tile_k * self.matrix.step

    @property
    def stored_along(self) -> tuple[Symbol, int]:
        """The register index that counts neighbours along K, and how many a store moves at once."""
        held, axis = self.store.distribution, -1 if self.is_k_first else -2
        return held.ys[axis], int(held.y_lengths[axis])

    @property
    def lds(self) -> TensorDescriptor:
        return self.store.descriptor


@dataclass(frozen=True)
class ResultStage:
    """C on its way through shared memory: from registers of the matrix instructions to rows of 16 bytes.

    Windows of one of ``rounds``: registers to LDS, LDS to registers, those to C. A round is one fragment
    along M: every wave writes its rows, and after a barrier all lanes together read whole vectors of
    neighbours and store them, a row after the other.
    """

    write: TileWindow
    read: TileWindow
    store: TileWindow
    rounds: int
    bytes: int


def staging(problem: GemmProblem) -> ResultStage:
    """How C is staged; refused where a row of a round is no whole number of vectors for all threads.

    >>> from layoutalg.codegen.kernels.gemm.ladder import configured
    >>> stage = staging(GemmProblem(configured("pipelined", stages_result=True)))
    >>> stage.write.lengths, stage.store.distribution.y_lengths, stage.bytes
    ((64, 128), (4, 8), 16384)
    """
    config = problem.config
    rounds, rows = config.block.rounds[0], config.waves[0] * config.instruction_row.m
    columns, vector = config.tile[1], config.stored_at_once
    lengths, lanes_of_row = (rows, columns), columns // vector
    if columns % vector or config.lanes % lanes_of_row or rows * lanes_of_row % config.threads:
        msg = f"gemm: {config.threads} threads cannot share {rows} x {columns} of C by {vector} neighbours"
        raise LayoutError(msg, hint="take another tile, or store C from registers")
    lds = xor_swizzled(rows, columns, vector, layers=1)
    one_round = replace(config.block, rounds=(1, config.block.rounds[1])).c
    held = make_static_tile_distribution(config.in_vectors(one_round))
    stored = along_columns(rows, columns, vector, config.threads, config.lanes)
    first_row, first_column = problem.result_origin
    turns = Domain((Variable(ROUND, sympy.Integer(0), sympy.Integer(rounds)),))
    store = make_tile_window(
        problem.result,
        lengths,
        (first_row + rows * ROUND, first_column),
        stored,
        problem.domain.joined(turns),
    )
    return ResultStage(
        make_tile_window(lds, lengths, (0, 0), held),
        make_tile_window(lds, lengths, (0, 0), stored),
        store,
        rounds,
        int(lds.element_space_size) * config.result.bytes,
    )


@dataclass(frozen=True)
class GemmTiles:
    """The windows of a workgroup on A[m, k], B[n, k], C[m, n] (row-major) and on tiles in shared memory."""

    config: GemmConfig

    @cached_property
    def problem(self) -> GemmProblem:
        return GemmProblem(self.config)

    @cached_property
    def a(self) -> OperandTiles:
        return self._operand("a", M, self.problem.first_row, self.config.tile[0], self.config.block.a)

    @cached_property
    def b(self) -> OperandTiles:
        return self._operand("b", N, self.problem.first_column, self.config.tile[1], self.config.block.b)

    @cached_property
    def c(self) -> TileWindow:
        """The window through which C is stored."""
        return self.stage.store if self.stage else self.held

    @cached_property
    def stage(self) -> ResultStage | None:
        """C in shared memory, if it goes there."""
        if not self.config.stages_result:
            return None
        made = staging(self.problem)
        need = self.lds_bytes if made.bytes <= self.a_bytes else self.lds_bytes + made.bytes
        have = Target.named(self.config.target).lds_bytes_per_workgroup
        if need > have:
            msg = f"gemm: with {made.bytes} bytes of C the tiles need {need} bytes of shared memory,"
            hint = "take a smaller tile or instruction, or store C from registers"
            raise LayoutError(f"{msg} a workgroup on {self.config.target} has {have}", hint=hint)
        return made

    @property
    def stages_in_a(self) -> bool:
        """Whether C takes the place of A in shared memory, or one of its own."""
        return self.stage is not None and self.stage.bytes <= self.a_bytes

    @cached_property
    def held(self) -> TileWindow:
        """The workgroup's tile of C, as the matrix instructions leave it in registers."""
        problem, made = self.problem, make_static_tile_distribution(self.config.held_c)
        return make_tile_window(
            problem.result, self.config.tile[:2], problem.result_origin, made, problem.domain
        )

    def _operand(
        self, name: str, rows: Symbol, first: Expr, tile_rows: int, registers: TileDistributionEncoding
    ) -> OperandTiles:
        tile_k, vector = self.config.tile[2], self.config.vector
        problem, is_k_first = self.problem, self.config.is_k_first(rows.name)
        share = along_columns if is_k_first else along_rows
        loaders = share(tile_rows, tile_k, vector, self.config.threads, self.config.lanes)
        lengths = (tile_rows, tile_k)
        lds = self._lds(tile_rows)
        return OperandTiles(
            name,
            rows,
            problem.matrix(rows),
            make_tile_window(
                problem.operand(rows), lengths, (first, problem.first_k), loaders, problem.domain
            ),
            make_tile_window(lds, lengths, (0, 0), loaders),
            make_tile_window(
                lds, lengths, (0, 0), make_static_tile_distribution(in_pieces(registers, vector))
            ),
            is_k_first,
        )

    def _lds(self, rows: int) -> TensorDescriptor:
        columns, vector = self.config.tile[2], self.config.vector
        if self.config.lds in {"padded", "k0mk1"}:
            return k_first(rows, columns, self.config.pack, padding=int(self.config.lds == "padded"))
        if self.config.lds == "xor":
            layers = max(1, LDS_LINE_BYTES // (columns * self.config.kind.bytes))
            return xor_swizzled(rows, columns, vector, layers=layers)
        return row_major(rows, columns, vector)

    @property
    def lds_elements(self) -> tuple[int, int]:
        """Elements of A and of B in shared memory."""
        return int(self.a.lds.element_space_size), int(self.b.lds.element_space_size)

    @property
    def a_bytes(self) -> int:
        """Bytes of A in shared memory, over all buffers."""
        return self.config.schedule.buffers * self.lds_elements[0] * self.config.kind.bytes

    @property
    def lds_bytes(self) -> int:
        """Bytes of shared memory, over all buffers."""
        return self.config.schedule.buffers * sum(self.lds_elements) * self.config.kind.bytes

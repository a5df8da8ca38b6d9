"""C on its way through shared memory: from the registers of the matrix instructions to rows of 16 bytes.

One round of fragments along M at a time: every wave writes its rows, and after a barrier all lanes together
read whole vectors of neighbours and store them, a row after the other.

>>> from layoutalg.codegen.kernels.gemm.ladder import configured
>>> stage = staging(GemmProblem(configured("pipelined", stages_result=True)))
>>> stage.write.lengths, stage.store.distribution.y_lengths, stage.bytes
((64, 128), (4, 8), 16384)
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy
from sympy import Symbol

from layoutalg.codegen.kernels.gemm.moves import along_columns
from layoutalg.codegen.kernels.gemm.problem import GemmProblem
from layoutalg.codegen.kernels.gemm.schedule import BARRIER, MULTIPLY, STORE, Schedule
from layoutalg.distribution import TileWindow, make_static_tile_distribution, make_tile_window
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.memory import xor_swizzled

__all__ = ["ROUND", "STAGING_ORDER", "ResultStage", "staging"]

ROUND = Symbol("round", integer=True, nonnegative=True)
STAGING_ORDER = Schedule((BARRIER, STORE, BARRIER, MULTIPLY))  # a round's rows written, then read


@dataclass(frozen=True)
class ResultStage:
    """Windows of one round: registers to LDS, LDS to registers, those to C. ``rounds`` of them."""

    write: TileWindow
    read: TileWindow
    store: TileWindow
    rounds: int
    bytes: int


def staging(problem: GemmProblem) -> ResultStage:
    """How C is staged; refused where a row of a round is no whole number of vectors for all threads."""
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

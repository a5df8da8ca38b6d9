"""C on its way through shared memory, piece by piece: who writes, reads and stores what.

>>> from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem
>>> from layoutalg.codegen.kernels.gemm.ladder import configured
>>> stage = staging(GemmProblem(configured("pipelined", stages_result=True)), 32768)
>>> stage.write.lengths, stage.store.distribution.y_lengths, stage.bytes
((64, 128), (4, 8), 16384)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import sympy
from sympy import Symbol

from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.copy_distributions import along_columns, one_after_another
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem
from layoutalg.codegen.schedule import BARRIER, READ, STORE, Schedule
from layoutalg.distribution import TileWindow, make_static_tile_distribution, make_tile_window
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.memory import least_conflicts, row_swizzles, xor_swizzled

__all__ = ["PIECE", "ROUND", "STAGING_ORDER", "ResultStage", "staging"]

ROUND = Symbol("round", integer=True, nonnegative=True)
PIECE = Symbol("piece", integer=True, nonnegative=True)
STAGING_ORDER = Schedule((BARRIER, STORE, BARRIER, READ))  # of every piece


@dataclass(frozen=True)
class ResultStage:
    """C on its way through shared memory: from registers of the matrix instructions to rows of 16 bytes.

    Windows of one piece: registers to LDS, LDS to registers, those to C. A piece has one fragment along M
    (``rounds`` of them) and some along N (``pieces`` times so many): every wave writes its rows, and after a
    barrier all lanes together read whole vectors of neighbours and store them, a row after the other.
    """

    write: TileWindow
    read: TileWindow
    store: TileWindow
    rounds: int
    pieces: int
    bytes: int

    @property
    def fragments(self) -> int:
        """Fragments along N that a wave has of a piece."""
        return int(self.write.distribution.y_lengths[1])


def staging(problem: GemmProblem, room: int) -> ResultStage:
    """How C is staged: in the largest pieces that fit into ``room`` bytes, in the smallest if none does.

    Refused where a row of a piece is no whole number of vectors for all threads.
    """
    config = problem.config
    fitting = [_stage(problem, pieces) for pieces in _possible(config)]
    if not fitting:
        rows, columns, at_once = *_piece(config, 1), config.stored_at_once
        msg = f"gemm: {config.threads} threads cannot share {rows} x {columns} of C by {at_once} neighbours"
        raise LayoutError(msg, hint="take another tile, or store C from registers")
    return next((stage for stage in fitting if stage.bytes <= room), fitting[-1])


def _possible(config: GemmConfig) -> Iterator[int]:
    """Into how many pieces a row of C may be cut."""
    vector, fragments = config.stored_at_once, config.block.rounds[1]
    for pieces in (n for n in range(1, fragments + 1) if fragments % n == 0):
        rows, columns = _piece(config, pieces)
        if columns % vector == 0 and rows * columns // vector % config.threads == 0:
            yield pieces


def _piece(config: GemmConfig, pieces: int) -> tuple[int, int]:
    """Rows and columns of a piece."""
    return config.waves[0] * config.instruction_row.m, config.tile[1] // pieces


def _stage(problem: GemmProblem, pieces: int) -> ResultStage:
    config, vector = problem.config, problem.config.stored_at_once
    rounds, fragments = config.block.rounds
    lengths = rows, columns = _piece(config, pieces)
    of_piece = replace(config.block, rounds=(1, fragments // pieces)).c
    held = make_static_tile_distribution(config.in_vectors(of_piece))
    lanes_of_row, pack = columns // vector, config.vector_bytes // config.result.bytes
    is_even = config.threads % lanes_of_row == 0 and lanes_of_row & (lanes_of_row - 1) == 0
    share = along_columns if is_even else one_after_another
    stored = share(rows, columns, vector, config.threads, config.lanes)
    if is_even:
        lds = xor_swizzled(rows, columns, pack)
    else:
        layouts = (swizzle.layout for swizzle in row_swizzles(rows, columns, pack))
        lds = least_conflicts(layouts, (held, stored), config.result, config.target)
    first_row, first_column = problem.result_origin
    counts = {ROUND: rounds} | ({PIECE: pieces} if pieces > 1 else {})
    turns = Domain(tuple(Variable(s, sympy.Integer(0), sympy.Integer(n)) for s, n in counts.items()))
    origin = first_row + rows * ROUND, first_column + (columns * PIECE if pieces > 1 else 0)
    return ResultStage(
        make_tile_window(lds, lengths, (0, 0), held),
        make_tile_window(lds, lengths, (0, 0), stored),
        make_tile_window(problem.result, lengths, origin, stored, problem.domain.joined(turns)),
        rounds,
        pieces,
        int(lds.element_space_size) * config.result.bytes,
    )

"""What must hold of a GEMM for every admissible size before its text is handed out.

Loads and stores stay in bounds, move whole vectors and fit 32 bits; the blocks load every element of A and
of B once, over all of K; every element of a tile is stored to and read from one place of shared memory; the
fragments are what the matrix instruction takes; and each element of C is written once. The order
of the steps is proved by :mod:`layoutalg.codegen.schedule`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.gemm_problem import TILE, K, M, N
from layoutalg.codegen.kernels.gemm.tiles import STAGING_ORDER, GemmTiles, OperandTiles, ResultStage
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.distribution import TileDistributionEncoding, make_static_tile_distribution
from layoutalg.domain import Domain, Variable
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.machine.lds import LdsPhases
from layoutalg.memory import WaveAccess
from layoutalg.properties import (
    conflict_free,
    covers_map,
    fits_integer,
    memory_bounds_map,
    one_to_one,
    one_to_one_map,
    owned,
    same_map,
    tile_bounds,
    vector_access_map,
)
from layoutalg.transforms import Merge

__all__ = ["claims_of"]


def claims_of(tiles: GemmTiles) -> tuple[Claim, ...]:
    """The claims of a GEMM; those of bank conflicts only where the layout is made to be free of them."""
    found: list[Claim] = []
    for operand, rows in ((tiles.a, M), (tiles.b, N)):
        found += _operand(tiles, operand, rows * K)
    found += _result(tiles)
    if tiles.stage:
        found += _staged(tiles.stage, tiles.config)
    found += fragment_claims(tiles)
    found += tiles.config.schedule.claims()
    if tiles.config.lds == "xor":
        found += _free(tiles)
    return tuple(found)


def _operand(tiles: GemmTiles, operand: OperandTiles, space: Any) -> list[Claim]:
    name, vector = operand.name.upper(), tiles.config.vector
    load = _alone(operand.load.index_map())
    found = [memory_bounds_map(load, space, f"{name} loads")]
    found += vector_access_map(load, operand.load.distribution.ys[-1], vector, f"{name} loads")
    found.append(fits_integer((load.outputs[0],), load.domain, "int32", f"{name} loads"))
    elements, lengths = _alone(operand.load.tensor_map()), map(as_expression, operand.load.descriptor.lengths)
    found.append(one_to_one_map(elements, f"{name} elements loaded"))
    found.append(covers_map(elements, tuple(lengths), f"{name} elements loaded"))
    found += owned(operand.store.distribution, f"{name} tile, stored")
    found += owned(operand.read.distribution, f"{name} tile, read")
    found += [tile_bounds(window.distribution, f"{name} tile") for window in (operand.store, operand.read)]
    room = as_expression(operand.lds.element_space_size)
    for window, what in ((operand.store, "stores"), (operand.read, "reads")):
        found.append(memory_bounds_map(window.index_map(), room, f"{name} LDS {what}"))
    found.append(one_to_one(operand.lds, f"{name} in LDS"))
    found.append(same_map(operand.store.descriptor, operand.read.descriptor, f"{name} in LDS"))
    found += vector_access_map(operand.store.index_map(), *operand.stored_along, f"{name} LDS stores")
    width = int(operand.read.distribution.y_lengths[-1])
    found += vector_access_map(
        operand.read.index_map(), operand.read.distribution.ys[-1], width, f"{name} LDS reads"
    )
    return found


def _result(tiles: GemmTiles) -> list[Claim]:
    """Every element of C belongs to one register of one thread of one workgroup."""
    config, written = tiles.config, _without_tile(tiles.c.index_map())
    space, width = config.split_k * M * N, config.stored_at_once
    alone = _alone(written)
    found = [
        memory_bounds_map(alone, space, "C stores"),
        *vector_access_map(alone, tiles.c.distribution.ys[-1], width, "C stores"),
        fits_integer(alone.outputs, alone.domain, "int32", "C stores"),
    ]
    if config.has_scale:
        held = _alone(tiles.held.index_map())
        found.append(memory_bounds_map(held, space, "D loads"))
        found += vector_access_map(held, tiles.held.distribution.ys[-1], config.held_at_once, "D loads")
    if not config.has_tails:
        return [*found, one_to_one_map(written, "C stores"), covers_map(written, (space,), "C stores")]
    elements = _without_tile(tiles.c.tensor_map())  # of the padded matrix, each once; then those that exist
    lengths = tuple(map(as_expression, tiles.problem.result.lengths))
    found += [one_to_one_map(elements, "C elements"), covers_map(elements, lengths, "C elements")]
    matrix = make_naive_tensor_descriptor((M, N), (N, 1)).assuming(tiles.problem.sizes)
    return [*found, one_to_one(matrix, "C in memory")]


def _alone(index_map: IndexMap) -> IndexMap:
    """The map on those axes, sizes and facts that occur in it: enough for what holds at each point."""
    outputs, when = index_map.outputs, index_map.when
    return IndexMap(index_map.domain.only(*outputs, *when), outputs, when)


def _without_tile(index_map: IndexMap) -> IndexMap:
    domain = index_map.domain
    kept = Domain(tuple(v for v in domain.variables if v.symbol != TILE), domain.facts)
    return IndexMap(kept, index_map.outputs, index_map.when)


def _staged(stage: ResultStage, config: GemmConfig) -> list[Claim]:
    """C through shared memory: writer and reader agree, every element has its place, barriers between."""
    lds = stage.write.descriptor
    found: list[Claim] = [*owned(stage.write.distribution, "C tile, written")]
    found += [*owned(stage.store.distribution, "C tile, stored"), one_to_one(lds, "C in LDS")]
    found.append(same_map(lds, stage.read.descriptor, "C in LDS"))
    for window, width, what in (
        (stage.write, config.held_at_once, "C LDS writes"),
        (stage.read, config.stored_at_once, "C LDS reads"),
    ):
        found.append(tile_bounds(window.distribution, what))
        found.append(memory_bounds_map(window.index_map(), as_expression(lds.element_space_size), what))
        found += vector_access_map(window.index_map(), window.distribution.ys[-1], width, what)
    return [*found, *STAGING_ORDER.claims()[:1]]


def _free(tiles: GemmTiles) -> list[Claim]:
    """The swizzled layouts are free of bank conflicts, for the reader, and for a writer along K."""
    found: list[Claim] = []
    for operand in (tiles.a, tiles.b):
        width = int(operand.read.distribution.y_lengths[-1])
        accesses = (
            ("stores", WaveAccess.of_window(operand.store, tiles.config.kind, "write")),
            ("reads", WaveAccess.of_window(operand.read, tiles.config.kind, "read", width)),
        )
        for what, access in accesses if operand.is_k_first else accesses[1:]:
            phases = LdsPhases.of(tiles.config.target, access.direction, access.bits)
            found += conflict_free(access, phases, f"{operand.name.upper()} LDS {what}")
    return found


def fragment_claims(tiles: GemmTiles) -> list[Claim]:
    """That C is A times B, from what the instruction does: same k, right rows of A and of B, right result.

    Registers of A and B that meet in an instruction belong to the same k, each holds the row that the
    instruction takes it for, and what it leaves in a register is stored as the element of C that it is.
    """
    sides = _Sides(tiles)
    return [sides.same_k(), *map(sides.right_rows, sides.sides), sides.right_result()]


@dataclass(frozen=True)
class _Side:
    """One operand: its registers, how the instruction takes them, rounds and waves along its rows."""

    tiles: OperandTiles
    taken: TileDistributionEncoding
    rounds: int
    waves: int
    wave: Expr

    @property
    def name(self) -> str:
        return self.tiles.name.upper()

    def first_row(self, turn: Expr, rows: int) -> Expr:
        """Where the rows of this wave's instruction begin, in the tile."""
        return (turn * self.waves + self.wave) * rows

    @property
    def registers(self) -> tuple[int, ...]:
        """The pieces in which one read comes, and the elements of each."""
        return tuple(map(int, self.tiles.read.distribution.y_lengths[2:]))

    def element(self, warp: Expr, lane: Expr, turn: Expr, at: Expr, register: Expr) -> tuple[Expr, Expr]:
        """Row and k in the tile of a register, counted over one read."""
        inner = Merge(self.registers).lower((register,), SYMBOLIC)
        reading = self.tiles.read.distribution
        hidden = reading.ps_ys_to_xs.hidden_expressions((warp, lane, turn, at, *inner))
        return hidden[0], hidden[1]


@dataclass(frozen=True)
class _Sides:
    tiles: GemmTiles

    @cached_property
    def warp(self) -> Symbol:
        return _symbol("warp")

    @cached_property
    def sides(self) -> tuple[_Side, _Side]:
        """A, then B; a transposed C makes the instruction take B first."""
        config = self.tiles.config
        mma, rounds, (m_waves, n_waves) = config.instruction_row, config.block.rounds, config.waves
        first, second = (mma.b, mma.a) if config.is_c_transposed else (mma.a, mma.b)
        of_m = SYMBOLIC.quotient(self.warp, sympy.Integer(n_waves))
        of_n = SYMBOLIC.remainder(self.warp, sympy.Integer(n_waves))
        return (
            _Side(self.tiles.a, first, rounds[0], m_waves, of_m),
            _Side(self.tiles.b, second, rounds[1], n_waves, of_n),
        )

    def same_k(self) -> Claim:
        """Registers of A and of B in which an instruction sees the same k are of the same k of the tile."""
        config = self.tiles.config
        step, zero = _symbol("step"), sympy.Integer(0)
        at = SYMBOLIC.quotient(step, sympy.Integer(config.k_per_lane))
        part = SYMBOLIC.remainder(step, sympy.Integer(config.k_per_lane))
        axes: dict[Symbol, int] = {step: config.block.k_steps}
        seen, held = [], []
        count = config.instruction_row.elements_a
        for side in self.sides:
            lane, element = _symbol(f"{side.name.lower()}_lane"), _symbol(f"{side.name.lower()}_element")
            axes |= {lane: config.lanes, element: count}
            seen.append(_taken(side.taken, lane, element)[1])
            held.append(side.element(zero, lane, zero, at, part * count + element)[1])
        when = (sympy.Eq(*seen, evaluate=False),)
        then = (Comparison(held[0], "==", held[1]),)
        return Claim("same k", "fragments of A and B", _box(axes), then, when)

    def right_rows(self, side: _Side) -> Claim:
        """A register holds the row that the instruction takes it for, whatever its k."""
        turn, at, lane, element = map(_symbol, ("turn", "at", "lane", "element"))
        rows = self.tiles.config.instruction[0 if side.name == "A" else 1]
        wanted = side.first_row(turn, rows) + _taken(side.taken, lane, sympy.Integer(0))[0]
        found = side.element(self.warp, lane, turn, at, element)[0]
        k_rounds, elements = int(side.tiles.read.distribution.y_lengths[1]), math.prod(side.registers)
        waves, lanes = math.prod(self.tiles.config.waves), self.tiles.config.lanes
        domain = _box({self.warp: waves, lane: lanes, turn: side.rounds, at: k_rounds, element: elements})
        return Claim("right rows", f"fragments of {side.name}", domain, (Comparison(found, "==", wanted),))

    def right_result(self) -> Claim:
        """A register of C is stored as the element that the instruction computes there.

        Through shared memory that is its place in the rows of its round.
        """
        config, stage = self.tiles.config, self.tiles.stage
        written = stage.write.distribution if stage else self.tiles.held.distribution
        mma = config.instruction_row
        lane, i, j, element = map(_symbol, ("lane", "i", "j", "element"))
        inner = _taken(mma.d, lane, element)
        row, column = (inner[1], inner[0]) if config.is_c_transposed else inner
        ys = Merge(tuple(map(int, written.y_lengths[2:]))).lower((element,), SYMBOLIC)
        found = written.ps_ys_to_xs.hidden_expressions((self.warp, lane, i, j, *ys))
        of_a, of_b = self.sides
        wanted = (
            of_a.first_row(i, config.instruction[0]) + row,
            of_b.first_row(j, config.instruction[1]) + column,
        )
        waves = math.prod(config.waves)
        domain = _box(
            {
                self.warp: waves,
                lane: config.lanes,
                i: 1 if stage else of_a.rounds,
                j: of_b.rounds,
                element: mma.elements_d,
            }
        )
        then = tuple(Comparison(mine, "==", its) for mine, its in zip(found[:2], wanted, strict=True))
        return Claim("right result", "C registers", domain, then)


def _symbol(name: str) -> Symbol:
    return Symbol(name, integer=True, nonnegative=True)


def _taken(encoding: TileDistributionEncoding, lane: Expr, element: Expr) -> tuple[Expr, Expr]:
    """The element of the instruction's own operand in a lane, by the number of the element in that lane."""
    made = make_static_tile_distribution(encoding)
    ys = Merge(tuple(map(int, made.y_lengths))).lower((element,), SYMBOLIC)
    hidden = made.ps_ys_to_xs.hidden_expressions((lane, *ys))
    return hidden[0], hidden[1]


def _box(lengths: Mapping[Symbol, int]) -> Domain:
    return Domain(tuple(Variable(s, sympy.Integer(0), sympy.Integer(n)) for s, n in lengths.items()))

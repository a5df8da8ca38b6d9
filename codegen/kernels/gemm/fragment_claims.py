"""That C is A times B, from what the matrix instruction does with the registers that it is given.

Registers of A and of B that meet in an instruction belong to the same k, each holds the row that the
instruction takes it for, and what it leaves in a register is stored as the element of C that it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison
from layoutalg.codegen.kernels.gemm.block_scales import OperandScales
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles, OperandTiles
from layoutalg.distribution import TileDistributionEncoding, make_static_tile_distribution
from layoutalg.domain import Domain, Variable
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.mma.transposing_read import source_of
from layoutalg.transforms import Merge

__all__ = ["fragment_claims"]


def fragment_claims(tiles: GemmTiles) -> list[Claim]:
    """Same k, right rows of A and of B, right result, right scales of blocks, and what is transposed."""
    sides = _Sides(tiles)
    rows = [*map(sides.right_rows, sides.sides)]
    scales = [*map(sides.right_scale, sides.sides, tiles.scales)]
    turned = [_transposed(one) for one in (tiles.a, tiles.b) if one.held]
    return [sides.same_k(), *rows, sides.right_result(), *scales, *turned]


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
        return tuple(map(int, self.tiles.fragments.y_lengths[2:]))

    def element(self, warp: Expr, lane: Expr, turn: Expr, at: Expr, register: Expr) -> tuple[Expr, Expr]:
        """Row and k in the tile of a register, counted over one read."""
        inner = Merge(self.registers).lower((register,), SYMBOLIC)
        hidden = self.tiles.fragments.ps_ys_to_xs.hidden_expressions((warp, lane, turn, at, *inner))
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
        k_rounds, elements = int(side.tiles.fragments.y_lengths[1]), math.prod(side.registers)
        waves, lanes = math.prod(self.tiles.config.waves), self.tiles.config.lanes
        domain = _box({self.warp: waves, lane: lanes, turn: side.rounds, at: k_rounds, element: elements})
        return Claim("right rows", f"fragments of {side.name}", domain, (Comparison(found, "==", wanted),))

    def right_scale(self, side: _Side, scales: OperandScales) -> Claim:
        """An element is multiplied with the scale of its own row and of its own block of the tile.

        The hardware takes that from the lane of the row that has the element's block among those of the
        instruction; it holds all blocks of the tile, and shifted its own to the first.
        """
        turn, step, lane, element = map(_symbol, ("turn", "step", "lane", "element"))
        mma, block = self.tiles.config.instruction_row, sympy.Integer(scales.config.block_elements)
        each = sympy.Integer(scales.config.k_per_lane)
        at, part = SYMBOLIC.quotient(step, each), SYMBOLIC.remainder(step, each)
        row, k = side.element(self.warp, lane, turn, at, part * mma.elements_a + element)
        seen_row, seen_k = _taken(side.taken, lane, element)
        number, rows = SYMBOLIC.quotient(seen_k, block), self.tiles.config.lanes // scales.of_instruction
        lane_of_scale = seen_row + rows * number
        held = scales.loads.distribution.ps_ys_to_xs
        its_row, its_block = held.hidden_expressions(
            (self.warp, lane_of_scale, turn, each * (scales.of_instruction * at + number) + part)
        )[:2]
        then = (
            Comparison(its_row, "==", row),
            Comparison(its_block, "==", SYMBOLIC.quotient(k, block)),
        )
        counts = {
            self.warp: math.prod(self.tiles.config.waves),
            lane: self.tiles.config.lanes,
            turn: side.rounds,
            step: scales.config.block.k_steps,
            element: mma.elements_a,
        }
        return Claim("right scale", f"fragments of {side.name}", _box(counts), then)

    def right_result(self) -> Claim:
        """A register of C is stored as the element that the instruction computes there.

        Through shared memory that is its place in its piece.
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
                j: stage.fragments if stage else of_b.rounds,
                element: mma.elements_d,
            }
        )
        then = tuple(Comparison(mine, "==", its) for mine, its in zip(found[:2], wanted, strict=True))
        return Claim("right result", "C registers", domain, then)


def _transposed(operand: OperandTiles) -> Claim:
    """What a lane holds is what the lane read from which it gets it."""
    read, held = operand.read.distribution, operand.fragments
    warp, lane = held.ps
    *ys, element = held.ys
    reader, place = source_of(lane, element, int(held.y_lengths[-1]))
    got = read.ps_ys_to_xs.hidden_expressions((warp, reader, *ys, place))[:2]
    same = tuple(Comparison(mine, "==", its) for mine, its in zip(held.x, got, strict=True))
    return Claim("transposed", f"fragments of {operand.name.upper()}", held.domain, same)


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

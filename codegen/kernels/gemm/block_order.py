"""Which workgroup makes which block of C: in the order of launch, or so that each die has neighbours.

GPUs of several dies (XCDs) deal workgroups to them in turn, and each die has an L2 cache of its own. With
``xcds`` of them the first index of the grid says the die, and a die makes neighbouring rows of blocks: those
from ``xcd * rows // xcds`` on, so that no die has more than one row more than another. It makes ``group_m``
rows at a time, the last of them perhaps fewer, since what a cache holds of B serves them all.
Source: ROCm documentation, GPU specifications (dies and the L2 of each); Modular's documentation,
``chiplet_transform_chunked`` (workgroup n goes to die n modulo 8).

>>> from layoutalg.length import sizes
>>> R, C = sizes("R C")
>>> BlockOrder(R, C, xcds=8).grid, BlockOrder(R, C, group_m=4, xcds=8).grid
((8, C, (R + 7) // 8), (8, 4*C, (R + 31) // 32))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.claimed_access import built_in
from layoutalg.codegen.kernels.batches import BATCH
from layoutalg.codegen.text.source import INDENT
from layoutalg.codegen.text.speller import Speller
from layoutalg.domain import Domain, Variable
from layoutalg.index import FloorDiv, FloorMod
from layoutalg.properties import memory_bounds_map, one_to_one_map

__all__ = ["BLOCK_K", "BLOCK_M", "BLOCK_N", "GROUP_M", "BlockOrder"]

BLOCK_M, BLOCK_N, BLOCK_K, GROUP_M, XCD, PLACE = sympy.symbols(
    "block_m block_n block_k group_m xcd place", integer=True, nonnegative=True
)
ZERO = sympy.Integer(0)


@dataclass(frozen=True)
class BlockOrder:
    """``rows`` of ``columns`` blocks, for one die groups of ``group_m`` such rows; ``split_k`` parts.

    ``batch_count``: of as many products, if of a batch.
    """

    rows: Expr
    columns: Expr
    group_m: int = 1
    split_k: int = 1
    xcds: int = 1
    batch_count: Expr | None = None

    @property
    def grid(self) -> tuple[Expr, ...]:
        """Workgroups along x, y and z; x comes first in the order of launch."""
        if self.xcds > 1:
            return sympy.Integer(self.xcds), self.group_m * self.columns, self._groups_of_a_die
        if self.group_m > 1:
            return sympy.Integer(self.group_m), self.columns, self.rows
        grid = (self.columns, self.rows)
        if self.batch_count is not None:
            return (*grid, self.batch_count)
        return grid if self.split_k == 1 else (*grid, sympy.Integer(self.split_k))

    @property
    def launch(self) -> dict[Symbol, Expr]:
        """Where HIP's indices of the workgroup have each block, and its die."""
        x, y, z = (built_in(f"blockIdx.{axis}") for axis in "xyz")
        if self.xcds == 1:
            return {symbol: built_in(name) for symbol, name in self._built_ins.items()}
        group = sympy.Integer(self.group_m)
        row = self._row(x, z, FloorMod.unchecked(y, group))
        return {XCD: x, BLOCK_M: row, BLOCK_N: FloorDiv.unchecked(y, group)}

    @property
    def _built_ins(self) -> dict[Symbol, str]:
        """HIP's index for each block, in the order of launch."""
        if self.group_m > 1:
            return {BLOCK_M: "blockIdx.x", BLOCK_N: "blockIdx.y", GROUP_M: "blockIdx.z"}
        found = {BLOCK_M: "blockIdx.y", BLOCK_N: "blockIdx.x"}
        if self.batch_count is not None:
            return found | {BATCH: "blockIdx.z"}
        return found if self.split_k == 1 else found | {BLOCK_K: "blockIdx.z"}

    @property
    def when(self) -> tuple[sympy.Basic, ...]:
        """What holds of workgroups that have a block."""
        return (sympy.Lt(BLOCK_M, self._first(XCD + 1)),) if self.xcds > 1 else ()

    def made_by_a_workgroup(self, made: IndexMap) -> IndexMap:
        """A map on the blocks, for those that a workgroup of a die makes."""
        if self.xcds == 1:
            return made
        die = Domain((Variable(XCD, ZERO, sympy.Integer(self.xcds)),))
        return IndexMap(made.domain.joined(die), made.outputs, (*made.when, *self.when))

    def declarations(self, sizes: Domain) -> Iterator[str]:
        """The block of a workgroup; one that has none ends."""
        if self.xcds == 1:
            yield from (f"const int {symbol} = {name};" for symbol, name in self._built_ins.items())
            return
        spell, group = Speller(self.places(sizes)), self.group_m
        row = f"{spell(self._first(XCD))} + " + ("blockIdx.z" if group == 1 else f"{group} * blockIdx.z")
        yield f"const int {XCD} = blockIdx.x;"
        yield f"const int {BLOCK_N} = blockIdx.y{f' / {group}' if group > 1 else ''};"
        yield f"const int {BLOCK_M} = {row}{f' + blockIdx.y % {group}' if group > 1 else ''};"
        yield f"if ({BLOCK_M} >= {spell(self._first(XCD + 1))})"
        yield f"{INDENT}return;  // this die has fewer"

    def places(self, sizes: Domain) -> Domain:
        """The dies, the groups of rows for which each has places, and the rows of a group."""
        axes = (
            Variable(XCD, ZERO, sympy.Integer(self.xcds)),
            Variable(GROUP_M, ZERO, self._groups_of_a_die),
            Variable(PLACE, ZERO, sympy.Integer(self.group_m)),
        )
        return Domain((*axes, *sizes.variables), sizes.facts)

    def claims(self, sizes: Domain) -> list[Claim]:
        """Each row is one workgroup's: those of the dies follow each other, from the first to the last."""
        if self.xcds == 1:
            return []
        places = self.places(sizes)
        domain = Domain((places.variable(XCD.name), *sizes.variables), sizes.facts)
        first, end = self._first(XCD), self._first(XCD + 1)
        row = self._row(XCD, GROUP_M, PLACE)
        rows, room = IndexMap(places, (row,), (sympy.Lt(row, end),)), self.group_m * self._groups_of_a_die
        follow = Comparison(first, "<=", end), Comparison(end - first, "<=", room)
        ends = (
            Comparison(self._first(ZERO), "==", ZERO),
            Comparison(self._first(sympy.Integer(self.xcds)), "==", self.rows),
        )
        return [
            one_to_one_map(rows, "rows of blocks"),
            memory_bounds_map(rows, self.rows, "rows of blocks"),
            Claim("covers", "rows of blocks, die after die", domain, follow),
            Claim("covers", "rows of blocks, first and last", sizes, ends),
        ]

    def _first(self, xcd: Expr) -> Expr:
        """The first row of a die."""
        return FloorDiv.unchecked(xcd * self.rows, sympy.Integer(self.xcds))

    def _row(self, xcd: Expr, group: Expr, place: Expr) -> Expr:
        """The row that is at a place of a group of a die, if the die has so many."""
        return self._first(xcd) + self.group_m * group + place

    @property
    def _groups_of_a_die(self) -> Expr:
        """Groups of rows, the last perhaps not whole, of the die that has most."""
        of_all = self.xcds * self.group_m
        return FloorDiv.unchecked(self.rows + of_all - 1, sympy.Integer(of_all))

"""A permutation cut into tiles: both tensors seen by workgroups and threads, and the tile in shared memory.

What is fastest in the target makes the rows of a tile, what is fastest in the source its columns; all else is
the batch.

>>> from layoutalg.codegen.kernels.transpose.config import PermuteConfig
>>> tiles = PermuteTiles(Permutation.of((100, 64), (1, 0)), PermuteConfig())
>>> tiles.blocks, tiles.loads.when
((4, 2, 1), (32*block_row + 32*y0 + y2 + 4*(lane // 8) + 32*(warp // 1) < 100,))
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import IndexMap
from layoutalg.codegen.kernels.transpose.config import PermuteConfig
from layoutalg.codegen.kernels.transpose.permutation import Permutation
from layoutalg.codegen.kernels.transpose.shared_tile import shared_tile
from layoutalg.codegen.kernels.transpose.spread import loaders, writers
from layoutalg.codegen.text.speller import LARGEST_OFFSET
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.distribution import TileDistribution, make_tile_window
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression, conjuncts
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.length import Length, product
from layoutalg.machine import EVERY_GPU
from layoutalg.transforms import Merge, MergeVariant, PassThrough, RightPad

__all__ = ["BATCH", "BLOCK_COLUMN", "BLOCK_ROW", "PermuteTiles", "divisor"]

BLOCK_ROW, BLOCK_COLUMN, BATCH = sympy.symbols("block_row block_column batch", integer=True, nonnegative=True)


@dataclass(frozen=True)
class PermuteTiles:
    """The tiles of a permutation: the blocks they make, and where each thread loads and writes.

    ``multiples``: what symbolic lengths are multiples of, by name.

    ``stored`` and ``read``: the layout of the tile in shared memory for its writer and its reader, as the
    configuration says where none is given.
    """

    permutation: Permutation
    config: PermuteConfig
    multiples: Mapping[str, int] = field(default_factory=dict, hash=False)
    stored: TensorDescriptor | None = None
    read: TensorDescriptor | None = None

    def __post_init__(self) -> None:
        if self.config.path == "lds":
            shared = shared_tile(self.config).descriptor
            object.__setattr__(self, "stored", self.stored or shared)
            object.__setattr__(self, "read", self.read or shared)
        if (self.config.path == "direct") == self.permutation.is_turned:
            stays = "does not stay" if self.permutation.is_turned else "stays"
            msg = (
                f"permute: the fastest dimension {stays} the fastest: not a case for path {self.config.path}"
            )
            raise LayoutError(msg, hint="'direct' moves it as it is; 'lds' and 'registers' turn a tile")

    @property
    def merged(self) -> Permutation:
        return self.permutation.merged

    @property
    def extent(self) -> tuple[Length, Length]:
        """Rows and columns of the tensors."""
        return self.permutation.extent

    @property
    def batch(self) -> tuple[int, ...]:
        """The merged dimensions that are neither rows nor columns."""
        return self.permutation.batch

    @property
    def tile(self) -> tuple[int, int]:
        return self.config.rows, self.config.columns

    @cached_property
    def blocks(self) -> tuple[Expr, Expr, Expr]:
        """Tiles down and across, and batches."""
        down, across = (
            SYMBOLIC.quotient(as_expression(n) + (0 if self._fits(axis) else tile - 1), sympy.Integer(tile))
            for axis, (n, tile) in enumerate(zip(self.extent, self.tile, strict=True))
        )
        return down, across, as_expression(product(self.merged.lengths[i] for i in self.batch))

    def _fits(self, axis: int) -> bool:
        """Whether tiles end where the tensor ends."""
        return divisor(self.extent[axis], self.multiples) % self.tile[axis] == 0

    @cached_property
    def is_cut(self) -> tuple[bool, bool]:
        """Whether the last tile down, and across, reaches beyond the tensor."""
        return not self._fits(0), not self._fits(1)

    def begins_anywhere(self, side: str) -> bool:
        """Whether vectors of a side begin at any element, aligned to it alone."""
        width = {"source": self.config.vector_in, "target": self.config.vector_out}[side]
        run, length = self.permutation.run(side)
        steps = [stride for i, stride in enumerate(getattr(self.merged, side)) if i not in run]
        is_odd = any(divisor(step, self.multiples) % width for step in (*steps, length))
        return self.config.begins_anywhere and is_odd

    def part(self, side: str) -> int:
        """The elements of the last vector of each row, where they are fewer than a vector's; else 0."""
        axis, width = self.vector_axis(side)
        return int(self.extent[axis]) % width if self.begins_anywhere(side) else 0

    def vector_axis(self, side: str) -> tuple[int, int]:
        """The axis of a tile along which vectors of a side lie, and their width."""
        if side == "source":
            return 1, self.config.vector_in
        return self.written_along - 2, self.config.vector_out

    @property
    def built_in(self) -> tuple[Symbol, Symbol, Symbol]:
        """What is counted by the workgroup's x, y and z."""
        orders = {
            "source": (BLOCK_COLUMN, BLOCK_ROW, BATCH),
            "target": (BLOCK_ROW, BLOCK_COLUMN, BATCH),
            "batch": (BATCH, BLOCK_COLUMN, BLOCK_ROW),
        }
        return orders[self.config.along]

    @property
    def grid(self) -> tuple[Expr, ...]:
        """Workgroups along x, y and z."""
        counts = dict(zip((BLOCK_ROW, BLOCK_COLUMN, BATCH), self.blocks, strict=True))
        return tuple(counts[symbol] for symbol in self.built_in)

    @cached_property
    def sizes(self) -> Domain:
        """The admissible sizes: all, as long as offsets fit 32 bits, those of cut tiles included."""
        sizes = (*self.permutation.lengths, *(self.permutation.leading or ()))
        factors = (sorted(as_expression(n).free_symbols, key=str) for n in sizes)
        symbols = dict.fromkeys(symbol for found in factors for symbol in found)
        parameters = {s: (m, None, m) for s in symbols for m in (self.multiples.get(s.name, 1),)}
        extent = [as_expression(n) for n in self.extent]
        padded = [
            n + (tile if cut else 0) for n, tile, cut in zip(extent, self.tile, self.is_cut, strict=True)
        ]
        limits = {
            BLOCK_ROW: sympy.Le(extent[0], EVERY_GPU.blocks * self.tile[0]),
            BLOCK_COLUMN: sympy.Le(extent[1], EVERY_GPU.blocks * self.tile[1]),
            BATCH: sympy.Le(self.blocks[2], EVERY_GPU.blocks),
        }
        elements = sympy.Le(padded[0] * padded[1] * self.blocks[2], LARGEST_OFFSET)
        facts = [elements, *(limits[symbol] for symbol in self.built_in[1:])]
        if self.permutation.leading:
            facts += self.permutation.row_facts
            facts += [sympy.Le(self.farthest(side), LARGEST_OFFSET) for side in ("source", "target")]
        if sympy.false in facts:
            msg = f"permute: {self.permutation.lengths}: wanted at most {LARGEST_OFFSET} elements"
            raise LayoutError(f"{msg} and {EVERY_GPU.blocks} tiles along y and z", hint="try another 'along'")
        return Domain.of({}, parameters, [fact for fact in facts if fact != sympy.true])

    @cached_property
    def domain(self) -> Domain:
        """All workgroups, for all admissible sizes."""
        symbols = (BLOCK_ROW, BLOCK_COLUMN, BATCH)
        axes = [
            Variable(symbol, sympy.Integer(0), count)
            for symbol, count in zip(symbols, self.blocks, strict=True)
            if symbol != BATCH or self.batch
        ]
        return Domain((*axes, *self.sizes.variables), self.sizes.facts)

    def view(self, side: str) -> TensorDescriptor:
        """A tensor as (batch, row, column), longer where its last tiles reach beyond it."""
        rows, columns = self.permutation.axes
        if not rows:
            length = self.merged.lengths[columns[0]]
            found = make_naive_tensor_descriptor((1, length), (length, 1))
        else:
            groups = [group for group in (self.batch, rows, columns) if group]
            found = _grouped(self.merged, side, groups)
        for axis in (0, 1):
            if self.is_cut[axis]:
                found = _longer(found, found.rank - 2 + axis, self.tile[axis] - 1)
        return found

    def farthest(self, side: str) -> Expr:
        """The largest offset of an element, those of tiles that are cut included."""
        embed = self.view(side).transforms[0]
        (found,) = embed.lower([end - 1 for end in self.ends], SYMBOLIC)
        return sympy.expand(found)

    @cached_property
    def ends(self) -> list[Expr]:
        """Where the indices of a view end, those of tiles that are cut included."""
        ends: list[Expr] = [as_expression(self.merged.lengths[i]) for i in self.batch]
        for axis, group in enumerate(self.permutation.axes):
            inner = [as_expression(self.merged.lengths[i]) for i in group[1:]]
            last = as_expression(self.extent[axis]) + (self.tile[axis] - 1 if self.is_cut[axis] else 0) - 1
            ends += [SYMBOLIC.quotient(last, as_expression(product(inner))) + 1, *inner]
        return ends

    @property
    def loaders(self) -> TileDistribution:
        return loaders(self.config)

    @property
    def writers(self) -> TileDistribution:
        return writers(self.config)

    def index(self, who: TileDistribution) -> IndexMap:
        """The batch, row and column of an element that a thread holds, whether or not it is there."""
        row, column = who.index_map().outputs
        found = (self.tile[0] * BLOCK_ROW + row, self.tile[1] * BLOCK_COLUMN + column)
        return IndexMap(self.domain.joined(who.domain), ((BATCH, *found) if self.batch else found))

    def through(self, side: str, who: TileDistribution) -> IndexMap:
        """From a thread's elements to all hidden dimensions of a view, the offset in memory first.

        It holds where an access is made: inside the tensor, if accesses are guarded.
        """
        view, index = self.view(side), self.index(who)
        valid = view.interpret_validity(index.outputs, SYMBOLIC)
        when = conjuncts(valid) if self.config.is_guarded else ()
        return IndexMap(index.domain, view.hidden_expressions(index.outputs), when)

    @cached_property
    def loads(self) -> IndexMap:
        """Where each element is loaded from."""
        return _first(self.through("source", self.loaders))

    @cached_property
    def writes(self) -> IndexMap:
        """Where each element is written to."""
        return _first(self.through("target", self.writers))

    @property
    def written_along(self) -> int:
        """The Y along which a thread's elements are neighbours in the target."""
        return 3 if self.config.path == "direct" else 2

    def in_lds(self, layout: TensorDescriptor, who: TileDistribution) -> IndexMap:
        """Where threads have the elements of a tile in shared memory."""
        return make_tile_window(layout, self.tile, (0, 0), who).index_map()


def divisor(length: Length, multiples: Mapping[str, int]) -> int:
    """The largest number known to divide a length.

    >>> divisor(3 * Symbol("M"), {"M": 4})
    12
    """
    found = 1
    for factor in sympy.Mul.make_args(as_expression(length)):
        found *= int(factor) if factor.is_Integer else multiples.get(str(factor), 1)
    return found


def _grouped(merged: Permutation, side: str, groups: Sequence[tuple[int, ...]]) -> TensorDescriptor:
    """A tensor with one dimension for each of these groups of its own."""
    found = merged.descriptor(side, [i for group in groups for i in group])
    if all(len(group) == 1 for group in groups):
        return found
    lengths, ids, transforms = iter(found.lengths), itertools.count(), list[Any]()
    for group in groups:
        own = tuple(itertools.islice(lengths, len(group)))
        variant = MergeVariant.V3_DIVISION_MOD
        transforms.append(Merge(own, variant) if len(own) > 1 else PassThrough(own[0]))
    lower = [tuple(itertools.islice(ids, len(group))) for group in groups]
    return found.transform(transforms, lower, [(i,) for i in range(len(groups))])


def _first(index_map: IndexMap) -> IndexMap:
    return IndexMap(index_map.domain, index_map.outputs[:1], index_map.when)


def _longer(descriptor: TensorDescriptor, dimension: int, right: int) -> TensorDescriptor:
    """Elements after the end of a dimension."""
    ids = [(i,) for i in range(descriptor.rank)]
    passed: list[Any] = [PassThrough(length) for length in descriptor.lengths]
    passed[dimension] = RightPad(descriptor.lengths[dimension], right)
    return descriptor.transform(passed, ids, ids)

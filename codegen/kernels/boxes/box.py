"""A box of a tensor for each workgroup: loaded by runs of the source, stored by runs of the target.

Boxes are whole: the last one along a dimension ends with the tensor, so it may have elements of the one
before, which are stored twice with the same value. In between, elements lie in shared memory, a run of the
source a row. Zeros beside the source are not loaded for a box that has all of a dimension. Where there are
several boxes along it, vectors are loaded of whatever lies in memory in their place, of which nothing is
stored; runs of nothing but zeros are left out.

>>> from layoutalg.data_type import DataType
>>> move = StridedMove.of((100, 100, 3), (300, 3, 1), (3, 300, 1))
>>> box = Box(move, DataType.named("i8"), (43, 43, 3), vectors=(16, 16))
>>> [(runs.count, runs.length, runs.vectors) for runs in (box.loaded, box.stored)], box.counts
([(43, 129, 9), (43, 129, 9)], (3, 3, 1))
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy import Expr

from layoutalg.claim import IndexMap
from layoutalg.codegen.kernels.boxes.memory_runs import Runs
from layoutalg.codegen.kernels.boxes.strided_move import SIDES, MovedDimension, Side, StridedMove
from layoutalg.data_type import DataType
from layoutalg.domain import Domain
from layoutalg.index import FloorDiv, Min, Select
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.transforms import Merge, MergeVariant

__all__ = ["BLOCK", "ELEMENT", "ROUND", "THREAD", "Box"]

BLOCK, ROUND, THREAD, ELEMENT = sympy.symbols("block round thread element", integer=True, nonnegative=True)
THREADS = 256


@dataclass(frozen=True)
class Box:
    """``lengths``: of a box, in the target's index; ``vectors``: elements of a load, and of a store.

    ``pitch``: elements from one run of the source to the next in shared memory, as many as its vectors have
    if left out. ``skew``: after so many elements there a vector is left free, so that lanes read different
    banks; 0 where none is.
    """

    move: StridedMove
    kind: DataType
    lengths: tuple[int, ...]
    vectors: tuple[int, int]
    threads: int = THREADS
    pitch: int = 0
    skew: int = 0

    def __post_init__(self) -> None:
        if not self.pitch:
            object.__setattr__(self, "pitch", self.loaded.vectors * self.loaded.vector)

    @cached_property
    def loaded(self) -> Runs:
        """Runs of the source."""
        return self._runs("source")

    @cached_property
    def stored(self) -> Runs:
        """Runs of the target."""
        return self._runs("target")

    def _runs(self, side: Side) -> Runs:
        steps, whole = tuple(d.step(side) for d in self.move.dimensions), self._ends(side)
        lengths = tuple(map(min, self.lengths, whole))
        return Runs(lengths, steps, whole, self.vectors[SIDES.index(side)])

    def _ends(self, side: Side) -> tuple[int, ...]:
        """Lengths of the dimensions on a side, zeros that are loaded counted."""
        found = enumerate(self.move.dimensions)
        return tuple(d.length if side == "source" and self.is_whole(i) else d.padded for i, d in found)

    def is_whole(self, i: int) -> bool:
        """Whether a box has all of a dimension."""
        return self.lengths[i] == self.move.dimensions[i].padded

    @property
    def splits_zeros(self) -> bool:
        """Whether there are several boxes along a dimension with zeros."""
        return any(d.has_zeros and not self.is_whole(i) for i, d in enumerate(self.move.dimensions))

    def skipped(self, i: int) -> int:
        """Zeros at the beginning of a box that are not loaded."""
        return self.move.dimensions[i].left if self.is_whole(i) else 0

    @property
    def margins(self) -> tuple[int, int]:
        """Elements of shared memory before and after what is loaded, so that zeros have a place there too."""
        runs, found = self.loaded, []
        for side in ("left", "right"):
            missing = {
                i: getattr(d, side) if self.is_whole(i) else 0 for i, d in enumerate(self.move.dimensions)
            }
            run, at = map(int, runs.flat(missing))
            found.append(-(-(self.pitch * run + at) // runs.vector) * runs.vector)
        return found[0], found[1]

    def runs(self, side: Side) -> Runs:
        return self.loaded if side == "source" else self.stored

    @property
    def counts(self) -> tuple[int, ...]:
        """Boxes along each dimension."""
        pairs = zip(self.lengths, self.move.dimensions, strict=True)
        return tuple(-(-dimension.padded // length) for length, dimension in pairs)

    @property
    def blocks(self) -> int:
        return math.prod(self.counts)

    @property
    def shared_elements(self) -> int:
        """That have a place in shared memory, or are left free."""
        return int(self.skewed(sympy.Integer(self.shared_vectors * self.loaded.vector - 1))) + 1

    @property
    def shared_bytes(self) -> int:
        """Of shared memory."""
        return self.shared_elements * self.kind.bytes

    @property
    def shared_vectors(self) -> int:
        """Vectors that have a place in shared memory."""
        return (self.loaded.count * self.pitch + sum(self.margins)) // self.loaded.vector

    def skewed(self, at: Expr) -> Expr:
        """Where an element of shared memory lies, with the vectors that are left free."""
        if not self.skew:
            return at
        return at + self.loaded.vector * FloorDiv.unchecked(at, sympy.Integer(self.skew))

    @property
    def numbers(self) -> tuple[Expr, ...]:
        """A workgroup's box along each dimension: neighbours of the target follow each other."""
        return Merge(self.counts, MergeVariant.V3_DIVISION_MOD).lower((BLOCK,), SYMBOLIC)

    def start(self, i: int, number: Expr) -> Expr:
        """Where a box begins along a dimension of the target."""
        length, padded = self.lengths[i], self.move.dimensions[i].padded
        usual = length * number
        return Min(usual, sympy.Integer(padded - length)) if padded % length else usual

    def is_there(self, i: int, start: Expr, index: Expr) -> tuple[Any, ...]:
        """When an element of the target is one of the source along a dimension, and no zero beside it."""
        dimension = self.move.dimensions[i]
        at = start + index
        found = [sympy.Le(dimension.left, at, evaluate=False)] if dimension.left else []
        end = dimension.left + dimension.length
        return (*found, *([sympy.Lt(at, end, evaluate=False)] if dimension.right else []))

    @property
    def starts(self) -> tuple[Expr, ...]:
        """Where a workgroup's box begins in the target."""
        return tuple(self.start(i, number) for i, number in enumerate(self.numbers))

    def in_row(self, at: Expr) -> Expr:
        """Where an element of a run lies in its row of shared memory: the last vector behind the others."""
        runs = self.loaded
        if not runs.shift:
            return at
        last = sympy.Integer((runs.vectors - 1) * runs.vector)
        return Select(sympy.Le(last, at, evaluate=False), at + runs.shift, at)

    def in_shared(self, index: Mapping[int, Expr]) -> Expr:
        """Where an element lies in shared memory, by its place in the box."""
        return self.skewed(self.counted(*self.in_loaded(index)))

    def counted(self, run: Expr, at: Expr) -> Expr:
        """The number of an element of a run among those that have a place in shared memory."""
        return self.margins[0] + self.pitch * run + self.in_row(at)

    def in_loaded(self, index: Mapping[int, Expr]) -> tuple[Expr, Expr]:
        """The run of the source, and the element of it, of a place in the box; of zeros beside them."""
        return self.loaded.flat({i: at - self.skipped(i) for i, at in index.items()})

    def place(self) -> Expr:
        """The vector that a thread moves in a round."""
        return self.threads * ROUND + THREAD

    def rounds(self, side: Side) -> int:
        return -(-self.runs(side).places // self.threads)

    def is_cut(self, side: Side) -> bool:
        """Whether threads of the last round have nothing to move."""
        return self.runs(side).places % self.threads != 0

    def domain(self, side: Side) -> Domain:
        """Every workgroup, thread, round, and element of a vector."""
        counts = {BLOCK: self.blocks, THREAD: self.threads, ROUND: self.rounds(side)}
        counts[ELEMENT] = self.runs(side).vector
        return Domain.of({symbol.name: n for symbol, n in counts.items()})

    def when(self, side: Side) -> tuple[Any, ...]:
        """When a thread moves a vector: not after the last, and none of a run of zeros."""
        runs, place = self.runs(side), self.place()
        found = (sympy.Lt(place, runs.places, evaluate=False),) if self.is_cut(side) else ()
        if side == "target":
            return found
        return (*found, *self.has_source(self.starts, runs.run(place)))

    def has_source(self, starts: Sequence[Expr], run: Expr) -> tuple[Any, ...]:
        """When a run of the source is one of the tensor's, and not of the zeros beside it."""
        index = self.loaded.index(run, sympy.Integer(0))
        outer = (i for i in self.loaded.outer if not self.is_whole(i))
        return tuple(part for i in outer for part in self.is_there(i, starts[i], index[i]))

    def is_no_zero(self, starts: Sequence[Expr], index: Mapping[int, Expr]) -> tuple[Any, ...]:
        """When an element of the box is one of the source, if shared memory has no zero in its place."""
        asked = (i for i in index if self.is_whole(i) or i in self.loaded.inner)
        return tuple(part for i in asked for part in self.is_there(i, starts[i], index[i]))

    def element(self, side: Side) -> tuple[Expr, Expr]:
        """The run, and the element of it, that a thread moves."""
        runs, place = self.runs(side), self.place()
        return runs.run(place), runs.begin(runs.number(place)) + ELEMENT

    def corner(self, side: Side, starts: Sequence[Expr]) -> Expr:
        """Where a workgroup's box begins in memory; in zeros beside the source it would be there."""
        dimensions = self.move.dimensions
        if side == "target":
            return sympy.Add(*(d.target * start for d, start in zip(dimensions, starts, strict=True)))
        lefts = [d.left - self.skipped(i) for i, d in enumerate(dimensions)]
        places = (d.source * (at - n) for d, at, n in zip(dimensions, starts, lefts, strict=True))
        return sympy.expand(sympy.Add(self.move.base, *places))

    def offset(self, side: Side) -> Expr:
        """Where an element that a thread moves lies in memory."""
        return self.corner(side, self.starts) + self.runs(side).in_memory(*self.element(side))

    def accesses(self, side: Side) -> IndexMap:
        """Where elements are loaded from, or stored to, in memory: in whole vectors."""
        inside = (
            self.in_memory(self.offset(side).xreplace({ELEMENT: sympy.Integer(0)}))
            if side == "source"
            else ()
        )
        return IndexMap(self.domain(side), (self.offset(side),), (*self.when(side), *inside))

    def in_memory(self, first: Expr) -> tuple[Any, ...]:
        """When a vector of the source lies in its memory, as far as that is not always so."""
        found = (sympy.Le(0, first, evaluate=False),) if self.reaches_before else ()
        return (*found, *((sympy.Le(first, self.last_first, evaluate=False),) if self.reaches_after else ()))

    @property
    def last_first(self) -> int:
        """Where the last whole vector of the source's memory begins."""
        return self.move.space("source") - self.loaded.vector

    @property
    def reaches_before(self) -> bool:
        """Whether a run may begin with zeros before the source's memory."""
        return self.move.base < sum(d.left * d.source for d in self._loaded_with_zeros())

    @property
    def reaches_after(self) -> bool:
        """Whether a run may end with zeros after it."""
        return any(d.right for d in self._loaded_with_zeros())

    def _loaded_with_zeros(self) -> Iterator[MovedDimension]:
        yield from (self.move.dimensions[i] for i in self.loaded.inner if not self.is_whole(i))

    @property
    def beyond(self) -> tuple[bool, bool]:
        """Whether a vector may be partly before the source's memory, and partly after it."""
        width, space = self.loaded.vector, self.move.space("source")
        is_aligned = self.alignment("source") % width == 0
        return self.reaches_before and not is_aligned, self.reaches_after and not (
            is_aligned and space % width == 0
        )

    def is_beyond(self, first: Expr) -> tuple[Any, ...]:
        """When it is: one of these."""
        ends = (sympy.Lt(first, 0, evaluate=False), sympy.Lt(self.last_first, first, evaluate=False))
        return tuple(end for end, is_possible in zip(ends, self.beyond, strict=True) if is_possible)

    def single_loads(self) -> IndexMap | None:
        """Where elements are loaded one by one, of vectors that are partly in memory; None if none is."""
        at = self.offset("source")
        beyond = self.is_beyond(at.xreplace({ELEMENT: sympy.Integer(0)}))
        if not beyond:
            return None
        when = (*self.when("source"), sympy.Or(*beyond), *self.element_in_memory(at))
        return IndexMap(self.domain("source"), (at,), when)

    def element_in_memory(self, at: Expr) -> tuple[Any, ...]:
        """When an element of such a vector lies in the source's memory."""
        ends = (sympy.Le(0, at, evaluate=False), sympy.Lt(at, self.move.space("source"), evaluate=False))
        return tuple(end for end, is_possible in zip(ends, self.beyond, strict=True) if is_possible)

    def put(self, place: Expr) -> Expr:
        """Where a loaded vector is put in shared memory: at a multiple of its length."""
        runs = self.loaded
        at = self.margins[0] + self.pitch * runs.run(place) + runs.vector * runs.number(place)
        return self.skewed(at)

    def shared_stores(self) -> IndexMap:
        """Where loaded elements are put in shared memory."""
        there = (sympy.Lt(self.place(), self.loaded.places, evaluate=False),) if self.is_cut("source") else ()
        return IndexMap(self.domain("source"), (self.put(self.place()) + ELEMENT,), there)

    @property
    def cleared(self) -> Iterator[tuple[int, int]]:
        """Where zeros are put that are no part of what is loaded: the first vector, and how many."""
        before, after = (margin // self.loaded.vector for margin in self.margins)
        if before:
            yield 0, before
        if after:
            yield self.shared_vectors - after, after

    def cleared_stores(self, first: int, vectors: int) -> IndexMap:
        """Where zeros are put, from a vector on."""
        counts = {THREAD: self.threads, ROUND: -(-vectors // self.threads), ELEMENT: self.loaded.vector}
        domain = Domain.of({symbol.name: n for symbol, n in counts.items()})
        there = (sympy.Lt(self.place(), vectors, evaluate=False),)
        return IndexMap(domain, (self.clear(first, self.place()) + ELEMENT,), there)

    def clear(self, first: int, place: Expr) -> Expr:
        """Where a vector of zeros begins."""
        return self.skewed(self.loaded.vector * (first + place))

    def shared_reads(self) -> IndexMap:
        """Where elements to be stored are read in shared memory: what is no zero must be."""
        index = self.stored.index(*self.element("target"))
        needed = self.is_no_zero(self.starts, index)
        return IndexMap(self.domain("target"), (self.in_shared(index),), (*self.when("target"), *needed))

    def alignment(self, side: Side) -> int:
        """The largest power of two that all vectors of a side begin at multiples of, up to their length."""
        runs, base = self.runs(side), self.move.base if side == "source" else 0
        found = [base, runs.vector, *((runs.length - runs.vector,) if runs.shift else ())]
        for i, dimension in enumerate(self.move.dimensions):
            step = dimension.step(side)
            found += [step] if i in runs.outer and runs.lengths[i] > 1 else []
            if self.counts[i] > 1:
                found += [step * self.lengths[i], step * (dimension.padded - self.lengths[i])]
            found += [step * (dimension.left - self.skipped(i))] if side == "source" else []
        return math.gcd(*found)

    def begins_anywhere(self, side: Side) -> bool:
        """Whether vectors of a side begin at any element."""
        return self.alignment(side) < self.runs(side).vector

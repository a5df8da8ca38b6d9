"""A short dimension beside a long one: planes become tuples, or tuples planes, as from NCHW to NHWC.

A thread has a few neighbours along the long dimension with all of the short one. On one side these are runs
``apart``, one for each plane; on the other all of them lie ``together``: there they are ``pieces``, as long
as a run, which elements make up by changing places in registers. Through shared memory threads exchange
pieces, so that those of neighbouring threads lie side by side.

>>> from layoutalg.data_type import DataType
>>> found = Interleaving.of(Permutation.of((64, 3, 50, 60), (0, 2, 3, 1)), DataType.named("f16"))
>>> found.short, found.long, found.vector, found.together
(3, 3000, 8, 'target')
>>> found.vectors, found.count, found.blocks
(375, 24000, 94)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import IndexMap
from layoutalg.codegen.kernels.transpose.config import NARROW
from layoutalg.codegen.kernels.transpose.permutation import Permutation
from layoutalg.codegen.text.speller import LARGEST_OFFSET
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
from layoutalg.domain import Domain
from layoutalg.index import FloorDiv, FloorMod
from layoutalg.index.node import as_expression, conjuncts
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.machine import EVERY_GPU
from layoutalg.transforms import MergeVariant

__all__ = ["BLOCK", "PIECE", "PLACE", "PLANE", "THREAD", "Interleaving", "Y"]

MOST = 16  # of the short dimension: a thread has a vector for each
THREADS, PIECES = 256, 2048  # of a workgroup, at most
BANKS_BYTES = 128  # of all banks of the LDS
PLACE, BLOCK, THREAD, PLANE, PIECE, Y = sympy.symbols(
    "place block thread plane piece y", integer=True, nonnegative=True
)


@dataclass(frozen=True)
class Interleaving:
    """``vector`` neighbours along the merged dimension ``long_axis`` with all of ``short_axis`` a thread.

    ``together``: the side on which the short dimension is the fastest, and the long one continues it.
    ``begins_anywhere``: whether vectors begin at any element, and the last of a plane may be a part of one.
    ``target``: of whose banks claims are made.
    """

    permutation: Permutation
    kind: DataType
    short_axis: int
    long_axis: int
    together: str
    vector: int
    begins_anywhere: bool = False
    threads: int = THREADS
    target: str = "gfx942"

    @classmethod
    def of(
        cls,
        permutation: Permutation,
        kind: DataType,
        *,
        begins_anywhere: bool = True,
        target: str = "gfx942",
    ) -> Interleaving | None:
        """The interleaving that a permutation is.

        None if it is none: no dimension of at most 16 beside a long one, sizes that are symbols, more
        elements than 32 bits count; or where accesses are wide anyhow, or cannot be.
        """
        merged = permutation.merged
        sizes = map(as_expression, (*merged.lengths, *merged.source, *merged.target))
        if not permutation.is_turned or not all(size.is_Integer for size in sizes):
            return None
        fastest = {side: merged.fastest(side) for side in ("source", "target")}
        for together, other in (("target", "source"), ("source", "target")):
            short, long = fastest[together], fastest[other]
            count = int(merged.lengths[short])
            widest = EVERY_GPU.access_bytes // kind.bytes
            is_narrow = math.gcd(count, widest) * kind.bytes < NARROW
            if count > MOST or not is_narrow or getattr(merged, together)[long] != count:
                continue
            others = [int(n) for i, n in enumerate(merged.lengths) if i not in (short, long)]
            steps = [step for i, step in enumerate(getattr(merged, together)) if i not in (short, long)]
            steps += [step for i, step in enumerate(getattr(merged, other)) if i != long]
            aligned = math.gcd(widest, int(merged.lengths[long]), *map(int, steps))
            is_odd = begins_anywhere and aligned < widest
            threads = THREADS if count * THREADS <= PIECES else THREADS // 2
            vector = widest if is_odd else aligned
            found = cls(permutation, kind, short, long, together, vector, is_odd, threads, target)
            is_wide = found.vector * kind.bytes >= NARROW and found.vector <= found.long
            space = max(int(merged.space(side)) for side in ("source", "target"))
            if is_wide and space + math.prod(others) * count * widest <= LARGEST_OFFSET:
                return found
        return None

    @property
    def apart(self) -> str:
        """The side on which planes lie apart."""
        return "source" if self.together == "target" else "target"

    @property
    def short(self) -> int:
        """Planes."""
        return int(self.permutation.merged.lengths[self.short_axis])

    @property
    def long(self) -> int:
        """Elements of a plane."""
        return int(self.permutation.merged.lengths[self.long_axis])

    @property
    def batch(self) -> tuple[int, ...]:
        """All other merged dimensions."""
        axes = (self.short_axis, self.long_axis)
        return tuple(i for i in range(len(self.permutation.merged.lengths)) if i not in axes)

    @property
    def part(self) -> int:
        """Elements of the last vector of a plane, where they are fewer than a vector's; else 0."""
        return self.long % self.vector

    @property
    def vectors(self) -> int:
        """Of a plane, the last one counted."""
        return -(-self.long // self.vector)

    @property
    def count(self) -> int:
        """Places: what one thread moves is one of them."""
        return math.prod(int(self.permutation.merged.lengths[i]) for i in self.batch) * self.vectors

    @property
    def number(self) -> Expr:
        """Of a place's vectors in their planes."""
        return FloorMod.unchecked(PLACE, sympy.Integer(self.vectors)) if self.batch else PLACE

    @property
    def blocks(self) -> int:
        return -(-self.count // self.threads)

    def view(self, side: str) -> TensorDescriptor:
        """A tensor by place, and by what a thread has there: (plane, y), or (piece, y) where all is together.

        >>> from layoutalg.data_type import DataType
        >>> found = Interleaving.of(Permutation.of((3, 64), (1, 0)), DataType.named("f16"))
        >>> found.view("source").lengths, found.view("target").lengths
        ((8, 3, 8), (8, 3, 8))
        """
        found = self.permutation.merged.descriptor(side, (*self.batch, self.long_axis, self.short_axis))
        at, more = len(self.batch), self.vectors * self.vector - self.long
        if side == self.together:
            found = found.merge(at, at + 1, variant=MergeVariant.V3_DIVISION_MOD)
            found = found.pad(at, 0, self.short * more) if more else found
            found = found.unmerge(at, (self.vectors, self.short, self.vector))
        else:
            found = found.pad(at, 0, more) if more else found
            found = found.unmerge(at, (self.vectors, self.vector))
            found = found.permute(*range(at + 1), at + 2, at + 1)
        if self.batch:
            found = found.merge(*range(at + 1), variant=MergeVariant.V3_DIVISION_MOD)
        return found

    def held(self, flat: Any) -> tuple[Expr, Expr]:
        """Plane and number of an element, counted as a thread has them where they lie together.

        >>> from layoutalg.data_type import DataType
        >>> Interleaving.of(Permutation.of((3, 64), (1, 0)), DataType.named("f16")).held(7)
        (1, 2)
        """
        counted, count = as_expression(flat), sympy.Integer(self.short)
        return FloorMod.unchecked(counted, count), FloorDiv.unchecked(counted, count)

    def flat(self, plane: Any, number: Any) -> tuple[Expr, Expr]:
        """Piece and element of it that an element of a plane is: the inverse."""
        counted, width = as_expression(plane + self.short * number), sympy.Integer(self.vector)
        return FloorDiv.unchecked(counted, width), FloorMod.unchecked(counted, width)

    @cached_property
    def domain(self) -> Domain:
        """Every place; workgroups and threads count them."""
        return Domain.of({PLACE.name: self.count})

    def registers(self, side: str) -> dict[Symbol, int]:
        """What counts the vectors of a thread, and the elements of one."""
        return {PLANE if side == self.apart else PIECE: self.short, Y: self.vector}

    def through(self, side: str) -> IndexMap:
        """From a thread's elements to all hidden dimensions of a view, the offset in memory first."""
        view, registers = self.view(side), self.registers(side)
        index = (PLACE, *registers)
        when = conjuncts(view.interpret_validity(index, SYMBOLIC))
        domain = self.domain.joined(Domain.of({symbol.name: n for symbol, n in registers.items()}))
        return IndexMap(domain, view.hidden_expressions(index), when)

    def places(self, side: str) -> IndexMap:
        """Where each element is loaded from, or stored to."""
        whole = self.through(side)
        return IndexMap(whole.domain, whole.outputs[:1], whole.when)

    def slot(self, side: str) -> Expr:
        """The piece that a thread has in shared memory: of its own place, or beside that of its neighbour.

        >>> from layoutalg.data_type import DataType
        >>> found = Interleaving.of(Permutation.of((3, 64), (1, 0)), DataType.named("f16"))
        >>> found.slot("source"), found.slot("target")
        (piece + 3*thread, 256*piece + thread)
        """
        return self.short * THREAD + PIECE if side == self.apart else self.threads * PIECE + THREAD

    def of_slot(self, slot: Expr) -> tuple[Expr, Expr]:
        """The thread whose place a piece belongs to, and which of its pieces it is."""
        count = sympy.Integer(self.short)
        return FloorDiv.unchecked(slot, count), FloorMod.unchecked(slot, count)

    @cached_property
    def shared(self) -> TensorDescriptor:
        """Pieces in shared memory by (slot, element), so that no lanes of a phase go to the same banks."""
        row = BANKS_BYTES // (self.vector * self.kind.bytes)
        turned = math.gcd(self.short, row)
        rows = self.threads * self.short // row
        found = make_naive_tensor_descriptor_packed((rows // turned, turned, row, self.vector))
        found = found.xor(1, 2) if turned > 1 else found
        return found.merge(0, 1, 2, variant=MergeVariant.V3_DIVISION_MOD)

    def exchanged(self, side: str) -> IndexMap:
        """Where a thread has pieces in shared memory."""
        counts = {THREAD: self.threads, PIECE: self.short, Y: self.vector}
        domain = Domain.of({symbol.name: n for symbol, n in counts.items()})
        return IndexMap(domain, self.shared.hidden_expressions((self.slot(side), Y))[:1])

    def launched(self, side: str) -> IndexMap:
        """Where elements are loaded from, or stored to, by workgroup and thread; none after the last."""
        if side == self.apart:
            return self._by_thread(side, {PLACE: self.threads * BLOCK + THREAD})
        thread, piece = self.of_slot(self.slot(side))
        return self._by_thread(side, {PLACE: self.threads * BLOCK + thread, PIECE: piece})

    def read(self) -> IndexMap:
        """Where pieces are read that are there: in shared memory."""
        where = self.exchanged("target").outputs
        if self.together == "target":
            found = self.launched("target")
        else:
            found = self._by_thread("source", {PLACE: self.threads * BLOCK + THREAD})
        return IndexMap(found.domain, where, found.when)

    def _by_thread(self, side: str, own: Mapping[Symbol, Expr]) -> IndexMap:
        """The places of a side, given that of a thread."""
        found, registers = self.places(side), self.registers(side)
        counts = {BLOCK: self.blocks, THREAD: self.threads} | registers
        has_more = self.count % self.threads != 0
        when = (*found.when, *((sympy.Lt(PLACE, self.count),) if has_more else ()))
        domain = Domain.of({symbol.name: n for symbol, n in counts.items()})
        offset = (found.outputs[0].xreplace(own),)
        return IndexMap(domain, offset, tuple(part.xreplace(own) for part in when))

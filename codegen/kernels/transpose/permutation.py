"""Permutations of dimensions: what lies where before and after, with neighbours merged.

Each dimension has a length and two strides, one in the source and one in the target. Two dimensions are one
where they lie next to each other on both sides; dimensions of length 1 move nothing.

>>> found = Permutation.of((2, 3, 4, 5), (2, 3, 0, 1))
>>> found.source, found.target
((60, 20, 5, 1), (3, 1, 30, 6))
>>> found.merged.lengths, found.merged.source, found.merged.target
((6, 20), (20, 1), (1, 6))
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy import Symbol

from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.length import Length, Lengths, lengths, product, sequence

__all__ = ["Permutation"]

RANKS = range(1, 6)


@dataclass(frozen=True)
class Permutation:
    """``lengths`` with the strides of the ``source`` and of the ``target``, in the order of the source.

    ``order``: the dimension of the source that each dimension of the target is, where both are row-major;
    None for a pair of descriptors. ``leading``: elements from one row to the next (of the last dimension) in
    the source and in the target, where rows need not follow each other.
    """

    lengths: Lengths
    source: Lengths
    target: Lengths
    order: tuple[int, ...] | None = None
    groups: tuple[tuple[int, ...], ...] = ()
    leading: tuple[Symbol, Symbol] | None = None

    @classmethod
    def of(cls, tensor_lengths: Any, order: Any, leading: tuple[Symbol, Symbol] | None = None) -> Permutation:
        """Row-major tensors: dimension ``i`` of the target is ``order[i]`` of the source, as in NumPy.

        A length may be a symbol, or its name. Without ``leading`` the tensors are packed.

        >>> Permutation.of((2, 3, 4), (2, 0, 1), tuple(Symbol(x, positive=True) for x in "st")).source
        (3*s, s, 1)
        """
        found = lengths(_symbols(tensor_lengths), "permute: lengths")
        turned = tuple(int(i) for i in sequence(order, "permute: order"))
        if len(found) not in RANKS or sorted(turned) != list(range(len(found))):
            msg = "permute: wanted 1 to 5 lengths and an order of their dimensions,"
            raise LayoutError(f"{msg} got {found} and {turned}")
        if leading and len(found) < 2:
            msg = f"permute: leading dimensions: wanted rows, 2 lengths or more, got {found}"
            raise LayoutError(msg)
        of_source, of_target = (
            _row_major(tuple(found[i] for i in dimensions), step)
            for dimensions, step in zip((range(len(found)), turned), leading or (None, None), strict=True)
        )
        target = tuple(of_target[turned.index(i)] for i in range(len(found)))
        return cls(found, of_source, target, turned, leading=leading)

    @property
    def row_facts(self) -> list[sympy.Basic]:
        """That rows do not overlap."""
        if self.leading is None or self.order is None:
            return []
        rows = (self.lengths[-1], self.lengths[self.order[-1]])
        return [sympy.Ge(step, row) for step, row in zip(self.leading, rows, strict=True)]

    @classmethod
    def between(cls, source: TensorDescriptor, target: TensorDescriptor) -> Permutation:
        """Two descriptors of the same lengths: element ``i`` of the source becomes that of the target.

        Refused: descriptors whose offset is no sum of multiples of the indices, lengths that are no numbers,
        and targets with gaps.
        """
        if source.lengths != target.lengths or len(source.lengths) not in RANKS:
            msg = "permute: wanted two descriptors of the same 1 to 5 lengths,"
            raise LayoutError(f"{msg} got {source.lengths} and {target.lengths}")
        found = cls(source.lengths, _strides(source, "source"), _strides(target, "target"))
        if found.space("target") != math.prod(map(int, found.lengths)):
            msg = f"permute: the target has {math.prod(map(int, found.lengths))} elements"
            msg += f" in a memory of {found.space('target')}"
            raise LayoutError(msg, hint="the rest would never be written: use a packed target")
        return found

    def space(self, side: str) -> Any:
        """The elements of memory from the first to the last."""
        strides = getattr(self, side)
        return 1 + sum((n - 1) * s for n, s in zip(self.lengths, strides, strict=True))

    def descriptor(self, side: str, dimensions: Sequence[int] | None = None) -> TensorDescriptor:
        """The tensor of one side, with its dimensions in this order (that of the source if none is given)."""
        chosen = range(len(self.lengths)) if dimensions is None else dimensions
        strides = getattr(self, side)
        return make_naive_tensor_descriptor([self.lengths[i] for i in chosen], [strides[i] for i in chosen])

    @cached_property
    def merged(self) -> Permutation:
        """The same permutation with as few dimensions as possible; ``groups`` are those that became one."""
        groups: list[tuple[int, ...]] = [(i,) for i, n in enumerate(self.lengths) if n != 1] or [(0,)]
        while (pair := self._neighbours(groups)) is not None:
            outer, inner = pair
            groups[groups.index(outer)] = outer + inner
            groups.remove(inner)
        return Permutation(
            tuple(product(self.lengths[i] for i in group) for group in groups),
            tuple(self.source[group[-1]] for group in groups),
            tuple(self.target[group[-1]] for group in groups),
            groups=tuple(groups),
            leading=self.leading,
        )

    def fastest(self, side: str) -> int:
        """The dimension whose elements are neighbours."""
        strides = getattr(self, side)
        for i, stride in enumerate(strides):
            if stride == 1:
                return i
        msg = f"permute: {side}: wanted a dimension whose elements are neighbours, got strides {strides}"
        raise LayoutError(msg)

    @property
    def is_turned(self) -> bool:
        """Whether source and target differ in their fastest dimension."""
        return self.merged.fastest("source") != self.merged.fastest("target")

    @cached_property
    def axes(self) -> tuple[int | None, int]:
        """The merged dimensions that make rows and columns of a tile.

        Columns are what is fastest in the source, rows what is fastest in the target; where that is the same,
        rows are the next dimension, if there is one.
        """
        column = self.merged.fastest("source")
        if self.is_turned:
            return self.merged.fastest("target"), column
        others = [i for i in range(len(self.merged.lengths)) if i != column]
        return (others[-1] if others else None), column

    @property
    def batch(self) -> tuple[int, ...]:
        """All other merged dimensions, in the order of the source."""
        return tuple(i for i in range(len(self.merged.lengths)) if i not in self.axes)

    @property
    def extent(self) -> tuple[Length, Length]:
        """Rows and columns of the merged tensors."""
        row, column = self.axes
        return (1 if row is None else self.merged.lengths[row]), self.merged.lengths[column]

    def _neighbours(
        self, groups: Sequence[tuple[int, ...]]
    ) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Two groups of which the second fills a step of the first, on both sides."""
        for outer in groups:
            for inner in groups:
                inside = product(self.lengths[i] for i in inner)
                steps = (
                    sympy.expand(strides[outer[-1]] - inside * strides[inner[-1]])
                    for strides in (self.source, self.target)
                )
                if outer != inner and all(step == 0 for step in steps):
                    return outer, inner
        return None

    def unmerged(self, side: str) -> TensorDescriptor:
        """The merged tensor of one side, seen through the original dimensions again."""
        found, place = self.merged.descriptor(side), []
        for position, group in enumerate(self.merged.groups):
            at = sum(map(len, self.merged.groups[:position]))
            if len(group) > 1:
                found = found.unmerge(at, tuple(self.lengths[i] for i in group))
            place += list(group)
        kept = sorted(place)
        return found.permute(*(place.index(i) for i in kept))

    def kept(self, side: str) -> TensorDescriptor:
        """The tensor of one side without its dimensions of length 1."""
        return self.descriptor(side, sorted(i for group in self.merged.groups for i in group))


def _symbols(given: Any) -> list[Any]:
    named = (Symbol(n, integer=True, positive=True) if isinstance(n, str) else n for n in given)
    return list(named)


def _row_major(found: Sequence[Length], leading: Symbol | None) -> Lengths:
    """Strides; from one row of the last dimension to the next it is ``leading`` elements, if given."""
    row = found[-1] if leading is None else leading
    return (*(product((*found[i + 1 : -1], row)) for i in range(len(found) - 1)), 1)


def _strides(descriptor: TensorDescriptor, side: str) -> Lengths:
    """How far a step along each dimension leads; refused where that is not the same everywhere."""
    if not all(isinstance(n, int) for n in descriptor.lengths) or descriptor.validity != sympy.true:
        msg = f"permute: {side}: wanted lengths that are numbers and no padding, got {descriptor.lengths}"
        raise LayoutError(msg, hint="symbolic sizes are for packed tensors: lengths and an order")
    found = sympy.expand(descriptor.offset)
    strides = [
        found.coeff(index, 1) if n != 1 else 0
        for index, n in zip(descriptor.index, descriptor.lengths, strict=True)
    ]
    rest = sympy.expand(found - sum(s * i for s, i in zip(strides, descriptor.index, strict=True)))
    if rest != 0 or not all(as_expression(s).is_Integer and s >= 0 for s in strides):
        msg = f"permute: {side}: wanted an offset that is a sum of multiples of the indices, got {found}"
        raise LayoutError(msg)
    return tuple(int(s) for s in strides)

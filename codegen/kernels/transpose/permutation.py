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
from collections.abc import Iterable, Mapping, Sequence
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
SHORT = 64  # elements of a run that is longer, if it can be
WHOLE = 16  # elements of the longest vector
Dimensions = tuple[int, ...]


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
        if leading and 1 in (found[-1], found[turned[-1]]):
            msg = f"permute: leading dimensions: wanted rows of more than one element, got {found}"
            raise LayoutError(msg, hint="leave them out: such rows are one element each")
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
        if not isinstance(target, TensorDescriptor):
            msg = "permute: wanted two descriptors, or lengths and an order; got a descriptor and"
            raise LayoutError(f"{msg} {target!r}")
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
    def axes(self) -> tuple[Dimensions, Dimensions]:
        """The merged dimensions that make rows and columns of a tile, the fastest last.

        Columns are what is fastest in the source, rows what is fastest in the target; where that is the same,
        rows are the next dimension, if there is one. Where runs are short, or no whole vectors long, the
        dimension that continues them in memory joins them.

        >>> Permutation.of((64, 6, 5, 360, 80), (4, 2, 0, 3, 1)).axes  # runs of 6 become runs of 360 * 6
        ((3, 1), (4,))
        """
        merged = self.merged
        column = merged.fastest("source")
        if not self.is_turned:
            others = [i for i in range(len(merged.lengths)) if i != column]
            return tuple(others[-1:]), (column,)
        runs: dict[str, Dimensions] = {"target": (merged.fastest("target"),), "source": (column,)}
        while longer := self._longer(runs):
            runs |= longer
        return runs["target"], runs["source"]

    def _longer(self, runs: Mapping[str, Dimensions]) -> dict[str, Dimensions]:
        """The shortest of the runs that gain by it, with one more dimension; none at the end."""
        merged, taken = self.merged, {i for run in runs.values() for i in run}
        known = {side: _known_product(merged.lengths[i] for i in run) for side, run in runs.items()}
        for side in sorted((side for side, length in known.items() if length), key=lambda side: known[side]):
            length, strides = known[side], getattr(merged, side)
            next_ = [i for i, stride in enumerate(strides) if i not in taken and stride == length]
            if not next_:
                continue
            count = _known_product([merged.lengths[next_[0]]])
            is_straighter = math.gcd(length * count, WHOLE) > math.gcd(length, WHOLE)
            if count and (length < SHORT or is_straighter):
                return {side: (next_[0], *runs[side])}
        return {}

    def run(self, side: str) -> tuple[Dimensions, Length]:
        """What lies side by side on a side of a tile, and how many elements that are."""
        rows, columns = self.axes
        found = columns if side == "source" or not self.is_turned else rows
        return found, product(self.merged.lengths[i] for i in found)

    @property
    def batch(self) -> Dimensions:
        """All other merged dimensions, in the order of the source."""
        taken = {i for run in self.axes for i in run}
        return tuple(i for i in range(len(self.merged.lengths)) if i not in taken)

    @property
    def extent(self) -> tuple[Length, Length]:
        """Rows and columns of the merged tensors."""
        rows, columns = (product(self.merged.lengths[i] for i in run) for run in self.axes)
        return rows, columns

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


def _known_product(found: Iterable[Length]) -> int:
    """The product of lengths that are numbers; 0 if one is none."""
    whole = product(found)
    return int(whole) if as_expression(whole).is_Integer else 0


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

"""A tensor moved to another order of its dimensions, zeros put beside it or not: what lies where, in numbers.

Each dimension has elements of the source, zeros before and after them, and a step in both memories. Two
dimensions are one where they follow each other on both sides, without zeros between; dimensions of length 1
move nothing.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed as packed
>>> source = packed((20, 6, 5)).pad(0, 1, 1).permute(1, 2, 0)
>>> move = StridedMove.between(source, packed(source.lengths))
>>> for dimension in move.dimensions:
...     print(dimension.length, dimension.left, dimension.padded, dimension.source, dimension.target)
30 0 30 1 22
20 1 22 30 1
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import sympy

from layoutalg.codegen.kernels.plain_bounds import as_bound
from layoutalg.codegen.text.speller import LARGEST_OFFSET
from layoutalg.descriptor import TensorDescriptor
from layoutalg.index.node import as_expression, conjuncts
from layoutalg.index.symbolic import SYMBOLIC

__all__ = ["SIDES", "MovedDimension", "Side", "StridedMove"]

Side = Literal["source", "target"]
SIDES: tuple[Side, Side] = ("source", "target")


@dataclass(frozen=True)
class MovedDimension:
    """``length`` elements of the source, with ``left`` and ``right`` zeros beside them in the target.

    ``source`` and ``target``: elements of memory from one to the next.
    """

    length: int
    source: int
    target: int
    left: int = 0
    right: int = 0

    @property
    def padded(self) -> int:
        """Elements of the target."""
        return self.left + self.length + self.right

    @property
    def has_zeros(self) -> bool:
        return self.padded > self.length

    def step(self, side: Side) -> int:
        return self.source if side == "source" else self.target

    def continues(self, inner: MovedDimension) -> bool:
        """Whether each step of this dimension goes through all of another one, on both sides."""
        steps = (inner.length * inner.source, inner.length * inner.target)
        return not (self.has_zeros or inner.has_zeros) and (self.source, self.target) == steps


@dataclass(frozen=True)
class StridedMove:
    """``dimensions``, those that are slow in the target first; ``base``: the source's offset of element 0."""

    dimensions: tuple[MovedDimension, ...]
    base: int = 0

    @classmethod
    def of(cls, lengths: Sequence[Any], source: Sequence[Any], target: Sequence[Any]) -> StridedMove | None:
        """Lengths, and the steps along them on both sides; None for what is not for boxes.

        These are sizes that are symbols, elements that 32 bits do not count, and targets with gaps.

        >>> StridedMove.of((2, 3), (3, 1), (1, 2)).dimensions[0]
        MovedDimension(length=3, source=1, target=2, left=0, right=0)
        >>> StridedMove.of((2, 3), (3, 1), (1, 4)) is None  # the target has gaps
        True
        """
        if not all(as_expression(size).is_Integer for size in (*lengths, *source, *target)):
            return None
        found = (
            MovedDimension(int(n), int(s), int(t)) for n, s, t in zip(lengths, source, target, strict=True)
        )
        return cls._of_dimensions(found, 0)

    @classmethod
    def between(cls, source: TensorDescriptor, target: TensorDescriptor) -> StridedMove | None:
        """Element i of the target is element i of the source; None where that is no such move."""
        numbers = (*source.lengths, *target.lengths)
        if source.lengths != target.lengths or not all(as_expression(n).is_Integer for n in numbers):
            return None
        read, written, ends = _linear(source), _linear(target), _ends(source)
        if read is None or written is None or ends is None or written[1] or target.validity != sympy.true:
            return None
        (read_steps, first), (written_steps, _) = read, written
        dimensions = [
            MovedDimension(last - left, s, t, left, n - last)
            for n, s, t, (left, last) in zip(
                map(int, source.lengths), read_steps, written_steps, ends, strict=True
            )
        ]
        return cls._of_dimensions(dimensions, first + sum(d.left * d.source for d in dimensions))

    @classmethod
    def _of_dimensions(cls, given: Iterable[MovedDimension], base: int) -> StridedMove | None:
        found = sorted((d for d in given if d.padded > 1), key=lambda d: -d.target)
        if not found or base < 0 or min(min(d.length, d.source, d.target) for d in found) < 1:
            return None
        inner = 1
        for dimension in reversed(found):
            if dimension.target != inner:
                return None  # the target has gaps
            inner *= dimension.padded
        move = cls(tuple(_merged(found)), base)
        return move if max(map(move.space, SIDES)) <= LARGEST_OFFSET else None

    @property
    def elements(self) -> int:
        """Of the target, zeros included."""
        return math.prod(d.padded for d in self.dimensions)

    def space(self, side: Side) -> int:
        """Elements of memory up to the last that is moved."""
        if side == "target":
            return self.elements
        return 1 + self.base + sum((d.length - 1) * d.source for d in self.dimensions)

    def order(self, side: Side) -> tuple[int, ...]:
        """The dimensions, those that are slow on a side first."""
        return tuple(sorted(range(len(self.dimensions)), key=lambda i: -self.dimensions[i].step(side)))


def _merged(given: Sequence[MovedDimension]) -> list[MovedDimension]:
    """As few dimensions as possible, of which the first is the slowest in the target."""
    found: list[MovedDimension] = []
    for dimension in given:
        joins = found[-1].continues(dimension) if found else False
        outer = found.pop().length if joins else 1
        found.append(replace(dimension, length=outer * dimension.length))
    return found


def _linear(tensor: TensorDescriptor) -> tuple[list[int], int] | None:
    """The steps along the dimensions and the offset of index 0; None where the offset is more than that."""
    found = sympy.expand(tensor.offset)
    steps = [found.coeff(index, 1) for index in tensor.index]
    rest = sympy.expand(found - sum(s * i for s, i in zip(steps, tensor.index, strict=True)))
    if not all(as_expression(part).is_Integer for part in (*steps, rest)):
        return None
    return [int(step) for step in steps], int(rest)


def _ends(tensor: TensorDescriptor) -> list[tuple[int, int]] | None:
    """Where along each dimension elements that are no padding begin and end; None where that is not all."""
    found = [(0, int(n)) for n in tensor.lengths]
    for condition in conjuncts(tensor.interpret_validity(tensor.index, SYMBOLIC)):
        at = next((i for i, index in enumerate(tensor.index) if condition.free_symbols == {index}), None)
        bound = None if at is None else as_bound(condition, tensor.index[at])
        if at is None or bound is None:
            return None
        (sign, rest), (first, end) = bound, found[at]
        found[at] = (first, min(end, 1 - rest)) if sign > 0 else (max(first, rest), end)
    return found

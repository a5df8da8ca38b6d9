"""The elements of a box on one side: runs that lie together in memory, each cut into vectors.

The fastest dimensions that a box has whole, and the next one, make a run; all others count runs. The last
vector of a run ends with it, wherever that is: it may have elements of the one before.

>>> runs = Runs((4, 6, 5), (300, 5, 1), whole=(8, 10, 5), vector=8)
>>> runs.outer, runs.inner, runs.length, runs.count, runs.vectors
((0,), (1, 2), 30, 4, 4)
>>> runs.begin(sympy.Integer(1)), runs.begin(sympy.Integer(3))
(8, 22)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from sympy import Expr

from layoutalg.index import FloorDiv, FloorMod, Min
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.transforms import Merge, MergeVariant

__all__ = ["Runs"]


@dataclass(frozen=True)
class Runs:
    """``lengths`` of a box and ``steps`` in memory along its dimensions; ``whole``: lengths of the tensor.

    ``vector``: elements of one access, at most as many as a run has.
    """

    lengths: tuple[int, ...]
    steps: tuple[int, ...]
    whole: tuple[int, ...]
    vector: int = 1

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The dimensions, the slowest first."""
        return tuple(sorted(range(len(self.steps)), key=lambda i: -self.steps[i]))

    @cached_property
    def inner(self) -> tuple[int, ...]:
        """The dimensions of a run, the slowest first."""
        found: list[int] = []
        together = 1
        for i in reversed(self.order):
            if self.steps[i] != together:
                break
            found.insert(0, i)
            together *= self.whole[i]
            if self.lengths[i] < self.whole[i]:
                break
        return tuple(found)

    @property
    def outer(self) -> tuple[int, ...]:
        """The dimensions that count runs, the slowest first."""
        return self.order[: len(self.order) - len(self.inner)]

    @property
    def length(self) -> int:
        """Elements of a run."""
        return math.prod(self.lengths[i] for i in self.inner)

    @property
    def count(self) -> int:
        """Runs of a box."""
        return math.prod(self.lengths[i] for i in self.outer)

    @property
    def vectors(self) -> int:
        """Of a run."""
        return -(-self.length // self.vector)

    @property
    def places(self) -> int:
        """Vectors of a box: a thread moves one at a time."""
        return self.count * self.vectors

    @property
    def shift(self) -> int:
        """Elements that the last vector of a run has of the one before."""
        return self.vectors * self.vector - self.length

    def run(self, place: Expr) -> Expr:
        """Which run a vector belongs to."""
        return FloorDiv.unchecked(place, sympy.Integer(self.vectors)) if self.vectors > 1 else place

    def number(self, place: Expr) -> Expr:
        """Which vector of its run it is."""
        return (
            FloorMod.unchecked(place, sympy.Integer(self.vectors)) if self.vectors > 1 else sympy.Integer(0)
        )

    def begin(self, number: Expr) -> Expr:
        """Where a vector begins in its run."""
        usual = self.vector * number
        return Min(usual, sympy.Integer(self.length - self.vector)) if self.shift else usual

    def index(self, run: Expr, at: Expr) -> dict[int, Expr]:
        """The place in the box, by dimension, of an element of a run."""
        return self._digits(self.outer, run) | self._digits(self.inner, at)

    def _digits(self, dimensions: Sequence[int], number: Expr) -> dict[int, Expr]:
        if not dimensions:
            return {}
        merge = Merge(tuple(self.lengths[i] for i in dimensions), MergeVariant.V3_DIVISION_MOD)
        return dict(zip(dimensions, merge.lower((number,), SYMBOLIC), strict=True))

    def flat(self, index: Mapping[int, Any]) -> tuple[Expr, Expr]:
        """The run, and the element of it, of a place in the box: the inverse of :meth:`index`."""
        run, at = (
            sum((stride * index[i] for i, stride in self._strides(dimensions).items()), sympy.Integer(0))
            for dimensions in (self.outer, self.inner)
        )
        return run, at

    def _strides(self, dimensions: Sequence[int]) -> dict[int, int]:
        later = [self.lengths[i] for i in dimensions]
        return {i: math.prod(later[at + 1 :]) for at, i in enumerate(dimensions)}

    def in_memory(self, run: Expr, at: Expr) -> Expr:
        """How far from the box's first element an element of a run lies: all of a run is together."""
        place = self._digits(self.outer, run)
        return sympy.Add(*(self.steps[i] * digit for i, digit in place.items()), at)

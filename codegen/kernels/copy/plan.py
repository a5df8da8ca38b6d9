"""Two tensors of equal lengths cut into vectors along their last dimension, one run of them for each thread.

A thread's ``place`` counts runs in row-major order of the index; a run is as long as the wider of the
vectors that are loaded and those that are stored.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> rows = make_naive_tensor_descriptor((6, 20), (32, 1))
>>> plan = CopyPlan.of(rows, make_naive_tensor_descriptor((6, 20), (20, 1)), "f16")
>>> plan.loads, plan.stores, plan.places, plan.source_view.lengths
(4, 4, 30, (30, 4))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy import Expr, Symbol

from layoutalg.codegen.kernels.copy.fitting import fitting, fitting_conditions, summands
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.length import integer
from layoutalg.machine import EVERY_GPU
from layoutalg.transforms import MergeVariant

__all__ = ["THREADS", "CopyPlan", "RunAccesses", "all_places", "run_view", "tried_places", "widest_vector"]

MOST_TRIED = 1 << 16  # vectors that are looked at before a width is proposed
MOST_AT_ONCE = 1 << 17  # of them at once, where all are looked at
THREADS = 256
PLACE = Symbol("place", integer=True, nonnegative=True)


@dataclass(frozen=True)
class CopyPlan:
    """Element i of ``target`` becomes element i of ``source``, or zero where that one is padding.

    ``loads`` and ``stores``: elements of one access; ``source_view`` and ``target_view``: the tensors by
    place and element of a run, as :func:`run_view` has them where none is given; ``is_guarded``: whether
    threads after the last run and accesses to padding are left out.
    """

    source: TensorDescriptor
    target: TensorDescriptor
    element: str
    loads: int
    stores: int
    threads: int = THREADS
    source_view: Any = None
    target_view: Any = None
    is_guarded: bool = True

    def __post_init__(self) -> None:
        if self.source.lengths != self.target.lengths:
            msg = f"copy: wanted tensors of the same lengths, got {self.source.lengths}"
            raise LayoutError(f"{msg} and {self.target.lengths}")
        for side in (self.source, self.target):
            for length in side.lengths:
                integer(length, "copy: lengths")
        if int(self.source.lengths[-1]) % self.held:
            msg = (
                f"copy: wanted vectors that divide the last length {self.source.lengths[-1]}, got {self.held}"
            )
            raise LayoutError(msg)
        if self.held * self.kind.bytes > EVERY_GPU.access_bytes:
            msg = f"copy: a lane moves {EVERY_GPU.access_bytes} bytes at most,"
            raise LayoutError(f"{msg} wanted {self.held * self.kind.bytes}")
        for name in ("source", "target"):
            if getattr(self, f"{name}_view") is None:
                object.__setattr__(self, f"{name}_view", run_view(getattr(self, name), self.held))

    @classmethod
    def of(
        cls,
        source: TensorDescriptor,
        target: TensorDescriptor,
        element: DataType | str,
        *,
        vector: int | None = None,
        **fields: Any,
    ) -> CopyPlan:
        """A plan with the widest vectors of each side, or with ``vector`` elements on both.

        Where narrow vectors of a run follow each other without being aligned, a thread has only one of them:
        compilers would make one unaligned access of several.
        """
        kind = element if isinstance(element, DataType) else DataType.named(element)
        loads, stores = (vector or widest_vector(side, kind) for side in (source, target))
        narrow, side = (loads, source) if loads < stores else (stores, target)
        if loads != stores and _are_gathered(side, narrow, max(loads, stores)):
            loads = stores = narrow
        return cls(source, target, kind.name, loads, stores, **fields)

    @property
    def kind(self) -> DataType:
        return DataType.named(self.element)

    @property
    def held(self) -> int:
        """Elements of a run."""
        return max(self.loads, self.stores)

    @property
    def places(self) -> int:
        """How many runs there are."""
        return int(self.source.element_size) // self.held

    @property
    def blocks(self) -> int:
        return -(-self.places // self.threads)

    @property
    def is_cut(self) -> bool:
        """Whether the last workgroup has threads without a run."""
        return self.places % self.threads != 0

    @cached_property
    def is_read(self) -> bool:
        """Whether an element of the source is no padding, asked of every one; unguarded, all are read."""
        if not self.is_guarded or self.source.validity == sympy.true:
            return True
        shape = tuple(map(int, self.source.lengths))
        indices = (list(np.unravel_index(p, shape)) for p in all_places(int(self.source.element_size)))
        return any(np.any(self.source.is_valid_index(index)) for index in indices)

    @cached_property
    def packed_view(self) -> TensorDescriptor:
        """The number of an index in row-major order, by place and element of a run."""
        return run_view(make_naive_tensor_descriptor_packed(self.source.lengths), self.held)


def run_view(tensor: TensorDescriptor, held: int) -> TensorDescriptor:
    """A tensor by (place, element of the run)."""
    last = tensor.rank - 1
    runs = tensor.unmerge(last, (int(tensor.lengths[last]) // held, held))
    return runs.merge(*range(tensor.rank), variant=MergeVariant.V3_DIVISION_MOD)


def widest_vector(tensor: TensorDescriptor, kind: DataType) -> int:
    """The widest vector along the last dimension that lies together, aligned, in memory or in padding.

    A proposal: found at all vectors, or at many of them where there are very many; the claims prove it.
    """
    width = EVERY_GPU.access_bytes // kind.bytes
    while width > 1 and not _lies_together(tensor, width):
        width //= 2
    return max(width, 1)


def _lies_together(tensor: TensorDescriptor, width: int) -> bool:
    """Whether all vectors lie together and aligned, in memory or in padding."""
    if int(tensor.lengths[-1]) % width:
        return False
    offsets, valid = _in_vectors(tensor, width)
    steps = (offsets == offsets[:, :1] + np.arange(width)).all(axis=1) & (offsets[:, 0] % width == 0)
    return bool((valid == valid[:, :1]).all() and steps[valid[:, 0]].all())


def _are_gathered(tensor: TensorDescriptor, width: int, held: int) -> bool:
    """Whether two vectors of every run follow each other, and are not aligned together everywhere."""
    offsets, valid = _in_vectors(tensor, held)
    for first, second in pairwise(range(0, held, width)):
        begins, ends = (offsets[valid[:, first], at] for at in (first, second))
        is_one = (valid[:, first] == valid[:, second]).all() and (begins + width == ends).all()
        if is_one and (begins % (2 * width)).any():
            return True
    return False


def _in_vectors(tensor: TensorDescriptor, width: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The offset and validity of each element of vectors along the last dimension, of many vectors."""
    shape = (*map(int, tensor.lengths[:-1]), int(tensor.lengths[-1]) // width)
    *others, first = np.unravel_index(tried_places(int(np.prod(shape))), shape)
    index = [*(axis[:, None] for axis in others), width * first[:, None] + np.arange(width)]
    offsets, valid = tensor.calculate_offset(index), tensor.is_valid_index(index)
    wanted = (len(first), width)
    return np.broadcast_to(offsets, wanted), np.broadcast_to(valid, wanted)


def tried_places(count: int) -> NDArray[np.int64]:
    """The places of so many that are looked at before something is proposed: all, or many of very many."""
    if count <= MOST_TRIED:
        return np.arange(count)
    chosen = np.random.default_rng(0).integers(0, count, MOST_TRIED)
    ends = np.arange(MOST_TRIED // 4)
    return np.unique(np.concatenate([chosen, ends, count - 1 - ends]))


def all_places(count: int) -> Iterator[NDArray[np.int64]]:
    """All places of so many, those of :func:`tried_places` first: most questions are answered by them."""
    yield tried_places(count)
    if count > MOST_TRIED:
        for first in range(0, count, MOST_AT_ONCE):
            yield np.arange(first, min(first + MOST_AT_ONCE, count))


@dataclass(frozen=True)
class RunAccesses:
    """Where the elements of a run lie, and when they are there, in the simplest form that fits.

    ``view``: the tensor by (place of a thread, element of the run).

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
    >>> rows = make_naive_tensor_descriptor((6, 8), (8, 1)).pad(0, 1, 0)
    >>> found = RunAccesses(run_view(rows, 4))
    >>> found.offset(0), found.conditions(0)
    (4*place - 8, (2 <= place,))
    """

    view: TensorDescriptor

    @cached_property
    def domain(self) -> Domain:
        """The places that there are."""
        return Domain((Variable(PLACE, sympy.Integer(0), as_expression(self.view.lengths[0])),))

    def offset(self, element: int) -> Expr:
        """The offset in memory of an element of the run."""
        hidden: Any = self.view.hidden_expressions((PLACE, sympy.Integer(element)))
        return fitting(hidden[0], self.domain)

    def conditions(self, element: int) -> tuple[Any, ...]:
        """What must hold for an element to be no padding; what always holds is left out."""
        valid = self.view.interpret_validity((PLACE, sympy.Integer(element)), SYMBOLIC)
        return fitting_conditions(valid, self.domain)

    def sums(self, element: int) -> Iterator[Expr]:
        """What may stand in a register on the way: all that is added up, and all that is subtracted."""
        sides = (side for condition in self.conditions(element) for side in condition.args)
        yield from summands((self.offset(element), *sides))

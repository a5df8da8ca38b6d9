"""A workgroup's tile on its way through shared memory, divided among threads by CK's thread layout.

Each thread holds a contiguous part of the tile, in vectors along one dimension.

>>> from layoutalg.layout import make_layout
>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> rows = make_naive_tensor_descriptor((512, 64), (64, 1))
>>> tiles = BlockTiles(rows, rows, (256, 32), make_layout((64, 4), (4, 1)), vector_dim=1, scalars=8)
>>> tiles.load.index_map().outputs[0]
16384*block0 + 32*block1 + 64*y0 + 8*y1 + y2 + 256*(lane // 4) + 8*(lane % 4)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any

import sympy
from sympy import Symbol

from layoutalg.codegen.schedule import THROUGH_LDS, Schedule
from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    TileWindow,
    make_static_tile_distribution,
    make_tile_window,
)
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.layout import Layout
from layoutalg.layout.nest import flatten
from layoutalg.machine import EVERY_GPU

__all__ = ["BlockTiles", "shared_out"]

Lengths = tuple[int, ...]


@dataclass(frozen=True)
class BlockTiles:
    """Tiles of ``source`` that go through shared memory to the same places of ``target``.

    ``tile``: lengths of a workgroup's tile; ``threads``: the layout of those that fill it; ``readers``: of
    those that empty it, the same if left out. ``vector_dim`` and ``scalars``: of one access, CK's VectorDim
    and ScalarPerVector. ``stored`` and ``read``: the tile in shared memory for its writer and its reader,
    packed if left out. ``schedule``: the order of the work.
    """

    source: TensorDescriptor
    target: TensorDescriptor
    tile: Lengths
    threads: Layout
    element: str = "f16"
    vector_dim: int = -1
    scalars: int = 1
    readers: Any = None
    stored: Any = None
    read: Any = None
    schedule: Schedule = THROUGH_LDS

    def __post_init__(self) -> None:
        if self.source.lengths != self.target.lengths or not 1 <= self.source.rank <= 3:
            msg = "blockwise_copy: wanted tensors of the same 1 to 3 lengths,"
            raise LayoutError(f"{msg} got {self.source.lengths} and {self.target.lengths}")
        object.__setattr__(self, "vector_dim", self.vector_dim % self.source.rank)
        object.__setattr__(self, "readers", self.readers or self.threads)
        self._check_lengths()
        packed = self._packed()
        object.__setattr__(self, "stored", self.stored or packed)
        object.__setattr__(self, "read", self.read or packed)

    def _check_lengths(self) -> None:
        pairs = list(zip(map(int, self.source.lengths), self.tile, strict=False))
        if len(self.tile) != len(self.source.lengths) or any(length % part for length, part in pairs):
            msg = f"blockwise_copy: a tile of {self.tile} does not divide {self.source.lengths}"
            raise LayoutError(msg, hint="pad(...) the tensors to whole tiles")
        if self.scalars * self.kind.bytes > EVERY_GPU.access_bytes:
            msg = f"blockwise_copy: a lane moves {EVERY_GPU.access_bytes} bytes at most,"
            raise LayoutError(f"{msg} wanted {self.scalars * self.kind.bytes}")
        counts = [prod(map(int, flatten(one.shape))) for one in (self.threads, self.readers)]
        if counts[0] != counts[1] or counts[0] > EVERY_GPU.threads:
            msg = f"blockwise_copy: wanted one number of threads up to {EVERY_GPU.threads}, got {counts}"
            raise LayoutError(msg)

    def _packed(self) -> TensorDescriptor:
        """The tile with its last dimension fastest, and the one of the vectors before all."""
        order = [i for i in range(len(self.tile)) if i != self.vector_dim] + [self.vector_dim]
        strides = [prod(self.tile[j] for j in order[order.index(i) + 1 :]) for i in range(len(self.tile))]
        return make_naive_tensor_descriptor(self.tile, tuple(strides))

    @property
    def kind(self) -> DataType:
        return DataType.named(self.element)

    @property
    def count(self) -> int:
        """Threads of a workgroup."""
        return prod(map(int, flatten(self.threads.shape)))

    @property
    def blocks(self) -> Lengths:
        """Tiles along each dimension."""
        return tuple(int(length) // part for length, part in zip(self.source.lengths, self.tile, strict=True))

    @property
    def block_symbols(self) -> tuple[Symbol, ...]:
        return tuple(Symbol(f"block{i}", integer=True, nonnegative=True) for i in range(len(self.tile)))

    @cached_property
    def domain(self) -> Domain:
        """All workgroups."""
        pairs = zip(self.block_symbols, self.blocks, strict=True)
        return Domain(tuple(Variable(s, sympy.Integer(0), sympy.Integer(n)) for s, n in pairs))

    def window(self, tensor: TensorDescriptor, who: Layout) -> TileWindow:
        """A workgroup's tile of a tensor in global memory."""
        origin = tuple(part * block for part, block in zip(self.tile, self.block_symbols, strict=True))
        return make_tile_window(tensor, self.tile, origin, self.shared_out(who), self.domain)

    def shared_out(self, who: Layout) -> TileDistribution:
        return shared_out(self.tile, who, self.vector_dim, self.scalars)

    @cached_property
    def load(self) -> TileWindow:
        return self.window(self.source, self.threads)

    @cached_property
    def store(self) -> TileWindow:
        """The tile in shared memory for those that fill it."""
        return make_tile_window(self.stored, self.tile, (0,) * len(self.tile), self.shared_out(self.threads))

    @cached_property
    def fetch(self) -> TileWindow:
        """The tile in shared memory for those that empty it."""
        return make_tile_window(self.read, self.tile, (0,) * len(self.tile), self.shared_out(self.readers))

    @cached_property
    def write(self) -> TileWindow:
        return self.window(self.target, self.readers)


def shared_out(tile: Lengths, threads: Layout, vector_dim: int, scalars: int) -> TileDistribution:
    """Which elements of a tile each thread has: Y are its vectors along each dimension, then in a vector.

    >>> from layoutalg.layout import make_layout
    >>> shared_out((8, 16), make_layout((4, 2), (1, 4)), 1, 4).x
    (y0 + 2*(lane % 4), 4*y1 + y2 + 8*(lane // 4))
    """
    counts, strides = (tuple(map(int, flatten(part))) for part in (threads.shape, threads.stride))
    units = tuple(scalars if i == vector_dim else 1 for i in range(len(tile)))
    if len(counts) != len(tile) or any(
        n % (count * unit) for n, count, unit in zip(tile, counts, units, strict=False)
    ):
        msg = f"blockwise_copy: threads {counts} with {scalars} neighbours along dimension {vector_dim}"
        raise LayoutError(f"{msg} do not divide a tile of {tile}")
    order = sorted(range(len(tile)), key=lambda i: (strides[i], counts[i]), reverse=True)
    used = [i for i in order if counts[i] > 1]
    ends = [(strides[a], strides[b] * counts[b]) for a, b in pairwise(used)]
    if any(a != b for a, b in ends) or (used and strides[used[-1]] != 1):
        msg = f"blockwise_copy: threads {threads}: wanted strides that count all of them once"
        raise LayoutError(msg)
    rounds = [n // (count * unit) for n, count, unit in zip(tile, counts, units, strict=True)]
    hs = tuple(
        (count, rounds[i], scalars) if i == vector_dim else (count, rounds[i])
        for i, count in enumerate(counts)
    )
    majors = tuple(i + 1 for i in order)
    encoding = TileDistributionEncoding(
        (),
        hs,
        (majors,),
        ((0,) * len(tile),),
        (*range(1, len(tile) + 1), vector_dim + 1),
        (*(1,) * len(tile), 2),
    )
    return make_static_tile_distribution(encoding)

"""Distributed tensors: a tile in the registers of a workgroup, each thread with its own part.

Every thread has a buffer; which elements of the tile lie in it, and in which order, says the tile's
distribution. Source: CK Tile, ``core/tensor/static_distributed_tensor.hpp``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from layoutalg.data_type import DataType
from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    make_static_tile_distribution,
)
from layoutalg.errors import LayoutError
from layoutalg.tile.distributed_index import DistributedIndex, Part, place_at
from layoutalg.tile.elements import Element, converted, element_of
from layoutalg.tile.numpy_machine import LANES
from layoutalg.tile.trace import Scope, Trace, current_trace

if TYPE_CHECKING:
    from layoutalg.tile.numpy_machine import Machine

__all__ = [
    "StaticDistributedTensor",
    "clear_tile",
    "held",
    "make_static_distributed_tensor",
    "new_tensor",
    "set_tile",
    "set_tile_if",
]

Place = int | DistributedIndex | tuple[Part, ...] | Part


@dataclass(frozen=True, eq=False)
class StaticDistributedTensor:
    """A tile that threads hold: ``number`` tells it from others, ``kind`` is the type of its elements.

    ``tile[index]`` is an element, by its distributed index or its place in the thread buffer: an expression
    of what a thread holds when the program runs.
    """

    number: int
    kind: DataType
    distribution: TileDistribution
    scope: Scope
    trace: Trace

    @property
    def lengths(self) -> tuple[Any, ...]:
        """Lengths of the tile."""
        return self.distribution.lengths

    @property
    def thread_buffer_size(self) -> int:
        """Elements that one thread holds."""
        return int(np.prod(self.distribution.y_lengths, dtype=int))

    def require_alive(self) -> None:
        """Refuse a tile of a turn that is over."""
        self.trace.require_alive(self.scope, "a tile")

    def place(self, ys: Sequence[int]) -> int:
        """Where in the thread buffer the element at these Ys lies."""
        return int(self.distribution.buffer_offset(tuple(ys)))

    def _place_of(self, index: Place) -> int:
        self.require_alive()
        place = index if isinstance(index, int) else place_at(self.distribution, index)
        if not 0 <= place < self.thread_buffer_size:
            raise LayoutError(f"tile: wanted a place from 0 to {self.thread_buffer_size - 1}, got {place}")
        return place

    def __getitem__(self, index: Place) -> Element:
        return Element("held", (self.number, self._place_of(index)), self.kind)

    def __setitem__(self, index: Place, value: Any) -> None:
        element = element_of(value)
        self.trace.becomes_partial(self.number, [self.number, *element.tiles])
        self.trace.add(SetElement(self, self._place_of(index), element))

    def assign(self, other: StaticDistributedTensor) -> None:
        """Take over all elements of a tile of the same distribution: ``tile = other`` in C++."""
        self.require_alive()
        other.require_alive()
        if other.distribution.encoding != self.distribution.encoding:
            raise LayoutError("tile.assign: wanted a tile of the same distribution")
        self.trace.becomes_partial(self.number, [other.number])
        self.trace.add(Assign(self, other))


def new_tensor(kind: DataType, distribution: TileDistribution) -> StaticDistributedTensor:
    """A tile that nothing was put into yet."""
    trace = current_trace()
    _require_threads(distribution, trace.block_size)
    return StaticDistributedTensor(trace.new_tile(), kind, distribution, trace.scope, trace)


def _require_threads(distribution: TileDistribution, block_size: int) -> None:
    """Refuse distributions for other threads than there are."""
    *waves, lanes = distribution.p_lengths
    if lanes != LANES or len(waves) > 1 or (waves and waves[0] * LANES != block_size):
        msg = f"tile: its distribution is for P = {distribution.p_lengths}, there are {block_size} threads"
        raise LayoutError(msg, hint="P is (lane) or (wave, lane), 64 lanes a wave")


def held(tile: Any) -> StaticDistributedTensor:
    """A tile that is alive; refused: anything else."""
    if not isinstance(tile, StaticDistributedTensor):
        raise LayoutError(f"wanted a distributed tensor, got {type(tile).__name__}")
    tile.require_alive()
    return tile


def make_static_distributed_tensor(
    kind: str | DataType, distribution: TileDistribution | TileDistributionEncoding
) -> StaticDistributedTensor:
    """A tile in registers; its elements are unset until something is put there."""
    if isinstance(distribution, TileDistributionEncoding):
        distribution = make_static_tile_distribution(distribution)
    return new_tensor(kind if isinstance(kind, DataType) else DataType.named(kind), distribution)


def set_tile(tile: StaticDistributedTensor, value: float) -> None:
    """Every element becomes a number, converted to the tile's type."""
    current_trace().becomes_partial(held(tile).number, [])
    current_trace().add(SetTile(tile, value))


def clear_tile(tile: StaticDistributedTensor) -> None:
    """Every element becomes 0."""
    set_tile(tile, 0)


def set_tile_if(tile: StaticDistributedTensor, value: float, predicate: Any) -> None:
    """Elements at those indices of the tile where ``predicate(x0, x1, ...)`` holds become a number."""
    found = held(tile)
    rank = len(found.lengths)
    indices = [Element("x", (number,), DataType.named("i32")) for number in range(rank)]
    current_trace().add(SetTileIf(found, value, element_of(predicate(*indices))))


@dataclass(frozen=True)
class SetTile:
    """All elements of a tile become a number."""

    tile: StaticDistributedTensor
    value: float

    def run(self, machine: Machine) -> None:
        one = converted(np.asarray(self.value, _widest(self.value)), self.tile.kind)
        machine.put(self.tile, np.broadcast_to(one, machine.shape_of(self.tile)))


@dataclass(frozen=True)
class SetTileIf:
    """Elements become a number where a condition of their index holds."""

    tile: StaticDistributedTensor
    value: float
    predicate: Element

    def run(self, machine: Machine) -> None:
        x = machine.x_of(self.tile.distribution)
        leaves: dict[Any, Any] = {("x", number): x[..., number] for number in range(x.shape[-1])}
        holds = self.predicate.value(leaves | machine.uniform(self.predicate, (machine.groups, 1, 1)))
        one = converted(np.asarray(self.value, _widest(self.value)), self.tile.kind)
        machine.put(self.tile, np.where(holds, one, machine.of(self.tile)))


@dataclass(frozen=True)
class SetElement:
    """One element of each thread's buffer becomes the value of an expression."""

    tile: StaticDistributedTensor
    place: int
    value: Element

    def run(self, machine: Machine) -> None:
        found = machine.value(self.value)
        machine.put_place(self.tile, self.place, converted(found, self.tile.kind))


@dataclass(frozen=True)
class Assign:
    """A tile becomes a copy of another one."""

    tile: StaticDistributedTensor
    other: StaticDistributedTensor

    def run(self, machine: Machine) -> None:
        machine.put(self.tile, machine.converted(self.other, self.tile.kind))


def _widest(value: float) -> Any:
    return np.float64 if isinstance(value, float) else np.int64

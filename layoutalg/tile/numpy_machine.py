"""Tile programs on NumPy: all threads of all workgroups at once, one statement after the other.

What each thread holds is an array ``[workgroup, thread, place in its buffer]``. Reads of what nobody wrote,
and what threads write and read of one another's without a sync between, are errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from layoutalg.data_type import DataType
from layoutalg.descriptor import TensorDescriptor
from layoutalg.distribution import TileDistribution
from layoutalg.errors import LayoutError
from layoutalg.index.evaluate import evaluate
from layoutalg.tile.buffer_view import BufferView
from layoutalg.tile.elements import Element, converted
from layoutalg.tile.memory import Accessors, Memory

__all__ = ["LANES", "Machine", "UnsetElementError", "x_of"]

LANES = 64


class Held(Protocol):
    """A tile that threads hold, by its number."""

    @property
    def number(self) -> int: ...
    @property
    def kind(self) -> DataType: ...
    @property
    def thread_buffer_size(self) -> int: ...


class UnsetElementError(LayoutError):
    """A program uses an element that nothing was put into."""


class Machine:
    """The state of a run: ``names`` are sizes, workgroups and turns; ``groups`` workgroups of ``threads``."""

    def __init__(
        self, threads: int, grid: Sequence[int], groups: NDArray[Any], names: Mapping[str, Any]
    ) -> None:
        self.threads, self.groups = threads, len(groups)
        self.names: dict[str, Any] = dict(names)
        x, y, _ = (*grid, 1, 1)[:3]
        self.names |= {
            "workgroup_x": groups % x,
            "workgroup_y": groups // x % y,
            "workgroup_z": groups // (x * y),
        }
        self.scalars: dict[str, Any] = {}
        self.tiles: dict[int, NDArray[Any]] = {}
        self.is_set: dict[int, NDArray[np.bool_]] = {}
        self.memories: dict[str, Memory] = {}
        self._bound: dict[TensorDescriptor, TensorDescriptor] = {}
        self.watch: Callable[[Any, Machine], None] | None = None
        self.epoch = 1  # syncs of the workgroup so far, and 1

    # --- numbers

    def number(self, value: Any) -> NDArray[Any]:
        """An expression of sizes, workgroup and turns: one number for each workgroup."""
        if isinstance(value, int):
            return np.full(self.groups, value)
        free = {symbol.name for symbol in getattr(value, "free_symbols", ())}
        missing = free - self.names.keys()
        if missing:
            raise LayoutError(f"tile program: no value for {', '.join(sorted(missing))}")
        found = evaluate(value, {name: self.names[name] for name in free})
        return np.broadcast_to(np.asarray(found), (self.groups,)).astype(np.int64)

    def same_number(self, value: Any, what: str) -> int:
        """An expression that is the same for all workgroups."""
        found = self.number(value)
        if (found != found[0]).any():
            raise LayoutError(f"tile program: {what} differs from workgroup to workgroup: {value}")
        return int(found[0])

    # --- tiles

    def shape_of(self, tile: Held) -> tuple[int, int, int]:
        return self.groups, self.threads, tile.thread_buffer_size

    def put(self, tile: Held, numbers: Any) -> None:
        """What all threads hold from now on."""
        self.tiles[tile.number] = np.array(np.broadcast_to(numbers, self.shape_of(tile)), tile.kind.numpy)
        self.is_set[tile.number] = np.ones(self.shape_of(tile), bool)

    def put_place(self, tile: Held, place: int, numbers: NDArray[Any]) -> None:
        """What all threads hold at one place."""
        if tile.number not in self.tiles:
            self.tiles[tile.number] = np.zeros(self.shape_of(tile), tile.kind.numpy)
            self.is_set[tile.number] = np.zeros(self.shape_of(tile), bool)
        self.tiles[tile.number][..., place] = numbers
        self.is_set[tile.number][..., place] = True

    def of(self, tile: Held) -> NDArray[Any]:
        """What all threads hold; refused where something is unset."""
        is_set = self.is_set.get(tile.number)
        if is_set is None or not is_set.all():
            raise UnsetElementError(
                f"tile {tile.number} of {tile.kind.name}: elements are read that nobody set"
            )
        return self.tiles[tile.number]

    def converted(self, tile: Held, kind: DataType) -> NDArray[Any]:
        """What all threads hold, as another type."""
        if kind == tile.kind:
            return self.of(tile)
        return converted(self.value_of(tile), kind)

    def value_of(self, tile: Held) -> NDArray[Any]:
        """The numbers that all threads hold."""
        return Element("argument", (0,), tile.kind).value({0: self.of(tile)})

    def value(self, element: Element) -> NDArray[Any]:
        """The value of an expression of held elements, in all threads."""
        leaves: dict[Any, NDArray[Any]] = self.uniform(element, (self.groups, 1))
        for leaf in element.leaves - leaves.keys():
            if leaf[0] == "coordinate":
                _, distribution, place, dimension = leaf
                leaves[leaf] = self.x_of(distribution)[:, place, dimension]
                continue
            number, place = leaf
            is_set = self.is_set.get(number)
            if is_set is None or not is_set[..., place].all():
                raise UnsetElementError(f"element {place} of tile {number} is read and nobody set it")
            leaves[leaf] = self.tiles[number][..., place]
        return element.value(leaves)

    def uniform(self, element: Element, shape: tuple[int, ...]) -> dict[Any, NDArray[Any]]:
        """What an expression has in it that all threads of a workgroup agree on."""
        found: dict[Any, NDArray[Any]] = {}
        for leaf in element.leaves:
            if isinstance(leaf, tuple) and leaf[0] == "index":
                found[leaf] = self.number(leaf[1]).astype(np.int32).reshape(shape)
            elif isinstance(leaf, tuple) and leaf[0] == "scalar":
                found[leaf] = np.asarray(self.scalars[leaf[1]])
        return found

    def x_of(self, distribution: TileDistribution) -> NDArray[Any]:
        """The index into the tile of every element that threads hold: ``[thread, place, dimension]``."""
        return x_of(distribution, self.threads)

    # --- memory

    def bound(self, descriptor: TensorDescriptor) -> TensorDescriptor:
        """A descriptor with this run's sizes."""
        found = self._bound.get(descriptor)
        if found is None:
            wanted = [v.name for v in descriptor.parameters.variables]
            numbers = {name: self.same_number(self.names[name], name) for name in wanted}
            found = self._bound[descriptor] = descriptor.bind(numbers) if numbers else descriptor
        return found

    def accessors(self, chosen: NDArray[np.bool_]) -> Accessors:
        """The waves and workgroups of chosen elements of an array ``[workgroup, thread, ...]``."""
        shape = (self.groups, self.threads, *(1,) * (chosen.ndim - 2))
        groups = np.broadcast_to(np.arange(self.groups).reshape(-1, 1), (self.groups, self.threads))
        waves = groups * -(-self.threads // LANES) + np.arange(self.threads) // LANES
        spread = [np.broadcast_to(one.reshape(shape), chosen.shape)[chosen] for one in (waves, groups)]
        return Accessors(spread[0], spread[1], self.epoch)

    def memory(self, buffer: BufferView) -> Memory:
        """The memory that a buffer view is of."""
        found = self.memories.get(buffer.name)
        if found is None:
            if buffer.space != "lds":
                raise LayoutError(f"tile program: no array for {buffer.name}")
            found = Memory.of_lds(buffer, self.groups)
            self.memories[buffer.name] = found
        return found


@cache
def x_of(distribution: TileDistribution, threads: int) -> NDArray[Any]:
    """The index into a tile of every element that so many threads hold."""
    number = np.arange(threads)
    lanes, waves = number % LANES, number // LANES
    ps = (lanes,) if distribution.encoding.num_p == 1 else (waves, lanes)
    lengths = tuple(int(length) for length in distribution.y_lengths)
    count = int(np.prod(lengths, dtype=int))
    ys = np.unravel_index(np.arange(count), lengths) if lengths else ()
    shape = (threads, count)
    index = (
        *(np.broadcast_to(p[:, None], shape) for p in ps),
        *(np.broadcast_to(y[None, :], shape) for y in ys),
    )
    found = distribution.element(index[: len(ps)], index[len(ps) :])
    return np.stack([np.broadcast_to(np.asarray(x), shape) for x in found], axis=-1)

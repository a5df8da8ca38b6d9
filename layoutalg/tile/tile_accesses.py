"""``load_tile`` and ``store_tile``: threads move their parts of a tile, vector by vector.

Whether padding makes an access out of range is asked once for a vector, of its first element, as CK does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from layoutalg.distribution import TileDistribution
from layoutalg.errors import LayoutError
from layoutalg.tile.elements import converted
from layoutalg.tile.tensors import StaticDistributedTensor, held, new_tensor
from layoutalg.tile.trace import current_trace
from layoutalg.tile.views import TensorView
from layoutalg.tile.windows import ViewWindow

if TYPE_CHECKING:
    from layoutalg.tile.numpy_machine import Machine

__all__ = [
    "Access",
    "AsyncLoad",
    "BlockSync",
    "Load",
    "Store",
    "async_load_tile",
    "block_sync_lds",
    "load_tile",
    "load_tile_raw",
    "store_tile",
    "update_tile",
]


@dataclass(frozen=True)
class Access:
    """A window as it stands at a statement, and the distribution by which threads go through it."""

    view: TensorView
    window: ViewWindow
    origin: tuple[Any, ...]
    distribution: TileDistribution

    @classmethod
    def of(cls, window: ViewWindow, distribution: TileDistribution | None = None) -> Access:
        window.require_alive()
        chosen = distribution or window.distribution
        window.geometry(chosen)  # refuses what does not fit
        assert chosen is not None
        return cls(window.view, window, window.origin, chosen)

    @property
    def scalars_per_vector(self) -> int:
        return self.window.geometry(self.distribution).scalars_per_vector

    @property
    def places(self) -> list[list[int]]:
        """The places in the thread buffer that each access moves, in the order of memory."""
        geometry = self.window.geometry(self.distribution)
        count, dimension = geometry.scalars_per_vector, geometry.vector_dim_y
        return [[self._place(ys, dimension, number) for number in range(count)] for ys in geometry.accesses]

    def _place(self, ys: Sequence[int], dimension: int, number: int) -> int:
        moved = tuple(y + number * (place == dimension) for place, y in enumerate(ys))
        return int(self.distribution.buffer_offset(moved))

    def offsets(self, machine: Machine) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Where each access begins, ``[workgroup, thread, access]``, and whether padding lets it be."""
        first = [places[0] for places in self.places]
        x = machine.x_of(self.distribution)[:, first]
        begins = [machine.number(begin)[:, None, None] for begin in self.origin]
        index = tuple(begin + x[None, ..., number] for number, begin in enumerate(begins))
        descriptor = machine.bound(self.view.descriptor)
        shape = np.broadcast_shapes(*(part.shape for part in index))
        offset = np.broadcast_to(descriptor.calculate_offset(index), shape)
        return offset, np.broadcast_to(descriptor.is_valid_index(index), shape)

    def end(self, machine: Machine) -> int:
        """The elements of the buffer resource, or of the memory where there is none."""
        memory = machine.memory(self.view.buffer)
        if self.view.buffer.space != "global":
            return memory.size
        return int(machine.bound(self.view.descriptor).element_space_size)


@dataclass(frozen=True)
class Load:
    """A tile is loaded, or the ``accesses`` named alone; ``is_raw``: what is out of range stays as it was."""

    tile: StaticDistributedTensor
    access: Access
    is_checked: bool = True
    is_raw: bool = False
    accesses: tuple[int, ...] | None = None

    def run(self, machine: Machine) -> None:
        access, view = self.access, self.access.view
        offset, valid = access.offsets(machine)
        places = access.places
        count = len(places[0])
        at = offset[..., None] + np.arange(count)
        is_padded = np.broadcast_to(~valid[..., None], at.shape) & self.is_checked
        memory = machine.memory(view.buffer)
        inside = ~is_padded
        if view.buffer.space == "global":
            inside = inside & (at >= 0) & (at < access.end(machine))
        found = np.zeros(at.shape, memory.numbers.dtype)
        found[inside] = memory.load(at[inside], machine.accessors(inside))
        if view.invalid_element_value is not None:
            found[is_padded] = converted(np.asarray(view.invalid_element_value), memory.kind)
        chosen = range(len(places)) if self.accesses is None else self.accesses
        for number in chosen:
            for one, place in enumerate(places[number]):
                new = found[..., number, one]
                if self.is_raw:
                    old = machine.tiles[self.tile.number][..., place]
                    new = np.where(is_padded[..., number, one], old, new)
                machine.put_place(self.tile, place, new)


@dataclass(frozen=True)
class Store:
    """A tile is stored, or added to what is there."""

    tile: StaticDistributedTensor
    access: Access
    operation: Literal["set", "atomic_add"] = "set"

    def run(self, machine: Machine) -> None:
        access, view = self.access, self.access.view
        offset, valid = access.offsets(machine)
        places = access.places
        at = offset[..., None] + np.arange(len(places[0]))
        inside = np.broadcast_to(valid[..., None], at.shape)
        memory = machine.memory(view.buffer)
        if view.buffer.space == "global":
            inside = inside & (at >= 0) & (at < access.end(machine))
        numbers = machine.converted(self.tile, memory.kind)[..., np.array(places)]
        put = memory.store if self.operation == "set" else memory.add
        put(at[inside], numbers[inside], machine.accessors(inside))


@dataclass(frozen=True)
class AsyncLoad:
    """From global memory to the LDS, past the registers."""

    into: Access
    source: Access

    def run(self, machine: Machine) -> None:
        kind = self.source.view.buffer.kind
        place = StaticDistributedTensor(-1, kind, self.source.distribution, (), self.source.window.trace)
        Load(place, self.source).run(machine)
        Store(place, self.into).run(machine)


@dataclass(frozen=True)
class BlockSync:
    """All threads of a workgroup come here before any goes on; what they wrote to the LDS is there."""

    def run(self, machine: Machine) -> None:
        machine.epoch += 1


def load_tile(
    window: ViewWindow, tile: StaticDistributedTensor | None = None, **chosen: Any
) -> StaticDistributedTensor:
    """The tile in a window, as threads hold it by the window's distribution; into ``tile`` if one is given.

    ``oob_conditional_check=False``: padding is not looked at. ``accesses``: these alone are made.
    """
    access = Access.of(window)
    is_checked = chosen.pop("oob_conditional_check", True)
    accesses = chosen.pop("accesses", None)
    if chosen:
        raise LayoutError(f"load_tile: wanted oob_conditional_check or accesses, got {', '.join(chosen)}")
    found = new_tensor(window.view.buffer.kind, access.distribution) if tile is None else held(tile)
    if found.distribution.encoding != access.distribution.encoding or found.kind != window.view.buffer.kind:
        raise LayoutError("load_tile: wanted a tile of the window's distribution and type")
    if accesses is None:
        current_trace().becomes_partial(found.number, [])
    current_trace().add(Load(found, access, is_checked, accesses=accesses))
    return found


def load_tile_raw(tile: StaticDistributedTensor, window: ViewWindow) -> None:
    """Into a tile that exists; what padding makes out of range keeps what it held."""
    current_trace().add(Load(held(tile), Access.of(window), is_raw=True))


def store_tile(window: ViewWindow, tile: StaticDistributedTensor) -> None:
    """Store a tile where a window stands, by the tile's distribution."""
    _require_storable(window, tile)
    current_trace().add(Store(held(tile), Access.of(window, tile.distribution)))


def update_tile(window: ViewWindow, tile: StaticDistributedTensor) -> None:
    """Store a tile, or add it, as the view's memory operation says."""
    _require_storable(window, tile)
    operation = window.view.memory_operation
    current_trace().add(Store(held(tile), Access.of(window, tile.distribution), operation))


def async_load_tile(lds_window: ViewWindow, window: ViewWindow) -> None:
    """From global memory to the LDS without registers; the window's distribution says who moves what."""
    source = Access.of(window)
    current_trace().add(AsyncLoad(Access.of(lds_window, source.distribution), source))


def block_sync_lds() -> None:
    """Wait for all threads of the workgroup, and for what they read and wrote in the LDS."""
    current_trace().add(BlockSync())


def _require_storable(window: ViewWindow, tile: StaticDistributedTensor) -> None:
    """Refuse a store into an input, of a tile of another type, or of parts of a result."""
    buffer = window.view.buffer
    if buffer.space != "lds" and not buffer.is_output:
        hint = f"{buffer.name}: pointer(..., is_output=True)"
        raise LayoutError(f"store_tile: {buffer.name} is an input of the program", hint=hint)
    if window.view.memory_operation == "set":
        held(tile).trace.require_whole("store_tile", tile.number)
    if held(tile).kind != window.view.buffer.kind:
        msg = f"store_tile: the tile is of {tile.kind.name}, the window of {window.view.buffer.kind.name}"
        raise LayoutError(msg, hint="cast_tile(tile, kind) converts")

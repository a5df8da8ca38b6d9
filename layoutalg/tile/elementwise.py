"""Element by element: ``tile_elementwise_in`` makes a tile of tiles, ``tile_elementwise_inout`` changes them.

Thread buffers meet, place by place, not indices of the tile: tiles in different distributions are joined as
they lie in registers. Source: CK Tile, ``core/tensor/tile_elementwise.hpp``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from layoutalg.data_type import DataType
from layoutalg.errors import LayoutError
from layoutalg.tile.elements import Element, converted, element_of, traced_function
from layoutalg.tile.tensors import StaticDistributedTensor, held, new_tensor
from layoutalg.tile.tile_accesses import load_tile
from layoutalg.tile.trace import current_trace
from layoutalg.tile.windows import ViewWindow

if TYPE_CHECKING:
    from layoutalg.tile.numpy_machine import Machine

__all__ = [
    "Elementwise",
    "cast_tile",
    "load_tile_with_elementwise",
    "tile_elementwise_in",
    "tile_elementwise_inout",
]

PACKED_CAST = 4  # elements that CK converts to a small float at once
BF8 = ("bf8_fnuz", "bf8_ocp")


@dataclass(frozen=True)
class Elementwise:
    """``target`` becomes an expression of what ``sources`` hold at the same place."""

    target: StaticDistributedTensor
    value: Element
    sources: tuple[StaticDistributedTensor, ...]

    def run(self, machine: Machine) -> None:
        leaves: dict[Any, Any] = {number: machine.of(tile) for number, tile in enumerate(self.sources)}
        leaves |= machine.uniform(self.value, (machine.groups, 1, 1))
        machine.put(self.target, converted(self.value.value(leaves), self.target.kind))


def tile_elementwise_in(
    function: Callable[..., Any], *tiles: StaticDistributedTensor, kind: str | DataType | None = None
) -> StaticDistributedTensor:
    """A tile in the first one's distribution: ``function`` of the elements, in the type that it computes.

    ``kind``: another type, to which results are converted.
    """
    sources = _alike(tiles)
    value = _of_what_is_given(function, tuple(tile.kind for tile in sources))
    wanted = value.kind if kind is None else kind
    if wanted is None:
        raise LayoutError(
            "tile_elementwise_in: the function gives a number without a type", hint="kind='f32'"
        )
    element = wanted if isinstance(wanted, DataType) else DataType.named(wanted)
    found = new_tensor(element, sources[0].distribution)
    current_trace().becomes_partial(found.number, [one.number for one in sources])
    current_trace().add(Elementwise(found, value, sources))
    return found


def tile_elementwise_inout(
    functions: Callable[..., Any] | Sequence[Callable[..., Any]], *tiles: StaticDistributedTensor
) -> None:
    """Change tiles, one after the other: each becomes its function of what all of them hold by then.

    One function by itself changes the first tile.
    """
    targets = _alike(tiles)
    chosen = [functions] if callable(functions) else list(functions)
    if len(chosen) > len(targets):
        raise LayoutError(f"tile_elementwise_inout: {len(chosen)} functions for {len(targets)} tiles")
    kinds = tuple(tile.kind for tile in targets)
    for function, tile in zip(chosen, targets, strict=False):
        value = _of_what_is_given(function, kinds)
        current_trace().becomes_partial(tile.number, [one.number for one in targets])
        current_trace().add(Elementwise(tile, value, targets))


def load_tile_with_elementwise(
    windows: Sequence[ViewWindow], function: Callable[..., Any], kind: str | DataType | None = None
) -> StaticDistributedTensor:
    """Tiles of windows of one distribution, joined element by element."""
    return tile_elementwise_in(function, *(load_tile(window) for window in windows), kind=kind)


def cast_tile(tile: StaticDistributedTensor, kind: str | DataType) -> StaticDistributedTensor:
    """The same tile in another type. Refused: bf8 by fours, for which CK writes the bits of fp8."""
    found = held(tile)
    element = kind if isinstance(kind, DataType) else DataType.named(kind)
    if element.name in BF8 and found.thread_buffer_size % PACKED_CAST == 0:
        hint = "cast_tile.hpp takes v_cvt_pk_fp8_f32 for both; cast fewer than four elements, or to fp8"
        raise LayoutError("cast_tile: CK writes the bits of fp8 for bf8", hint=hint)
    return tile_elementwise_in(element_of, found, kind=element)


def _of_what_is_given(function: Callable[..., Any], kinds: tuple[DataType, ...]) -> Element:
    """The function as an expression; refused where it reads a tile that it is not given."""
    value = traced_function(function, kinds)
    if value.tiles:
        hint = "pass the tile as one more argument, or go through elements: for i in sweep_tile(tile): ..."
        raise LayoutError("elementwise: the function reads a tile that it is not given", hint=hint)
    return value


def _alike(tiles: Sequence[StaticDistributedTensor]) -> tuple[StaticDistributedTensor, ...]:
    """Tiles with thread buffers of one size."""
    found = tuple(map(held, tiles))
    sizes = {tile.thread_buffer_size for tile in found}
    if len(sizes) != 1:
        raise LayoutError(f"elementwise: wanted tiles with thread buffers of one size, got {sorted(sizes)}")
    return found

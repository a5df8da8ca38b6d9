"""Reductions: within threads, across the lanes of a wave, across waves.

``block_tile_reduce`` joins what each thread holds along dimensions of the tile. The result is a tile without
these dimensions: threads that held parts of them hold the same elements of it, R in its distribution; the
``sync`` functions join what these threads have. The initial value enters once for each lane, as in CK.
Source: CK Tile, ``ops/reduce/block/{block_reduce,block_reduce2d}.hpp``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.data_type import DataType
from layoutalg.distribution import TileDistribution, make_static_tile_distribution
from layoutalg.distribution.make_encoding import make_reduce_tile_distribution_encoding
from layoutalg.errors import LayoutError
from layoutalg.tile.elements import Element, converted, traced_function
from layoutalg.tile.numpy_machine import LANES
from layoutalg.tile.tensors import StaticDistributedTensor, held, new_tensor, set_tile
from layoutalg.tile.trace import current_trace

if TYPE_CHECKING:
    from layoutalg.tile.numpy_machine import Machine

__all__ = [
    "ReduceLanes",
    "ReduceThreads",
    "ReduceWaves",
    "block_reduce_cross_warp_sync",
    "block_tile_reduce",
    "block_tile_reduce_into",
    "block_tile_reduce_sync",
    "block_tile_reduce_xor_sync",
]


@dataclass(frozen=True)
class ReduceThreads:
    """``target[place] = f(target[place], source[one], ...)``, step by step.

    ``index``: a tile that takes coordinate ``dimension`` of the element that changed the result.
    """

    target: StaticDistributedTensor
    source: StaticDistributedTensor
    steps: tuple[tuple[int, tuple[int, ...]], ...]
    function: Element
    index: StaticDistributedTensor | None = None
    dimension: int = 0

    def run(self, machine: Machine) -> None:
        kind = self.target.kind
        found, given = machine.of(self.target).copy(), machine.converted(self.source, kind)
        where = None if self.index is None else machine.of(self.index).copy()
        x = machine.x_of(self.source.distribution)
        for place, others in self.steps:
            old = found[..., place].copy()
            found[..., place] = _joined(self.function, kind, old, *(given[..., one] for one in others))
            if where is not None:
                changed = found[..., place] != old
                where[..., place] = np.where(changed, x[:, others[-1], self.dimension], where[..., place])
        machine.put(self.target, found)
        if self.index is not None:
            machine.put(self.index, where)


@dataclass(frozen=True)
class ReduceLanes:
    """Each lane joins what it holds with the lane so far away, distance by distance; modulo 64 lanes.

    ``by_xor``: distances are bits that are turned over. ``owners``: afterwards each lane takes what the lane
    holds that is first in its group, whose lanes are these distances apart.
    """

    tile: StaticDistributedTensor
    function: Element
    distances: tuple[int, ...]
    by_xor: bool = False
    owners: bool = False
    index: StaticDistributedTensor | None = None

    def run(self, machine: Machine) -> None:
        kind, lanes = self.tile.kind, np.arange(machine.threads)
        found = machine.of(self.tile).copy()
        where = None if self.index is None else machine.of(self.index).copy()
        for distance in self.distances:
            other = lanes ^ distance if self.by_xor else _shifted(lanes, distance)
            old = found
            found = _joined(self.function, kind, old, old[:, other])
            if where is not None:
                where = np.where(found != old, where[:, other], where)
        if self.owners:
            first = lanes & ~sum(self.distances)
            found = found[:, first]
            where = None if where is None else where[:, first]
        machine.put(self.tile, found)
        if self.index is not None:
            machine.put(self.index, where)


@dataclass(frozen=True)
class ReduceWaves:
    """All threads take what the first lanes of ``count`` neighbouring waves hold, joined in order."""

    tile: StaticDistributedTensor
    function: Element
    count: int

    def run(self, machine: Machine) -> None:
        given = machine.of(self.tile)
        waves = machine.threads // LANES
        first = given[:, ::LANES]
        groups = first.reshape(machine.groups, waves // self.count, self.count, -1)
        found = groups[:, :, 0]
        for number in range(1, self.count):
            found = _joined(self.function, self.tile.kind, found, groups[:, :, number])
        machine.epoch += 1  # the exchange goes through the LDS
        machine.put(self.tile, np.repeat(found, self.count * LANES, axis=1))


def _joined(function: Element, kind: DataType, *values: NDArray[Any]) -> NDArray[Any]:
    return converted(function.value(dict(enumerate(values))), kind)


def _shifted(lanes: NDArray[Any], distance: int) -> NDArray[Any]:
    return lanes // LANES * LANES + (lanes + distance) % LANES


def block_tile_reduce(
    tile: StaticDistributedTensor,
    dimensions: Sequence[int],
    function: Callable[..., Any],
    initial: float,
    kind: str | DataType | None = None,
    *,
    unpack: int = 1,
) -> StaticDistributedTensor:
    """Join what each thread holds along dimensions of the tile, in the type ``kind``.

    ``unpack``: ``function`` is given so many elements at once behind what they are joined with.
    """
    found = held(tile)
    encoding = make_reduce_tile_distribution_encoding(found.distribution.encoding, tuple(dimensions))
    element = found.kind if kind is None else kind if isinstance(kind, DataType) else DataType.named(kind)
    made = new_tensor(element, make_static_tile_distribution(encoding))
    set_tile(made, initial)
    block_tile_reduce_into(made, found, dimensions, function, unpack=unpack)
    return made


def block_tile_reduce_into(
    result: StaticDistributedTensor,
    tile: StaticDistributedTensor,
    dimensions: Sequence[int],
    function: Callable[..., Any],
    index: StaticDistributedTensor | None = None,
    *,
    unpack: int = 1,
) -> None:
    """The same into a tile that holds something already; ``index`` takes where the result comes from."""
    made, found = held(result), held(tile)
    if tuple(dimensions) != (len(found.lengths) - 1,) and len(found.lengths) > 1:
        hint = "block_reduce.hpp joins dimension 1 whatever dimension it is given"
        raise LayoutError("block_tile_reduce: wanted the last dimension", hint=hint)
    for one in _with_index(made, index):
        made.trace.partial[one.number] = _parts(made, found)
    steps = _steps(made, found, dimensions, unpack)
    joined = traced_function(function, (made.kind,) * (1 + unpack))
    current_trace().add(ReduceThreads(made, found, steps, joined, index, dimensions[-1]))


def _parts(made: StaticDistributedTensor, found: StaticDistributedTensor) -> frozenset[str]:
    """Who holds parts of the result: those whose numbers count through a new R."""
    encoding, old = made.distribution.encoding, found.distribution.encoding.num_r
    new = {
        place: any(
            major == 0 and minor >= old and encoding.rs_lengths[minor] != 1 for major, minor in factors
        )
        for place, factors in zip(("lanes", "waves"), reversed(encoding.ps_factors), strict=False)
    }
    mine = frozenset(place for place, is_part in new.items() if is_part)
    return mine | found.trace.partial.get(found.number, frozenset())


def _steps(
    made: StaticDistributedTensor, found: StaticDistributedTensor, dimensions: Sequence[int], unpack: int
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Each place of the result with the places that go into it, in CK's order: by X, then H."""
    factors = found.distribution.encoding.ys_factors
    lengths = [int(length) for length in found.distribution.y_lengths]
    kept = [number for number, (major, _) in enumerate(factors) if major - 1 not in dimensions]
    order = sorted(range(len(factors)), key=lambda one: (factors[one][0] - 1 in dimensions, factors[one]))
    pairs = []
    for index in np.ndindex(*(lengths[number] for number in order)):
        ys = [0] * len(lengths)
        for number, y in zip(order, index, strict=True):
            ys[number] = int(y)
        pairs.append((made.place([ys[number] for number in kept]), found.place(ys)))
    groups = [pairs[begin : begin + unpack] for begin in range(0, len(pairs), unpack)]
    if len(groups[-1]) != unpack or any(len({place for place, _ in group}) > 1 for group in groups):
        raise LayoutError(f"block_tile_reduce: {unpack} elements at once do not divide what is joined")
    return tuple((group[0][0], tuple(other for _, other in group)) for group in groups)


def block_tile_reduce_sync(
    tile: StaticDistributedTensor,
    function: Callable[..., Any],
    *,
    with_broadcast: bool = True,
    index: StaticDistributedTensor | None = None,
) -> None:
    """Join what lanes of a wave have of the same elements.

    All lanes enter, as in CK: also those that held the same elements before the tile was reduced.
    Without broadcast the first of these lanes alone is right.
    """
    found = held(tile)
    distances = tuple(d for group in lane_groups(found.distribution) for d in reversed(group))
    joined = traced_function(function, (found.kind, found.kind))
    if with_broadcast:
        for one in _with_index(found, index):
            _joined_by(one, "lanes")
    current_trace().add(ReduceLanes(found, joined, distances, owners=with_broadcast, index=index))


def block_tile_reduce_xor_sync(tile: StaticDistributedTensor, function: Callable[..., Any]) -> None:
    """The same by exchanges between lanes whose numbers differ in a bit: all have the result."""
    found = held(tile)
    distances = tuple(d for group in lane_groups(found.distribution) for d in group)
    joined = traced_function(function, (found.kind, found.kind))
    _joined_by(found, "lanes")
    current_trace().add(ReduceLanes(found, joined, distances, by_xor=True))


def block_reduce_cross_warp_sync(tile: StaticDistributedTensor, function: Callable[..., Any]) -> None:
    """Join what waves have of the same elements, of which each wave's first lane alone is heard.

    Refused, as CK joins the wrong ones: lanes of a wave with different elements, and waves with the same
    elements that are not neighbours.
    """
    found = held(tile)
    encoding = found.distribution.encoding
    waves = 1
    for major, minor in encoding.ps_factors[0] if encoding.num_p > 1 else ():
        waves *= int(encoding.rs_lengths[minor]) if major == 0 else 1
    if waves > 1:
        _require_heard(found.distribution)
        joined = traced_function(function, (found.kind, found.kind))
        _joined_by(found, "waves")
        current_trace().add(ReduceWaves(found, joined, waves))


def _require_heard(distribution: TileDistribution) -> None:
    """Refused unless the lanes of a wave hold the same elements, and neighbouring waves do."""
    encoding = distribution.encoding
    by_wave, by_lane = (
        [(major == 0, int(encoding.rhs_lengthss[major][minor])) for major, minor in factors]
        for factors in encoding.ps_factors
    )
    if any(not is_same and length > 1 for is_same, length in by_lane):
        hint = "each wave's first lane alone is heard: let the lanes of a wave share what they reduce"
        raise LayoutError("reduce across waves: the lanes of a wave hold different elements", hint=hint)
    order = [is_same for is_same, length in by_wave if length > 1]
    if order != sorted(order):
        hint = "neighbours are joined: R is to be the last of what waves count through"
        raise LayoutError(
            "reduce across waves: waves that hold the same elements are no neighbours", hint=hint
        )


def _with_index(
    tile: StaticDistributedTensor, index: StaticDistributedTensor | None
) -> list[StaticDistributedTensor]:
    return [tile] if index is None else [tile, index]


def _joined_by(tile: StaticDistributedTensor, who: str) -> None:
    """Note that these hold the whole result."""
    partial = tile.trace.partial
    partial[tile.number] = partial.get(tile.number, frozenset()) - {who}


def lane_groups(distribution: TileDistribution) -> list[tuple[int, ...]]:
    """For each R that lanes count through, how far apart the lanes are that differ in its bits."""
    encoding = distribution.encoding
    found, step = [], 1
    for major, minor in reversed(encoding.ps_factors[-1]):
        length = int(encoding.rhs_lengthss[major][minor])
        if major == 0 and length > 1:
            if length & (length - 1):
                raise LayoutError(
                    f"reduce: wanted a power of two of lanes with the same elements, got {length}"
                )
            found.append(tuple(step << bit for bit in range(length.bit_length() - 1)))
        step *= length
    return found[::-1]

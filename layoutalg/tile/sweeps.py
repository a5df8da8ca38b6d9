"""Going through what a thread holds, element by element, by distributed indices.

A sweep calls a function for every index of a tile that a thread holds, in CK's order: by dimensions of the
tile and by their factors, whatever the order of Ys. The function is called while the program is written
down; what it reads and sets become statements. Source: CK Tile, ``core/tensor/sweep_tile.hpp``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from layoutalg.data_type import DataType
from layoutalg.distribution import TileDistribution
from layoutalg.errors import LayoutError
from layoutalg.tile.distributed_index import DistributedIndex, Part, place_at, span
from layoutalg.tile.elements import Element
from layoutalg.tile.tensors import StaticDistributedTensor, held

__all__ = ["get_x_indices_from_distributed_indices", "sweep_tile", "sweep_tile_spans"]


def get_x_indices_from_distributed_indices(
    tile: StaticDistributedTensor, index: DistributedIndex
) -> tuple[Element, ...]:
    """The coordinates of an element in its tile, which differ from thread to thread."""
    place = place_at(held(tile).distribution, index)
    return tuple(
        Element("coordinate", (tile.distribution, place, dimension), DataType.named("i32"))
        for dimension in range(len(tile.lengths))
    )


def _parts(distribution: TileDistribution, dimension: int, unpack: int) -> list[list[Part]]:
    """The visits of one dimension, each with so many indices: neighbours in its span."""
    lengths = [int(distribution.y_lengths[y]) for y in span(distribution, dimension)]
    every = list(product(*(range(length) for length in lengths)))
    if len(every) % unpack:
        raise LayoutError(
            f"sweep: {unpack} indices at a time do not divide the {len(every)} of dimension {dimension}"
        )
    return [every[begin : begin + unpack] for begin in range(0, len(every), unpack)]


def _visits(
    tile: StaticDistributedTensor, unpacks: Sequence[int] | None = None
) -> list[list[DistributedIndex]]:
    """The visits of a sweep, each with the indices that it is given."""
    found = held(tile)
    rank = len(found.lengths)
    each = [1] * rank if unpacks is None else list(unpacks)
    if len(each) != rank:
        raise LayoutError(f"sweep: wanted {rank} unpacks, got {len(each)}")
    spans = [_parts(found.distribution, dimension, unpack) for dimension, unpack in enumerate(each)]
    return [[DistributedIndex(one) for one in product(*visit)] for visit in product(*spans)]


def sweep_tile(
    tile: StaticDistributedTensor,
    function: Callable[..., Any] | None = None,
    unpacks: Sequence[int] | None = None,
    accesses: Sequence[int] | None = None,
) -> list[DistributedIndex]:
    """Call ``function(index, ...)`` for all indices of a tile, so many at a time along each dimension.

    ``accesses``: the numbers of the visits that are made, as a ``tile_sweeper`` makes them; all if left out.
    Gives the indices, so that a loop is a sweep: ``for i, j in sweep_tile(tile): tile[i, j] = ...``.
    """
    every = _visits(tile, unpacks)
    chosen = [every[number] for number in (range(len(every)) if accesses is None else accesses)]
    for visit in chosen if function is not None else ():
        function(*visit)  # type: ignore[misc]
    return [index for visit in chosen for index in visit]


def sweep_tile_spans(
    tile: StaticDistributedTensor,
    dimensions: Sequence[int],
    function: Callable[..., Any],
    unpacks: Sequence[Sequence[int]] | None = None,
) -> None:
    """``sweep_tile_span`` inside ``sweep_tile_span``: dimensions outermost first; ``function(index, ...)``.

    ``unpacks``: for each of the dimensions, how many indices at a time along each of its factors.
    """
    distribution = held(tile).distribution
    blocks = []
    for number, dimension in enumerate(dimensions):
        lengths = [int(distribution.y_lengths[y]) for y in span(distribution, dimension)]
        blocks.append(_blocks(lengths, [1] * len(lengths) if unpacks is None else unpacks[number]))
    for chosen in product(*blocks):
        indices = []
        for parts in product(*chosen):
            by_dimension = dict(zip(dimensions, parts, strict=True))
            indices.append(DistributedIndex(tuple(by_dimension[d] for d in range(len(dimensions)))))
        function(*indices)


def _blocks(lengths: Sequence[int], unpacks: Sequence[int]) -> list[list[Part]]:
    """A span cut into boxes of so many indices along each factor."""
    if len(unpacks) != len(lengths) or any(n % u for n, u in zip(lengths, unpacks, strict=True)):
        raise LayoutError(f"sweep: unpacks {tuple(unpacks)} do not divide lengths {tuple(lengths)}")
    corners = product(*(range(0, n, u) for n, u in zip(lengths, unpacks, strict=True)))
    inside = list(product(*map(range, unpacks)))
    return [[tuple(c + i for c, i in zip(corner, one, strict=True)) for one in inside] for corner in corners]

"""Distributed indices: what a thread's element is called, dimension by dimension of its tile.

>>> from layoutalg.distribution import TileDistributionEncoding, make_static_tile_distribution
>>> tile = make_static_tile_distribution(TileDistributionEncoding(
...     (), ((4, 2, 4), (32,)), ((1, 2),), ((1, 0),), (1, 1), (0, 2)
... ))
>>> span(tile, 0), place_at(tile, DistributedIndex(((2, 3), ())))
([0, 1], 11)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from layoutalg.distribution import TileDistribution
from layoutalg.errors import LayoutError

__all__ = ["DistributedIndex", "Part", "place_at", "span"]

Part = tuple[int, ...]  # along the factors of one dimension that threads count through


@dataclass(frozen=True)
class DistributedIndex:
    """For each dimension of a tile an index into the part of it that a thread holds."""

    parts: tuple[Part, ...]

    def __getitem__(self, dimension: int) -> Part:
        return self.parts[dimension]

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)


def span(distribution: TileDistribution, dimension: int) -> list[int]:
    """The Ys that are factors of a dimension, the slowest first."""
    factors = distribution.encoding.ys_factors
    mine = [(minor, y) for y, (major, minor) in enumerate(factors) if major == dimension + 1]
    return [y for _, y in sorted(mine)]


def place_at(distribution: TileDistribution, index: DistributedIndex | Sequence[Part] | Part) -> int:
    """Where in the thread buffer the element of an index lies; of a tile of one dimension a part will do."""
    rank = distribution.encoding.num_x
    parts: tuple[Any, ...] = tuple(index)
    if rank == 1 and all(isinstance(one, int) for one in parts):
        parts = (parts,)
    if len(parts) != rank:
        raise LayoutError(f"tile: wanted an index of {rank} dimensions, got {len(parts)}")
    ys = [0] * distribution.encoding.num_y
    for dimension, part in enumerate(parts):
        for y, value in zip(span(distribution, dimension), part, strict=True):
            ys[y] = value
    return int(distribution.buffer_offset(tuple(ys)))

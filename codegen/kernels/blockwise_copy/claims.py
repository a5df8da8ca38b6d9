"""What must hold of a blockwise copy before its text is handed out.

Tiles cover the tensor without overlap, and the threads hold every element of a tile once. In shared memory an
element is read where it was stored, after a barrier. Accesses are in bounds and of whole vectors. So each
place of the target is written once, with the element of the same index.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sympy import Symbol

from layoutalg.claim import Claim, IndexMap
from layoutalg.codegen.kernels.blockwise_copy.tiles import BlockTiles
from layoutalg.codegen.kernels.exact_move import writes_what_was_read
from layoutalg.distribution import TileWindow
from layoutalg.domain import Domain
from layoutalg.index.node import as_expression
from layoutalg.properties import (
    covers,
    covers_map,
    fits_integer,
    memory_bounds_map,
    one_to_one,
    one_to_one_map,
    owned,
    same_map,
    tile_bounds,
    vector_access_map,
)

__all__ = ["claims_of"]


def claims_of(tiles: BlockTiles) -> tuple[Claim, ...]:
    """The claims of a blockwise copy."""
    found = [*_pieces(tiles)]
    for word, who in (("filled", tiles.threads), ("emptied", tiles.readers)):
        distribution = tiles.shared_out(who)
        found += [*owned(distribution, f"tile, {word}"), tile_bounds(distribution, f"tile, {word}")]
    found += [*_global(tiles), *_shared(tiles)]
    found += [one_to_one(tiles.target, "target"), covers(tiles.target, "target")]
    read = tiles.window(tiles.source, tiles.readers).tensor_map()
    return (*found, writes_what_was_read(read.outputs, tiles.write.tensor_map().outputs, read.domain))


def _pieces(tiles: BlockTiles) -> Iterator[Claim]:
    """Along each dimension tiles reach to the end and do not overlap."""
    for i, (blocks, part) in enumerate(zip(tiles.blocks, tiles.tile, strict=True)):
        domain = Domain.of({"block": blocks, "at": part})
        reached = IndexMap(domain, (part * domain["block"] + domain["at"],))
        yield one_to_one_map(reached, f"tiles, dimension {i}")
        yield covers_map(reached, (as_expression(tiles.source.lengths[i]),), f"tiles, dimension {i}")


def _global(tiles: BlockTiles) -> Iterator[Claim]:
    sides = (("loads", tiles.load, tiles.source), ("stores", tiles.write, tiles.target))
    for word, window, tensor in sides:
        space = as_expression(tensor.element_space_size)
        yield from _access(tiles, window, space, word, tensor.base_offset)
        yield fits_integer(window.index_map().outputs, window.index_map().domain, "int32", word)


def _shared(tiles: BlockTiles) -> Iterator[Claim]:
    yield one_to_one(tiles.stored, "tile in LDS")
    yield same_map(tiles.stored, tiles.read, "tile in LDS")
    room = as_expression(tiles.stored.element_space_size)
    for word, window in (("LDS stores", tiles.store), ("LDS reads", tiles.fetch)):
        yield from _access(tiles, window, room, word)
    yield tiles.schedule.barrier_between("tile in LDS")


def _access(tiles: BlockTiles, window: TileWindow, space: Any, word: str, start: Any = 0) -> Iterator[Claim]:
    """In bounds where the element is there, and in whole vectors."""
    index_map = window.index_map()
    yield memory_bounds_map(index_map, space, word, start)
    along: Symbol = window.distribution.ys[-1]
    yield from vector_access_map(index_map, along, tiles.scalars, word)

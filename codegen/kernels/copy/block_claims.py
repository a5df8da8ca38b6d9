"""What must hold of a blockwise copy before its text is handed out.

Tiles are the whole tensor, threads hold all of a tile once; through shared memory every element is found
where it was left, after a barrier; accesses are in bounds and whole vectors; so each place of the target is
written once, with the element of the same index.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.kernels.copy.block_tiles import BlockTiles
from layoutalg.distribution import TileWindow
from layoutalg.domain import Domain
from layoutalg.index.node import as_expression
from layoutalg.properties import (
    covers,
    covers_map,
    fits_integer,
    one_to_one,
    one_to_one_map,
    owned,
    same_map,
    tile_bounds,
    vector_access_map,
)

__all__ = ["block_claims"]


def block_claims(tiles: BlockTiles) -> tuple[Claim, ...]:
    """All claims."""
    found = [*_pieces(tiles)]
    for word, who in (("filled", tiles.threads), ("emptied", tiles.readers)):
        distribution = tiles.shared_out(who)
        found += [*owned(distribution, f"tile, {word}"), tile_bounds(distribution, f"tile, {word}")]
    found += [*_global(tiles), *_shared(tiles)]
    found += [one_to_one(tiles.target, "target"), covers(tiles.target, "target")]
    read = tiles.window(tiles.source, tiles.readers).tensor_map()
    pairs = zip(read.outputs, tiles.write.tensor_map().outputs, strict=True)
    same = tuple(Comparison(one, "==", other) for one, other in pairs)
    return (*found, Claim("writes what was read", "element", read.domain, same))


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
        start = tensor.base_offset
        end = start + as_expression(tensor.element_space_size)
        yield from _access(tiles, window, (start, end), word)
        yield fits_integer(window.index_map().outputs, window.index_map().domain, "int32", word)


def _shared(tiles: BlockTiles) -> Iterator[Claim]:
    yield one_to_one(tiles.stored, "tile in LDS")
    yield same_map(tiles.stored, tiles.read, "tile in LDS")
    room = (sympy.Integer(0), as_expression(tiles.stored.element_space_size))
    for word, window in (("LDS stores", tiles.store), ("LDS reads", tiles.fetch)):
        yield from _access(tiles, window, room, word)
    barriers = [tiles.steps[: tiles.steps.index(step)].count("barrier") for step in ("store", "read")]
    order = Comparison(sympy.Integer(barriers[0]), "<", sympy.Integer(barriers[1]))
    yield Claim("barrier between", "tile in LDS", Domain(), (order,))


def _access(tiles: BlockTiles, window: TileWindow, room: tuple[Any, Any], word: str) -> Iterator[Claim]:
    """In bounds where the element is there, and in whole vectors."""
    index_map = window.index_map()
    (offset,) = index_map.outputs
    within = (Comparison(room[0], "<=", offset), Comparison(offset, "<", room[1]))
    yield Claim("in memory bounds", word, index_map.domain, within, index_map.when)
    along: Symbol = window.distribution.ys[-1]
    yield from vector_access_map(index_map, along, tiles.scalars, word)

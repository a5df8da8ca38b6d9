"""Local tiles: the part of a tensor that one workgroup works on.

CK orders the tiles of a matrix for its caches: blocks go down 8 rows of tiles before they go right
(``BlockToCTileMap_M00_N0_M01Adapt``), so that block (0, 1) is not tile (0, 1).

>>> block_to_tile((1, 0), (16, 4)), block_to_tile((0, 1), (16, 4))
((4, 0), (1, 0))

Source: CK, ``include/ck/wrapper/utils/tensor_partition.hpp``, ``block_to_ctile_map.hpp``.
"""

from __future__ import annotations

from typing import Any

from layoutalg.errors import LengthError
from layoutalg.layout import Layout, size
from layoutalg.length import sequence
from layoutalg.tensor.dim_slice import DimSlice
from layoutalg.tensor.tensor import Tensor
from layoutalg.transforms import Slice

__all__ = ["block_to_tile", "make_local_tile", "projected"]

ROWS_FIRST = 8  # M01 of CK's map
KEEP = 1


def make_local_tile(tensor: Tensor, tile_shape: Any, block_idxs: Any, projection: Any = None) -> Tensor:
    """The tile of a block.

    ``tile_shape``: lengths of the tile; ``block_idxs``: for each dimension the block's index, or a slice for
    all of it; ``projection``: for each dimension 1 to keep it, or ``slice_(X)`` for one that the tensor does
    not have, of size X. With two indices the blocks of a matrix are reordered as :func:`block_to_tile` says.
    """
    where = "make_local_tile"
    tile = tuple(sequence(tile_shape, f"{where}: tile_shape"))
    blocks = tuple(sequence(block_idxs, f"{where}: block_idxs"))
    keep = (KEEP,) * len(tile) if projection is None else tuple(sequence(projection, f"{where}: projection"))
    if not len(tile) == len(blocks) == len(keep):
        msg = f"{where}: wanted as many tile lengths, blocks and projections, got"
        raise LengthError(f"{msg} {len(tile)}, {len(blocks)} and {len(keep)}")
    grid = _grid(tensor, tile, keep, where)
    partitioned = [i for i, block in enumerate(blocks) if not isinstance(block, DimSlice)]
    found = [0 if isinstance(block, DimSlice) else block for block in blocks]
    if len(partitioned) == 2:
        i, j = partitioned
        found[i], found[j] = block_to_tile((found[i], found[j]), (grid[i], grid[j]))
    lengths = projected(tile, keep)
    origins = [block * length for block, length in zip(projected(found, keep), lengths, strict=True)]
    base = tensor.layout.descriptor()
    if base.rank != len(lengths):
        msg = f"{where}: the tensor has {base.rank} dimensions, the tile {len(lengths)} after projection"
        raise LengthError(msg)
    parts = zip(base.lengths, origins, lengths, strict=True)
    ids = [(i,) for i in range(base.rank)]
    cut = base.transform([Slice(n, begin, begin + length) for n, begin, length in parts], ids, ids)
    return Tensor(tensor.memory_type, tensor.data, Layout(tuple(lengths), cut))


def block_to_tile(
    block: tuple[int, int], grid: tuple[int, int], rows_first: int = ROWS_FIRST
) -> tuple[int, int]:
    """The tile of a matrix that a block works on: CK's ``BlockToCTileMap_M00_N0_M01Adapt``."""
    rows, columns = grid
    m, n = block
    group = rows_first if m < rows - rows % rows_first else rows % rows_first
    local = n + m % rows_first * columns
    return local % group + m // rows_first * rows_first, local // group


def projected(values: Any, projection: Any) -> tuple[Any, ...]:
    """The values of the dimensions that a projection keeps."""
    found = []
    for value, keep in zip(values, projection, strict=True):
        if isinstance(keep, DimSlice):
            continue
        if keep != KEEP:
            msg = f"projection: wanted 1 to keep a dimension or slice_(X) to leave it out, got {keep!r}"
            raise LengthError(msg)
        found.append(value)
    return tuple(found)


def _grid(tensor: Tensor, tile: tuple[int, ...], keep: Any, where: str) -> list[int]:
    """How many tiles there are along each dimension, those of the projection included."""
    found, dim = [], 0
    for length, kept in zip(tile, keep, strict=True):
        if isinstance(kept, DimSlice):
            whole = int(kept.end)
        else:
            whole = int(size(tensor.layout, dim))
            dim += 1
        if whole % length and not isinstance(kept, DimSlice):
            msg = f"{where}: tiles of {length} do not divide length {whole}"
            raise LengthError(msg, hint="pad(...) the layout to a multiple first")
        found.append(-(-whole // length))
    return found

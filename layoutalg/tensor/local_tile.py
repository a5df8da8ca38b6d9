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
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.layout import Layout
from layoutalg.length import length, lengths, sequence, stride
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
    tensor.require_memory(f"{where}: registers have no tiles")
    tile = lengths(tile_shape, f"{where}: tile_shape")
    blocks = tuple(sequence(block_idxs, f"{where}: block_idxs"))
    keep = (KEEP,) * len(tile) if projection is None else tuple(sequence(projection, f"{where}: projection"))
    if not len(tile) == len(blocks) == len(keep):
        msg = f"{where}: wanted as many tile lengths, blocks and projections, got"
        raise LengthError(f"{msg} {len(tile)}, {len(blocks)} and {len(keep)}")
    kept = projected(tile, keep)
    base = tensor.layout.as_descriptor()
    if base.rank != len(kept):
        msg = f"{where}: the tensor has {base.rank} dimensions, the tile {len(kept)} after projection"
        raise LengthError(msg)
    grid = _grid(base.lengths, tile, keep, where)
    found = _tiles(blocks, grid, where)
    origins = [block * length for block, length in zip(projected(found, keep), kept, strict=True)]
    parts = zip(base.lengths, origins, kept, strict=True)
    ids = [(i,) for i in range(base.rank)]
    cut = base.transform([Slice(n, begin, begin + length) for n, begin, length in parts], ids, ids)
    return Tensor(tensor.memory_type, tensor.data, Layout(kept, cut))


def block_to_tile(block: tuple[Any, Any], grid: tuple[Any, Any], rows_first: int = ROWS_FIRST) -> Any:
    """The tile of a matrix that a block works on: CK's ``BlockToCTileMap_M00_N0_M01Adapt``.

    The block may be symbolic.
    """
    where = "block_to_tile"
    rows, columns = lengths(grid, f"{where}: grid")
    deep = length(rows_first, f"{where}: rows_first")
    m, n = (_inside(b, count, where) for b, count in zip(block, (rows, columns), strict=True))
    rest = rows % deep
    if isinstance(m, int) and isinstance(n, int):
        on: Any = C_INTEGERS
    else:
        on, m, n = SYMBOLIC, as_expression(m), as_expression(n)
    group, last = on.lift(deep), on.lift(rest)
    if rest:
        group = on.select(on.less(m, on.lift(rows - rest)), lambda: on.lift(deep), lambda: last)
    local = n + on.remainder(m, on.lift(deep)) * columns
    return on.remainder(local, group) + on.quotient(m, on.lift(deep)) * deep, on.quotient(local, group)


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


def _tiles(blocks: tuple[Any, ...], grid: list[int], where: str) -> list[Any]:
    """The tile of a block along each dimension; two indices are reordered."""
    partitioned = [i for i, block in enumerate(blocks) if not isinstance(block, DimSlice)]
    found = [
        0 if isinstance(block, DimSlice) else _inside(block, count, where)
        for block, count in zip(blocks, grid, strict=True)
    ]
    if len(partitioned) == 2:
        whole = [count for i, count in enumerate(grid) if i not in partitioned]
        if any(count != 1 for count in whole):
            msg = f"{where}: wanted tiles as long as the dimensions that are not partitioned, got a grid of"
            raise LengthError(f"{msg} {tuple(grid)}", hint="CK miscounts the blocks; slice the tensor first")
        i, j = partitioned
        found[i], found[j] = block_to_tile((found[i], found[j]), (grid[i], grid[j]))
    return found


def _inside(block: Any, count: int, where: str) -> Any:
    found = stride(block, f"{where}: block")
    if isinstance(found, int) and not 0 <= found < count:
        msg = f"{where}: there is no block {found}: they are 0 to {count - 1}"
        raise LengthError(msg)
    return found


def _grid(wholes: Any, tile: Any, keep: Any, where: str) -> list[int]:
    """How many tiles there are along each dimension, those of the projection included."""
    found, rest = [], iter(wholes)
    for part, kept in zip(tile, keep, strict=True):
        is_projected = isinstance(kept, DimSlice)
        whole = length(kept.end if is_projected else next(rest), f"{where}: projection")
        if not isinstance(whole, int) or not isinstance(part, int):
            msg = f"{where}: wanted numbers for lengths, got {whole} in tiles of {part}"
            raise LengthError(msg, hint="give symbols values first: bind({...})")
        if whole % part and not is_projected:
            msg = f"{where}: tiles of {part} do not divide length {whole}"
            raise LengthError(msg, hint="pad(...) the layout to a multiple first")
        found.append(-(-whole // part))
    return found

"""Tiles of large tensors where vectors must be aligned, as on NVIDIA's GPUs: what an H200 was fastest with.

A thread moves 32 bytes or more, so that enough is under way. Lanes of a tile that is partly empty cost
little. What counts is the target: a sector of memory of which only a part is written is read first, so
where rows of the target begin inside of one, tiles have long rows of it. Where elements are stored one by
one, many threads hide it.

>>> aligned_shape(2, (8, 8), starts=256), aligned_shape(2, (8, 4), starts=8)
(TileShape(rows=128, columns=128, threads=512, vector_in=8, vector_out=4), \
TileShape(rows=256, columns=64, threads=512, vector_in=8, vector_out=4))
"""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["THREAD_BYTES", "TileShape", "aligned_shape"]

WIDEST_STORE = 16  # bytes
SECTOR = 32  # bytes: what is read or written at once
THREAD_BYTES = 32  # that a thread moves, or more


@dataclass(frozen=True)
class TileShape:
    """Rows of the tile lie along the target, columns along the source; vectors are the widest ones."""

    rows: int
    columns: int
    threads: int
    vector_in: int
    vector_out: int


# by bytes of an element
USUAL = {
    1: TileShape(64, 256, 256, 16, 4),
    2: TileShape(128, 128, 512, 8, 4),
    4: TileShape(64, 64, 512, 2, 2),
    8: TileShape(64, 32, 512, 2, 2),
}
ACROSS_SECTORS = {2: TileShape(256, 64, 512, 8, 4), 4: TileShape(128, 64, 512, 4, 4)}
SINGLE_LOADS = {
    1: TileShape(128, 128, 256, 1, 4),
    2: TileShape(128, 128, 256, 1, 4),
    4: TileShape(64, 64, 512, 1, 2),
}
SINGLE_STORES = {
    1: TileShape(256, 128, 1024, 8, 1),
    2: TileShape(256, 64, 1024, 8, 1),
    4: TileShape(128, 64, 1024, 2, 1),
}
SINGLE = {
    1: TileShape(128, 128, 256, 1, 1),
    2: TileShape(128, 64, 256, 1, 1),
    4: TileShape(128, 64, 1024, 1, 1),
    8: TileShape(64, 64, 1024, 1, 1),
}
SINGLE_OF_TALL = {1: TileShape(256, 64, 256, 1, 1), 2: TileShape(256, 32, 512, 1, 1)}


def aligned_shape(
    size: int, vectors: tuple[int, int], *, starts: int, is_tall: bool = False
) -> TileShape | None:
    """The tile for elements of ``size`` bytes; None where a square is as good: of bytes in narrow vectors.

    ``vectors``: elements that may be loaded, and stored, at once; ``starts``: bytes that divide where rows
    of the target begin; ``is_tall``: of many rows, few in each.
    """
    loaded, stored = vectors
    if vectors == (1, 1):
        return SINGLE_OF_TALL.get(size, SINGLE[size]) if is_tall else SINGLE[size]
    rows = ACROSS_SECTORS if starts % SECTOR else {}
    special = SINGLE_LOADS if loaded == 1 else SINGLE_STORES if stored == 1 else rows
    found = special.get(size, USUAL[size])
    if size == 1 and (loaded < found.vector_in or stored < found.vector_out):
        return None
    narrow = max(1, found.vector_in // loaded)  # a thread turns as many elements, if it may store them
    out = min(found.vector_out * narrow, WIDEST_STORE // size, stored)
    return replace(found, vector_in=min(found.vector_in, loaded), vector_out=out)

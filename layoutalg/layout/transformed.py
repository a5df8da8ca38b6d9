"""CK wrapper's ``pad`` and ``unmerge`` of a layout.

>>> from layoutalg.layout.layout import make_layout
>>> padded = pad(make_layout((13, 7), (7, 1)), (4, 4))
>>> padded.shape, padded.unrolled_descriptor.validity
((16, 8), (i0 <= 12) & (i1 <= 6))
>>> unmerge(make_layout((6, 4), (4, 1)), 0, (2, 3), ((0, 2), 1))
(2,4,3):(12,1,4)

Source: CK, ``include/ck/wrapper/utils/layout_utils.hpp``.
"""

from __future__ import annotations

from typing import Any

from layoutalg.errors import LengthError
from layoutalg.index import FloorDiv
from layoutalg.layout.layout import Layout
from layoutalg.layout.nest import nest_text
from layoutalg.length import Length, Lengths, lengths, sequence
from layoutalg.transforms import PassThrough, RightPad, Transform, Unmerge

__all__ = ["pad", "unmerge"]


def pad(layout: Layout, tile_lengths: Any) -> Layout:
    """Every dimension padded at its end to a multiple of a tile; what is added holds no elements."""
    tiles = lengths(tile_lengths, "pad: tile_lengths")
    found = _flat(layout, "pad")
    if len(tiles) != len(found):
        msg = f"pad: wanted {len(found)} tile lengths, got {len(tiles)}"
        raise LengthError(msg)
    transforms = [RightPad(n, _padding(n, tile)) for n, tile in zip(found, tiles, strict=True)]
    ids = [(i,) for i in range(len(found))]
    descriptor = layout.unrolled_descriptor.transform(transforms, ids, ids)
    return Layout(descriptor.lengths, descriptor)


def unmerge(layout: Layout, dimension: int, new_lengths: Any, new_indexes: Any) -> Layout:
    """One dimension as several.

    ``new_indexes`` says where each old dimension goes; a tuple says it for the parts of the unmerged one.
    """
    found = _flat(layout, "unmerge")
    if not isinstance(dimension, int) or isinstance(dimension, bool) or not 0 <= dimension < len(found):
        msg = f"unmerge: there is no dimension {dimension}: they are 0 to {len(found) - 1}"
        raise LengthError(msg)
    transforms: list[Transform] = [PassThrough(n) for n in found]
    transforms[dimension] = Unmerge(lengths(new_lengths, "unmerge: new_lengths"))
    where = "unmerge: new_indexes"
    places = sequence(new_indexes, where)
    upper = [(place,) if isinstance(place, int) else tuple(sequence(place, where)) for place in places]
    below = [(i,) for i in range(len(found))]
    descriptor = layout.unrolled_descriptor.transform(transforms, below, upper)
    return Layout(descriptor.lengths, descriptor)


def _flat(layout: Layout, where: str) -> Lengths:
    """The lengths of a layout that is not nested."""
    if layout.depth > 1:
        msg = f"{where}: wanted a layout without nesting, got {nest_text(layout.shape)}"
        raise LengthError(msg, hint="CK does not compile this; unnest it with Layout(flat, ...)")
    return layout.unrolled_descriptor.lengths


def _padding(length: Length, tile: Length) -> Length:
    if isinstance(length, int) and isinstance(tile, int):
        return -length % tile
    return FloorDiv.unchecked(length + tile - 1, tile) * tile - length

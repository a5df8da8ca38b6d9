"""Divides: a layout seen as tiles. ``logical_divide(a, tile)`` has modes (tile, rest).

>>> from layoutalg.layout.layout import make_layout
>>> rows = make_layout((8, 6), (6, 1))
>>> zipped_divide(rows, (make_layout(4, 1), make_layout(2, 1)))
((4,2),(2,3)):((6,1),(24,2))
"""

from __future__ import annotations

from typing import Any

from layoutalg.layout.coalesce import concatenated
from layoutalg.layout.complement import complement
from layoutalg.layout.composition import Tiler, by_mode, composition
from layoutalg.layout.layout import Layout, as_layout
from layoutalg.length import Length

__all__ = ["flat_divide", "gathered", "logical_divide", "tiled_divide", "zipped_divide"]


def logical_divide(layout: Layout | Length, tiler: Tiler) -> Layout:
    """Each mode as (inside the tile, which tile); a tuple of tilers divides mode by mode.

    Where tiles do not divide the layout the last ones reach past its end, as in CuTe.
    """
    layout = as_layout(layout, "logical_divide")
    if isinstance(tiler, tuple | list):
        return by_mode(logical_divide, layout, tiler, "logical_divide")
    tile = as_layout(tiler, "logical_divide")
    return composition(layout, concatenated(tile, complement(tile, layout.size)))


def zipped_divide(layout: Layout | Length, tiler: Tiler) -> Layout:
    """Modes ((tile), (which tile)): the parts of every mode gathered."""
    return gathered(logical_divide, as_layout(layout, "zipped_divide"), tiler)


def tiled_divide(layout: Layout | Length, tiler: Tiler) -> Layout:
    """Modes ((tile), which tile 0, which tile 1, ...)."""
    inside, outside = zipped_divide(layout, tiler).modes
    return concatenated(inside, *outside.modes)


def flat_divide(layout: Layout | Length, tiler: Tiler) -> Layout:
    """Modes (tile 0, tile 1, ..., which tile 0, which tile 1, ...)."""
    inside, outside = zipped_divide(layout, tiler).modes
    return concatenated(*inside.modes, *outside.modes)


def gathered(split: Any, layout: Layout, tiler: Tiler) -> Layout:
    """What ``split`` makes of every mode, first parts and second parts gathered at every level.

    >>> from layoutalg.layout.layout import make_layout
    >>> gathered(logical_divide, make_layout((8, (4, 4))), (2, (2, 2)))
    ((2,(2,2)),(4,(2,2))):((1,(8,32)),(2,(16,64)))
    """
    if not isinstance(tiler, tuple | list):
        return split(layout, tiler)
    pairs: list[Layout] = []

    def halves(mode: Layout, inner: Tiler) -> Layout:
        pairs.append(gathered(split, mode, inner))
        return pairs[-1]

    by_mode(halves, layout, tiler, split.__name__)
    firsts, seconds = zip(*(pair.modes for pair in pairs), strict=True) if pairs else ((), ())
    return concatenated(concatenated(*firsts), concatenated(*seconds, *layout.modes[len(tiler) :]))

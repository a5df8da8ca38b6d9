"""Divides: a layout seen as tiles. ``logical_divide(a, tile)`` has modes (tile, rest).

>>> from layoutalg.layout.layout import make_layout
>>> rows = make_layout((8, 6), (6, 1))
>>> zipped_divide(rows, (make_layout(4, 1), make_layout(2, 1)))
((4,2),(2,3)):((6,1),(24,2))
"""

from __future__ import annotations

from layoutalg.errors import LayoutError
from layoutalg.layout.coalesce import concatenated
from layoutalg.layout.complement import complement
from layoutalg.layout.composition import Tiler, composition
from layoutalg.layout.layout import Layout, make_layout

__all__ = ["flat_divide", "logical_divide", "tiled_divide", "zipped_divide"]


def logical_divide(layout: Layout, tiler: Tiler) -> Layout:
    """Each mode as (inside the tile, which tile); a tuple of tilers divides mode by mode."""
    if isinstance(tiler, int):
        return logical_divide(layout, make_layout(tiler, 1))
    if isinstance(tiler, tuple):
        modes = layout.modes
        if len(tiler) > len(modes):
            msg = f"logical_divide: {len(tiler)} tilers for the {len(modes)} modes of {layout}"
            raise LayoutError(msg)
        done = [logical_divide(mode, inner) for mode, inner in zip(modes, tiler, strict=False)]
        return concatenated(*done, *modes[len(tiler) :])
    return composition(layout, concatenated(tiler, complement(tiler, layout.size)))


def zipped_divide(layout: Layout, tiler: Tiler) -> Layout:
    """Modes ((tile), (which tile)): the parts of every mode gathered."""
    divided = logical_divide(layout, tiler)
    if not isinstance(tiler, tuple):
        return divided
    split = [mode.modes for mode in divided.modes[: len(tiler)]]
    rest = divided.modes[len(tiler) :]
    inside = concatenated(*(pair[0] for pair in split))
    outside = concatenated(*(pair[1] for pair in split), *rest)
    return concatenated(inside, outside)


def tiled_divide(layout: Layout, tiler: Tiler) -> Layout:
    """Modes ((tile), which tile 0, which tile 1, ...)."""
    inside, outside = zipped_divide(layout, tiler).modes
    return concatenated(inside, *(outside.modes if isinstance(outside.shape, tuple) else (outside,)))


def flat_divide(layout: Layout, tiler: Tiler) -> Layout:
    """Modes (tile 0, tile 1, ..., which tile 0, which tile 1, ...)."""
    halves = zipped_divide(layout, tiler).modes
    return concatenated(
        *(mode for half in halves for mode in (half.modes if isinstance(half.shape, tuple) else (half,)))
    )

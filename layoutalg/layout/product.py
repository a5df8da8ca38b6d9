"""Products: a layout repeated as another says. ``logical_product(a, b)`` has modes (a, copies of a).

>>> from layoutalg.layout.layout import make_layout
>>> logical_product(make_layout((2, 2), (4, 1)), make_layout(6, 1))
((2,2),(2,3)):((4,1),(2,8))
>>> blocked_product(make_layout((2, 5), (5, 1)), make_layout((3, 4), (1, 3)))
((2,3),(5,4)):((5,10),(1,30))
>>> raked_product(make_layout((2, 5), (5, 1)), make_layout((3, 4), (1, 3)))
((3,2),(4,5)):((10,5),(30,1))
"""

from __future__ import annotations

from layoutalg.errors import LayoutError
from layoutalg.layout.coalesce import concatenated
from layoutalg.layout.complement import complement
from layoutalg.layout.composition import Tiler, composition
from layoutalg.layout.layout import Layout, make_layout

__all__ = ["blocked_product", "logical_product", "raked_product", "tiled_product", "zipped_product"]


def logical_product(layout: Layout, tiler: Tiler) -> Layout:
    """(the layout, its copies); copy ``j`` begins where the complement puts ``tiler(j)``.

    An integer is the layout ``n:1`` (pycute divides instead); a tuple works mode by mode.
    """
    if isinstance(tiler, int):
        return logical_product(layout, make_layout(tiler, 1))
    if isinstance(tiler, tuple):
        modes = layout.modes
        if len(tiler) > len(modes):
            msg = f"logical_product: {len(tiler)} tilers for the {len(modes)} modes of {layout}"
            raise LayoutError(msg)
        done = [logical_product(mode, inner) for mode, inner in zip(modes, tiler, strict=False)]
        return concatenated(*done, *modes[len(tiler) :])
    free = complement(layout, layout.size * tiler.cosize)
    return concatenated(layout, composition(free, tiler))


def zipped_product(layout: Layout, tiler: Tiler) -> Layout:
    """Modes ((layout), (copies)): the parts of every mode gathered."""
    product = logical_product(layout, tiler)
    if not isinstance(tiler, tuple):
        return product
    split = [mode.modes for mode in product.modes[: len(tiler)]]
    rest = product.modes[len(tiler) :]
    inside = concatenated(*(pair[0] for pair in split))
    return concatenated(inside, concatenated(*(pair[1] for pair in split), *rest))


def tiled_product(layout: Layout, tiler: Tiler) -> Layout:
    """Modes ((layout), copies 0, copies 1, ...)."""
    inside, copies = zipped_product(layout, tiler).modes
    return concatenated(inside, *(copies.modes if isinstance(copies.shape, tuple) else (copies,)))


def blocked_product(block: Layout, tiler: Layout) -> Layout:
    """The block tiled over the tiler, dimension by dimension: blocks stay together."""
    inner, outer = _by_dimension(block, tiler)
    return _zipped(inner, outer)


def raked_product(block: Layout, tiler: Layout) -> Layout:
    """The block spread over the tiler, dimension by dimension: neighbours lie in different blocks."""
    inner, outer = _by_dimension(block, tiler)
    return _zipped(outer, inner)


def _by_dimension(block: Layout, tiler: Layout) -> tuple[list[Layout], list[Layout]]:
    rank = max(block.rank, tiler.rank)
    inner, outer = logical_product(_padded(block, rank), _padded(tiler, rank)).modes
    return list(inner.modes), list(outer.modes)


def _padded(layout: Layout, rank: int) -> Layout:
    """The layout with modes of length 1 at its end."""
    modes = layout.modes if isinstance(layout.shape, tuple) else (layout,)
    return concatenated(*modes, *[make_layout(1, 0)] * (rank - len(modes)))


def _zipped(first: list[Layout], second: list[Layout]) -> Layout:
    pairs = zip(first, second, strict=True)
    return concatenated(*(concatenated(a, b) for a, b in pairs))

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

from layoutalg.layout.coalesce import concatenated
from layoutalg.layout.complement import room
from layoutalg.layout.composition import Tiler, by_mode, composition
from layoutalg.layout.divide import gathered
from layoutalg.layout.layout import Layout, as_layout, make_layout
from layoutalg.layout.modes import leaves
from layoutalg.length import Length, is_at_most

__all__ = ["blocked_product", "logical_product", "raked_product", "tiled_product", "zipped_product"]


def logical_product(layout: Layout | Length, tiler: Tiler) -> Layout:
    """(the layout, its copies); copy ``j`` begins where there is room for number ``tiler(j)``.

    A length is the layout ``n:1`` (pycute divides instead); a tuple works mode by mode.
    """
    layout = as_layout(layout, "logical_product")
    if isinstance(tiler, tuple | list):
        return by_mode(logical_product, layout, tiler, "logical_product")
    copies = as_layout(tiler, "logical_product")
    return concatenated(layout, composition(_room_for(layout, copies.cosize), copies))


def _room_for(layout: Layout, copies: Length) -> Layout:
    """Offsets for so many copies; where rows leave a gap that holds too few, the others follow at the end.

    (CuTe goes on within the gap, and copies overlap.)
    """
    found = room(layout, layout.size * copies)
    if is_at_most(copies, found.size) is not False:
        return found
    end = max(shape * stride for shape, stride in leaves(layout))
    return room(layout, end * copies)


def zipped_product(layout: Layout | Length, tiler: Tiler) -> Layout:
    """Modes ((layout), (copies)): the parts of every mode gathered."""
    return gathered(logical_product, as_layout(layout, "zipped_product"), tiler)


def tiled_product(layout: Layout | Length, tiler: Tiler) -> Layout:
    """Modes ((layout), copies 0, copies 1, ...)."""
    inside, copies = zipped_product(layout, tiler).modes
    return concatenated(inside, *copies.modes)


def blocked_product(block: Layout | Length, tiler: Layout | Length) -> Layout:
    """The block tiled over the tiler, dimension by dimension: blocks stay together."""
    inner, outer = _by_dimension(as_layout(block, "blocked_product"), as_layout(tiler, "blocked_product"))
    return _zipped(inner, outer)


def raked_product(block: Layout | Length, tiler: Layout | Length) -> Layout:
    """The block spread over the tiler, dimension by dimension: neighbours lie in different blocks."""
    inner, outer = _by_dimension(as_layout(block, "raked_product"), as_layout(tiler, "raked_product"))
    return _zipped(outer, inner)


def _by_dimension(block: Layout, tiler: Layout) -> tuple[list[Layout], list[Layout]]:
    rank = max(block.rank, tiler.rank)
    inner, outer = logical_product(_padded(block, rank), _padded(tiler, rank)).modes
    return list(inner.modes), list(outer.modes)


def _padded(layout: Layout, rank: int) -> Layout:
    """The layout with modes of length 1 at its end."""
    modes = layout.modes
    return concatenated(*modes, *[make_layout(1, 0)] * (rank - len(modes)))


def _zipped(first: list[Layout], second: list[Layout]) -> Layout:
    pairs = zip(first, second, strict=True)
    return concatenated(*(concatenated(a, b) for a, b in pairs))

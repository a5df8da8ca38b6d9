"""Modes of a layout as a flat list: the shape and stride of each leaf.

>>> from layoutalg.layout.layout import make_layout
>>> leaves(make_layout((4, (2, 4)), (2, (1, 8))))
[(4, 2), (2, 1), (4, 8)]
>>> of_modes(merged_modes([(2, 1), (4, 2), (5, 16)]))
(8,5):(1,16)
"""

from __future__ import annotations

from collections.abc import Iterable

from layoutalg.errors import LayoutError
from layoutalg.layout.layout import Layout, make_layout
from layoutalg.layout.nest import flatten
from layoutalg.length import Length, differ, is_at_most

__all__ = ["Mode", "by_stride", "leaves", "merged_modes", "of_modes"]

Mode = tuple[Length, Length]  # shape, stride


def leaves(layout: Layout) -> list[Mode]:
    """Shape and stride of every leaf."""
    return list(zip(flatten(layout.shape), flatten(layout.stride), strict=True))


def by_stride(modes: Iterable[Mode], where: str) -> list[Mode]:
    """Modes by ascending stride; refused where sizes leave the order open."""
    rest, found = list(modes), []
    while rest:
        first = next((mode for mode in rest if all(is_at_most(mode[1], other[1]) for other in rest)), None)
        if first is None:
            strides = ", ".join(str(stride) for _, stride in rest)
            msg = f"{where}: the order of the strides {strides} depends on sizes"
            raise LayoutError(msg, hint="fix some of them with bind(...)")
        rest.remove(first)
        found.append(first)
    return found


def merged_modes(modes: list[Mode]) -> list[Mode]:
    """Modes joined where the next continues the one before."""
    found: list[Mode] = []
    for shape, stride in modes:
        if shape == 1:
            continue
        if found and differ(found[-1][0] * found[-1][1], stride) is False:
            found[-1] = (found[-1][0] * shape, found[-1][1])
        else:
            found.append((shape, stride))
    return found


def of_modes(modes: list[Mode]) -> Layout:
    """The layout of modes; a single one is not nested, none is ``1:0``."""
    if not modes:
        return make_layout(1, 0)
    if len(modes) == 1:
        return make_layout(*modes[0])
    return make_layout(tuple(shape for shape, _ in modes), tuple(stride for _, stride in modes))

"""Coalesce: the same map with as few modes as possible.

>>> from layoutalg.layout.layout import make_layout
>>> coalesce(make_layout((2, (1, 6)), (1, (7, 2))))
12:1
>>> coalesce(make_layout(((2, 4), (3, 5)), ((1, 2), (40, 120))), (1, 1))
(8,15):(1,40)
"""

from __future__ import annotations

from layoutalg.errors import LayoutError
from layoutalg.layout.exact import Mode
from layoutalg.layout.layout import Layout, as_layout, make_layout
from layoutalg.layout.nest import Nest, as_tuples, flatten
from layoutalg.length import Length, differ

__all__ = ["coalesce", "concatenated", "leaves", "merged_modes", "of_modes"]


def coalesce(layout: Layout | Length, profile: Nest | None = None) -> Layout:
    """Neighbouring leaves that continue each other joined, those of length 1 left out.

    As a map of one integer the result equals the layout. With a ``profile`` (a tuple) each of its modes is
    coalesced for itself and stays a mode.
    """
    layout, profile = as_layout(layout, "coalesce"), as_tuples(profile)
    if isinstance(profile, tuple):
        modes = list(layout.modes)
        if len(profile) > len(modes):
            msg = f"coalesce: a profile of {len(profile)} for the {len(modes)} modes of {layout}"
            raise LayoutError(msg)
        done = [coalesce(mode, inner) for mode, inner in zip(modes, profile, strict=False)]
        return concatenated(*done, *modes[len(profile) :])
    return of_modes(merged_modes(leaves(layout)))


def leaves(layout: Layout) -> list[Mode]:
    """Shape and stride of every leaf."""
    return list(zip(flatten(layout.shape), flatten(layout.stride), strict=True))


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


def concatenated(*layouts: Layout | Length) -> Layout:
    """Layouts side by side as the modes of one."""
    modes = [as_layout(layout, "concatenated") for layout in layouts]
    return make_layout(tuple(mode.shape for mode in modes), tuple(mode.stride for mode in modes))

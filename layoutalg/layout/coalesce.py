"""Coalesce: the same map with as few modes as possible.

>>> from layoutalg.layout.layout import make_layout
>>> coalesce(make_layout((2, (1, 6)), (1, (7, 2))))
12:1
>>> coalesce(make_layout(((2, 4), (3, 5)), ((1, 2), (40, 120))), (1, 1))
(8,15):(1,40)
"""

from __future__ import annotations

from layoutalg.errors import LayoutError
from layoutalg.layout.layout import Layout, as_layout, make_layout
from layoutalg.layout.modes import leaves, merged_modes, of_modes
from layoutalg.layout.nest import Nest, as_tuples
from layoutalg.length import Length

__all__ = ["coalesce", "concatenated"]


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


def concatenated(*layouts: Layout | Length) -> Layout:
    """Layouts side by side as the modes of one."""
    modes = [as_layout(layout, "concatenated") for layout in layouts]
    return make_layout(tuple(mode.shape for mode in modes), tuple(mode.stride for mode in modes))

"""Inverses of layouts.

>>> from layoutalg.layout.layout import make_layout
>>> rows = make_layout((4, 8), (8, 1))
>>> right_inverse(rows), left_inverse(make_layout((4, 8), (1, 5)))
((8,4):(4,1), (5,8):(1,4))
"""

from __future__ import annotations

from layoutalg.errors import LayoutError
from layoutalg.layout.layout import Layout, as_layout
from layoutalg.layout.modes import Mode, by_stride, leaves, merged_modes, of_modes
from layoutalg.length import Length, differ, is_at_most, quotient

__all__ = ["left_inverse", "right_inverse"]


def right_inverse(layout: Layout | Length) -> Layout:
    """An ``r`` with ``layout(r(i)) == i`` for every index of ``r``; of a one-to-one layout the longest.

    It covers the offsets from 0 on that the layout reaches without a gap; symbolic strides are
    compared as such, and where sizes leave open what comes next it ends.
    """
    counted = _counted(as_layout(layout, "right_inverse"))
    found: list[Mode] = []
    reached: Length = 1
    while True:
        following = [key for key in counted if differ(key[1], reached) is False]
        if not following:
            return of_modes(merged_modes(found))
        mode = following[0]
        found.append((mode[0], counted.pop(mode)))
        reached = mode[0] * mode[1]


def left_inverse(layout: Layout | Length) -> Layout:
    """An ``l`` with ``l(layout(i)) == i`` for every index of a one-to-one layout.

    Offsets that the layout leaves out lead nowhere in particular. pycute and CUTLASS differ here
    (cutlass#3485); both satisfy this where the strides nest, and nothing else is promised.
    """
    layout = as_layout(layout, "left_inverse")
    counted = _counted(layout)
    if len(counted) != len([leaf for leaf in leaves(layout) if leaf[0] != 1]):
        raise LayoutError(f"left_inverse: {layout} has none: two modes are the same")
    modes = by_stride(counted, "left_inverse")
    strides = [stride for _, stride in modes]
    if not modes:
        return of_modes([])
    found: list[Mode] = [(strides[0], 0)] if is_at_most(1, strides[0]) else []
    for (shape, stride), following in zip(modes, [*strides[1:], None], strict=True):
        radix = shape if following is None else quotient(following, stride)
        if radix is None or is_at_most(1, stride) is not True or is_at_most(shape, radix) is not True:
            msg = (
                f"left_inverse: {layout} has none that is a layout: {shape} steps of {stride} do not nest in"
            )
            raise LayoutError(f"{msg} {following}" if following is not None else f"{msg} anything")
        found.append((radix, counted[shape, stride]))
    return of_modes(merged_modes(found))


def _counted(layout: Layout) -> dict[Mode, Length]:
    """For each mode longer than 1, what its index counts in the index of the whole."""
    found: dict[Mode, Length] = {}
    step: Length = 1
    for shape, stride in leaves(layout):
        if shape != 1:
            found.setdefault((shape, stride), step)
        step = step * shape
    return found

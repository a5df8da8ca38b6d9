"""Complement: the layout of what another leaves out, up to a size.

>>> from layoutalg.layout.layout import make_layout
>>> complement(make_layout(4, 2), 24)
(2,3):(1,8)
"""

from __future__ import annotations

from layoutalg.errors import LayoutError
from layoutalg.index import FloorDiv
from layoutalg.layout.layout import Layout, as_layout
from layoutalg.layout.modes import by_stride, leaves, merged_modes, of_modes
from layoutalg.length import Length, is_at_most, length, quotient

__all__ = ["complement", "room"]


def complement(layout: Layout | Length, size: Length = 1) -> Layout:
    """The layout whose offsets, added to those of ``layout``, reach every offset once, at least to ``size``.

    Refused where there is none: the modes must nest, each stride a multiple of what those below it span.
    (CuTe gives a layout that leaves offsets out; products do with that, see ``room``.)
    """
    return _rest(as_layout(layout, "complement"), size, may_leave_out=False)


def room(layout: Layout, size: Length) -> Layout:
    """Offsets at which the layout may be repeated: CuTe's complement.

    It leaves offsets out where rows are longer than what they hold.

    >>> from layoutalg.layout.layout import make_layout
    >>> room(make_layout((3, 4), (1, 4)), 32)
    2:16
    """
    return _rest(layout, size, may_leave_out=True)


def _rest(layout: Layout, size: Length, *, may_leave_out: bool) -> Layout:
    size = length(size, "complement: size")
    found = []
    spanned: Length = 1
    modes = [(shape, stride) for shape, stride in leaves(layout) if shape != 1]
    for shape, stride in by_stride((m for m in modes if m[1] != 0), "complement"):
        if is_at_most(1, stride) is not True:
            msg = f"complement: {layout} has none: wanted strides >= 0, got {stride}"
            raise LayoutError(msg)
        gap = quotient(stride, spanned)
        if gap is None and may_leave_out and is_at_most(spanned, stride):
            gap = stride // spanned if _numbers(stride, spanned) else FloorDiv.unchecked(stride, spanned)
        if gap is None:
            doubt = "" if _numbers(stride, spanned) else " for all sizes"
            msg = f"complement: {layout} has none: stride {stride} is not a multiple of {spanned}{doubt},"
            raise LayoutError(f"{msg} which the modes below it span")
        found.append((gap, spanned))
        spanned = shape * stride
    found.append((_ceiling(size, spanned), spanned))
    return of_modes(merged_modes(found))


def _ceiling(size: Length, spanned: Length) -> Length:
    exact = quotient(size, spanned)
    if exact is not None:
        return exact
    if _numbers(size, spanned):
        return -(-size // spanned)
    return FloorDiv.unchecked(size + spanned - 1, spanned)


def _numbers(*lengths: Length) -> bool:
    return all(isinstance(value, int) for value in lengths)

"""Complement: the layout of what another leaves out, up to a size.

>>> from layoutalg.layout.layout import make_layout
>>> complement(make_layout(4, 2), 24)
(2,3):(1,8)
"""

from __future__ import annotations

from layoutalg.errors import LayoutError
from layoutalg.index import FloorDiv
from layoutalg.layout.coalesce import leaves, merged_modes, of_modes
from layoutalg.layout.exact import in_order, quotient
from layoutalg.layout.layout import Layout
from layoutalg.length import Length

__all__ = ["complement"]


def complement(layout: Layout, size: Length = 1) -> Layout:
    """The layout whose offsets, added to those of ``layout``, reach every offset once, at least to ``size``.

    Refused where there is none: the modes must nest, each stride a multiple of what those below it span.
    """
    found = []
    spanned: Length = 1
    modes = [(shape, stride) for shape, stride in leaves(layout) if shape != 1]
    for shape, stride in in_order((m for m in modes if m[1] != 0), "complement"):
        gap = quotient(stride, spanned)
        if gap is None:
            msg = f"complement: {layout} has none: stride {stride} is not a multiple of {spanned},"
            raise LayoutError(f"{msg} which the modes below it span")
        found.append((gap, spanned))
        spanned = shape * stride
    found.append((_ceiling(size, spanned), spanned))
    return of_modes(merged_modes(found))


def _ceiling(size: Length, spanned: Length) -> Length:
    exact = quotient(size, spanned)
    if exact is not None:
        return exact
    if isinstance(size, int) and isinstance(spanned, int):
        return -(-size // spanned)
    return FloorDiv.unchecked(size + spanned - 1, spanned)

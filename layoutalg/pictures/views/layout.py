"""Nested layouts: shape and strides, and the offset of every index."""

from __future__ import annotations

from layoutalg.layout import Layout
from layoutalg.pictures.view import Lines, View, view_of
from layoutalg.pictures.views.adaptor import closed_form, grid_of_offsets

__all__ = ["layout_view"]


@view_of.register
def layout_view(layout: Layout) -> View:
    r"""The layout's notation, its closed form with one dimension a mode, the grid of offsets.

    >>> from layoutalg.layout import make_layout
    >>> from layoutalg.pictures.as_text import as_text
    >>> print(as_text(layout_view(make_layout((2, (2, 2)), (1, (4, 2))))))
    (2,(2,2)):(1,(4,2))
    rank 2, depth 2, 8 indices, element space 8
    offset = i0 + i1 + 3*(i1 % 2)
    <BLANKLINE>
    index -> offset
    i0\i1  0 1 2 3
        0  0 4 2 6
        1  1 5 3 7
    """
    descriptor = layout.as_descriptor()
    facts = f"rank {layout.rank}, depth {layout.depth}, {layout.size} indices"
    head = (Lines((f"{facts}, element space {layout.element_space_size}",)), closed_form(descriptor))
    return View(str(layout), (*head, *grid_of_offsets(descriptor)))

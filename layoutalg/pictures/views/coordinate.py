"""A coordinate: one index walked through the graph, the blog's figure 2."""

from __future__ import annotations

from layoutalg.descriptor.coordinate import TensorCoordinate
from layoutalg.pictures.view import Graph, Lines, View, view_of

__all__ = ["coordinate_view"]


@view_of.register
def coordinate_view(coordinate: TensorCoordinate) -> View:
    """The graph with the value at every hidden id.

    >>> from layoutalg.descriptor.coordinate import make_tensor_coordinate
    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> view = coordinate_view(make_tensor_coordinate(make_naive_tensor_descriptor_packed((4, 8)), (1, 3)))
    >>> view.title
    'index (1, 3) -> 11'
    """
    top, bottom = (", ".join(map(str, i)) for i in (coordinate.index, coordinate.bottom_index))
    notes = []
    if not coordinate.is_in_range:
        notes.append("the index is out of range")
    if not coordinate.is_valid:
        notes.append("the index is in the padding: nothing is read there")
    parts = (Graph(coordinate.adaptor, coordinate.hidden_index),)
    return View(f"index ({top}) -> {bottom}", (*parts, Lines(tuple(notes))) if notes else parts)

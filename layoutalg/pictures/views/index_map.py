"""Index maps: hand-written offsets and the like, as formulas and as a grid where the ends are numbers."""

from __future__ import annotations

import numpy as np

from layoutalg.claim import IndexMap
from layoutalg.index.evaluate import evaluate
from layoutalg.pictures.offset_grid import grid_of, grid_or_note
from layoutalg.pictures.swizzles import side_by_side, unswizzled_map
from layoutalg.pictures.view import Formulas, Grid, Part, View, view_of

__all__ = ["map_view"]


@view_of.register
def map_view(index_map: IndexMap) -> View:
    r"""The domain, the outputs, and of one output every value; ``-`` where an index is not valid.

    >>> from layoutalg.domain import Domain
    >>> from layoutalg.pictures.as_text import as_text
    >>> domain = Domain.of({"row": 2, "col": (4, 8)})
    >>> print(as_text(map_view(IndexMap(domain, (10 * domain["row"] + domain["col"],)))))
    Domain: 0 <= row < 2, 4 <= col < 8
    offset = col + 10*row
    <BLANKLINE>
    index -> offset
    row\col  4  5  6  7
          0  4  5  6  7
          1 14 15 16 17
    """
    names = (
        ["offset"] if len(index_map.outputs) == 1 else [f"output {i}" for i in range(len(index_map.outputs))]
    )
    rows = tuple(zip(names, index_map.outputs, strict=True))
    return View(str(index_map.domain), (Formulas(rows, index_map.when), *_grid_of_offsets(index_map)))


def _grid_of_offsets(index_map: IndexMap) -> list[Part]:
    """The grid of a map with one output, or why there is none; nothing where an end is a symbol."""
    axes = index_map.domain.axes
    ends = [end for axis in axes for end in (axis.lower, axis.upper)]
    numbers = [int(end) for end in ends if end is not None and end.is_Integer]
    if len(index_map.outputs) != 1 or not axes or len(numbers) < len(ends) or index_map.domain.parameters:
        return []
    ranges = [range(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
    before = unswizzled_map(index_map)
    if before is None:
        return grid_or_note(ranges, lambda: _grid(index_map, ranges))
    titled = ((before, "before the swizzle: index -> offset"), (index_map, "after it"))
    return grid_or_note(
        ranges,
        lambda: side_by_side(*(_grid(each, ranges, title, "bank") for each, title in titled)),
    )


def _grid(
    index_map: IndexMap, ranges: list[range], title: str = "index -> offset", colour: str = "value"
) -> Grid:
    names = [axis.name for axis in index_map.domain.axes]
    places = np.meshgrid(*map(np.array, ranges), indexing="ij")
    values = {name: place.ravel() for name, place in zip(names, places, strict=True)}
    count = places[0].size
    offsets = np.broadcast_to(evaluate(index_map.outputs[0], values), count)
    valid = np.ones(count, dtype=bool)
    for condition in index_map.when:
        valid &= np.broadcast_to(evaluate(condition, values), count)

    def path(at: int) -> str:
        place = ", ".join(f"{name}={int(values[name][at])}" for name in names)
        return f"{place} → {int(offsets[at])}"

    return grid_of(ranges, names, offsets, valid, path, title, colour)

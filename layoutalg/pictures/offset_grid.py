r"""The offsets of every index as a grid: the last axis across, the others down.

>>> grid = grid_of([range(2), range(3)], ["i", "j"], [0, 1, 2, 10, 11, 12], [True] * 6, "at {}".format)
>>> grid.corner, grid.rows, grid.cell(1, 2).text, grid.cell(1, 2).path
('i\\j', ('0', '1'), '12', 'at 5')
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from layoutalg.pictures.colours import bank_colouring
from layoutalg.pictures.view import Cell, Colouring, Grid, Lines, Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["grid_of", "grid_or_note"]

MOST = (32, 32)
LARGEST = 1 << 20  # indices enumerated at most
MASKS = "masked, since it is padding: nothing is read or written there"


def grid_or_note(ranges: Sequence[range], grid: Callable[[], Part]) -> list[Part]:
    """The grid over these axes, or a line that says why there is none."""
    count = math.prod(map(len, ranges))
    if count > LARGEST:
        return [Lines((f"(the grid of {count} offsets is left out: more than {LARGEST})",))]
    return [grid()]


def grid_of(
    ranges: Sequence[range],
    names: Sequence[str],
    offsets: Sequence[int] | NDArray[np.int64],
    valid: Sequence[bool] | NDArray[np.bool_],
    path: Callable[[int], str],
    title: str = "index -> offset",
    colour: str = "value",
) -> Grid:
    """The grid of offsets in row-major order; ``-`` where an index has no element.

    ``path`` says of a place, by its number, what a pointer over it is told; ``colour`` is what colours say
    first.
    """
    width = len(ranges[-1])

    def offset(row: int, column: int) -> int | None:
        at = row * width + column
        return int(offsets[at]) if valid[at] else None

    def cell(row: int, column: int) -> Cell:
        found, told = offset(row, column), path(row * width + column)
        if found is None:
            return Cell("-", f"{told}, padding", is_masked=True)
        return Cell(str(found), told)

    def where_valid(number: Callable[[int, int], int]) -> Callable[[int, int], int | None]:
        return lambda row, column: None if offset(row, column) is None else number(row, column)

    colourings = (
        Colouring("value", offset, "the offset, in elements", is_quantity=True),
        bank_colouring(offset),
        Colouring("row", where_valid(lambda row, _: row), "number of the line"),
        Colouring("column", where_valid(lambda _, column: column), names[-1]),
    )
    ordered = tuple(sorted(colourings, key=lambda one: one.name != colour))
    rows = tuple(",".join(map(str, row)) for row in itertools.product(*ranges[:-1])) or ("",)
    corner = f"{','.join(names[:-1])}\\{names[-1]}" if names[1:] else names[0]
    columns = tuple(map(str, ranges[-1]))
    return Grid(title, corner, rows, columns, cell, ordered, MOST, masks=MASKS, offset=offset)

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

from layoutalg.pictures.view import Cell, Grid, Lines, Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["grid_of", "grid_or_note"]

MOST = (32, 32)
LARGEST = 1 << 20  # indices enumerated at most


def grid_or_note(ranges: Sequence[range], grid: Callable[[], Grid]) -> list[Part]:
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
) -> Grid:
    """The grid of offsets in row-major order; ``-`` where an index has no element.

    ``path`` says of a place, by its number, what a pointer over it is told.
    """
    width = len(ranges[-1])

    def cell(row: int, column: int) -> Cell:
        at = row * width + column
        if not valid[at]:
            return Cell("-", None, f"{path(at)}, padding")
        return Cell(str(int(offsets[at])), column, path(at))

    rows = tuple(",".join(map(str, row)) for row in itertools.product(*ranges[:-1])) or ("",)
    corner = f"{','.join(names[:-1])}\\{names[-1]}" if names[1:] else names[0]
    return Grid(title, corner, rows, tuple(map(str, ranges[-1])), cell, MOST)

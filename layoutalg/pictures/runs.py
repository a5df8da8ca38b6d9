"""Neighbours with one owner, joined to boxes: how a matrix of many elements is drawn in little room.

>>> joined([[1, 1, 2], [1, 1, 3]])
[Run(owner=1, row=0, column=0, height=2, width=2), Run(owner=2, row=0, column=2, height=1, width=1), \
Run(owner=3, row=1, column=2, height=1, width=1)]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Run", "joined"]


@dataclass(frozen=True)
class Run:
    """A box of elements that one owner holds."""

    owner: int | None
    row: int
    column: int
    height: int
    width: int


def joined(owners: Sequence[Sequence[int | None]]) -> list[Run]:
    """Boxes that cover a matrix without overlap, each of one owner: first along rows, then down."""
    found: list[Run] = []
    taken: set[tuple[int, int]] = set()
    for row, line in enumerate(owners):
        for column, owner in enumerate(line):
            if (row, column) in taken:
                continue
            width = 1
            while column + width < len(line) and line[column + width] == owner:
                if (row, column + width) in taken:
                    break
                width += 1
            height = 1
            while row + height < len(owners) and all(
                owners[row + height][x] == owner for x in range(column, column + width)
            ):
                height += 1
            taken |= {(row + y, column + x) for y in range(height) for x in range(width)}
            found.append(Run(owner, row, column, height, width))
    return found

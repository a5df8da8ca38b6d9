"""A grid of cells as a picture. Cells are many, so they are written as text, not built as objects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import drawsvg as draw

from layoutalg.pictures.drawn import CHARACTER, Piece
from layoutalg.pictures.ends import ends, left_out
from layoutalg.pictures.svg_cells import Box, letters, outline
from layoutalg.pictures.svg_legend import Key

if TYPE_CHECKING:
    from layoutalg.pictures.view import Cell, Grid

__all__ = ["grid_piece"]

HEIGHT, PAD, LINE = 20, 8, 18.0


def grid_piece(grid: Grid) -> Piece:
    """Title and legend, the cells in the colours of their classes, notes on what is marked or left out."""
    return _Drawn(grid).piece


@dataclass(frozen=True)
class _Drawn:
    grid: Grid

    @cached_property
    def rows(self) -> list[int | None]:
        return ends(len(self.grid.rows), self.grid.most[0])

    @cached_property
    def columns(self) -> list[int | None]:
        return ends(len(self.grid.columns), self.grid.most[1])

    @cached_property
    def cells(self) -> dict[tuple[int, int], Cell]:
        """By place in the picture."""
        return {
            (y, x): self.grid.cell(row, column)
            for y, row in enumerate(self.rows)
            for x, column in enumerate(self.columns)
            if row is not None and column is not None
        }

    @cached_property
    def classes(self) -> dict[tuple[int, int], int]:
        """Of the places that have a colour."""
        found = {(y, x): self.grid.class_of(self.rows[y] or 0, self.columns[x] or 0) for y, x in self.cells}
        return {place: number for place, number in found.items() if number is not None}

    @cached_property
    def key(self) -> Key | None:
        if not self.classes:
            return None
        return Key(self.grid.colourings[0], tuple(sorted(set(self.classes.values()))))

    @property
    def notes(self) -> list[str]:
        grid = self.grid
        notes = [
            left_out("columns", self.columns, len(grid.columns)),
            left_out("rows", self.rows, len(grid.rows)),
            f"framed: {grid.marks}" if any(cell.is_marked for cell in self.cells.values()) else "",
            f"struck through: {grid.masks}" if any(cell.is_masked for cell in self.cells.values()) else "",
        ]
        return [note for note in notes if note]

    @property
    def piece(self) -> Piece:
        grid, notes = self.grid, self.notes
        row_names = ["…" if row is None else grid.rows[row] for row in self.rows]
        column_names = ["…" if column is None else grid.columns[column] for column in self.columns]
        texts = (*column_names, *(cell.text for cell in self.cells.values()), "")
        wide = CHARACTER * max(map(len, texts)) + PAD
        left = CHARACTER * max(map(len, (grid.corner, *row_names))) + PAD
        top = LINE if grid.title else 0.0
        drawn = [letters(grid.title, 0, 12, anchor="start")] if grid.title else []
        widest = max([left + wide * len(self.columns), *(CHARACTER * len(t) for t in (grid.title, *notes))])
        if self.key is not None:
            drawn += self.key.drawn(top)
            top += self.key.height
            widest = max(widest, self.key.width)
        drawn.append(letters(grid.corner, left - 4, top + 14, "la-small"))
        drawn += [
            letters(t, left + wide * (x + 1) - 4, top + 14, "la-small") for x, t in enumerate(column_names)
        ]
        drawn += [
            letters(t, left - 4, top + HEIGHT * (y + 1) + 14, "la-small") for y, t in enumerate(row_names)
        ]
        drawn += self._cells(left, top + HEIGHT, wide)
        height = top + HEIGHT * (len(self.rows) + 1)
        drawn += [letters(n, 0, height + 14 + 15 * i, "la-small", "start") for i, n in enumerate(notes)]
        return Piece(draw.Group([draw.Raw("\n".join(drawn))]), widest, height + 18 * len(notes))

    def _cells(self, left: float, top: float, wide: float) -> Iterator[str]:
        """All boxes; then frames, which no box may cover."""
        frames = []
        for (y, x), cell in self.cells.items():
            box = Box(left + wide * x, top + HEIGHT * y, wide, HEIGHT)
            number = self.classes.get((y, x))
            yield from box.drawn(
                cell.text,
                self.key.kind(number) if self.key and number is not None else "",
                self.key.mark(number) if self.key and number is not None else 0,
                self.grid.path(self.rows[y] or 0, self.columns[x] or 0),
                is_masked=cell.is_masked,
            )
            if cell.is_marked:
                frames.append(outline(box))
        yield from frames

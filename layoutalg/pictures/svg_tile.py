"""Tiles in little room: one box for the neighbours that one owner holds; operands as a product has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

import drawsvg as draw

from layoutalg.pictures.drawn import CHARACTER, Piece
from layoutalg.pictures.ends import ends, left_out
from layoutalg.pictures.runs import Run, joined
from layoutalg.pictures.svg_cells import Box, letters
from layoutalg.pictures.svg_legend import Key

if TYPE_CHECKING:
    from layoutalg.pictures.view import Tile, Tiles

__all__ = ["tile_piece", "tiles_piece"]

HEIGHT, LOWEST, LEAST, LINE, PAD, GAP = 13.0, 16.0, 9.0, 18.0, 6.0, 22.0
LEFT_OUT = -1  # the owner of places that are not shown
EVERY = 4  # rows between numbers where each would be too near the next


def tile_piece(tile: Tile) -> Piece:
    """The tile with its legend."""
    drawn = _Drawn(tile)
    top = LINE + drawn.key.height
    texts = [letters(tile.title, 0, 12, anchor="start"), *drawn.key.drawn(LINE)]
    texts += drawn.boxes(drawn.left, top + LINE, drawn.key)
    bottom = top + LINE + drawn.height
    notes = [note for note in drawn.notes if note]
    texts += [letters(note, 0, bottom + 14 + 15 * i, "la-small", "start") for i, note in enumerate(notes)]
    widest = max(
        drawn.left + drawn.width, drawn.key.width, *(CHARACTER * len(t) for t in (tile.title, *notes))
    )
    return Piece(draw.Group([draw.Raw("\n".join(texts))]), widest, bottom + 18 * len(notes))


def tiles_piece(tiles: Tiles) -> Piece:
    """B above D, A at its left, so that a row of A and a column of B meet in their product."""
    wide = max(_Drawn(tiles.b).step, _Drawn(tiles.d).step)
    a, b, d = _Drawn(tiles.a), _Drawn(tiles.b, wide, LOWEST), _Drawn(tiles.d, wide, _tall(tiles))
    a = _Drawn(tiles.a, a.step, d.tall)
    classes = {number for one in (a, b, d) for number in one.key.classes}
    key = Key(tiles.d.colourings[0], tuple(sorted(classes)))
    x = max(a.left + a.width + GAP, CHARACTER * len(tiles.a.title) + GAP) + d.left
    y = key.height + 2 * LINE
    texts = [*key.drawn(0)]
    for one, left, top in (
        (b, x, y),
        (a, a.left, y + b.height + GAP + 2 * LINE),
        (d, x, y + b.height + GAP + 2 * LINE),
    ):
        texts.append(letters(one.tile.title, left - one.left, top - LINE - 4, anchor="start"))
        texts += one.boxes(left, top, key)
    notes = [f"{one.tile.title.split(':')[0]} {note}" for one in (a, b, d) for note in one.notes if note]
    height = y + b.height + GAP + 2 * LINE + max(a.height, d.height)
    texts += [letters(note, 0, height + 14 + 15 * i, "la-small", "start") for i, note in enumerate(notes)]
    titles = max(CHARACTER * len(one.tile.title) for one in (b, d))
    widest = max(x + max(b.width, d.width, titles - d.left), key.width)
    return Piece(draw.Group([draw.Raw("\n".join(texts))]), widest, height + 18 * len(notes))


def _tall(tiles: Tiles) -> float:
    """The height of a row that A and D share: boxes of either must hold a line of text."""
    return max(_Drawn(tiles.a).tall, _Drawn(tiles.d).tall)


@dataclass(frozen=True)
class _Drawn:
    """A tile with the width of a column and the height of a row."""

    tile: Tile
    asked_step: float = 0.0
    asked_tall: float = 0.0

    @cached_property
    def rows(self) -> list[int | None]:
        return ends(self.tile.rows, self.tile.most[0])

    @cached_property
    def columns(self) -> list[int | None]:
        return ends(self.tile.columns, self.tile.most[1])

    @cached_property
    def runs(self) -> list[Run]:
        """By place in the picture, without the gaps where rows or columns are left out."""
        owners = [
            [LEFT_OUT if r is None or c is None else self.tile.owner(r, c) for c in self.columns]
            for r in self.rows
        ]
        return [run for run in joined(owners) if run.owner != LEFT_OUT]

    @cached_property
    def classes(self) -> dict[Run, int]:
        found = {
            run: self.tile.colourings[0].class_of(*self._first(run))
            for run in self.runs
            if run.owner is not None
        }
        return {run: number for run, number in found.items() if number is not None}

    @cached_property
    def key(self) -> Key:
        return Key(self.tile.colourings[0], tuple(sorted(set(self.classes.values()))) or (0,))

    @cached_property
    def step(self) -> float:
        """The width of a column: every text fits its box, every register's name its columns."""
        wide = (
            (CHARACTER * len(self._text(run)) + PAD) / run.width for run in self.runs if run.owner is not None
        )
        named = (
            (CHARACTER * len(name) + PAD) / len(list(same)) for name, same in groupby(self.column_registers)
        )
        return max(self.asked_step, *wide, *named, LEAST / self._narrowest)

    @cached_property
    def _narrowest(self) -> int:
        """The columns of the narrowest box."""
        return min((run.width for run in self.runs if run.owner is not None), default=1)

    @cached_property
    def tall(self) -> float:
        """The height of a row: a line of text fits the lowest box."""
        lowest = min((run.height for run in self.runs if run.owner is not None), default=1)
        return max(self.asked_tall, LOWEST / lowest, LEAST if lowest > 1 else LOWEST)

    @property
    def left(self) -> float:
        """Room for the numbers of rows and the name of their axis."""
        return CHARACTER * max(len(str(self.tile.rows)), len("\\".join(self.tile.axes))) + PAD

    @property
    def right(self) -> float:
        """Room for the registers of rows."""
        return CHARACTER * max(map(len, self.row_registers), default=0) + (PAD if self.row_registers else 0)

    @property
    def width(self) -> float:
        return self.step * len(self.columns) + self.right

    @property
    def height(self) -> float:
        return self.tall * len(self.rows) + (LINE if self.column_registers else 0)

    @cached_property
    def row_registers(self) -> list[str]:
        """The register of each row, if all its elements lie in one of that number; else nothing."""
        return self._registers(self.rows, self.columns, lambda row, column: (row, column))

    @cached_property
    def column_registers(self) -> list[str]:
        """The register of each column, in the same way."""
        return self._registers(self.columns, self.rows, lambda column, row: (row, column))

    def _registers(
        self, lines: list[int | None], across: list[int | None], place: Callable[[int, int], tuple[int, int]]
    ) -> list[str]:
        register = self.tile.registers
        if register is None:
            return []
        found = [{register(*place(i, j)) for j in across if j is not None} for i in lines if i is not None]
        return [f"v{min(one)}" for one in found] if all(len(one) == 1 for one in found) else []

    @property
    def notes(self) -> list[str]:
        is_masked = any(run.owner is None for run in self.runs)
        return [
            left_out("columns", self.columns, self.tile.columns),
            left_out("rows", self.rows, self.tile.rows),
            f"struck through: {self.tile.masks}" if is_masked else "",
        ]

    def _first(self, run: Run) -> tuple[int, int]:
        return self.rows[run.row] or 0, self.columns[run.column] or 0

    def _text(self, run: Run) -> str:
        if run.owner is None:
            return ""
        last = self.rows[run.row + run.height - 1] or 0, self.columns[run.column + run.width - 1] or 0
        return self.tile.text(run.owner, self._first(run), last)

    def boxes(self, left: float, top: float, key: Key) -> Iterator[str]:
        """Axes, then a box for each run; the line above ``top`` has the numbers of columns."""
        yield letters("\\".join(self.tile.axes), left - 4, top - 4, "la-small")
        every = 1
        while self.step * every < CHARACTER * len(str(self.tile.columns)) + PAD:
            every *= 2
        for x, column in enumerate(self.columns):
            if column is not None and column % every == 0:
                at = left + self.step * (x + 0.5)
                yield letters(str(column), at, top - 4, "la-small", "middle")
        for y, row in enumerate(self.rows):
            if row is not None and (self.tall >= HEIGHT or row % EVERY == 0):
                yield letters(str(row), left - 4, top + self.tall * (y + 0.5) + 4, "la-small")
        yield from self._margins(left, top)
        for run in self.runs:
            yield from self._box(run, left, top, key)

    def _margins(self, left: float, top: float) -> Iterator[str]:
        """The registers of rows at the right, of columns below; each where it differs from the one before."""
        right, bottom = left + self.step * len(self.columns) + PAD, top + self.tall * len(self.rows) + 12
        names, before = self.row_registers, ""
        for y, name in enumerate(names):
            if name != before:
                yield letters(name, right, top + self.tall * (y + 0.5) + 4, "la-small", "start")
            before = name
        before = ""
        for x, name in enumerate(self.column_registers):
            if name != before:
                yield letters(name, left + self.step * x, bottom, "la-small", "start")
            before = name

    def _box(self, run: Run, left: float, top: float, key: Key) -> Iterator[str]:
        size = (self.step * run.width, self.tall * run.height)
        box = Box(left + self.step * run.column, top + self.tall * run.row, *size)
        number = self.classes.get(run)
        kind, mark = ("", 0) if number is None else (key.kind(number), key.mark(number))
        path = self.tile.path(*self._first(run))
        yield from box.drawn(self._text(run), kind, mark, path, is_masked=run.owner is None, is_middle=True)

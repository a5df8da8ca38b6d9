"""A grid of cells as a picture. Cells are many, so they are written as text, not built as objects."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

import drawsvg as draw

from layoutalg.pictures.drawn import CHARACTER, Piece
from layoutalg.pictures.ends import ends, left_out
from layoutalg.pictures.style import COLOURS
from layoutalg.pictures.view import Cell, Grid

__all__ = ["grid_piece"]

HEIGHT, TOP, PAD = 20, 22, 8


def grid_piece(grid: Grid) -> Piece:
    """Cells coloured by their owner, marked ones framed; a note where rows or columns are left out."""
    rows, columns = ends(len(grid.rows), grid.most[0]), ends(len(grid.columns), grid.most[1])
    cells = {
        (y, x): grid.cell(row, column)
        for y, row in enumerate(rows)
        for x, column in enumerate(columns)
        if row is not None and column is not None
    }
    row_names = ["…" if row is None else grid.rows[row] for row in rows]
    column_names = ["…" if column is None else grid.columns[column] for column in columns]
    wide = CHARACTER * max(len(text) for text in (*column_names, *(c.text for c in cells.values()), "")) + PAD
    left = CHARACTER * max(map(len, (grid.corner, *row_names))) + PAD
    notes = [left_out("columns", columns, len(grid.columns)), left_out("rows", rows, len(grid.rows))]
    if any(cell.is_marked for cell in cells.values()):
        notes.append(f"framed: {grid.legend or 'the witness'}")
    notes = [note for note in notes if note]
    height = TOP + HEIGHT * (len(rows) + 1)
    texts = [_text(grid.title, 0, 12, "la-text", "start"), _text(grid.corner, left - 4, TOP + 14)]
    texts += [_text(name, left + wide * (x + 1) - 4, TOP + 14) for x, name in enumerate(column_names)]
    texts += [_text(name, left - 4, TOP + HEIGHT * (y + 1) + 14) for y, name in enumerate(row_names)]
    for (y, x), cell in cells.items():
        texts += _cell(cell, left + wide * x, TOP + HEIGHT * (y + 1), wide)
    texts += [_text(note, 0, height + 14 + 15 * n, anchor="start") for n, note in enumerate(notes)]
    widest = max([left + wide * len(columns), *(CHARACTER * len(t) for t in (grid.title, *notes))])
    return Piece(draw.Group([draw.Raw("\n".join(texts))]), widest, height + 18 * len(notes))


def _text(text: str, x: float, y: float, kind: str = "la-small", anchor: str = "end") -> str:
    return f'<text x="{x:.6g}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>'


def _cell(cell: Cell, x: float, y: int, wide: float) -> Iterator[str]:
    kind = "la-cell" if cell.colour is None else f"la-cell la-c{cell.colour % COLOURS}"
    box = f'<rect x="{x:.6g}" y="{y}" width="{wide:.4g}" height="{HEIGHT}" class="{kind}"'
    yield f"{box}><title>{escape(cell.path)}</title></rect>" if cell.path else f"{box}/>"
    if cell.text:
        yield _text(cell.text, x + wide - 4, y + 14, "la-text")
    if cell.is_marked:
        inner = f'width="{wide - 2:.4g}" height="{HEIGHT - 2}"'
        yield f'<rect x="{x + 1:.6g}" y="{y + 1}" {inner} class="la-marked"/>'

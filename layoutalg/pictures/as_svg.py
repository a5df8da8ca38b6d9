"""Views as one self-contained SVG picture: no script, no font, nothing fetched.

>>> from layoutalg.pictures.view import Lines, View
>>> text = as_svg(View("a title", (Lines(("a line",)),)))
>>> text.startswith("<svg"), "http://" in text.replace("http://www.w3.org/", "")
(True, False)
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from layoutalg.pictures.as_text import as_text
from layoutalg.pictures.drawn import Piece, beside, picture, stacked, text_piece
from layoutalg.pictures.style import css
from layoutalg.pictures.svg_factors import factors_piece
from layoutalg.pictures.svg_graph import graph_piece
from layoutalg.pictures.svg_grid import grid_piece
from layoutalg.pictures.svg_tile import tile_piece, tiles_piece
from layoutalg.pictures.view import (
    Factors,
    Formulas,
    Graph,
    Grid,
    Lines,
    Part,
    Source,
    Steps,
    Tile,
    Tiles,
    View,
)

__all__ = ["as_svg", "part_svg"]

WIDTH, MOST_LINES = 120, 200
SIDE_BY_SIDE = 1800  # pixels that pictures in a row may take


def as_svg(view: View) -> str:
    """All parts one below the other, or side by side where the view says so; ``more`` is left out."""
    return picture(stacked(list(_pieces(view))), css())


def part_svg(part: Graph | Factors | Grid | Tile | Tiles) -> str:
    """The picture of one part, for a page that holds the style already."""
    return picture(_piece(part), "")


def _pieces(view: View) -> Iterator[Piece]:
    if view.title:
        yield text_piece(textwrap.wrap(view.title, WIDTH))
    if view.is_row:
        yield beside([stacked(list(_of_part(part))) for part in view.parts], SIDE_BY_SIDE)
        return
    for part in view.parts:
        yield from _of_part(part)


def _of_part(part: Part) -> Iterator[Piece]:
    match part:
        case View():
            yield from _pieces(part)
        case Steps():
            yield beside([grid_piece(grid) for _, grid in part.steps], SIDE_BY_SIDE)
        case _:
            yield _piece(part)


def _piece(part: Part) -> Piece:
    match part:
        case Graph():
            return graph_piece(part)
        case Factors():
            return factors_piece(part)
        case Grid():
            return grid_piece(part)
        case Tile():
            return tile_piece(part)
        case Tiles():
            return tiles_piece(part)
        case Lines() | Formulas() | Source() | Steps() | View():
            return text_piece(_wrapped(as_text(View("", (part,))), is_source=isinstance(part, Source)))


def _wrapped(text: str, *, is_source: bool) -> list[str]:
    lines = text.split("\n")
    if not is_source:
        lines = [piece for line in lines for piece in textwrap.wrap(line, WIDTH) or [""]]
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"({len(lines) - MOST_LINES} of {len(lines)} lines are left out)"]
    return lines

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
from layoutalg.pictures.drawn import Piece, picture, stacked, text_piece
from layoutalg.pictures.style import css
from layoutalg.pictures.svg_factors import factors_piece
from layoutalg.pictures.svg_graph import graph_piece
from layoutalg.pictures.svg_grid import grid_piece
from layoutalg.pictures.view import Factors, Formulas, Graph, Grid, Lines, Part, Source, View

__all__ = ["as_svg", "part_svg"]

WIDTH, MOST_LINES = 120, 200


def as_svg(view: View) -> str:
    """All parts one below the other."""
    return picture(stacked(list(_pieces(view))), css())


def part_svg(part: Graph | Factors | Grid) -> str:
    """The picture of one part, for a page that holds the style already."""
    return picture(_piece(part), "")


def _pieces(view: View) -> Iterator[Piece]:
    if view.title:
        yield text_piece(textwrap.wrap(view.title, WIDTH))
    for part in view.parts:
        if isinstance(part, View):
            yield from _pieces(part)
        else:
            yield _piece(part)


def _piece(part: Part) -> Piece:
    match part:
        case Graph():
            return graph_piece(part)
        case Factors():
            return factors_piece(part)
        case Grid():
            return grid_piece(part)
        case Lines() | Formulas() | Source() | View():
            return text_piece(_wrapped(as_text(View("", (part,))), is_source=isinstance(part, Source)))


def _wrapped(text: str, *, is_source: bool) -> list[str]:
    lines = text.split("\n")
    if not is_source:
        lines = [piece for line in lines for piece in textwrap.wrap(line, WIDTH) or [""]]
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"({len(lines) - MOST_LINES} of {len(lines)} lines are left out)"]
    return lines

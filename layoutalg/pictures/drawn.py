"""Pieces of a picture: a group of shapes, and how much room it takes.

>>> stacked([text_piece(["one line"]), text_piece(["another"])]).height
52.0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import drawsvg as draw

__all__ = ["CHARACTER", "Piece", "beside", "picture", "stacked", "text_piece"]

CHARACTER, LINE, GAP, SIDE, MARGIN = 7.3, 16, 20, 36, 16


@dataclass(frozen=True)
class Piece:
    """Shapes drawn from the upper left corner, in pixels."""

    shapes: draw.Group
    width: float
    height: float


def text_piece(lines: Sequence[str], kind: str = "text") -> Piece:
    """Lines of text, one below the other."""
    group = draw.Group()
    for number, line in enumerate(lines):
        group.append(draw.Text(line, 12, 0, LINE * number + 12, class_=f"la-{kind}", xml_space="preserve"))
    return Piece(group, CHARACTER * max(map(len, lines), default=0), LINE * len(lines))


def stacked(pieces: Sequence[Piece]) -> Piece:
    """The pieces one below the other."""
    group, height = draw.Group(), 0.0
    for piece in pieces:
        group.append(draw.Group([piece.shapes], transform=f"translate(0 {height:g})"))
        height += piece.height + GAP
    return Piece(group, max((p.width for p in pieces), default=0), height - GAP if pieces else 0)


def beside(pieces: Sequence[Piece], widest: float) -> Piece:
    """The pieces side by side, as many to a line as fit a width.

    >>> two = [text_piece(["one"]), text_piece(["another"])]
    >>> beside(two, 400).height, beside(two, 50).height
    (16.0, 52.0)
    """
    lines: list[list[Piece]] = [[]]
    for piece in pieces:
        if lines[-1] and sum(p.width + SIDE for p in lines[-1]) + piece.width > widest:
            lines.append([])
        lines[-1].append(piece)
    return stacked([_line(line) for line in lines if line])


def _line(pieces: Sequence[Piece]) -> Piece:
    group, width = draw.Group(), 0.0
    for piece in pieces:
        group.append(draw.Group([piece.shapes], transform=f"translate({width:g} 0)"))
        width += piece.width + SIDE
    return Piece(group, width - SIDE, float(max(piece.height for piece in pieces)))


def picture(piece: Piece, css: str) -> str:
    """A piece as a whole SVG document on its own ground; without style if the page around it has one."""
    width, height = round(piece.width + 2 * MARGIN), round(piece.height + 2 * MARGIN)
    drawing = draw.Drawing(width, height, id_prefix="la", class_="la")
    if css:
        drawing.append_css(css)
    drawing.append(draw.Rectangle(0, 0, width, height, class_="la-ground"))
    drawing.append(draw.Group([piece.shapes], transform=f"translate({MARGIN} {MARGIN})"))
    text = str(drawing.as_svg())
    return text[text.index("<svg") :]

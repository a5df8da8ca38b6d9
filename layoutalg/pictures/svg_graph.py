"""The transform graph of a descriptor or adaptor, as in figures 1 to 3 of the CK blog.

Circles are dimensions with their hidden ids and lengths, boxes are transforms, memory is at the
bottom. With a hidden index, each circle also shows its value there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import drawsvg as draw

from layoutalg.pictures.drawn import CHARACTER, Piece
from layoutalg.pictures.graph_places import Node, graph_of, place
from layoutalg.transforms import Merge

if TYPE_CHECKING:
    from layoutalg.descriptor.chain import TransformChain
    from layoutalg.pictures.view import Graph
    from layoutalg.transforms import Transform

__all__ = ["graph_piece"]

COLUMN, ROW, RADIUS, MOST, SPACE = 160, 78, 21, 22, 14
SIDE, ABOVE, LABEL = 90, 24, 130  # room left of the first column, over the highest row, beside a circle


def graph_piece(graph: Graph) -> Piece:
    """The picture of a chain, memory at the bottom."""
    chain = graph.chain
    places = place(chain)
    rows = max((p.row for p in places.values()), default=0)
    columns = max((p.column for p in places.values()), default=0.0)
    step = max([COLUMN, *(_width(_words(made)) + SPACE for made in chain.transforms)])
    group = draw.Group()
    points = {
        node: (round(SIDE + step * where.column, 1), ABOVE + ROW * (rows - where.row))
        for node, where in places.items()
    }
    for low, high in graph_of(chain).edges:
        group.append(draw.Line(*points[low], *points[high], class_="la-edge"))
    for node, (x, y) in sorted(points.items()):
        if node[0] == "transform":
            _draw_transform(group, chain.transforms[node[1]], x, y)
        else:
            value = None if graph.hidden_index is None else graph.hidden_index[node[1]]
            _draw_dimension(group, chain, node, (x, y), value)
    return Piece(group, SIDE + step * columns + LABEL, 2 * ABOVE + ROW * rows)


def _words(made: Transform) -> list[str]:
    """The two lines of a transform's box."""
    lines = [made.variant.value if isinstance(made, Merge) else made.kind]
    arguments = ", ".join(
        _short(value)
        for name, value in made.arguments.items()
        if name != "variant" and not isinstance(value, bool)
    )
    return [*lines, arguments if len(arguments) <= MOST else arguments[: MOST - 1] + "…"]


def _width(lines: list[str]) -> float:
    return (CHARACTER + 0.1) * max(map(len, lines)) + 12


def _draw_transform(group: draw.Group, made: Transform, x: float, y: float) -> None:
    lines = _words(made)
    width = _width(lines)
    box = draw.Rectangle(round(x - width / 2, 1), y - 18, round(width, 1), 36, rx=4, class_="la-transform")
    box.append_title(str(made))
    group.append(box)
    group.append(draw.Text(lines[0], 12, x, y - 4, text_anchor="middle", class_="la-text"))
    group.append(draw.Text(lines[1], 11, x, y + 11, text_anchor="middle", class_="la-small"))


def _short(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(str, value))})"
    return str(value)


def _draw_dimension(
    group: draw.Group, chain: TransformChain, node: Node, at: tuple[float, float], value: int | None
) -> None:
    (x, y), hidden = at, node[1]
    kind, name = "dimension", f"id {hidden}"
    length = chain.hidden_lengths[hidden]
    label = "" if length is None else f"length {length}"
    if hidden in chain.top_dimension_hidden_ids:
        kind += " la-top"
        name = f"[{chain.top_dimension_hidden_ids.index(hidden)}] {name}"
    elif hidden in chain.bottom_dimension_hidden_ids:
        kind += " la-bottom"
        label = "offset" if len(chain.bottom_dimension_hidden_ids) == 1 else label
    circle = draw.Circle(x, y, RADIUS, class_=f"la-{kind}")
    circle.append_title(f"hidden id {hidden}, length {length}")
    group.append(circle)
    text = str(hidden) if value is None else str(value)
    group.append(draw.Text(text, 12, x, y + 4, text_anchor="middle", class_="la-text"))
    beside = x + RADIUS + 5
    shown = label if len(label) <= MOST else label[: MOST - 1] + "…"
    group.append(draw.Text(name, 11, beside, y - 3, class_="la-small"))
    group.append(draw.Text(shown, 11, beside, y + 11, class_="la-small"))

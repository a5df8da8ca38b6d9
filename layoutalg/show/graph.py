"""The transform graph of a descriptor or adaptor, as in figures 1 to 3 of the CK blog.

Circles are dimensions with their hidden ids and lengths, boxes are transforms, memory is at the
bottom. With a coordinate, each circle also shows its value there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import drawsvg as draw

from layoutalg.show.graph_layout import Node, graph_of, place
from layoutalg.transforms import Merge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.adaptor import TensorAdaptor
    from layoutalg.show.graph_layout import Place
    from layoutalg.transforms import Transform

__all__ = ["graph_svg"]

COLUMN, ROW, MARGIN, RADIUS = 160, 78, 70, 21
LABEL = 110  # room for the words beside a circle
STYLE = """
.edge { stroke: #7a8594; stroke-width: 1.5; fill: none; }
.dimension { fill: #eaf2fb; stroke: #2f6fb0; stroke-width: 1.5; }
.top { fill: #dff3e3; stroke: #2d8a46; }
.bottom { fill: #fdeaea; stroke: #b53a3a; }
.transform { fill: #fff6dd; stroke: #b58a1f; stroke-width: 1.5; }
text { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 12px; fill: #1c2733; }
.small { font-size: 11px; fill: #4a5563; }
.title { font-size: 14px; }
@media (prefers-color-scheme: dark) {
  .dimension { fill: #1d3249; } .top { fill: #1c3b25; } .bottom { fill: #472020; }
  .transform { fill: #40361a; } text { fill: #e6ebf1; } .small { fill: #b3bdc9; }
}
"""


def graph_svg(adaptor: TensorAdaptor, title: str = "", coordinate: Sequence[int] | None = None) -> str:
    """The picture as self-contained SVG text."""
    places = place(adaptor)
    rows = max((p.row for p in places.values()), default=0)
    columns = max((p.column for p in places.values()), default=0.0)
    width = max(MARGIN + COLUMN * columns + RADIUS + LABEL, 8.5 * len(title) + 2 * 20, 360)
    height = 2 * MARGIN + ROW * rows
    picture = draw.Drawing(width, height, id_prefix="g")
    picture.append_css(STYLE)
    if title:
        picture.append(draw.Text(title, 14, 20, 24, class_="title"))
    shift = (width - COLUMN * columns - LABEL + MARGIN) / 2

    def point(where: Place) -> tuple[float, float]:
        return shift + COLUMN * where.column, height - MARGIN - ROW * where.row + 10

    for low, high in graph_of(adaptor).edges:
        (x1, y1), (x2, y2) = point(places[low]), point(places[high])
        picture.append(draw.Line(x1, y1, x2, y2, class_="edge"))
    values = None if coordinate is None else adaptor.calculate_hidden_index(coordinate)
    for node, where in sorted(places.items()):
        x, y = point(where)
        if node[0] == "transform":
            _draw_transform(picture, adaptor.transforms[node[1]], x, y)
        else:
            value = None if values is None else values[node[1]]
            _draw_dimension(picture, adaptor, node, x, y, value)
    return str(picture.as_svg())


def _draw_transform(picture: draw.Drawing, made: Transform, x: float, y: float) -> None:
    lines = [made.variant.value if isinstance(made, Merge) else made.kind]
    arguments = ", ".join(
        _short(value)
        for name, value in made.parameters().items()
        if name != "variant" and not isinstance(value, bool)
    )
    lines.append(arguments if len(arguments) <= 22 else arguments[:21] + "…")
    width = 7.4 * max(map(len, lines)) + 12
    box = draw.Rectangle(x - width / 2, y - 18, width, 36, rx=4, class_="transform")
    box.append_title(str(made))
    picture.append(box)
    picture.append(draw.Text(lines[0], 12, x, y - 4, text_anchor="middle"))
    picture.append(draw.Text(lines[1], 11, x, y + 11, text_anchor="middle", class_="small"))


def _short(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(str, value))})"
    return str(value)


def _draw_dimension(
    picture: draw.Drawing,
    adaptor: TensorAdaptor,
    node: Node,
    x: float,
    y: float,
    value: int | None,
) -> None:
    hidden = node[1]
    kind, name = "dimension", f"id {hidden}"
    label = f"length {adaptor.hidden_lengths[hidden]}"
    if hidden in adaptor.top_dimension_hidden_ids:
        kind += " top"
        name = f"[{adaptor.top_dimension_hidden_ids.index(hidden)}] {name}"
    elif hidden in adaptor.bottom_dimension_hidden_ids:
        kind += " bottom"
        label = "offset" if len(adaptor.bottom_dimension_hidden_ids) == 1 else label
    picture.append(draw.Circle(x, y, RADIUS, class_=kind))
    text = str(hidden) if value is None else str(value)
    picture.append(draw.Text(text, 12, x, y + 4, text_anchor="middle"))
    beside = x + RADIUS + 5
    picture.append(draw.Text(name, 11, beside, y - 3, class_="small"))
    picture.append(draw.Text(label, 11, beside, y + 11, class_="small"))

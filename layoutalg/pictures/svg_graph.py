"""The transform graph of a descriptor or adaptor, as in figures 1 to 3 of the CK blog.

Round boxes are dimensions with their hidden ids and lengths, angular ones transforms; arrows lead from an
index down to memory. All words stand in boxes, and edges run between them. With a hidden index, each
dimension also shows its value there.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import drawsvg as draw

from layoutalg.pictures.drawn import CHARACTER, Piece
from layoutalg.pictures.graph_places import Layers, Node, dimension, transform
from layoutalg.transforms import Merge

if TYPE_CHECKING:
    from layoutalg.pictures.view import Graph
    from layoutalg.transforms import Transform

__all__ = ["graph_piece"]

LINE, PAD, ROW = 15, 20, 44  # of text, around it, between layers
LONGEST = 44  # characters of a line of a box; longer ones go on below
APART = 18.0  # between the ends of edges at one box
HEAD = (4.5, 9.0)  # half the width and the length of an arrow's head


def graph_piece(graph: Graph) -> Piece:
    """The picture of a chain, memory at the bottom."""
    return _Drawn(graph).piece


@dataclass(frozen=True)
class _Drawn:
    graph: Graph

    @cached_property
    def words(self) -> dict[Node, list[str]]:
        chain = self.graph.chain
        found = {transform(i): _transform_words(made) for i, made in enumerate(chain.transforms)}
        return found | {dimension(i): self._dimension_words(i) for i in range(chain.num_hidden_dimensions)}

    @cached_property
    def layers(self) -> Layers:
        widths = {node: CHARACTER * max(map(len, lines)) + PAD for node, lines in self.words.items()}
        return Layers(self.graph.chain, widths)

    @cached_property
    def tops(self) -> list[float]:
        """The upper edge of each layer, the highest at 0."""
        found, top = [], 0.0
        for nodes in reversed(self.layers.members):
            found.append(top)
            top += self._layer_height(nodes) + ROW
        return found[::-1]

    @property
    def piece(self) -> Piece:
        layers, group = self.layers, draw.Group()
        for edge in self._edges():
            group.append(edge)
        for row, nodes in enumerate(layers.members):
            for node in nodes:
                if node in self.words:
                    self._box(group, node, row)
        right = max((x + layers.widths.get(node, 0) / 2 for node, x in layers.middles.items()), default=0.0)
        bottom = self.tops[0] + self._layer_height(layers.members[0]) if layers.members else 0.0
        return Piece(group, right, bottom)

    def _height(self, node: Node) -> float:
        return LINE * len(self.words[node]) + 8

    def _layer_height(self, nodes: list[Node]) -> float:
        return max((self._height(node) for node in nodes if node in self.words), default=0)

    def _span(self, node: Node, row: int) -> tuple[float, float]:
        """The upper and lower edge of a node in the middle of its layer; the layer's for a passing edge."""
        top, bottom = self._band(row)
        if node not in self.words:
            return top, bottom
        middle, half = (top + bottom) / 2, self._height(node) / 2
        return middle - half, middle + half

    def _band(self, row: int) -> tuple[float, float]:
        """The upper and lower edge of a layer."""
        return self.tops[row], self.tops[row] + self._layer_height(self.layers.members[row])

    def _edges(self) -> Iterator[draw.DrawingElement]:
        """Lines between boxes, from above downwards, with a head where they end."""
        middles, rows = self.layers.middles, self.layers.rows
        ends = self._ends()
        for number, path in enumerate(self.layers.paths):
            points: list[tuple[float, float]] = []
            for step, node in enumerate(path):
                top, bottom = self._span(node, rows[path[0]] + step)
                if node in self.words:  # straight up or down to the edge of the layer, past higher neighbours
                    high, low = self._band(rows[path[0]] + step)
                    x = ends[number, step]
                    points += [(x, top), (x, high)] if step == 0 else [(x, low), (x, bottom)]
                else:
                    points += [(middles[node], bottom), (middles[node], top)]
            (x, y), *rest = points
            line = draw.Path(class_="la-edge").M(x, round(y - HEAD[1] + 1, 1))
            rest = [(right, min(down, y - HEAD[1])) for right, down in rest]
            for right, down in rest:
                line.L(right, round(down, 1))
            yield line
            half, long = HEAD
            yield draw.Lines(
                x,
                y,
                round(x - half, 1),
                round(y - long, 1),
                round(x + half, 1),
                round(y - long, 1),
                close=True,
                class_="la-arrow",
            )

    def _ends(self) -> dict[tuple[int, int], float]:
        """Where each edge meets its two boxes: side by side, in the order of what lies beyond."""
        meeting: dict[tuple[Node, bool], list[tuple[float, int, int]]] = {}
        for number, path in enumerate(self.layers.paths):
            for step, other in ((0, 1), (len(path) - 1, len(path) - 2)):
                beyond = self.layers.middles[path[other]]
                meeting.setdefault((path[step], step == 0), []).append((beyond, number, step))
        found = {}
        for (node, _), all_ends in meeting.items():
            room = self.layers.widths[node] - PAD
            apart = min(APART, room / max(len(all_ends) - 1, 1))
            for place, (_, number, step) in enumerate(sorted(all_ends)):
                x = self.layers.middles[node] + apart * (place - (len(all_ends) - 1) / 2)
                found[number, step] = round(x, 1)
        return found

    def _box(self, group: draw.Group, node: Node, row: int) -> None:
        chain, (top, _) = self.graph.chain, self._span(node, row)
        x, width, height = self.layers.middles[node], self.layers.widths[node], self._height(node)
        kind, told, rounded = "transform", "", 4.0
        if node[0] == "transform":
            told = str(chain.transforms[node[1]])
        else:
            told, rounded = f"hidden id {node[1]}, length {chain.hidden_lengths[node[1]]}", height / 2
            kind = "dimension"
            kind += " la-top" if node[1] in chain.top_dimension_hidden_ids else ""
            kind += " la-bottom" if node[1] in chain.bottom_dimension_hidden_ids else ""
        box = draw.Rectangle(
            round(x - width / 2, 1), round(top, 1), round(width, 1), height, rx=rounded, class_=f"la-{kind}"
        )
        box.append_title(told)
        group.append(box)
        for number, line in enumerate(self.words[node]):
            first = number == 0
            group.append(
                draw.Text(
                    line, 12 if first else 11, x, round(top + LINE * (number + 1), 1),
                    text_anchor="middle", class_="la-text" if first else "la-small",
                )
            )  # fmt: skip

    def _dimension_words(self, hidden: int) -> list[str]:
        chain, length = self.graph.chain, self.graph.chain.hidden_lengths[hidden]
        tops = chain.top_dimension_hidden_ids
        name = f"id {hidden}"
        if hidden in tops:
            name = f"[{tops.index(hidden)}] {name}"
        if self.graph.hidden_index is not None:
            name += f" = {self.graph.hidden_index[hidden]}"
        below = [] if length is None else _wrapped(f"length {length}")
        if chain.bottom_dimension_hidden_ids == (hidden,):
            below = ["offset"]
        return [name, *below]


def _transform_words(made: Transform) -> list[str]:
    """The lines of a transform's box."""
    arguments = ", ".join(
        _short(value)
        for name, value in made.arguments.items()
        if name != "variant" and not isinstance(value, bool)
    )
    return [made.variant.value if isinstance(made, Merge) else made.kind, *_wrapped(arguments)]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, LONGEST, break_long_words=False) or []


def _short(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(str, value))})"
    return str(value)

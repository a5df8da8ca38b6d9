"""Where the nodes of a transform graph go: dimensions and transforms in layers, memory at the bottom.

An edge that passes a layer takes a place of its own there, so it runs between boxes and never over one.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from layoutalg.descriptor.chain import TransformChain

__all__ = ["Layers", "Node", "dimension", "graph_of", "transform"]

Node = tuple[str, int]  # ("dimension", hidden id), ("transform", position) or ("passing", number)
GAP = 26.0  # pixels between neighbours of a layer
SWEEPS = 6


def dimension(hidden: int) -> Node:
    """The node of a dimension."""
    return ("dimension", hidden)


def transform(position: int) -> Node:
    """The node of a transform."""
    return ("transform", position)


def graph_of(chain: TransformChain) -> nx.DiGraph[Node]:
    """Edges lead from memory upwards: lower dimension, transform, upper dimension."""
    graph: nx.DiGraph[Node] = nx.DiGraph()
    graph.add_nodes_from(dimension(i) for i in range(chain.num_hidden_dimensions))
    for position, (_, low, up) in enumerate(chain.links):
        graph.add_node(transform(position))
        graph.add_edges_from((dimension(i), transform(position)) for i in low)
        graph.add_edges_from((transform(position), dimension(i)) for i in up)
    return graph


@dataclass(frozen=True)
class Layers:
    """The layers of a chain; ``widths`` are those of its nodes, in pixels.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
    >>> layers = Layers(make_naive_tensor_descriptor((4, 8), (8, 1)), {})
    >>> layers.rows[dimension(0)], layers.rows[transform(0)], layers.rows[dimension(2)]
    (0, 1, 2)
    """

    chain: TransformChain
    widths: Mapping[Node, float]

    @cached_property
    def rows(self) -> dict[Node, int]:
        """The layer of each dimension and transform, 0 the bottom."""
        generations = nx.topological_generations(graph_of(self.chain))
        rows = {node: row for row, nodes in enumerate(generations) for node in nodes}
        highest = max(rows.values(), default=0)
        return rows | {dimension(i): highest for i in self.chain.top_dimension_hidden_ids}

    @cached_property
    def paths(self) -> list[tuple[Node, ...]]:
        """Each edge from below upwards, with a node of its own in every layer that it passes."""
        found: list[tuple[Node, ...]] = []
        passing = 0
        for low, high in graph_of(self.chain).edges:
            count = self.rows[high] - self.rows[low] - 1
            found.append((low, *(("passing", passing + i) for i in range(count)), high))
            passing += count
        return found

    @cached_property
    def members(self) -> list[list[Node]]:
        """The nodes of each layer, from left to right, so that edges cross little."""
        rows = dict(self.rows)
        for path in self.paths:
            rows |= {node: rows[path[0]] + i for i, node in enumerate(path) if node[0] == "passing"}
        order = {dimension(hidden): float(i) for i, hidden in enumerate(self.chain.top_dimension_hidden_ids)}
        layers = [
            sorted(n for n in rows if rows[n] == row) for row in range(max(rows.values(), default=0) + 1)
        ]
        for nodes in reversed(layers):
            for node in nodes:
                above = [order[n] for n in self._above.get(node, ()) if n in order]
                order.setdefault(node, sum(above) / len(above) if above else float(len(order)))
        return [sorted(nodes, key=lambda node: (order[node], node)) for nodes in layers]

    @cached_property
    def _above(self) -> dict[Node, list[Node]]:
        found: dict[Node, list[Node]] = {}
        for path in self.paths:
            for low, high in itertools.pairwise(path):
                found.setdefault(low, []).append(high)
        return found

    @cached_property
    def _below(self) -> dict[Node, list[Node]]:
        found: dict[Node, list[Node]] = {}
        for low, highs in self._above.items():
            for high in highs:
                found.setdefault(high, []).append(low)
        return found

    @cached_property
    def middles(self) -> dict[Node, float]:
        """The middle of each node in pixels, near those it is joined to; nodes of a layer keep apart."""
        at: dict[Node, float] = {}
        for nodes in self.members:
            left = 0.0
            for node in nodes:
                at[node] = left + self._width(node) / 2
                left += self._width(node) + GAP
        for sweep in range(SWEEPS):
            near, order = (
                (self._above, reversed(self.members)) if sweep % 2 == 0 else (self._below, self.members)
            )
            for nodes in order:
                at |= self._apart(nodes, {n: _mean([at[o] for o in near.get(n, ())], at[n]) for n in nodes})
        left = min((at[node] - self._width(node) / 2 for node in at), default=0.0)
        return {node: round(x - left, 1) for node, x in at.items()}

    def _width(self, node: Node) -> float:
        return self.widths.get(node, 0.0)

    def _apart(self, nodes: list[Node], wished: Mapping[Node, float]) -> dict[Node, float]:
        """As near as possible to where they want to be, without touching."""
        found: dict[Node, float] = {}
        edge = float("-inf")
        for node in nodes:
            found[node] = max(wished[node], edge + self._width(node) / 2)
            edge = found[node] + self._width(node) / 2 + GAP
        shift = sum(wished[n] - found[n] for n in nodes) / max(len(nodes), 1)
        return {node: x + shift for node, x in found.items()}


def _mean(places: list[float], otherwise: float) -> float:
    return sum(places) / len(places) if places else otherwise

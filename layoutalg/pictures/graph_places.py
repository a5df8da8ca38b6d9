"""Where the nodes of a transform graph go: dimensions and transforms in layers, memory at the bottom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from layoutalg.descriptor.chain import TransformChain

__all__ = ["Node", "dimension", "graph_of", "place", "transform"]

Node = tuple[str, int]  # ("dimension", hidden id) or ("transform", position in the chain)


def dimension(hidden: int) -> Node:
    """The node of a dimension."""
    return ("dimension", hidden)


def transform(position: int) -> Node:
    """The node of a transform."""
    return ("transform", position)


@dataclass(frozen=True)
class Place:
    """Column (may be fractional) and row of a node; row 0 is the bottom."""

    column: float
    row: int


def graph_of(chain: TransformChain) -> nx.DiGraph[Node]:
    """Edges lead from memory upwards: lower dimension, transform, upper dimension."""
    graph: nx.DiGraph[Node] = nx.DiGraph()
    graph.add_nodes_from(dimension(i) for i in range(chain.num_hidden_dimensions))
    for position, (_, low, up) in enumerate(chain.links):
        graph.add_node(transform(position))
        graph.add_edges_from((dimension(i), transform(position)) for i in low)
        graph.add_edges_from((transform(position), dimension(i)) for i in up)
    return graph


def place(chain: TransformChain) -> dict[Node, Place]:
    """A place for every node: layers by distance from memory, order by what lies above."""
    graph = graph_of(chain)
    rows = {node: row for row, nodes in enumerate(nx.topological_generations(graph)) for node in nodes}
    highest = max(rows.values(), default=0)
    for node in [dimension(i) for i in chain.top_dimension_hidden_ids]:
        rows[node] = highest
    order = {dimension(hidden): float(i) for i, hidden in enumerate(chain.top_dimension_hidden_ids)}
    for node in reversed(list(nx.topological_sort(graph))):
        above = [order[n] for n in graph.successors(node)]
        order.setdefault(node, sum(above) / len(above) if above else float(len(order)))
    return _spread(rows, order)


def _spread(rows: dict[Node, int], order: dict[Node, float]) -> dict[Node, Place]:
    """Nodes of one row side by side, as near as possible to where they want to be."""
    places = {}
    for row in set(rows.values()):
        nodes = sorted((n for n in rows if rows[n] == row), key=lambda n: (order[n], n))
        taken = float("-inf")
        columns = []
        for node in nodes:
            taken = max(order[node], taken + 1)
            columns.append(taken)
        shift = sum(order[n] - c for n, c in zip(nodes, columns, strict=True)) / max(len(nodes), 1)
        for node, column in zip(nodes, columns, strict=True):
            places[node] = Place(column + shift, row)
    left = min((p.column for p in places.values()), default=0.0)
    return {node: Place(p.column - left, p.row) for node, p in places.items()}

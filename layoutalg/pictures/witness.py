"""A counterexample on its layout: the map around the points that break a claim, or the place nobody reaches.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> overlapping = make_naive_tensor_descriptor((4, 8), (7, 1)).index_map()
>>> [grid] = witness_grids(overlapping, {"i0": 0, "i1": 7, "i0'": 1, "i1'": 0})
>>> [(r, c) for r in range(4) for c in range(8) if grid.cell(r, c).is_marked]
[(0, 7), (1, 0)]
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from layoutalg.claim import IndexMap
from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.distribution import TileDistribution
from layoutalg.errors import LayoutError
from layoutalg.index.evaluate import evaluate
from layoutalg.layout import Layout
from layoutalg.pictures.view import Cell, Colouring, Grid

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["witness_grids", "witness_on"]

AROUND = 5  # rows and columns on each side of a witness
MOST = 1 << 20  # indices that are tried to find who reaches a place
PLACE = "y0"  # the place in memory that a claim of covering speaks of
Point = Mapping[str, int]


def witness_grids(index_map: IndexMap, point: Point) -> list[Grid]:
    """The map near a point and its primed twin; near a place of memory for a point that is one."""
    sizes = {p.name: point[p.name] for p in index_map.domain.parameters if p.name in point}
    try:
        bound = index_map.bind(sizes)
    except LayoutError:
        return []
    axes = [axis.name for axis in bound.domain.axes]
    if not axes or bound.domain.parameters:
        return []
    if all(name in point for name in axes):
        return [_near_points(bound, axes, point)]
    if PLACE in point and PLACE not in axes and len(bound.outputs) == 1:
        return _near_place(bound, axes, point[PLACE])
    return []


def witness_on(value: Any, point: Point) -> list[Grid]:
    """The counterexample on a layout; nothing where it does not lie on it, as for a claim on sizes alone."""
    match value:
        case _ if not point:
            return []
        case Layout():
            return witness_grids(value.as_descriptor().index_map(), point)
        case TensorAdaptor() | TileDistribution():
            return witness_grids(value.index_map(), point)
        case IndexMap():
            return witness_grids(value, point)
    return []


def _near_points(index_map: IndexMap, axes: list[str], point: Point) -> Grid:
    """The last axis across, the one before down, the others held."""
    marked = [tuple(point[name] for name in axes)]
    if all(f"{name}'" in point for name in axes):
        marked.append(tuple(point[f"{name}'"] for name in axes))
    held = marked[0][:-2]
    shown = [place for place in marked if place[:-2] == held]
    rows = _near([place[-2] for place in shown] if axes[1:] else [0])
    columns = _near([place[-1] for place in shown])
    rows, columns, values = _trimmed(rows, columns, _values(index_map, axes, held, rows, columns))
    broken = {values[rows.index(p[-2]) if axes[1:] else 0][columns.index(p[-1])] for p in shown}

    def cell(row: int, column: int) -> Cell:
        here = (*held, rows[row], columns[column]) if axes[1:] else (columns[column],)
        text = values[row][column]
        return Cell(text, f"{here} → {text}", is_marked=here in shown, is_masked=text == "-")

    def same(row: int, column: int) -> int | None:
        text = values[row][column]
        if text not in broken:
            return None
        return int(text) if text.lstrip("-").isdigit() else sorted(broken).index(text)

    fixed = "".join(f", {name} = {value}" for name, value in zip(axes, held, strict=False))
    elsewhere = "".join(f"; the other point is {place}" for place in marked if place not in shown)
    title = f"the map around the witness{fixed}{elsewhere}"
    names = tuple(map(str, rows)) if axes[1:] else ("",)
    told = Colouring("value", same, "that of the witness")
    return Grid(title, "\\".join(axes[-2:]), names, tuple(map(str, columns)), cell, (told,))


def _near_place(index_map: IndexMap, axes: list[str], place: int) -> list[Grid]:
    """Who reaches the places of memory around one that nobody reaches."""
    ends = [(evaluate(axis.lower, {}), evaluate(axis.upper, {})) for axis in index_map.domain.axes]
    ranges = [range(int(low), int(high)) for low, high in ends]
    if math.prod(map(len, ranges)) > MOST:
        return []
    at = dict(
        zip(axes, (one.ravel() for one in np.meshgrid(*map(np.array, ranges), indexing="ij")), strict=True)
    )
    shape = next(iter(at.values())).shape
    offsets = np.broadcast_to(evaluate(index_map.outputs[0], at), shape)
    valid = _all(index_map.when, at, shape)
    places = _near([place])
    reached: dict[int, str] = {}
    for i in np.flatnonzero(valid & np.isin(offsets, places)):
        index = ",".join(str(int(at[name][i])) for name in axes)
        reached.setdefault(int(offsets[i]), index)

    def cell(_: int, column: int) -> Cell:
        found = reached.get(places[column])
        told = f"place {places[column]}: {found or 'nobody'}"
        return Cell(found or "-", told, is_marked=places[column] == place, is_masked=found is None)

    names = tuple(map(str, places))
    title = f"memory around the witness: ({','.join(axes)}) that leads to each place"
    return [Grid(title, "offset", ("",), names, cell, masks="no index leads there")]


def _trimmed(
    rows: list[int], columns: list[int], values: list[list[str]]
) -> tuple[list[int], list[int], list[list[str]]]:
    """Without the rows and columns that lie outside the domain."""
    down = [i for i, line in enumerate(values) if any(line)]
    across = [j for j in range(len(columns)) if any(line[j] for line in values)]
    return (
        [rows[i] for i in down],
        [columns[j] for j in across],
        [[values[i][j] for j in across] for i in down],
    )


def _near(places: list[int]) -> list[int]:
    return sorted({max(at + step, 0) for at in places for step in range(-AROUND, AROUND + 1)})


def _values(
    index_map: IndexMap, axes: list[str], held: tuple[int, ...], rows: list[int], columns: list[int]
) -> list[list[str]]:
    """The outputs as text; empty outside the domain, ``-`` where the map's condition fails."""
    down, across = (grid.ravel() for grid in np.meshgrid(rows, columns, indexing="ij"))
    at: dict[str, Any] = {name: np.full(down.shape, value) for name, value in zip(axes, held, strict=False)}
    at |= {axes[-1]: across} | ({axes[-2]: down} if axes[1:] else {})
    outputs = [np.broadcast_to(evaluate(output, at), down.shape) for output in index_map.outputs]
    valid = _all(index_map.when, at, down.shape)
    inside = _inside(index_map, at, down.shape)
    texts = [
        "" if not inside[i] else "-" if not valid[i] else ",".join(str(int(o[i])) for o in outputs)
        for i in range(len(down))
    ]
    return [texts[i : i + len(columns)] for i in range(0, len(texts), len(columns))]


def _all(conditions: Any, at: Any, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    found = np.ones(shape, bool)
    for condition in conditions:
        found &= np.broadcast_to(np.asarray(evaluate(condition, at), bool), shape)
    return found


def _inside(index_map: IndexMap, at: Any, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    found = np.ones(shape, bool)
    for axis in index_map.domain.axes:
        if axis.lower is not None:
            found &= at[axis.name] >= evaluate(axis.lower, at)
        if axis.upper is not None:
            found &= at[axis.name] < evaluate(axis.upper, at)
    return found

r"""Views as plain text, as in a terminal.

>>> from layoutalg.pictures.view import Cell, Grid, Lines, View
>>> grid = Grid("index -> offset", "i\\j", ("0", "1"), ("0", "1"), lambda i, j: Cell(str(2 * i + j)))
>>> print(as_text(View("two by two", (Lines(("packed",)), grid))))
two by two
packed
<BLANKLINE>
index -> offset
i\j  0 1
  0  0 1
  1  2 3
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from layoutalg.distribution import TileDistribution
from layoutalg.index.condition_text import conditions_text
from layoutalg.index.node import is_condition
from layoutalg.pictures.text_table import text_table
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

__all__ = ["as_text", "factor_lines"]


def as_text(view: View) -> str:
    """The whole view; tables fit in 160 characters, with a note on what is left out."""
    return "\n".join(_view(view))


def _view(view: View) -> Iterator[str]:
    if view.title:
        yield view.title
    for number, part in enumerate((*view.parts, *view.more)):
        if isinstance(part, Grid | Source | Steps | View) and (number or view.title):
            yield ""
        yield from _part(part)


def _part(part: Part) -> Iterator[str]:
    match part:
        case Lines():
            yield from part.lines
        case Formulas():
            yield from (f"{name} = {form}" if name else _statement(form) for name, form in part.rows)
            yield from (f"valid where {conditions_text((condition,))}" for condition in part.when)
        case Grid():
            yield from _grid(part)
        case Steps():
            yield from _steps(part)
        case Tile() | Tiles():
            pass  # the grid among the parts says the same
        case Graph():
            yield from _graph(part)
        case Factors():
            yield from factor_lines(part.distribution)
        case Source():
            yield from part.text.rstrip().split("\n")
        case View():
            yield from _view(part)


def _statement(form: Any) -> str:
    return conditions_text((form,)) if is_condition(form) else str(form)


def _grid(grid: Grid) -> Iterator[str]:
    if grid.title:
        yield grid.title
    marks = []

    def text(row: int, column: int) -> str:
        cell = grid.cell(row, column)
        marks.append(cell.is_marked)
        return f"*{cell.text}" if cell.is_marked else cell.text

    yield from text_table(grid.corner, grid.rows, grid.columns, text, most_rows=grid.most[0])
    if any(marks):
        yield f"(* {grid.marks})"


def _steps(steps: Steps) -> Iterator[str]:
    for number, (_, grid) in enumerate(steps.steps):
        yield from [""] * bool(number)
        yield from _grid(grid)


def _graph(graph: Graph) -> Iterator[str]:
    values = graph.hidden_index
    for transform, low, up in graph.chain.links:
        below, above = (", ".join(map(str, ids)) or "nothing" for ids in (low, up))
        yield f"{below} <- {transform} <- {above}"
    yield f"top: {', '.join(map(str, graph.chain.top_dimension_hidden_ids))}"
    if values is not None:
        yield "hidden index: " + ", ".join(f"{i}: {value}" for i, value in enumerate(values))


def factor_lines(made: TileDistribution) -> Iterator[str]:
    """``X0 = 4 = Y0:2 * lane:2``: each dimension by its factors and whose index each is."""
    encoding = made.encoding
    owners = {
        factor: str(p) for p, factors in zip(made.ps, encoding.ps_factors, strict=True) for factor in factors
    }
    owners |= {factor: f"Y{y}" for y, factor in enumerate(encoding.ys_factors)}
    for major, row in enumerate(encoding.rhs_lengthss):
        factors = [f"{owners.get((major, i), 'nobody')}:{n}" for i, n in enumerate(row)]
        if major:
            yield f"X{major - 1} = {made.lengths[major - 1]} = {' * '.join(factors) or '1'}"
        elif row:
            yield f"R = {' * '.join(factors)}"

"""What is shown of a value, as data: parts that become text, a picture, a page or LaTeX.

One function a kind of value builds a view (``layoutalg/show/views``); one file a format prints it. A view
is a value itself: a notebook displays ``only(view_of(descriptor), "graph")``.

>>> grid = Grid("index -> offset", "i", ("0", "1"), ("0", "1"), lambda i, j: Cell(str(2 * i + j)))
>>> grid.cell(1, 0).text
'2'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from layoutalg.display import Displayed

if TYPE_CHECKING:
    from layoutalg.descriptor.chain import TransformChain
    from layoutalg.distribution import TileDistribution

__all__ = ["Cell", "Factors", "Formulas", "Graph", "Grid", "Lines", "Part", "Source", "View"]


@dataclass(frozen=True)
class Cell:
    """One place of a grid: its text, the number of the colour it has, what a pointer over it is told."""

    text: str
    colour: int | None = None
    path: str = ""
    is_marked: bool = False


@dataclass(frozen=True)
class Lines:
    """Plain lines."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Formulas:
    """Equations by what stands left of the sign; ``when`` are the conditions under which they hold."""

    rows: tuple[tuple[str, Any], ...]
    when: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Grid:
    """A table of cells; of long ones the middle is left out, beyond ``most`` rows and columns."""

    title: str
    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cell: Callable[[int, int], Cell]
    most: tuple[int, int] = (64, 64)
    legend: str = ""


@dataclass(frozen=True)
class Graph:
    """Transforms and dimensions, memory at the bottom; with the value at each hidden id, if given."""

    chain: TransformChain
    hidden_index: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Factors:
    """The factors of a tile's dimensions and which thread or register index each belongs to."""

    distribution: TileDistribution


@dataclass(frozen=True)
class Source:
    """A program's text."""

    text: str
    language: str


@dataclass(frozen=True)
class View(Displayed):
    """A title and parts, which may be views themselves."""

    title: str
    parts: tuple[Part, ...] = ()


Part = Lines | Formulas | Grid | Graph | Factors | Source | View

"""What is shown of a value, as data: parts that become text, a picture, a page or LaTeX.

One function a kind of value builds a view: the files of ``layoutalg/pictures/views`` register them with
:func:`view_of`. One file a format prints it. A view is a value itself: a notebook displays
``only(view_of(descriptor), "graph")``.

>>> grid = Grid("index -> offset", "i", ("0", "1"), ("0", "1"), lambda i, j: Cell(str(2 * i + j)))
>>> grid.cell(1, 0).text
'2'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import sympy

from layoutalg.display import Displayed
from layoutalg.errors import LayoutError, shown
from layoutalg.reading.near_names import not_one_of

if TYPE_CHECKING:
    from layoutalg.descriptor.chain import TransformChain
    from layoutalg.distribution import TileDistribution

__all__ = [
    "Cell",
    "Factors",
    "Formulas",
    "Graph",
    "Grid",
    "Lines",
    "Part",
    "Source",
    "View",
    "only",
    "view_of",
]


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
    kind: ClassVar[str] = "text"


@dataclass(frozen=True)
class Formulas:
    """Equations by what stands left of the sign; ``when`` are the conditions under which they hold."""

    rows: tuple[tuple[str, Any], ...]
    when: tuple[Any, ...] = ()
    kind: ClassVar[str] = "formulas"


@dataclass(frozen=True)
class Grid:
    """A table of cells; the middle is left out beyond ``most`` rows and columns."""

    title: str
    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cell: Callable[[int, int], Cell]
    most: tuple[int, int] = (64, 64)
    legend: str = ""
    by: Literal["threads", "banks", "elements"] = "elements"  # what its rows go through
    kind: ClassVar[str] = "grid"


@dataclass(frozen=True)
class Graph:
    """Transforms and dimensions, memory at the bottom; with the value at each hidden id, if given."""

    chain: TransformChain
    hidden_index: tuple[int, ...] | None = None
    kind: ClassVar[str] = "graph"


@dataclass(frozen=True)
class Factors:
    """The factors of a tile's dimensions and which thread or register index each belongs to."""

    distribution: TileDistribution
    kind: ClassVar[str] = "tree"


@dataclass(frozen=True)
class Source:
    """A program's text."""

    text: str
    language: str
    kind: ClassVar[str] = "source"


@dataclass(frozen=True)
class View(Displayed):
    """A title and parts, which may be views themselves."""

    title: str
    parts: tuple[Part, ...] = ()


Part = Lines | Formulas | Grid | Graph | Factors | Source | View
KINDS = ("graph", "grid", "threads", "banks", "tree", "formulas", "source")


@singledispatch
def view_of(value: Any) -> View:
    """What is shown of a value: a descriptor, a distribution, a layout, a claim, a kernel, ...

    A view of another kind of value is added by a file in ``layoutalg/pictures/views`` whose function is
    decorated with ``@view_of.register``.

    >>> from layoutalg.transforms import Unmerge
    >>> view_of(Unmerge((4, 8))).title
    'unmerge(up_lengths=(4, 8), use_24bit=False)'
    """
    msg = f"wanted a value with a picture, such as a descriptor, a layout or a claim; got {shown(value)}"
    raise LayoutError(msg)


@view_of.register
def _itself(view: View) -> View:
    return view


@view_of.register
def _formula(form: sympy.Basic) -> View:
    return View("", (Formulas((("", form),)),))


def only(view: View, kind: str) -> View:
    """The view with its title and the parts of one kind alone: graph, grid, threads, banks, tree, ..."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise not_one_of("a view", kind, KINDS)
    parts = tuple(_kept(view, kind))
    if not parts:
        found = ", ".join(dict.fromkeys(_kinds(view)))
        raise LayoutError(f"there is no {kind} of it", hint=f"there is: {found or 'text'}")
    return View(view.title, parts)


def _kept(view: View, kind: str) -> list[Part]:
    found: list[Part] = []
    for part in view.parts:
        if isinstance(part, View):
            inner = tuple(_kept(part, kind))
            found += [View(part.title, inner)] if inner else []
        elif kind == part.kind or (isinstance(part, Grid) and kind == part.by):
            found.append(part)
    return found


def _kinds(view: View) -> list[str]:
    found = []
    for part in view.parts:
        if isinstance(part, View):
            found += _kinds(part)
        elif not isinstance(part, Lines):
            found.append(part.kind)
    return found

"""What is shown of a value, as data: parts that become text, a picture, a page or LaTeX.

One function a kind of value builds a view: the files of ``layoutalg/pictures/views`` register them with
:func:`view_of`. One file a format prints it. A view is a value itself: a notebook displays
``only(view_of(descriptor), "graph")``.

>>> rows = Colouring("row", lambda i, j: i)
>>> grid = Grid("index -> offset", "i", ("0", "1"), ("0", "1"), lambda i, j: Cell(str(2 * i + j)), (rows,))
>>> grid.cell(1, 0).text, grid.class_of(1, 0)
('2', 1)
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
    "Colouring",
    "Factors",
    "Formulas",
    "Graph",
    "Grid",
    "Lines",
    "Part",
    "Place",
    "Source",
    "Steps",
    "Tile",
    "Tiles",
    "View",
    "only",
    "view_of",
]


Place = tuple[int, int]  # row and column


@dataclass(frozen=True)
class Cell:
    """One place of a grid: its text, what a pointer over it is told, how it stands out.

    ``is_marked``: it is a witness and framed; ``is_masked``: nothing is accessed there, and it is struck
    through.
    """

    text: str
    path: str = ""
    is_marked: bool = False
    is_masked: bool = False


@dataclass(frozen=True)
class Colouring:
    """What the colour of a cell says: its class by row and column, none where it has no colour.

    ``told`` follows the name in the legend. A quantity goes from light to dark; of other classes each has a
    look of its own.
    """

    name: str
    class_of: Callable[[int, int], int | None]
    told: str = ""
    is_quantity: bool = False


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
    """A table of cells, coloured by the first of its colourings.

    The middle is left out beyond ``most`` rows and columns. ``marks`` and ``masks`` say what framed and
    masked cells are; ``offset`` is where a cell lies in memory, in elements, if it does.
    """

    title: str
    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cell: Callable[[int, int], Cell]
    colourings: tuple[Colouring, ...] = ()
    most: tuple[int, int] = (64, 64)
    marks: str = "the witness"
    masks: str = "nothing is there"
    offset: Callable[[int, int], int | None] | None = None
    by: Literal["threads", "banks", "elements"] = "elements"  # what its rows go through
    kind: ClassVar[str] = "grid"

    def path(self, row: int, column: int) -> str:
        """What a pointer over a cell is told, with its bank if it has one."""
        return _with_bank(self.cell(row, column).path, self.colourings, row, column)

    def class_of(self, row: int, column: int) -> int | None:
        """The class of a cell that its colour says."""
        return self.colourings[0].class_of(row, column) if self.colourings else None


@dataclass(frozen=True)
class Tile:
    """A matrix of elements in little room: a box for each run of neighbours that one owner holds.

    ``owner`` gives a number for each element (None: nobody), equal for elements of one box; ``text`` is what
    stands in a box, of its owner, first and last element, ``told`` what a pointer over an element is told.
    Where ``registers`` are the same for a whole row or column, they stand beside it. ``masks`` says what
    elements without owner are.
    """

    title: str
    rows: int
    columns: int
    owner: Callable[[int, int], int | None]
    text: Callable[[int, Place, Place], str]
    told: Callable[[int, int], str]
    colourings: tuple[Colouring, ...]
    axes: tuple[str, str] = ("", "")
    most: tuple[int, int] = (64, 64)
    offset: Callable[[int, int], int | None] | None = None
    registers: Callable[[int, int], int] | None = None
    masks: str = "nobody holds it"
    kind: ClassVar[str] = "tile"

    def path(self, row: int, column: int) -> str:
        """What a pointer over an element is told, with its bank if it has one."""
        return _with_bank(self.told(row, column), self.colourings, row, column)

    def class_of(self, row: int, column: int) -> int | None:
        """The class of an element that its colour says."""
        return self.colourings[0].class_of(row, column) if self.colourings else None


def _with_bank(told: str, colourings: tuple[Colouring, ...], row: int, column: int) -> str:
    banks = next((one for one in colourings if one.name == "bank"), None)
    bank = None if banks is None else banks.class_of(row, column)
    return told if bank is None or not told or "bank" in told else f"{told}, bank {bank}"


@dataclass(frozen=True)
class Tiles:
    """The operands of a product as they stand to each other: B above, A at the left, D between."""

    a: Tile
    b: Tile
    d: Tile
    kind: ClassVar[str] = "tile"


@dataclass(frozen=True)
class Steps:
    """Pictures of which a page shows one at a time, by name; elsewhere they follow each other."""

    name: str
    steps: tuple[tuple[str, Grid], ...]
    first: int = 0
    kind: ClassVar[str] = "steps"


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
    """A title and parts, which may be views themselves.

    ``is_row``: the parts stand side by side. ``more`` are parts that pictures leave out unless one asks for
    their kind; a page folds them, text has them all.
    """

    title: str
    parts: tuple[Part, ...] = ()
    more: tuple[Part, ...] = ()
    is_row: bool = False
    kind: ClassVar[str] = "view"


Part = Lines | Formulas | Grid | Tile | Tiles | Steps | Graph | Factors | Source | View
KINDS = ("graph", "grid", "threads", "banks", "tile", "tree", "formulas", "source")


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
    return View(view.title, parts, is_row=view.is_row)


def _kept(view: View, kind: str) -> list[Part]:
    found: list[Part] = []
    for part in (*view.parts, *view.more):
        if isinstance(part, View):
            inner = tuple(_kept(part, kind))
            found += [View(part.title, inner, is_row=part.is_row)] if inner else []
        elif kind in _kinds_of(part):
            found.append(part)
    return found


def _kinds_of(part: Part) -> tuple[str, ...]:
    """The names by which one may ask for a part."""
    match part:
        case Grid():
            return ("grid", part.by)
        case Steps():
            return ("grid", part.steps[0][1].by)
        case _:
            return (part.kind,) if not isinstance(part, View) else ()


def _kinds(view: View) -> list[str]:
    found = []
    for part in (*view.parts, *view.more):
        if isinstance(part, View):
            found += _kinds(part)
        elif not isinstance(part, Lines):
            found.append(_kinds_of(part)[0])
    return found

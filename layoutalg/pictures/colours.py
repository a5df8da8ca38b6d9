"""What colours may say, by name, and a view coloured by another of them.

- ``bank``: the bank of shared memory that a cell's offset lies in, of the element type and GPU asked for;
- ``lane``, ``wave``: who holds the element; ``register``: in which register of the holder;
- ``value``: the offset in memory, or the number that a thread holds, from light to dark;
- ``row``, ``column``: where the element stands; ``phase``: when the LDS serves the lane.

Each picture has a default: swizzled layouts the bank, other layouts the value, distributions, matrix
instructions and banks the lane, tile programs the wave.

>>> from layoutalg.pictures.view import view_of
>>> from layoutalg.layout import make_layout
>>> grid = coloured(view_of(make_layout((4, 8), (8, 1))), "bank", element="f32").parts[-1]
>>> grid.colourings[0].told, grid.class_of(3, 7)
('f32 on gfx942: 32 banks of 4 bytes', 31)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from layoutalg.data_type import DataType
from layoutalg.errors import LayoutError
from layoutalg.machine.lds import BYTES_PER_BANK, LdsPhases
from layoutalg.pictures.view import Colouring, Grid, Steps, Tile, Tiles, View
from layoutalg.reading.near_names import not_one_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from layoutalg.pictures.view import Part

__all__ = ["COLOUR_NAMES", "ELEMENT", "TARGET", "bank_colouring", "banks_of", "coloured", "colours_of"]

COLOUR_NAMES = ("bank", "lane", "wave", "value", "row", "column", "register", "phase")
ELEMENT, TARGET = "f16", "gfx942"
DWORD = 8 * BYTES_PER_BANK
Shown = TypeVar("Shown", Grid, Tile)


def banks_of(element: str = "", target: str = "") -> tuple[int, int]:
    """The bits of an element type and the banks of a GPU; refused where there is no such.

    >>> banks_of("f8", "gfx950"), banks_of()
    ((8, 64), (16, 32))
    """
    return DataType.named(element or ELEMENT).bits, LdsPhases.of(target or TARGET, "read", DWORD).banks


def bank_colouring(
    offset: Callable[[int, int], int | None], element: str = ELEMENT, target: str = TARGET
) -> Colouring:
    """The bank of each cell, of the first dword that its element touches."""
    bits, banks = banks_of(element, target)

    def bank(row: int, column: int) -> int | None:
        at = offset(row, column)
        return None if at is None else at * bits // DWORD % banks

    return Colouring("bank", bank, f"{element} on {target}: {banks} banks of {BYTES_PER_BANK} bytes")


def coloured(view: View, name: str | None = None, element: str = "", target: str = "") -> View:
    """The view with every picture that can be coloured so; without a name only element and GPU change.

    Refused where no picture of the view has that colour.
    """
    if name is not None and name not in COLOUR_NAMES:
        raise not_one_of("a colour", name, COLOUR_NAMES)
    banks_of(element, target)
    having = colours_of(view)
    if name is not None and name not in having:
        hint = f"colours of it are {', '.join(having)}" if having else "nothing in it is coloured"
        raise LayoutError(f"there is no {name} in this picture to colour by", hint=hint)
    asked = (element or ELEMENT, target or TARGET) if element or target else None
    return _view(view, lambda grid: _first(grid, name, asked))


def colours_of(view: View) -> tuple[str, ...]:
    """By what the pictures of a view can be coloured.

    >>> from layoutalg.pictures.view import view_of
    >>> from layoutalg.layout import make_layout
    >>> colours_of(view_of(make_layout((4, 8))))
    ('value', 'bank', 'row', 'column')
    """
    return tuple(dict.fromkeys(_names(view)))


def _view(view: View, change: Callable[[Any], Any]) -> View:
    parts, more = (tuple(_part(part, change) for part in parts) for parts in (view.parts, view.more))
    return replace(view, parts=parts, more=more)


def _part(part: Part, change: Callable[[Any], Any]) -> Part:
    match part:
        case Grid() | Tile():
            return change(part)
        case Tiles():
            changed = {name: change(getattr(part, name)) for name in ("a", "b", "d")}
            return replace(part, **changed)
        case Steps():
            steps = tuple((name, change(grid)) for name, grid in part.steps)
            return replace(part, steps=steps)
        case View():
            return _view(part, change)
    return part


def _first(grid: Shown, name: str | None, asked: tuple[str, str] | None) -> Shown:
    """The colouring of this name put first; banks anew where an element type or a GPU is asked for."""
    found: list[Colouring] = list(grid.colourings)
    if grid.offset is not None and asked is not None:
        banks = bank_colouring(grid.offset, *asked)
        found = [
            replace(one, class_of=banks.class_of, told=_told(one, banks)) if one.name == "bank" else one
            for one in found
        ]
    return replace(grid, colourings=tuple(sorted(found, key=lambda one: one.name != name)))


def _told(old: Colouring, new: Colouring) -> str:
    """What is told of the new banks, and what was told of the old ones besides."""
    _, sign, more = old.told.partition("; ")
    return f"{new.told}{sign}{more}"


def _names(view: View) -> Iterator[str]:
    for part in (*view.parts, *view.more):
        match part:
            case View():
                yield from _names(part)
            case Grid() | Tile():
                yield from (one.name for one in part.colourings)
            case Tiles():
                yield from (one.name for one in part.d.colourings)
            case Steps():
                yield from (one.name for one in part.steps[0][1].colourings)

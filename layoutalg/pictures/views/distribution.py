"""Tile distributions: the tree of factors, closed forms, threads to elements and elements to threads."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from layoutalg.distribution import (
    TileDistribution,
    TileDistributionEncoding,
    cpp_text,
    make_static_tile_distribution,
)
from layoutalg.pictures.view import (
    Cell,
    Colouring,
    Factors,
    Formulas,
    Grid,
    Lines,
    Place,
    Tile,
    View,
    view_of,
)
from layoutalg.reading.input_limits import ENCODING_ELEMENTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["distribution_view", "element_grids", "thread_grid", "tiles_of"]

MOST_PLANES = 2
MOST = (64, 32)
MOST_TILE = (32, 64)
WAVE = 64  # lanes of a wave where no P tells waves apart


@view_of.register
def encoding_view(encoding: TileDistributionEncoding) -> View:
    """What is shown of the distribution it means."""
    return distribution_view(make_static_tile_distribution(encoding))


@view_of.register
def distribution_view(made: TileDistribution) -> View:
    r"""The whole picture; of symbolic lengths only the tree and the closed form.

    >>> from layoutalg.distribution import make_static_tile_distribution, read_encoding
    >>> from layoutalg.pictures.as_text import as_text
    >>> print(as_text(distribution_view(make_static_tile_distribution(read_encoding(
    ...     "tile_distribution_encoding<sequence<>, tuple<sequence<2, 2>, sequence<2>>, "
    ...     "tuple<sequence<1, 2>>, tuple<sequence<1, 0>>, sequence<1>, sequence<0>>"
    ... )))))
    tile (4, 2), 4 lanes, 2 registers of a thread (Y = (2))
    tile_distribution_encoding<sequence<>, tuple<sequence<2, 2>, sequence<2>>, tuple<sequence<1, 2>>,
    tuple<sequence<1, 0>>, sequence<1>, sequence<0>>
    X0 = 4 = Y0:2 * lane:2
    X1 = 2 = lane:2
    x0 = 2*y0 + lane // 2
    x1 = lane % 2
    <BLANKLINE>
    thread -> elements, by register
    lane   r0  r1
       0  0,0 2,0
       1  0,1 2,1
       2  1,0 3,0
       3  1,1 3,1
    <BLANKLINE>
    element -> lane:register
    x0\x1    0   1
        0  0:0 1:0
        1  2:0 3:0
        2  0:1 1:1
        3  2:1 3:1
    """
    forms = Formulas(tuple((f"x{x}", form) for x, form in enumerate(made.x)))
    head = (Lines((cpp_text(made.encoding),)), Factors(made), forms)
    if made.encoding.free_symbols:
        return View(_title(made), head)
    return View(_title(made), (*head, *tiles_of(made)), (thread_grid(made), *element_grids(made)))


def _title(made: TileDistribution) -> str:
    threads = ", ".join(f"{n} {p}s" for n, p in zip(made.p_lengths, made.ps, strict=True)) or "one thread"
    registers = f"{made.ys_to_d.element_space_size} registers of a thread (Y = {_tuple(made.y_lengths)})"
    copies = "" if made.copies == 1 else f", {made.copies} copies of each element"
    return f"tile {_tuple(made.lengths)}, {threads}, {registers}{copies}"


def _held(made: TileDistribution) -> NDArray[np.int64]:
    """The element by thread, register and dimension."""
    threads, registers = (list(map(int, lengths)) for lengths in (made.p_lengths, made.y_lengths))
    ENCODING_ELEMENTS.check(math.prod(threads) * math.prod(registers))
    ps = np.indices(threads).reshape(len(threads), math.prod(threads))[:, :, np.newaxis]
    ys = np.indices(registers).reshape(len(registers), math.prod(registers))[:, np.newaxis]
    shape = (math.prod(threads), math.prod(registers))
    return np.stack([np.broadcast_to(x, shape) for x in made.element(tuple(ps), tuple(ys))], axis=-1)


def thread_grid(made: TileDistribution) -> Grid:
    """Rows are threads, columns their registers, cells elements of the tile."""
    held = _held(made)
    who = ",".join(map(str, made.ps))
    rows = tuple(_place(made, thread) for thread in range(len(held)))
    columns = tuple(f"r{register}" for register in range(held.shape[1]))

    def cell(thread: int, register: int) -> Cell:
        element = ",".join(map(str, held[thread, register]))
        return Cell(element, f"{who} {rows[thread]}, register {register} → element ({element})")

    colourings = (
        *_of_holders(made, lambda thread, register: (thread, register)),
        Colouring("row", lambda thread, register: int(held[thread, register, 0]), "x0 of the element"),
    )
    return Grid("thread -> elements, by register", who, rows, columns, cell, colourings, MOST, by="threads")


def _of_holders(
    made: TileDistribution, holder: Callable[[int, int], tuple[int, int] | None]
) -> tuple[Colouring, ...]:
    """Who holds a cell: the lane, the wave if there are several, the register."""
    lanes = int(made.p_lengths[-1]) if len(made.p_lengths) > 1 else WAVE
    threads = math.prod(map(int, made.p_lengths))

    def of(number: Callable[[int, int], int]) -> Callable[[int, int], int | None]:
        def found(row: int, column: int) -> int | None:
            held = holder(row, column)
            return None if held is None else number(*held)

        return found

    many = f"of {threads // lanes} waves" if threads > lanes else ""
    colourings = [Colouring("lane", of(lambda thread, _: thread % lanes), many)]
    colourings += [Colouring("wave", of(lambda thread, _: thread // lanes))] if threads > lanes else []
    return (*colourings, Colouring("register", of(lambda _, register: register)))


def element_grids(made: TileDistribution) -> Iterator[Grid]:
    """The last two dimensions of the tile, cells who holds the element and where."""
    owners = _owners(made)
    lengths = list(map(int, made.lengths))
    names = [f"x{i}" for i in range(len(lengths))]
    who = ",".join(map(str, made.ps))
    head = f"element -> {who}:register{_first_of(made)}"
    planes = list(itertools.product(*map(range, lengths[:-2])))
    for plane in planes[:MOST_PLANES]:
        where = ", ".join(f"{name} = {value}" for name, value in zip(names, plane, strict=False))

        def cell(row: int, column: int, plane: tuple[int, ...] = plane) -> Cell:
            index = (*plane, row, column)[-len(lengths) :]
            if index not in owners:
                return Cell("-", is_masked=True)
            thread, register = owners[index]
            place = f"{_place(made, thread)}:{register}"
            return Cell(place, f"element {index} → {who} {_place(made, thread)}, register {register}")

        def holder(row: int, column: int, plane: tuple[int, ...] = plane) -> tuple[int, int] | None:
            return owners.get((*plane, row, column)[-len(lengths) :])

        rows = tuple(map(str, range(lengths[-2]))) if len(lengths) > 1 else ("",)
        title = f"{head}{', ' * bool(where)}{where}{_of_planes(len(planes))}"
        colourings = (*_of_holders(made, holder), Colouring("row", lambda row, _: row))
        yield Grid(
            title, "\\".join(names[-2:]), rows, tuple(map(str, range(lengths[-1]))), cell, colourings, MOST
        )


def tiles_of(made: TileDistribution) -> Iterator[Tile]:
    """The tile in little room: the last two dimensions, a box for each thread's run of neighbours."""
    owners, lengths = _owners(made), list(map(int, made.lengths))
    who, names = ",".join(map(str, made.ps)), [f"x{i}" for i in range(len(lengths))]
    if not lengths:
        return
    plane = (0,) * len(lengths[:-2])

    def held(row: int, column: int) -> tuple[int, int] | None:
        return owners.get((*plane, row, column)[-len(lengths) :])

    def owner(row: int, column: int) -> int | None:
        found = held(row, column)
        return None if found is None else found[0]

    def path(row: int, column: int) -> str:
        found, element = held(row, column), (*plane, row, column)[-len(lengths) :]
        if found is None:
            return f"element {element}: nobody"
        return f"element {element} → {who} {_place(made, found[0])}, register {found[1]}"

    of = "".join(f", {name} = 0" for name, _ in zip(names, plane, strict=False))
    title = f"tile: {who}:registers of each run of neighbours{_first_of(made)}{of}"
    axes = (names[-2], names[-1]) if lengths[1:] else ("", names[-1])
    rows = lengths[-2] if lengths[1:] else 1
    colourings = (*_of_holders(made, held), Colouring("row", lambda row, _: row))

    def text(thread: int, first: Place, last: Place) -> str:
        registers = [found[1] for found in (held(*first), held(*last)) if found is not None]
        return f"{_place(made, thread)}:{'-'.join(map(str, dict.fromkeys(registers)))}"

    yield Tile(title, rows, lengths[-1], owner, text, path, colourings, axes, MOST_TILE)


def _owners(made: TileDistribution) -> dict[tuple[int, ...], tuple[int, int]]:
    """The first thread and register that hold an element."""
    held = _held(made)
    owners: dict[tuple[int, ...], tuple[int, int]] = {}
    for (thread, register), element in zip(
        itertools.product(*map(range, held.shape[:2])),
        map(tuple, held.reshape(-1, held.shape[2]).tolist()),
        strict=True,
    ):
        owners.setdefault(element, (thread, register))
    return owners


def _of_planes(count: int) -> str:
    return f" ({count - MOST_PLANES} of {count} planes are left out)" if count > MOST_PLANES else ""


def _first_of(made: TileDistribution) -> str:
    return "" if made.copies == 1 else f" (the first of {made.copies} that hold it)"


def _place(made: TileDistribution, thread: int) -> str:
    """A thread's P, from its number counted with the last one fastest."""
    found: list[int] = []
    for length in reversed(list(map(int, made.p_lengths))):
        thread, place = divmod(thread, length)
        found.append(place)
    return ",".join(map(str, reversed(found)))


def _tuple(values: Any) -> str:
    return f"({', '.join(map(str, values))})"

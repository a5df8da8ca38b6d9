"""Steps of tile programs: thread buffers, and the tile with who holds what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from layoutalg.pictures.view import Cell, Colouring, Grid, Lines, Part, View, view_of
from layoutalg.tile.numpy_machine import LANES
from layoutalg.tile.steps import Step

__all__ = ["step_view"]

MOST = (32, 32)


@view_of.register
def step_view(step: Step) -> View:
    """What is accessed; what each thread holds, place by place; and the tile, coloured by wave."""
    parts: list[Part] = [Lines(tuple(f"window {one}" for one in step.windows))] if step.windows else []
    if step.tile is not None:
        tiles = (_tile(step),) if step.index.shape[-1] == 2 else ()
        parts.append(View("", (_thread_buffers(step), *tiles), is_row=True))
    return View(str(step), tuple(parts))


def _thread_buffers(step: Step) -> Grid:
    threads, places = step.buffers.shape

    def cell(thread: int, place: int) -> Cell:
        index = ", ".join(map(str, step.index[thread, place].tolist()))
        told = f"thread {thread}, place {place}: element ({index})"
        return Cell(_text(step, thread, place), told)

    colourings = _colourings(step, lambda thread, place: (thread, place))
    rows, columns = (tuple(map(str, range(count))) for count in (threads, places))
    return Grid("thread buffers", "thread", rows, columns, cell, colourings, MOST, by="threads")


def _tile(step: Step) -> Grid:
    """The tile by its indices; of threads with the same element the first is named."""
    assert step.tile is not None
    holders: dict[tuple[int, int], tuple[int, int]] = {}
    for thread, place in np.ndindex(*step.buffers.shape):
        row, column = step.index[thread, place].tolist()
        holders.setdefault((row, column), (thread, place))

    def cell(row: int, column: int) -> Cell:
        if (row, column) not in holders:
            return Cell("", is_masked=True)
        thread, place = holders[row, column]
        told = f"element ({row}, {column}): thread {thread}, place {place}"
        return Cell(_text(step, thread, place), told)

    def holder(row: int, column: int) -> tuple[int, int] | None:
        return holders.get((row, column))

    rows, columns = (tuple(map(str, range(int(length)))) for length in step.tile.lengths)
    return Grid("tile, by its first holders", "row", rows, columns, cell, _colourings(step, holder), MOST)


def _colourings(step: Step, holder: Callable[[int, int], tuple[int, int] | None]) -> tuple[Colouring, ...]:
    """Wave, lane and place of who holds a cell, and the number in it."""

    def of(number: Callable[[int, int], int | None]) -> Callable[[int, int], int | None]:
        def found(row: int, column: int) -> int | None:
            held = holder(row, column)
            return None if held is None else number(*held)

        return found

    return (
        Colouring("wave", of(lambda thread, _: thread // LANES)),
        Colouring("lane", of(lambda thread, _: thread % LANES)),
        Colouring("register", of(lambda _, place: place), "place in the thread's buffer"),
        Colouring(
            "value",
            of(lambda thread, place: _whole(step.buffers[thread, place])),
            "what is held",
            is_quantity=True,
        ),
        Colouring("row", of(lambda thread, place: int(step.index[thread, place, 0]))),
    )


def _whole(number: Any) -> int | None:
    """A number to colour by; none for what is not a number."""
    return int(number.item()) if np.isfinite(number.item()) else None


def _text(step: Step, thread: int, place: int) -> str:
    return f"{step.buffers[thread, place].item():.6g}"

"""Steps of tile programs: thread buffers, and the tile with who holds what."""

from __future__ import annotations

import numpy as np

from layoutalg.pictures.view import Cell, Grid, Lines, Part, View, view_of
from layoutalg.tile.numpy_machine import LANES
from layoutalg.tile.steps import Step

__all__ = ["step_view"]


@view_of.register
def step_view(step: Step) -> View:
    """What is accessed; what each thread holds, place by place; and the tile, coloured by wave."""
    parts: list[Part] = [Lines(tuple(f"window {one}" for one in step.windows))] if step.windows else []
    if step.tile is not None:
        parts.append(_thread_buffers(step))
        if step.index.shape[-1] == 2:
            parts.append(_tile(step))
    return View(str(step), tuple(parts))


def _thread_buffers(step: Step) -> Grid:
    threads, places = step.buffers.shape

    def cell(thread: int, place: int) -> Cell:
        index = ", ".join(map(str, step.index[thread, place].tolist()))
        told = f"thread {thread}, place {place}: element ({index})"
        return Cell(_text(step, thread, place), thread // LANES, told)

    rows, columns = (tuple(map(str, range(count))) for count in (threads, places))
    return Grid("thread buffers", "thread", rows, columns, cell, legend="colour: wave", by="threads")


def _tile(step: Step) -> Grid:
    """The tile by its indices; of threads with the same element the first is named."""
    assert step.tile is not None
    holders: dict[tuple[int, int], tuple[int, int]] = {}
    for thread, place in np.ndindex(*step.buffers.shape):
        row, column = step.index[thread, place].tolist()
        holders.setdefault((row, column), (thread, place))

    def cell(row: int, column: int) -> Cell:
        if (row, column) not in holders:
            return Cell("")
        thread, place = holders[row, column]
        return Cell(_text(step, thread, place), thread // LANES, f"thread {thread}, place {place}")

    rows, columns = (tuple(map(str, range(int(length)))) for length in step.tile.lengths)
    return Grid("tile", "row", rows, columns, cell, legend="colour: wave of the first holder")


def _text(step: Step, thread: int, place: int) -> str:
    return f"{step.buffers[thread, place].item():.6g}"

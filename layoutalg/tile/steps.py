"""A run step by step: what threads hold after each statement, where windows stand, and the phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from layoutalg.display import Displayed
from layoutalg.tile.elements import Element
from layoutalg.tile.tensors import StaticDistributedTensor
from layoutalg.tile.tile_accesses import Access

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from layoutalg.tile.numpy_machine import Machine
    from layoutalg.tile.tile_program import TileProgram
    from layoutalg.tile.trace import Statement

__all__ = ["Step", "steps_of"]

CHANGED = ("target", "tile", "c")  # what statements call the tile that they change, or store


@dataclass(frozen=True)
class Step(Displayed):
    """One statement of a run: notebooks show thread buffers and tile, as they are after it.

    ``turns``: of the loops around, by name; ``phase``: syncs of the workgroup so far, and 1; ``buffers``:
    numbers ``[thread, place]``, of ``tile``; ``index``: where in the tile each lies, ``[thread, place,
    dimension]``; ``windows``: where the windows stand that are accessed. Empty where there is no tile.
    """

    word: str
    turns: Mapping[str, int]
    phase: int
    tile: StaticDistributedTensor | None
    buffers: NDArray[Any]
    index: NDArray[Any]
    windows: tuple[str, ...] = ()

    def __str__(self) -> str:
        turns = "".join(f", {name} = {turn}" for name, turn in self.turns.items())
        told = "" if self.tile is None else f": tile {self.tile.number} of {self.tile.kind.name}"
        return f"{self.word}{told} (phase {self.phase}{turns})"


def steps_of(program: TileProgram, workgroup: int = 0, **given: Any) -> list[Step]:
    """Run one workgroup of a program, statement by statement; ``given`` as for ``program.run``.

    >>> from layoutalg.distribution import TileDistributionEncoding
    >>> from layoutalg.tile import *
    >>> rows = TileDistributionEncoding((), ((64,), (2,)), ((1,),), ((0,),), (2,), (0,))
    >>> @tile_program(block_size=64)
    ... def doubled(x: pointer("f32"), y: pointer("f32", is_output=True)):
    ...     source, target = (make_naive_tensor_view_packed(one, (64, 2), 2) for one in (x, y))
    ...     tile = load_tile(make_tile_window(source, (64, 2), (0, 0), rows))
    ...     store_tile(make_tile_window(target, (64, 2), (0, 0)), tile_elementwise_in(lambda a: a + a, tile))
    >>> steps = steps_of(doubled, x=np.arange(128, dtype=np.float32), y=np.zeros(128, np.float32))
    >>> [str(step) for step in steps[:2]]
    ['Load: tile 0 of f32 (phase 1)', 'Elementwise: tile 1 of f32 (phase 1)']
    >>> steps[1].buffers[3], steps[1].index[3].tolist()
    (array([12., 14.], dtype=float32), [[3, 0], [3, 1]])
    >>> steps[2].windows
    ('64x2 at (0, 0) of y',)
    """
    found: list[Step] = []
    program.run(
        workgroups=[workgroup], watch=lambda done, machine: found.append(_step(done, machine)), **given
    )
    return found


def _step(statement: Statement, machine: Machine) -> Step:
    tile = next((getattr(statement, name) for name in CHANGED if hasattr(statement, name)), None)
    accesses = [one for one in vars(statement).values() if isinstance(one, Access)]
    turns = {n: int(at) for n, at in machine.names.items() if n.startswith("turn_")}
    windows = tuple(_window(one, machine) for one in accesses)
    word = type(statement).__name__
    if tile is None or tile.number not in machine.tiles:
        return Step(word, turns, machine.epoch, None, np.zeros((0, 0)), np.zeros((0, 0, 0), int), windows)
    numbers = Element("argument", (0,), tile.kind).value({0: machine.tiles[tile.number][0]})
    return Step(word, turns, machine.epoch, tile, numbers.copy(), machine.x_of(tile.distribution), windows)


def _window(access: Access, machine: Machine) -> str:
    lengths = "x".join(map(str, access.window.lengths))
    origin = ", ".join(str(int(machine.number(one)[0])) for one in access.origin)
    return f"{lengths} at ({origin}) of {access.view.buffer.name}"

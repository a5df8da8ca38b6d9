"""Whether waves come to the LDS in an order: what is read was written, and a sync lies between.

Offsets in the LDS hang on lane, wave and turn alone, of turns on whether they are even: so all there is can
be tried. Loops are gone through none to four times. Where offsets hang on more, nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count, product
from typing import TYPE_CHECKING

import numpy as np
import sympy

from layoutalg.data_type import DataType
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index.evaluate import evaluate
from layoutalg.rules import simplify
from layoutalg.tile.numpy_machine import Machine
from layoutalg.tile.reductions import ReduceWaves
from layoutalg.tile.tile_accesses import Access, AsyncLoad, BlockSync, Load, Store
from layoutalg.tile.trace import Loop, Statement

if TYPE_CHECKING:
    from layoutalg.tile.tile_program import TileProgram

__all__ = ["LdsOrder", "lds_order"]

COUNTED = DataType.named("f64")  # holds numbers below 2**53
MOST_TURNS = 4
PERIOD = 2


@dataclass(frozen=True)
class LdsOrder:
    """``faults``: what goes wrong, in words; ``undecided``: why nothing is said of all launches."""

    faults: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()


def lds_order(program: TileProgram) -> LdsOrder:
    """What is found by going through the program's accesses to the LDS."""
    loops = list(_loops(program.statements))
    open_ones = tuple(dict.fromkeys(_undecided(program.statements, ())))
    faults: dict[str, None] = {}
    for turns in product(*(_turns(loop, program.domain) for loop in loops)):
        chosen = {loop.turn.name: often for loop, often in zip(loops, turns, strict=True)}
        machine = Machine(program.block_size, (1, 1, 1), np.array([0]), {})
        try:
            _go(program.statements, machine, chosen, count(1))
        except LayoutError as error:
            faults[error.message] = None
    return LdsOrder(tuple(faults), open_ones)


def _loops(statements: Iterable[Statement]) -> Iterator[Loop]:
    for statement in statements:
        if isinstance(statement, Loop):
            yield statement
            yield from _loops(statement.body)


def _turns(loop: Loop, domain: Domain) -> list[int]:
    """How often a loop is gone through: as often as it can be, up to a few times."""
    if not loop.count.free_symbols:
        return [min(int(loop.count), MOST_TURNS)]
    can_be_none = simplify(sympy.Integer(1) - loop.count, domain, assume_defined=True).expr != 0
    least = 1
    if can_be_none:
        smallest = {v.name: int(v.lower or 0) for v in domain.parameters}
        least = min(1, int(evaluate(loop.count, smallest)))
    return list(range(least, MOST_TURNS + 1))


def _accesses(statement: Statement) -> Iterator[tuple[Access, bool]]:
    """Accesses to the LDS, and whether they write."""
    match statement:
        case Load():
            found = [(statement.access, False)]
        case Store():
            found = [(statement.access, True)]
        case AsyncLoad():
            found = [(statement.into, True)]
        case _:
            found = []
    yield from ((access, writes) for access, writes in found if access.view.buffer.space == "lds")


def _undecided(statements: Iterable[Statement], turns: tuple[sympy.Symbol, ...]) -> Iterator[str]:
    """Accesses of which trying a few turns says nothing."""
    for statement in statements:
        if isinstance(statement, Loop):
            yield from _undecided(statement.body, (*turns, statement.turn))
        for access, _ in _accesses(statement):
            parts = [sympy.sympify(one) for one in access.origin]
            free = {symbol for part in parts for symbol in part.free_symbols}
            if free - set(turns) or access.view.descriptor.free_symbols:
                yield f"{access.view.buffer.name}: offsets hang on {', '.join(sorted(map(str, free)))}"
            domain = Domain.of(dict.fromkeys(turns, (0, 1 << 20)))
            for turn in (t for t in turns if t in free):
                gaps = [part.xreplace({turn: turn + PERIOD}) - part for part in parts]
                if any(simplify(gap, domain, assume_defined=True).expr != 0 for gap in gaps):
                    yield f"{access.view.buffer.name}: offsets differ in more than every other turn"


def _go(
    statements: Iterable[Statement], machine: Machine, turns: dict[str, int], numbers: Iterator[int]
) -> None:
    for statement in statements:
        match statement:
            case Loop():
                for turn in range(turns[statement.turn.name]):
                    machine.names[statement.turn.name] = turn
                    _go(statement.body, machine, turns, numbers)
            case BlockSync() | ReduceWaves():
                machine.epoch += 1
        for access, writes in _accesses(statement):
            _touch(access, machine, next(numbers), writes=writes)


def _touch(access: Access, machine: Machine, number: int, *, writes: bool) -> None:
    """Read or write all elements; a number tells each element of a store from all others.

    ``number``: of the store among all that happen.
    """
    offset, valid = access.offsets(machine)
    places = np.array(access.places)
    at = offset[..., None] + np.arange(places.shape[1])
    inside = np.broadcast_to(valid[..., None], at.shape)
    memory = machine.memory(replace(access.view.buffer, kind=COUNTED))
    if not writes:
        memory.load(at[inside], machine.accessors(inside))
        return
    x = machine.x_of(access.distribution)[:, places]
    lengths = [int(length) for length in access.distribution.lengths]
    numbers = np.ravel_multi_index(tuple(np.moveaxis(x, -1, 0)), lengths) + number * math.prod(lengths)
    told = np.broadcast_to(numbers[None].astype(memory.numbers.dtype), at.shape)
    memory.store(at[inside], told[inside], machine.accessors(inside))

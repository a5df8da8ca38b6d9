"""A program while it is written down: its statements, loop by loop, and what is alive where.

A program is a Python function that is called once. The words that it says (``load_tile``, ``store_tile``,
...) become statements; workgroup, sizes and turns of loops stay symbols. What is written down is run on
NumPy, proved, and printed as HIP.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import sympy
from sympy import Expr, Symbol

from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.length import stride

if TYPE_CHECKING:
    from layoutalg.tile.numpy_machine import Machine

__all__ = ["Loop", "Scope", "Statement", "Trace", "current_trace", "run_all", "tile_loop", "tracing"]

# Parts of a result that lanes, or waves, hold are joined by these words.
JOINED_BY = {"lanes": "block_tile_reduce_sync", "waves": "block_reduce_cross_warp_sync"}

Scope = tuple[int, ...]  # the bodies that are open, outermost first


class Statement(Protocol):
    """One step of a program."""

    def run(self, machine: Machine) -> None:
        """What it does, for all threads of all workgroups at once."""


class Movable(Protocol):
    """Something that stands somewhere else after a turn: a window."""

    origin: tuple[Any, ...]


@dataclass
class Trace:
    """What is written down so far; ``body``: the statements of the innermost loop that is open.

    ``partial``: tiles of which ``lanes`` or ``waves`` hold parts of a result that is to be joined.
    """

    block_size: int
    domain: Domain
    body: list[Statement] = field(default_factory=list)
    scope: Scope = ()
    windows: list[Movable] = field(default_factory=list)
    lds_bytes: int = 0
    lds: list[Any] = field(default_factory=list)
    tiles: int = 0
    turns: int = 0
    partial: dict[int, frozenset[str]] = field(default_factory=dict)
    _bodies: int = 0

    def becomes_partial(self, tile: int, sources: Iterable[int]) -> None:
        """A tile that is made anew holds parts of a result where a source of it does; else it is whole."""
        self.partial[tile] = frozenset().union(*(self.partial.get(one, frozenset()) for one in sources))

    def require_whole(self, word: str, *tiles: int) -> None:
        """Refuse tiles that hold parts of a result which nobody joined; ``word`` is what reads them."""
        parts = frozenset().union(*(self.partial.get(one, frozenset()) for one in tiles))
        if parts:
            hint = " and ".join(f"{JOINED_BY[part]}(tile, f)" for part in sorted(parts))
            raise LayoutError(f"{word}: {' and '.join(sorted(parts))} hold parts of a result", hint=hint)

    def add(self, statement: Statement) -> None:
        """Write a statement down."""
        self.body.append(statement)

    def new_tile(self) -> int:
        """A number for a tile."""
        self.tiles += 1
        return self.tiles - 1

    def require_alive(self, scope: Scope, what: str) -> None:
        """Refuse what was made in a turn that is over."""
        if self.scope[: len(scope)] != scope:
            msg = f"{what} was made in a turn of a loop that is over"
            raise LayoutError(msg, hint="make it before the loop, and assign to it inside: tile.assign(...)")

    @contextmanager
    def open_body(self) -> Iterator[list[Statement]]:
        """The statements of a loop's body."""
        outer, scope, windows = self.body, self.scope, len(self.windows)
        self._bodies += 1
        self.body, self.scope = [], (*scope, self._bodies)
        try:
            yield self.body
        finally:
            self.body, self.scope = outer, scope
            del self.windows[windows:]


@dataclass(frozen=True)
class Loop:
    """A body that is run ``count`` times; ``turn`` counts from 0."""

    turn: Symbol
    count: Expr
    body: tuple[Statement, ...]

    def run(self, machine: Machine) -> None:
        for turn in range(machine.same_number(self.count, "the number of turns of a loop")):
            machine.names[self.turn.name] = turn
            run_all(self.body, machine)
        machine.names.pop(self.turn.name, None)


def run_all(statements: Iterable[Statement], machine: Machine) -> None:
    """Run statements one after the other; who watches is told of each, of those in loops turn by turn."""
    for statement in statements:
        statement.run(machine)
        if machine.watch is not None and not isinstance(statement, Loop):
            machine.watch(statement, machine)


_TRACE: ContextVar[Trace | None] = ContextVar("trace", default=None)


@contextmanager
def tracing(trace: Trace) -> Iterator[Trace]:
    """Inside, words are written down here."""
    token = _TRACE.set(trace)
    try:
        yield trace
    finally:
        _TRACE.reset(token)


def current_trace() -> Trace:
    """The program that is being written down."""
    found = _TRACE.get()
    if found is None:
        hint = "write the words in a function under @tile_program"
        raise LayoutError("CK Tile's words are said inside of a tile program", hint=hint)
    return found


def tile_loop(count: Any) -> Iterator[Symbol]:
    """The turns of a loop: what stands under ``for turn in ...`` is repeated so often.

    The body is written down twice: to see how far windows move in a turn, then with windows that stand where
    they do in turn ``turn``. Windows have to move by the same step in every turn.
    """
    trace, turns = current_trace(), stride(count, "tile_loop: count")
    if any(one.name.startswith("workgroup_") for one in sympy.sympify(turns).free_symbols):
        hint = "as many turns as any workgroup needs, and set_tile_if masks what is too much"
        raise LayoutError(f"tile_loop: wanted as many turns in all workgroups, got {turns}", hint=hint)
    turn = sympy.Symbol(f"turn_{trace.turns}", integer=True, nonnegative=True)
    trace.turns += 1
    windows = list(trace.windows)
    starts = [window.origin for window in windows]
    with trace.open_body():
        yield turn
    steps = []
    for window, start in zip(windows, starts, strict=True):
        step = tuple(sympy.expand(after - before) for after, before in zip(window.origin, start, strict=True))
        if any(turn in one.free_symbols for one in step):
            raise LayoutError(f"tile_loop: a window moves by {step}, another step in each turn")
        steps.append(step)
    _put(windows, starts, steps, turn)
    with trace.open_body() as body:
        yield turn
    trace.add(Loop(turn, sympy.sympify(turns), tuple(body)))
    _put(windows, starts, steps, turns)


def _put(windows: list[Movable], starts: list[Any], steps: list[Any], times: Any) -> None:
    for window, start, step in zip(windows, starts, steps, strict=True):
        window.origin = tuple(begin + times * far for begin, far in zip(start, step, strict=True))

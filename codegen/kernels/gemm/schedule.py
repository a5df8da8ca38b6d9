"""The order of a workgroup's work along K, and why no wave reads what another has not stored.

A step is of the tile of its turn of the loop, or of one ``ahead`` of it. Time is counted in barriers: what
happens between the same two barriers may happen in any order between waves.

>>> schedule("prefetch")
Schedule: load+0 | store+0 barrier load+1 multiply+0 barrier
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError

__all__ = ["SCHEDULES", "Schedule", "Step", "schedule"]


@dataclass(frozen=True)
class Step:
    """``load`` from global memory, ``store`` to LDS, ``multiply`` out of LDS, or a ``barrier``."""

    what: str
    ahead: int = 0

    def __str__(self) -> str:
        return self.what if self.what == "barrier" else f"{self.what}+{self.ahead}"


LOAD, STORE, BARRIER, MULTIPLY = Step("load"), Step("store"), Step("barrier"), Step("multiply")
NEXT_LOAD, NEXT_STORE = Step("load", 1), Step("store", 1)


@dataclass(frozen=True)
class Schedule:
    """Steps before the loop, steps of a turn, and how many tiles of each operand LDS holds."""

    before: tuple[Step, ...]
    turn: tuple[Step, ...]
    buffers: int = 1

    def __post_init__(self) -> None:
        wanted = tuple(Step(step.what) for step in self.turn if step.ahead)
        if any(step.ahead > 1 for step in self.turn) or self.before != wanted:
            msg = "a schedule: wanted before the loop what its turns do one tile ahead,"
            raise LayoutError(f"{msg} {wanted}; got {self.before}")

    def __str__(self) -> str:
        before = " ".join(map(str, self.before)) or "nothing"
        return f"Schedule: {before} | {' '.join(map(str, self.turn))}"

    __repr__ = __str__

    @property
    def has_prefetch(self) -> bool:
        """Whether tiles are loaded ahead of their turn."""
        return NEXT_LOAD in self.turn

    def claims(self) -> tuple[Claim, ...]:
        """What makes the order right: stored before read, read before overwritten; the same for registers."""
        tile = Symbol("tile", integer=True, nonnegative=True)
        domain = Domain((Variable(tile, sympy.Integer(0), None),))
        between = [
            Comparison(end, "<", start)
            for first, second, later in (("store", "multiply", 0), ("multiply", "store", self.buffers))
            for end in self._times(first, tile, barriers=True)
            for start in self._times(second, tile + later, barriers=True)
        ]
        ordered = [
            Comparison(end, "<", start)
            for first, second, later in (("load", "store", 0), ("store", "load", 1))
            for end in self._times(first, tile, barriers=False)
            for start in self._times(second, tile + later, barriers=False)
        ]
        return (
            Claim("barrier between", "tiles in LDS", domain, tuple(between)),
            Claim("in order", "tiles in registers", domain, tuple(ordered)),
        )

    def _times(self, what: str, tile: Expr, *, barriers: bool) -> Iterator[Expr]:
        """When a tile's step happens, in barriers or in steps since the loop began; before it, below 0."""
        size = self._count(self.turn, barriers)
        for position, step in enumerate(self.turn):
            if step.what == what:
                yield size * (tile - step.ahead) + self._count(self.turn[:position], barriers)

    @staticmethod
    def _count(steps: tuple[Step, ...], barriers: bool) -> int:  # noqa: FBT001  one of two clocks
        return sum(step.what == "barrier" for step in steps) if barriers else len(steps)


SCHEDULES: dict[str, Schedule] = {
    "simple": Schedule((), (LOAD, BARRIER, STORE, BARRIER, MULTIPLY)),
    "prefetch": Schedule((LOAD,), (STORE, BARRIER, NEXT_LOAD, MULTIPLY, BARRIER)),
    "double": Schedule((LOAD, STORE), (BARRIER, NEXT_LOAD, MULTIPLY, NEXT_STORE), buffers=2),
}


def schedule(name: str) -> Schedule:
    """A schedule by name."""
    if name not in SCHEDULES:
        msg = f"gemm: wanted a schedule of {', '.join(SCHEDULES)}; got {name!r}"
        raise LayoutError(msg)
    return SCHEDULES[name]

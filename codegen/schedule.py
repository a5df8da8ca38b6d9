"""The order of a workgroup's work, once or in a loop, and why no wave reads what another has not stored.

A step of a loop is of the tile of its turn, or of one so many tiles ``ahead`` of it. Time is counted in
barriers: what happens between the same two barriers may happen in any order between waves.

>>> schedule("prefetch")
Schedule: load+0 | store+0 barrier load+1 multiply+0 barrier
>>> print(THROUGH_LDS.barrier_between("tile in LDS"))
barrier between: tile in LDS: for all one point: 0 < 1
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import Claim, Comparison
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index import FloorDiv
from layoutalg.reading.near_names import not_one_of

__all__ = [
    "BARRIER",
    "LOAD",
    "MULTIPLY",
    "OPERANDS",
    "READ",
    "SCHEDULES",
    "STORE",
    "THROUGH_LDS",
    "WRITE",
    "Schedule",
    "Step",
    "schedule",
]


@dataclass(frozen=True)
class Step:
    """``load`` from global memory, ``store`` to LDS, ``read`` from LDS, ``multiply``, ``write``, ``barrier``.

    ``write`` goes to global memory. Where a loop has no ``read``, ``multiply`` reads its fragments itself.
    ``copy`` goes from global memory straight to LDS, and is there when ``arrive`` has waited for it: that
    leaves so many tiles ``under_way`` that were begun last.
    ``half``: of the rows of fragments, the first (0) or the second (1), if not all; ``part``: of the
    fragments along K, which, if not all; ``of``: the operand, a or b, that is moved, if not both.
    """

    what: str
    ahead: int = 0
    half: int | None = None
    part: int | None = None
    of: str = ""
    under_way: int = 0

    def __str__(self) -> str:
        part = "" if self.part is None else f"[{self.part}]"
        of = f" {self.of}" if self.of else ""
        return self.what if self.what == "barrier" else f"{self.what}{of}+{self.ahead}{part}"

    __repr__ = __str__

    def rows(self, count: int) -> range:
        """Which of so many rows of fragments it is for.

        >>> Step("multiply", half=1).rows(4), Step("multiply").rows(4)
        (range(2, 4), range(0, 4))
        """
        return {None: range(count), 0: range(count // 2), 1: range(count // 2, count)}[self.half]


LOAD, STORE, BARRIER, READ = Step("load"), Step("store"), Step("barrier"), Step("read")
MULTIPLY, WRITE = Step("multiply"), Step("write")
LDS_STEPS = {"store", "arrive", "read"}
OPERANDS = "ab"


@dataclass(frozen=True)
class Schedule:
    """Steps of a turn, or of all the work; how many tiles LDS holds, how many sets of fragments registers.

    A set is of a whole tile, or of one part of it along K if steps are of parts.
    Tiles past the last one are the last one again, or 0: they are stored and read, and never multiplied.
    """

    turn: tuple[Step, ...]
    buffers: int = 1
    fragments: int = 1

    def __str__(self) -> str:
        before = " ".join(map(str, self.before)) or "nothing"
        return f"Schedule: {before} | {' '.join(map(str, self.turn))}"

    __repr__ = __str__

    @cached_property
    def before(self) -> tuple[Step, ...]:
        """The steps before the loop: what earlier turns would do for the first tiles; ``ahead`` is the tile.

        >>> schedule("pipelined").before
        (load+0, store+0, load+1, barrier, read+0)
        """
        found: list[Step] = []
        for turn in range(-self.farthest, 0):
            for step in self.turn:
                is_first_of_lds = not any(done.what in LDS_STEPS for done in found)
                if step.what == "barrier":
                    found += [] if is_first_of_lds else [step]
                elif turn + step.ahead >= 0:
                    found.append(replace(step, ahead=turn + step.ahead, under_way=0))
        return tuple(found)

    @property
    def last(self) -> tuple[Step, ...]:
        """The steps of a turn that are for its own tile: the last turn needs no others.

        >>> schedule("pipelined").last, schedule("double").last
        ((multiply+0, multiply+0), (barrier, multiply+0))
        """
        return tuple(
            step
            for step in self.turn
            if step.ahead == 0 and not (step.what == "barrier" and self.reads_ahead)
        )

    @property
    def rest(self) -> tuple[tuple[Step, ...], ...]:
        """The steps of turns that are left over behind the loop, each if there is one; ``ahead`` is the tile.

        >>> schedule("pipelined").rest
        ((multiply+0, multiply+0),)
        >>> schedule("direct").rest[1]
        (arrive+1, barrier, read+1, multiply+1)
        """
        found = [self.last]
        for tile in range(1, self.turns_at_once - 1):
            comes = (Step("arrive"), BARRIER, READ)
            found.append(tuple(replace(s, ahead=0 if s == BARRIER else tile) for s in (*comes, *self.last)))
        return tuple(found[: self.turns_at_once - 1])

    @property
    def phases(self) -> tuple[tuple[Step, ...], ...]:
        """The steps of a turn, up to each product: what is mixed with it, behind a barrier if that is first.

        >>> schedule("pipelined").phases
        ((store+1, load+2, multiply+0), (barrier, read+1, multiply+0))
        """
        found: list[list[Step]] = [[]]
        for step in self.turn:
            found[-1].append(step)
            if step.what == "multiply":
                found.append([])
        return tuple(tuple(steps) for steps in found if steps)

    @property
    def farthest(self) -> int:
        """How many tiles ahead the earliest step is."""
        return max(step.ahead for step in self.turn)

    @property
    def turns_at_once(self) -> int:
        """Turns after which buffers and sets of fragments begin anew."""
        return math.lcm(self.buffers, self.fragments // math.gcd(self.fragments, self.parts))

    @cached_property
    def parts(self) -> int:
        """In how many parts along K fragments are read and multiplied.

        >>> schedule("pipelined").parts, schedule("streamed", parts=4).parts
        (1, 4)
        """
        return 1 + max(step.part or 0 for step in self.turn)

    def times(self, what: str, tiles: Expr, part: int | None = None, of: str = "a") -> Expr:
        """How often a step is done in all, for a number of tiles: before the loop, in its turns, after it.

        ``of``: the operand, where it is moved by itself.

        >>> tiles = Symbol("tiles", integer=True, positive=True)
        >>> schedule("simple").times("store", tiles), schedule("prefetch").times("load", tiles)
        (tiles, tiles + 1)
        >>> schedule("double").times("load", tiles)
        2*(tiles // 2) + 1
        """
        at_once = sympy.Integer(self.turns_at_once)
        whole, rest = tiles, sympy.Integer(0)
        if self.turns_at_once > 1:
            whole = at_once * FloorDiv.unchecked(tiles, at_once)
            rest = tiles - whole
        before, turn, *left = (
            sum((s.what, s.part) == (what, part) and not s.half and s.of in ("", of) for s in steps)
            for steps in (self.before, self.turn, *self.rest)
        )
        count = before + turn * whole
        if left:
            is_none = FloorDiv.unchecked(at_once - rest, at_once)  # 1 if no turn is left over
            first, each = left[0], left[-1]
            count += first * (1 - is_none) + each * (rest - 1 + is_none)
        return count

    @property
    def copies(self) -> bool:
        """Whether tiles go from global memory straight to LDS."""
        return any(step.what == "copy" for step in self.turn)

    @property
    def reads_ahead(self) -> bool:
        """Whether fragments are read by a step of their own."""
        return any(step.what == "read" for step in self.turn)

    def claims(self) -> tuple[Claim, ...]:
        """What makes the order right: stored before read, read before overwritten; the same for registers."""
        tile = Symbol("tile", integer=True, nonnegative=True)
        domain = Domain((Variable(tile, sympy.Integer(0), None),))
        reader = "read" if self.reads_ahead else "multiply"
        begins, ends = ("copy", "arrive") if self.copies else ("store", "store")
        shared = [(Step(ends), Step(reader), 0), (Step(reader), Step(begins), self.buffers)]
        held = [(Step(begins), Step(ends), 0)] if self.copies else []
        for of in OPERANDS if any(step.of for step in self.turn) else ("",):
            load, store = Step("load", of=of), Step("store", of=of)
            held += [(load, store, 0), (store, load, 1)]
        if self.reads_ahead:
            held += self._fragments_in_turn()
        found = (
            Claim("barrier between", "tiles in LDS", domain, tuple(self._apart(shared, tile, barriers=True))),
            Claim("in order", "tiles in registers", domain, tuple(self._apart(held, tile, barriers=False))),
        )
        if not self.copies:
            return found
        return (*found, Claim("arrived", "tiles in LDS", domain, tuple(self._arrivals(tile))))

    def _arrivals(self, turn: Symbol) -> Iterator[Comparison]:
        """What is waited for was begun before all that may stay under way; what is left over is there."""
        ahead, at_once = sympy.Integer(self.farthest), sympy.Integer(self.turns_at_once)
        yield Comparison(at_once, "<=", ahead + 1)  # so many tiles are there when the loop ends
        read = next(step.ahead for step in self.turn if step.what == "read")
        yield Comparison(sympy.Integer(read), "==", sympy.Integer(1))  # what is left over reads its own
        kinds = [(step.what, step.of) for step in self.turn]
        for kind in (("arrive", ""), *(("copy", of) for of in OPERANDS)):
            yield Comparison(sympy.Integer(kinds.count(kind)), "==", sympy.Integer(1))
        for position, step in enumerate(self.turn):
            if step.what == "arrive":
                for of in OPERANDS:
                    begun = max(
                        (
                            other.ahead - (number > position)
                            for number, other in enumerate(self.turn)
                            if other.what == "copy" and other.of == of
                        ),
                        default=0,
                    )
                    yield Comparison(turn + step.ahead, "<=", turn + begun - step.under_way)

    def _fragments_in_turn(self) -> Iterator[tuple[Step, Step, int]]:
        """Read, multiplied, and then overwritten by what comes as many parts later as there are sets."""
        for number in range(self.parts):
            later, next_part = divmod(number + self.fragments, self.parts)
            part, following = (None, None) if self.parts == 1 else (number, next_part)
            multiply = Step("multiply", part=part)
            yield Step("read", part=part), multiply, 0
            yield multiply, Step("read", part=following), later

    def barrier_between(self, subject: str) -> Claim:
        """For steps that are done once: all is stored, then a barrier, then it is read."""
        stored, read = (next(self._times(step, sympy.Integer(0), barriers=True)) for step in (STORE, READ))
        return Claim("barrier between", subject, Domain(), (Comparison(stored, "<", read),))

    def _apart(
        self, pairs: Iterable[tuple[Step, Step, int]], tile: Symbol, *, barriers: bool
    ) -> Iterator[Comparison]:
        for first, second, later in pairs:
            for end in self._times(first, tile, barriers=barriers):
                for start in self._times(second, tile + later, barriers=barriers):
                    yield Comparison(end, "<", start)

    def _times(self, what: Step, tile: Expr, *, barriers: bool) -> Iterator[Expr]:
        """When a tile's step happens, in barriers or in steps since the loop began; negative before it.

        Of a step without a part or an operand those of all.
        """
        size = self._count(self.turn, barriers)
        for position, step in enumerate(self.turn):
            if step.what == what.what and what.part in {None, step.part} and what.of in {"", step.of}:
                yield size * (tile - step.ahead) + self._count(self.turn[:position], barriers)

    @staticmethod
    def _count(steps: tuple[Step, ...], barriers: bool) -> int:  # noqa: FBT001  one of two clocks
        return sum(step.what == "barrier" for step in steps) if barriers else len(steps)


THROUGH_LDS = Schedule((LOAD, STORE, BARRIER, READ, WRITE))  # a tile that comes by once


def streamed(parts: int) -> Schedule:
    """Each part of a tile is read while the one before is multiplied, the first of a tile behind a barrier.

    Fragments of two parts take registers, where ``pipelined`` has those of two tiles; its matrix cores have
    less to do while they wait for the LDS.
    """
    moves = [(Step("store", 1, of=of), Step("load", 2, of=of)) for of in OPERANDS]
    with_first = [step for pair in moves for step in pair] if parts == 2 else moves[0]
    turn = [Step("read", part=1), *with_first, Step("multiply", part=0)]
    for number in range(1, parts - 1):
        turn += [Step("read", part=number + 1), *(moves[1] if number == 1 else ())]
        turn.append(Step("multiply", part=number))
    turn += [BARRIER, Step("read", 1, part=0), Step("multiply", part=parts - 1)]
    return Schedule(tuple(turn), buffers=2, fragments=2)


SCHEDULES: dict[str, Schedule] = {  # of a GEMM along K
    "simple": Schedule((LOAD, BARRIER, STORE, BARRIER, MULTIPLY)),
    "prefetch": Schedule((STORE, BARRIER, Step("load", 1), MULTIPLY, BARRIER)),
    "double": Schedule((BARRIER, Step("load", 1), MULTIPLY, Step("store", 1)), buffers=2),
    "pipelined": Schedule(
        (
            Step("store", 1),
            Step("load", 2),
            Step("multiply", half=0),
            BARRIER,
            Step("read", 1),
            Step("multiply", half=1),
        ),
        buffers=2,
        fragments=2,
    ),
    "streamed": streamed(2),
    # Tiles are copied straight to LDS, by no register: one is read there while three are on their way.
    "direct": Schedule(
        (
            Step("arrive", 1, under_way=2),
            BARRIER,
            *(Step("copy", 4, of=of) for of in OPERANDS),
            Step("read", 1),
            MULTIPLY,
        ),
        buffers=4,
        fragments=2,
    ),
}


def schedule(name: str, parts: int = 1) -> Schedule:
    """The schedule of a GEMM by name; ``parts``: reads of LDS along K that make the fragments of a tile.

    Refused: a streamed one of an odd number of parts.

    >>> schedule("streamed", parts=4)
    Schedule: load a+0 load b+0 store a+0 load a+1 store b+0 load b+1 barrier read+0[0] |
    read+0[1] store a+1 load a+2 multiply+0[0] read+0[2] store b+1 load b+2 multiply+0[1]
    read+0[3] multiply+0[2] barrier read+1[0] multiply+0[3]
    """
    if name not in SCHEDULES:
        raise not_one_of("a schedule", name, SCHEDULES, where="gemm")
    if name != "streamed":
        return SCHEDULES[name]
    if parts % 2:
        msg = f"gemm: streamed, fragments of a tile are read in an even number of parts along K, not {parts}"
        raise LayoutError(msg, hint="take a longer K of the tile, or the order 'pipelined'")
    return streamed(parts)

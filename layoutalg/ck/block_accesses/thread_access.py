"""An access of a block's threads to a layout of shared memory, with the thread's number left open.

Threads are counted wave by wave: thread ``t`` is lane ``t % 64`` of wave ``t // 64``. Each thread accesses a
slice from an origin of its own, a vector at a time along one dimension.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> rows = make_naive_tensor_descriptor((64, 16), (16, 1))
>>> copy = ThreadAccess("copy", "write", rows, (LANE, 0), (1, 16), 1, 8, "_Float16", 64)
>>> copy.index_map(64, 8).outputs, copy.index_map(64, 8).domain
((16*lane + y1,), Domain: 0 <= wave < 1, 0 <= lane < 64, 0 <= y1 < 16, y1 % 8 == 0)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sympy import Integer, Symbol, sympify

from layoutalg.claim import IndexMap
from layoutalg.descriptor import TensorDescriptor
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression

__all__ = ["LANE", "WAVE", "NotKnown", "Steps", "ThreadAccess", "thread_number"]

LANE, WAVE = (Symbol(name, integer=True, nonnegative=True) for name in ("lane", "wave"))


def thread_number(wave_size: int) -> Any:
    """The number of a thread in its block, in terms of its wave and lane."""
    return wave_size * WAVE + LANE


@dataclass(frozen=True)
class Steps:
    """How far a loop moves an access along one dimension: ``count`` times from ``begin``, ``step`` apart."""

    begin: int
    step: int
    count: int


@dataclass(frozen=True)
class ThreadAccess:
    """One transfer between registers and a layout, or the reason why it is not known.

    ``origin``: where a thread's slice begins, by its wave and lane. ``moves``: for each dimension how loops
    move it. ``taking_part``: how many threads do.
    """

    name: str
    direction: Literal["write", "read"]
    descriptor: TensorDescriptor
    origin: tuple[Any, ...]
    slice: tuple[int, ...]
    vector_dimension: int
    scalars: int
    data: str
    threads: int
    taking_part: int = 0  # 0: all of them
    moves: tuple[Steps, ...] = ()

    def __post_init__(self) -> None:
        ranks = {len(self.origin), len(self.slice), self.descriptor.rank, len(self.moves or self.origin)}
        if len(ranks) != 1:
            raise LayoutError(
                f"{self.name}: a slice of {len(self.slice)} in {self.descriptor.rank} dimensions"
            )
        along = self.slice[self.vector_dimension]
        if along % self.scalars:
            raise LayoutError(f"{self.name}: vectors of {self.scalars} elements do not divide {along}")

    def point_map(self, wave_size: int, scalars: int) -> IndexMap:
        """The index of the first element of each access, in vectors of ``scalars``."""
        variables = [_axis(WAVE, -(-self.threads // wave_size)), _axis(LANE, wave_size)]
        index = [as_expression(begin) for begin in self.origin]
        for d, length in enumerate(self.slice):
            step = scalars if d == self.vector_dimension else 1
            if length > step:
                variables.append(_axis(_symbol(f"y{d}"), length, step))
                index[d] += variables[-1].symbol
            if self.moves:
                move = self.moves[d]
                index[d] += move.begin
                if move.count > 1:
                    variables.append(_axis(_symbol(f"move{d}"), move.count))
                    index[d] += move.step * variables[-1].symbol
        used = self.taking_part or self.threads
        all_waves = used == -(-self.threads // wave_size) * wave_size
        when = () if all_waves else (sympify(thread_number(wave_size) < used),)
        return IndexMap(Domain(tuple(variables)), tuple(index), when)

    def index_map(self, wave_size: int, scalars: int) -> IndexMap:
        """The offset of the first element of each access, in elements."""
        return self.descriptor.index_map(self.point_map(wave_size, scalars))


@dataclass(frozen=True)
class NotKnown:
    """An access of which it is not known where threads go, and why."""

    name: str
    direction: str
    reason: str


def _symbol(name: str) -> Symbol:
    return Symbol(name, integer=True, nonnegative=True)


def _axis(symbol: Symbol, length: int, step: int = 1) -> Variable:
    return Variable(symbol, Integer(0), Integer(length), step)

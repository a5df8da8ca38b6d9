"""Which elements the threads of a kernel read and write, as the kernel claims: what compiled code is held to.

A claimed access is a window of the kernel's own: a map from its axes to offsets in elements. Some of the axes
are known from the launch (lane, wave, workgroup); all others count registers, or turns of a loop.

>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"lane": 64, "warp": 4, "y0": 8})
>>> lane, warp, y = (axis.symbol for axis in domain.axes)
>>> places = IndexMap(domain, (512 * warp + 8 * lane + y,))
>>> loads = ClaimedAccess("a", "load", DataType.named("f16"), places, in_waves())
>>> [axis.name for axis in loads.registers], loads.launch["warp"]
(['y0'], wave)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import IndexMap
from layoutalg.data_type import DataType
from layoutalg.domain import Variable
from layoutalg.errors import LayoutError
from layoutalg.index import FloorDiv, FloorMod

__all__ = ["ClaimedAccess", "Launch", "begins_in_lds", "built_in", "in_waves"]

Launch = Mapping[str, Expr]  # axes that the launch decides

LANE, WAVE = sympy.symbols("lane wave", integer=True, nonnegative=True)
WORKGROUP = sympy.symbols("workgroup_x workgroup_y workgroup_z", integer=True, nonnegative=True)
LANES = 64  # of a wave on gfx9
ALIGNMENT = 16  # bytes: where arrays in the LDS begin


def built_in(name: str, block: Sequence[int] = ()) -> Expr:
    """HIP's index in lane, wave and workgroup, in workgroups of so many threads along x, y and z.

    >>> built_in("threadIdx.y", (8, 8)), built_in("blockIdx.x")
    ((lane + 64*wave) // 8, workgroup_x)
    """
    what, _, axis = name.partition(".")
    if what not in ("threadIdx", "blockIdx") or axis not in ("x", "y", "z"):
        raise LayoutError(f"claimed access: wanted threadIdx or blockIdx and an axis, got {name}")
    number = "xyz".index(axis)
    if what == "blockIdx":
        return WORKGROUP[number]
    found: Expr = LANE + LANES * WAVE
    for extent in block[:number]:
        found = FloorDiv.unchecked(found, sympy.Integer(extent))
    is_last = number + 1 >= len(block)
    return found if is_last else FloorMod.unchecked(found, sympy.Integer(block[number]))


def in_waves(blocks: Mapping[Symbol, str] | None = None) -> dict[str, Expr]:
    """What the launch says of the axes of a distribution, and of workgroups by HIP's names.

    >>> in_waves({Symbol("block_m"): "blockIdx.y"})
    {'lane': lane, 'warp': wave, 'block_m': workgroup_y}
    """
    found = {"lane": LANE, "warp": WAVE}
    return found | {symbol.name: built_in(name) for symbol, name in (blocks or {}).items()}


@dataclass(frozen=True)
class ClaimedAccess:
    """A window that threads load or store through.

    ``array``: an argument of the kernel, or an array of ``room`` bytes in the LDS; ``map``: offsets in
    elements, of type ``kind``, where its conditions hold; ``launch``: expressions for those of its axes that
    lane, wave and workgroup decide, by name; ``turns``: axes that differ from turn to turn of a loop;
    ``elsewhere``: where the conditions fail, the element that is read in place of the one that is not there;
    ``times``: how often each thread goes through the window, where a loop decides that.
    """

    array: str
    way: Literal["load", "store"]
    kind: DataType
    map: IndexMap
    launch: Mapping[str, Expr]
    turns: tuple[Symbol, ...] = ()
    room: int | None = None
    elsewhere: int | None = None
    times: Expr | None = None

    @property
    def is_shared(self) -> bool:
        """Whether it goes to the LDS."""
        return self.room is not None

    @property
    def registers(self) -> tuple[Variable, ...]:
        """The axes that count what a thread holds, those of which a place does not depend left out."""
        used = set().union(*(part.free_symbols for part in (*self.map.outputs, *self.map.when)))
        known = {*self.launch, *(symbol.name for symbol in self.turns)}
        return tuple(a for a in self.map.domain.axes if a.name not in known and a.symbol in used)


def begins_in_lds(claims: Iterable[ClaimedAccess]) -> Iterator[dict[str, int]]:
    """Where arrays in the LDS may begin, in bytes: compilers place them one after another, in some order."""
    rooms = {claim.array: claim.room for claim in claims if claim.room is not None}
    for order in itertools.permutations(rooms):
        sizes = (-(-rooms[name] // ALIGNMENT) * ALIGNMENT for name in order)
        yield dict(zip(order, itertools.accumulate(sizes, initial=0), strict=False))

"""Where a thread goes through a window: loops over its vectors, offsets and conditions in their counters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import IndexMap
from layoutalg.codegen.text.speller import Speller
from layoutalg.codegen.text.strided_addresses import LoopAddress
from layoutalg.distribution import TileWindow
from layoutalg.domain import Domain
from layoutalg.index.node import conjuncts
from layoutalg.tile.access_maps import MadeAccess

__all__ = ["WindowPlaces"]

UNIFORM = ("workgroup_x", "workgroup_y", "workgroup_z")


@dataclass(frozen=True)
class WindowPlaces:
    """The places of one access of a program."""

    made: MadeAccess

    @property
    def window(self) -> TileWindow:
        return self.made.window

    @property
    def index_map(self) -> IndexMap:
        return self.made.index_map

    @property
    def scalars(self) -> int:
        return self.window.scalars_per_vector

    @cached_property
    def loops(self) -> list[tuple[Symbol, int, int]]:
        """Counters of a thread's vectors: each with its length and how many places a step of it is."""
        ys, lengths = self.window.distribution.ys, [*map(int, self.window.distribution.y_lengths)]
        along = self.window.vector_dim_y
        found, stride = [], 1
        for number in reversed(range(len(ys))):
            step = self.scalars if number == along else 1
            count = lengths[number] // step
            if count > 1:
                counter = Symbol("ijklmn"[number], integer=True, nonnegative=True)
                found.append((counter, count, stride * step))
            stride *= lengths[number]
        return found[::-1]

    @property
    def scalar_stride(self) -> int:
        """How far apart the elements of a vector lie in the thread buffer."""
        lengths = [*map(int, self.window.distribution.y_lengths)]
        found = 1
        for length in lengths[self.window.vector_dim_y + 1 :]:
            found *= length
        return found

    @cached_property
    def _named(self) -> dict[Symbol, Expr]:
        """Registers in terms of the counters."""
        ys = self.window.distribution.ys
        along, counters = self.window.vector_dim_y, {str(c): c for c, _, _ in self.loops}
        named: dict[Symbol, Expr] = {}
        for number, y in enumerate(ys):
            counter = counters.get("ijklmn"[number], sympy.Integer(0))
            named[y] = counter * (self.scalars if number == along else 1)
        return named

    @cached_property
    def loop_domain(self) -> Domain:
        """What a thread's vectors hang on."""
        whole = self.index_map.domain
        kept = [v for v in whole.variables if v.symbol not in self._named]
        return Domain.of({c: n for c, n, _ in self.loops}).joined(Domain(tuple(kept), whole.facts))

    @cached_property
    def turning(self) -> Expr:
        """What the turns of loops add to an offset, the same for all threads: such addresses only move on."""
        offset = sympy.expand(self.index_map.outputs[0])
        found: Expr = sympy.Integer(0)
        for turn in self.made.turns:
            step = offset.coeff(turn)
            if step.free_symbols <= {v.symbol for v in self.made.domain.parameters}:
                found += step * turn
        rest = sympy.expand(offset - found)
        return found if rest.free_symbols.isdisjoint(self.made.turns) else sympy.Integer(0)

    def address(self, name: str = "at") -> LoopAddress:
        """The offset of a vector as text, its base under this name, without what turns add."""
        offset = (self.index_map.outputs[0] - self.turning).xreplace(self._named)
        symbols = [counter for counter, _, _ in self.loops]
        uniform = [v.symbol for v in self.loop_domain.variables if v.is_parameter or v.name in UNIFORM]
        return LoopAddress.of(name, offset, symbols, self.loop_domain, uniform)

    @property
    def turning_text(self) -> str:
        """What turns add, as text; empty if nothing.

        A product of 64 bits: so compilers keep one address for each access and move it on.
        """
        spell = Speller(self.loop_domain)
        steps = [(turn, sympy.expand(self.turning).coeff(turn)) for turn in self.made.turns]
        return "".join(f" + (long){turn} * {_factor(spell(step))}" for turn, step in steps if step != 0)

    @property
    def conditions(self) -> list[str]:
        """When a vector is there, by padding, of its first element."""
        spell = Speller(self.loop_domain)
        parts = [
            part.xreplace(self._named)
            for whole in self.index_map.when
            for part in sorted(conjuncts(whole), key=str)
        ]
        return [spell(part) for part in parts if part != sympy.true]

    @property
    def place(self) -> str:
        """Where a vector's first element lies in the thread buffer."""
        terms = [f"{stride} * {c}" if stride > 1 else str(c) for c, _, stride in self.loops]
        return " + ".join(terms) or "0"

    @property
    def counted(self) -> list[tuple[str, int]]:
        return [(str(counter), count) for counter, count, _ in self.loops]


def _factor(text: str) -> str:
    return text if text.isalnum() else f"({text})"


def spelled(parts: Sequence[str]) -> str:
    """Conditions joined."""
    return " && ".join(parts)

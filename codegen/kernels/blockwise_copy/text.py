"""The statements of a blockwise copy: loads, stores to shared memory, a barrier, reads, stores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy
from sympy import Expr, Symbol

from layoutalg.codegen.kernels.blockwise_copy.tiles import BlockTiles
from layoutalg.codegen.text.source import INDENT, nested
from layoutalg.codegen.text.speller import Speller
from layoutalg.codegen.text.strided_addresses import LoopAddress
from layoutalg.distribution import TileWindow
from layoutalg.domain import Domain
from layoutalg.index.node import conjuncts

__all__ = ["BlockText"]

Lines = Iterator[str]
COUNTERS = "ijk"


@dataclass(frozen=True)
class BlockText:
    """The text of a blockwise copy: the types it declares, and statements in the order of its schedule."""

    tiles: BlockTiles

    @property
    def types(self) -> list[str]:
        """The vector type."""
        return [self.tiles.kind.declare_vector(self.tiles.scalars)] if self.tiles.scalars > 1 else []

    def statements(self) -> list[str]:
        """One statement a line."""
        tiles = self.tiles
        size = max(int(lds.element_space_size) for lds in (tiles.stored, tiles.read))
        found = [f"__shared__ __attribute__((aligned(16))) {tiles.kind.hip} tile[{size}];", ""]
        found.append("const int lane = threadIdx.x;  // of the workgroup")
        for axis, symbol in zip("xyz", reversed(tiles.block_symbols), strict=False):
            found.append(f"const int {symbol} = blockIdx.{axis};")
        for step in tiles.schedule.turn:
            found += ["", *getattr(self, f"_{step.what}")()]
        return found

    @property
    def _vector(self) -> str:
        kind = self.tiles.kind
        return kind.hip if self.tiles.scalars == 1 else kind.vector(self.tiles.scalars)

    def _load(self) -> Lines:
        window = self.tiles.load
        place, conditions, loops = self._place("source", window)
        yield from place.declared(f"const {self.tiles.kind.hip}*", "in")
        shape = "".join(f"[{length}]" for _, length in loops)
        yield f"{self._vector} held{shape}{' = {}' if conditions else ''};"
        access = self._access("source" if place.base else "in", place, "const ")
        yield from _looped(loops, conditions, f"{_held(loops)} = {access};")

    def _store(self) -> Lines:
        place, _, loops = self._place("stored", self.tiles.store)
        yield from place.declared("const int")
        yield from _looped(loops, (), f"{self._access('tile', place)} = {_held(loops)};")

    def _barrier(self) -> Lines:
        yield "__syncthreads();"

    def _read(self) -> Lines:
        """Where the tile is read; the reads stand with the stores they feed."""
        place, _, _ = self._place("read", self.tiles.fetch)
        yield from place.declared("const int")

    def _write(self) -> Lines:
        read, _, _ = self._place("read", self.tiles.fetch)
        place, conditions, loops = self._place("target", self.tiles.write)
        yield from place.declared(f"{self.tiles.kind.hip}*", "out")
        found = self._access("tile", read, "const ")
        yield from _looped(
            loops, conditions, f"{self._access('target' if place.base else 'out', place)} = {found};"
        )

    def _access(self, array: str, place: LoopAddress, const: str = "") -> str:
        """A vector at a place, of which ``array`` is the base or the array that it counts in."""
        offset = place.at.removeprefix(f"{array} + ").removeprefix(array) or "0"
        if self.tiles.scalars == 1:
            return f"{array}[{offset}]"
        at = array if offset == "0" else f"{array} + {offset if place.base else f'({offset})'}"
        return f"*reinterpret_cast<{const}{self._vector}*>({at})"

    def _place(
        self, name: str, window: TileWindow
    ) -> tuple[LoopAddress, Sequence[str], list[tuple[str, int]]]:
        """The place of a thread's vectors, when they are there, and the loops over them."""
        index_map, who = window.index_map(), window.distribution
        lengths = [*map(int, who.y_lengths[:-1])]
        loops = [(c, n) for c, n in zip(COUNTERS, lengths, strict=False) if n > 1]
        counters = {
            y: Symbol(c, integer=True, nonnegative=True) if n > 1 else sympy.Integer(0)
            for y, c, n in zip(who.ys, COUNTERS, lengths, strict=False)
        }
        named: dict[Any, Any] = {**counters, who.ys[-1]: sympy.Integer(0)}
        kept = [
            v for v in index_map.domain.variables if not getattr(named.get(v.symbol), "is_Integer", False)
        ]
        domain = Domain(tuple(replace(v, symbol=named.get(v.symbol, v.symbol)) for v in kept))
        offset: Expr = index_map.outputs[0].xreplace(named)
        spell = Speller(domain)
        conditions = [
            spell(part.xreplace(named))
            for whole in index_map.when
            for part in sorted(conjuncts(whole), key=str)
        ]
        symbols = [symbol for symbol in counters.values() if symbol.is_Symbol]
        return LoopAddress.of(name, offset, symbols, domain), conditions, loops


def _looped(loops: Sequence[tuple[str, int]], conditions: Sequence[str], statement: str) -> Lines:
    """A statement for every vector of a thread, where its condition holds."""
    body = [f"if ({' && '.join(conditions)})", INDENT + statement] if conditions else [statement]
    yield from nested(loops, body) if loops else body


def _held(loops: Sequence[tuple[str, int]]) -> str:
    return "held" + "".join(f"[{counter}]" for counter, _ in loops)

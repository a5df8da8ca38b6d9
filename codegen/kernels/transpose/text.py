"""The statements of a permutation: loads, the turn in registers or through shared memory, stores.

Loop counters: ``i`` and ``j`` are a thread's rounds down and across the tile, ``r`` and ``c`` the row and the
column in a square.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import sympy
from sympy import Expr, Symbol

from layoutalg.codegen.kernels.transpose.tiles import PermuteTiles
from layoutalg.codegen.text.source import INDENT, indented, unrolled
from layoutalg.codegen.text.speller import Speller
from layoutalg.codegen.text.strided_addresses import LoopAddress
from layoutalg.distribution import TileDistribution
from layoutalg.domain import Domain
from layoutalg.index.node import as_expression

__all__ = ["PermuteText"]

Lines = Iterator[str]
_Guards = list[tuple[int, LoopAddress, str]]  # an axis of the tile, the place on it, and where that ends
COUNTERS = "ijrc"


@dataclass(frozen=True)
class PermuteText:
    """The text of a permutation: the types it declares, and the statements in the order of its schedule."""

    tiles: PermuteTiles

    @property
    def types(self) -> list[str]:
        """Vector types."""
        config = self.tiles.config
        sides = {"source": config.vector_in, "target": config.vector_out}
        widths = sorted({*sides.values()} - {1})
        odd = sorted({width for side, width in sides.items() if self._is_odd(side)})
        found = [config.kind.declare_vector(width) for width in widths]
        return found + [config.kind.declare_vector_anywhere(width) for width in odd]

    def statements(self) -> list[str]:
        """One statement a line."""
        body: list[str] = []
        for step in self.tiles.config.schedule.turn:
            lines = list(getattr(self, f"_{step.what}")())
            body += ["", *lines] if lines else []
        return [*self._shared(), *self._built_in("\n".join(body)), *body]

    @cached_property
    def spell(self) -> Speller:
        return Speller(self.tiles.loads.domain)

    def _type(self, width: int) -> str:
        kind = self.tiles.config.kind
        return kind.hip if width == 1 else kind.vector(width)

    def _is_odd(self, side: str) -> bool:
        """Whether vectors of a side are of the type that begins at any element."""
        return self.tiles.begins_anywhere(side) and self.tiles.vector_axis(side)[1] > 1

    def _moved(self, side: str) -> str:
        """The type in which memory of a side is accessed."""
        width = self.tiles.vector_axis(side)[1]
        return self.tiles.config.kind.vector_anywhere(width) if self._is_odd(side) else self._type(width)

    def _parts(self, side: str, guards: _Guards, whole: str, element: str) -> list[str]:
        """An access under its guards: of a whole vector, or of the elements of a row's last one.

        ``element`` is a statement for one of them, which it has for ``{c}``.
        """
        axis, width = self.tiles.vector_axis(side)
        part = self.tiles.part(side) if width > 1 and guards else 0
        asked = " && ".join(f"{guard.at} < {end}" for at, guard, end in guards if at != axis or not part)
        if not part:
            return [f"if ({asked})", INDENT + whole] if asked else [whole]
        place, end = next((guard.at, end) for at, guard, end in guards if at == axis)
        inner = [f"if ({place} + {width} <= {end}) {{", INDENT + whole, f"}} else if ({place} < {end}) {{"]
        inner += [*(INDENT + element.replace("{c}", str(c)) for c in range(part)), "}"]
        return [f"if ({asked}) {{", *indented(inner), "}"] if asked else inner

    def _shared(self) -> Lines:
        config = self.tiles.config
        if config.path == "lds" and self.tiles.stored is not None:
            size = max(int(lds.element_space_size) for lds in (self.tiles.stored, self.tiles.read) if lds)
            yield f"__shared__ __attribute__((aligned(16))) {config.kind.hip} tile[{size}];"
            yield ""

    def _built_in(self, body: str) -> Lines:
        """The coordinates that the body speaks of: one block needs no number."""
        config = self.tiles.config
        several = config.threads > config.lanes
        values = {"lane": f"threadIdx.x % {config.lanes}" if several else "threadIdx.x"}
        values["warp"] = f"threadIdx.x / {config.lanes}"
        values |= {str(b): f"blockIdx.{axis}" for axis, b in zip("xyz", self.tiles.built_in, strict=True)}
        used = set(re.findall(r"\w+", body))
        yield from (f"const int {name} = {value};" for name, value in values.items() if name in used)

    def _place(self, name: str, offset: Expr, who: TileDistribution, vector: int) -> LoopAddress:
        """The place of a vector along one Y, by the loop counters for the others."""
        domain = self.tiles.index(who).domain
        named = dict(zip(who.ys, map(_counter, COUNTERS), strict=True))
        offset = offset.xreplace({who.ys[vector]: sympy.Integer(0)} | self._single(who)).xreplace(named)
        variables = tuple(
            replace(v, symbol=named[v.symbol]) if v.symbol in named else v for v in domain.variables
        )
        sizes = [p.symbol for p in self.tiles.sizes.parameters]
        return LoopAddress.of(name, offset, list(named.values()), Domain(variables, domain.facts), sizes)

    def _single(self, who: TileDistribution) -> dict[Symbol, Expr]:
        """What has one value only: a single wave, a single round."""
        return {v.symbol: sympy.Integer(0) for v in who.domain.axes if v.upper == 1}

    def _guards(self, who: TileDistribution, vector: int, prefix: str) -> _Guards:
        """First row and column of a thread where tiles are cut, by axis, and the lengths they stay below."""
        if not self.tiles.config.is_guarded:
            return []
        index = self.tiles.index(who).outputs[-2:]
        cut = [axis for axis in (0, 1) if self.tiles.is_cut[axis]]
        names = [prefix + ("row", "column")[axis] for axis in cut]
        places = [self._place(name, index[axis], who, vector) for name, axis in zip(names, cut, strict=True)]
        ends = (self.spell(as_expression(self.tiles.extent[axis])) for axis in cut)
        return list(zip(cut, places, ends, strict=True))

    def _load(self) -> Lines:
        who = self.tiles.loaders
        kind = self.tiles.config.kind.hip
        place = self._place("source", self.tiles.loads.outputs[0], who, 3)
        guards = self._guards(who, 3, "")
        for _, guard, _ in guards:
            yield from guard.declared("const int")
        yield from place.declared(f"const {kind}*", "in")
        lengths = [*map(int, who.y_lengths[:3])]
        shape = "".join(f"[{n}]" for n in lengths if n > 1)
        moved, loaded = self._moved("source"), _element("loaded", lengths)
        yield f"{moved} loaded{shape}{' = {}' if guards else ''};"
        at = place.pointer("in")
        read = f"{loaded} = *reinterpret_cast<const {moved}*>({at});"
        one = f"{loaded}[{{c}}] = ({at})[{{c}}];"
        yield from _nest(lengths, self._parts("source", guards, read, one))

    def _turned(self, lengths: Sequence[int]) -> str:
        """A column of a square as one vector."""
        width = self.tiles.config.vector_out
        column = "[c]" if self.tiles.config.vector_in > 1 else ""
        parts = [f"{_element('loaded', lengths, str(row))}{column}" for row in range(width)]
        return parts[0] if width == 1 else f"{self._type(width)}{{{', '.join(parts)}}}"

    def _store(self) -> Lines:
        if self.tiles.stored is None:
            return
        who, width = self.tiles.loaders, self.tiles.config.vector_out
        place = self._place("store", self.tiles.in_lds(self.tiles.stored, who).outputs[0], who, 2)
        yield from place.declared("const int")
        lengths = [*map(int, who.y_lengths)]
        write = f"*reinterpret_cast<{self._type(width)}*>(tile + {place.at})"
        yield from _nest([*lengths[:2], 1, lengths[3]], [f"{write} = {self._turned(lengths[:3])};"])

    def _barrier(self) -> Lines:
        if self.tiles.stored is not None:
            yield "__syncthreads();"

    def _read(self) -> Lines:
        """Where the tile is read; the reads stand with the writes they feed."""
        if self.tiles.read is not None:
            who = self.tiles.writers
            found = self._place("read", self.tiles.in_lds(self.tiles.read, who).outputs[0], who, 2)
            yield from found.declared("const int")

    def _write(self) -> Lines:
        who, config = self.tiles.writers, self.tiles.config
        along = self.tiles.written_along
        place = self._place("target", self.tiles.writes.outputs[0], who, along)
        guards = self._guards(who, along, "out_" if config.path == "lds" else "")
        if config.path == "lds":
            for _, guard, _ in guards:
                yield from guard.declared("const int")
        yield from place.declared(f"{config.kind.hip}*", "out")
        lengths = [1 if y == along else int(n) for y, n in enumerate(who.y_lengths)]
        at = place.pointer("out")
        write = f"*reinterpret_cast<{self._moved('target')}*>({at}) = {self._written()};"
        one = f"({at})[{{c}}] = {self._written_one()};"
        yield from _nest(lengths, self._parts("target", guards, write, one))

    def _written(self) -> str:
        """What is written: read from the tile, turned in registers, or as it was loaded."""
        config, who = self.tiles.config, self.tiles.writers
        if self.tiles.read is not None:
            found = self._place("read", self.tiles.in_lds(self.tiles.read, who).outputs[0], who, 2)
            return f"*reinterpret_cast<const {self._type(config.vector_out)}*>(tile + {found.at})"
        lengths = [*map(int, who.y_lengths[:3])]
        return _element("loaded", lengths) if config.path == "direct" else self._turned(lengths)

    def _written_one(self) -> str:
        """One element ``{c}`` of what is written."""
        config, who = self.tiles.config, self.tiles.writers
        if self.tiles.read is not None:
            found = self._place("read", self.tiles.in_lds(self.tiles.read, who).outputs[0], who, 2)
            return f"tile[{found.at} + {{c}}]"
        lengths = [*map(int, who.y_lengths[:3])]
        if config.path == "direct":
            return f"{_element('loaded', lengths)}[{{c}}]"
        return _element("loaded", lengths, "{c}") + ("[c]" if config.vector_in > 1 else "")


def _element(name: str, lengths: Sequence[int], row: str = "r") -> str:
    """An element of an array whose dimensions of length 1 are left out."""
    chosen = zip(("i", "j", row), lengths, strict=True)
    return name + "".join(f"[{counter}]" for counter, length in chosen if length > 1)


def _nest(lengths: Sequence[int], body: Iterable[str]) -> Lines:
    """Unrolled loops over all lengths but 1 around statements."""
    counters = [(counter, n) for counter, n in zip(COUNTERS, lengths, strict=False) if n > 1]
    for depth, (counter, length) in enumerate(counters):
        yield from indented(unrolled(counter, length, opens=True), depth)
    yield from indented(body, len(counters))
    for depth in reversed(range(len(counters))):
        yield INDENT * depth + "}"


def _counter(name: str) -> Symbol:
    return Symbol(name, integer=True, nonnegative=True)

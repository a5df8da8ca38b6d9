"""The statements of a box: vectors of the source to shared memory, elements out of it, vectors to the target.

Loop counters: ``round`` counts the vectors of a thread, ``element`` the elements of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy import Expr, Symbol

from layoutalg.codegen.kernels.boxes.box import BLOCK, ELEMENT, THREAD, Box
from layoutalg.codegen.kernels.boxes.strided_move import SIDES, Side
from layoutalg.codegen.text.source import INDENT, indented, unrolled
from layoutalg.codegen.text.speller import Speller
from layoutalg.domain import Domain

__all__ = ["BoxText"]

Lines = Iterator[str]
PLACE, RUN, AT, BEGIN, FROM, HELD, KEPT = sympy.symbols(
    "place run at begin offset held kept", integer=True, nonnegative=True
)


@dataclass(frozen=True)
class BoxText:
    """The text of a box: the types it declares, and its statements."""

    box: Box

    @property
    def types(self) -> list[str]:
        """Vector types."""
        kind, widths = self.box.kind, {self.box.runs(side).vector for side in SIDES}
        found = [kind.declare_vector(width) for width in sorted(widths - {1})]
        odd = {self.box.runs(side).vector for side in SIDES if self.box.begins_anywhere(side)}
        return found + [kind.declare_vector_anywhere(width) for width in sorted(odd)]

    def statements(self) -> list[str]:
        """One statement a line."""
        box = self.box
        body = [*self._load(), "", *self._clear(), *self._keep(), "__syncthreads();", "", *self._store()]
        corner = [*self._corner("source"), *self._corner("target")]
        used = set(re.findall(r"\w+", "\n".join([*corner, *body])))
        return [
            f"__shared__ __attribute__((aligned(16))) {box.kind.hip} box[{box.shared_elements}];",
            "",
            *([f"const int {BLOCK} = blockIdx.x;"] if box.blocks > 1 else []),
            f"const int {THREAD} = threadIdx.x;",
            *self._starts(used),
            *corner,
            "",
            *body,
        ]

    @cached_property
    def starts(self) -> list[Expr]:
        """Where the box begins along each dimension of the target, by name where workgroups differ."""
        counts = self.box.counts
        return [_name(f"start{i}") if count > 1 else sympy.Integer(0) for i, count in enumerate(counts)]

    @cached_property
    def uniform(self) -> Domain:
        """What all threads of a workgroup have in common."""
        ends = {str(BLOCK): self.box.blocks}
        for i, dimension in enumerate(self.box.move.dimensions):
            ends |= {str(self.starts[i]): dimension.padded} if self.starts[i].free_symbols else {}
        return Domain.of(ends)

    def _domain(self, side: Side) -> Domain:
        runs = self.box.runs(side)
        ends = {PLACE: runs.places, RUN: runs.count, AT: runs.length, BEGIN: runs.length}
        ends |= {HELD: self.box.loaded.length, ELEMENT: runs.vector}
        ends[KEPT] = self.box.shared_vectors * self.box.loaded.vector
        ends[FROM] = 1 + sum((n - 1) * step for n, step in zip(runs.lengths, runs.steps, strict=True))
        return self.uniform.joined(Domain.of({symbol.name: n for symbol, n in ends.items()}))

    def _speller(self, side: Side) -> Speller:
        return Speller(self._domain(side), has_short_products=True)

    def _starts(self, used: set[str]) -> Lines:
        """Where the box begins in the target."""
        spell = Speller(self.uniform)
        for i, (start, number) in enumerate(zip(self.starts, self.box.numbers, strict=True)):
            if start.free_symbols and str(start) in used:
                yield f"const int {start} = {spell(self.box.start(i, number))};"

    def _corner(self, side: Side) -> Lines:
        """The box's first element in memory."""
        const, array = ("const ", "in") if side == "source" else ("", "out")
        place = Speller(self.uniform).plus(self.box.corner(side, self.starts))
        yield f"{const}{self.box.kind.hip}* {side} = {array}{place};"

    def _rounds(self, side: Side, body: Iterable[str]) -> Lines:
        """Statements for each vector of a thread that there is."""
        yield from self._in_rounds(self.box.runs(side).places, body)

    def _in_rounds(self, places: int, body: Iterable[str]) -> Lines:
        threads = self.box.threads
        yield from unrolled("round", -(-places // threads), opens=True)
        yield f"{INDENT}const int {PLACE} = {threads} * round + {THREAD};"
        if places % threads:
            yield f"{INDENT}if ({PLACE} < {places}) {{"
            yield from indented(body, 2)
            yield f"{INDENT}}}"
        else:
            yield from indented(body)
        yield "}"

    def _load(self) -> Lines:
        box, runs = self.box, self.box.loaded
        spell, moved = self._speller("source"), self._moved("source")
        yield f"{self._type(runs.vector)} loaded[{box.rounds('source')}] = {{}};"
        begin = spell(runs.begin(runs.number(PLACE)))
        is_run = runs.vectors == 1  # whole, from its begin
        gap = spell(runs.in_memory(runs.run(PLACE), sympy.Integer(0) if is_run else BEGIN))
        body = [
            *([] if is_run else [f"const int {BEGIN} = {begin};"]),
            f"const int {FROM} = {gap};",
            *self._loaded(f"loaded[round] = *reinterpret_cast<const {moved}*>(source + {FROM});", spell),
        ]
        asked = box.has_source(self.starts, runs.run(PLACE))
        if asked:
            body = [f"if ({' && '.join(map(spell, asked))}) {{", *indented(body), "}"]
        yield from self._rounds("source", body)

    def _loaded(self, load: str, spell: Speller) -> Lines:
        """A vector that lies in memory, or those of its elements that do."""
        first = self.box.corner("source", self.starts) + FROM
        inside, beyond = self.box.in_memory(first), self.box.is_beyond(first)
        if not inside:
            yield load
            return
        yield f"if ({' && '.join(map(spell, inside))}) {{"
        yield f"{INDENT}{load}"
        if beyond:
            there = self.box.element_in_memory(first + ELEMENT)
            yield f"}} else if ({' || '.join(map(spell, beyond))}) {{"
            yield from indented(unrolled("element", self.box.loaded.vector))
            yield f"{INDENT * 2}if ({' && '.join(map(spell, there))})"
            yield f"{INDENT * 3}loaded[round][element] = source[{FROM} + element];"
        yield "}"

    def _clear(self) -> Lines:
        """Zeros in shared memory before and after what is loaded."""
        width = self.box.loaded.vector
        for first, vectors in self.box.cleared:
            domain = Domain.of({PLACE.name: vectors})
            place = Speller(domain, has_short_products=True)(self.box.clear(first, PLACE))
            body = [f"*reinterpret_cast<{self._type(width)}*>(box + {place}) = {{}};"]
            yield from self._in_rounds(vectors, body)

    def _keep(self) -> Lines:
        """What was loaded is put into shared memory."""
        runs = self.box.loaded
        place = self._speller("source")(self.box.put(PLACE))
        body = [f"*reinterpret_cast<{self._type(runs.vector)}*>(box + {place}) = loaded[round];"]
        yield from self._rounds("source", body)

    def _store(self) -> Lines:
        """Elements are gathered to vectors of the target."""
        box, runs, spell = self.box, self.box.stored, self._speller("target")
        run, begin = spell(runs.run(PLACE)), spell(runs.begin(runs.number(PLACE)))
        index = runs.index(RUN if runs.count > 1 else sympy.Integer(0), AT)
        row, place = box.in_loaded(index)
        lines = [f"const int {AT} = {BEGIN} + element;"]
        if box.loaded.shift:
            lines.append(f"const int {HELD} = {spell(place)};")
            place = HELD
        place = box.counted(row, place)
        if box.skew:
            lines.append(f"const int {KEPT} = {spell(place)};")
            place = box.skewed(KEPT)
        value, element = f"box[{spell(place)}]", "stored[element]" if runs.vector > 1 else "stored"
        asked = box.is_no_zero(self.starts, index)
        if asked:
            lines.append(f"const {box.kind.hip} value = {value};")
            conditions = " & ".join(f"({spell(part)})" for part in asked)  # without branches
            value = f"({conditions}) ? value : ({box.kind.hip})0"
        lines.append(f"{element} = {value};")
        place = spell(runs.in_memory(RUN if runs.count > 1 else sympy.Integer(0), BEGIN))
        body = [
            *([f"const int {RUN} = {run};"] if runs.count > 1 else []),
            f"const int {BEGIN} = {begin};",
            f"{self._type(runs.vector)} stored = {{}};",
            *unrolled("element", runs.vector, opens=True),
            *indented(lines),
            "}",
            f"*reinterpret_cast<{self._moved('target')}*>(target + {place}) = stored;",
        ]
        yield from self._rounds("target", body)

    def _type(self, width: int) -> str:
        kind = self.box.kind
        return kind.hip if width == 1 else kind.vector(width)

    def _moved(self, side: Side) -> str:
        """The type in which memory of a side is accessed."""
        width = self.box.runs(side).vector
        return self.box.kind.vector_anywhere(width) if self.box.begins_anywhere(side) else self._type(width)


def _name(name: str) -> Symbol:
    return Symbol(name, integer=True, nonnegative=True)

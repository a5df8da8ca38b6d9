"""The statements of an interleaving: planes in whole vectors, pieces through shared memory.

Loop counters: ``i`` counts the vectors of a thread, ``y`` the elements at the end of planes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import sympy
from sympy import Expr, Symbol

from layoutalg.claim import IndexMap
from layoutalg.codegen.kernels.transpose.interleaving import (
    BLOCK,
    PIECE,
    PLACE,
    PLANE,
    THREAD,
    Interleaving,
    Y,
)
from layoutalg.codegen.text.source import INDENT, indented, unrolled
from layoutalg.codegen.text.speller import Speller
from layoutalg.codegen.text.strided_addresses import LoopAddress
from layoutalg.domain import Domain

__all__ = ["InterleavedText"]

Lines = Iterator[str]
COUNTER = Symbol("i", integer=True, nonnegative=True)
SLOT, NEXT_PLACE, NEXT_PIECE = sympy.symbols("slot next_place next_piece", integer=True, nonnegative=True)
NEXT = {PLACE: NEXT_PLACE, PIECE: NEXT_PIECE}  # of what is beside a neighbour's
ZERO = sympy.Integer(0)
ARRAYS = {"source": ("in", "const "), "target": ("out", "")}


@dataclass(frozen=True)
class InterleavedText:
    """The types that the kernel declares, and its statements."""

    plan: Interleaving

    def types(self) -> list[str]:
        """Vector types."""
        kind, width = self.plan.kind, self.plan.vector
        odd = [kind.declare_vector_anywhere(width)] if self.plan.begins_anywhere else []
        return [kind.declare_vector(width), *odd]

    def statements(self) -> Lines:
        """One statement a line."""
        plan = self.plan
        size = plan.threads * plan.short * plan.vector
        yield f"__shared__ __attribute__((aligned(16))) {plan.kind.hip} pieces[{size}];"
        yield ""
        yield f"const int {BLOCK} = blockIdx.x;"
        yield f"const int {THREAD} = threadIdx.x;"
        yield f"const int {PLACE} = {plan.threads} * {BLOCK} + {THREAD};"
        yield ""
        gathers = plan.together == "target"
        yield from self._gather() if gathers else self._move("source")
        yield ""
        yield "__syncthreads();"
        yield ""
        yield from self._move("target") if gathers else self._scatter()

    @property
    def vector(self) -> str:
        return self.plan.kind.vector(self.plan.vector)

    @property
    def in_memory(self) -> str:
        """The type in which the tensors are accessed."""
        kind, width = self.plan.kind, self.plan.vector
        return kind.vector_anywhere(width) if self.plan.begins_anywhere else self.vector

    @cached_property
    def spell(self) -> Speller:
        plan = self.plan
        slots = plan.threads * plan.short
        counts = {BLOCK: plan.blocks, SLOT: slots}
        counts |= dict.fromkeys((PLACE, NEXT_PLACE), plan.blocks * plan.threads)
        counts |= dict.fromkeys((PIECE, NEXT_PIECE), plan.short)
        return Speller(Domain.of({symbol.name: n for symbol, n in counts.items()}))

    def _gather(self) -> Lines:
        """Planes from global memory; pieces of all of them to shared memory."""
        plan = self.plan
        place, own = self._own_address("source"), self._address("own", plan.exchanged(plan.apart))
        yield from place.declared(f"const {plan.kind.hip}*", "in")
        yield f"{self.vector} plane[{plan.short}]{' = {}' if self._may_lack else ''};"
        at = place.pointer("in")
        line = f"plane[i] = *reinterpret_cast<const {self.in_memory}*>({at});"
        yield from self._of_own_place(line, f"plane[i][y] = ({at})[y];")
        picks = [
            [plan.held(plan.vector * piece + element) for element in range(plan.vector)]
            for piece in range(plan.short)
        ]
        yield from self._turned("own_piece", "plane", picks)
        yield from own.declared("const int")
        yield from unrolled("i", plan.short)
        yield f"{INDENT}*reinterpret_cast<{self.vector}*>(pieces + {own.at}) = own_piece[i];"

    def _scatter(self) -> Lines:
        """Pieces of all planes from shared memory; planes to global memory."""
        plan = self.plan
        place, own = self._own_address("target"), self._address("own", plan.exchanged(plan.apart))
        yield from own.declared("const int")
        yield f"{self.vector} own_piece[{plan.short}];"
        yield from unrolled("i", plan.short)
        yield f"{INDENT}own_piece[i] = *reinterpret_cast<const {self.vector}*>(pieces + {own.at});"
        picks = [[plan.flat(plane, number) for number in range(plan.vector)] for plane in range(plan.short)]
        yield from self._turned("plane", "own_piece", picks)
        yield from place.declared(f"{plan.kind.hip}*", "out")
        at = place.pointer("out")
        line = f"*reinterpret_cast<{self.in_memory}*>({at}) = plane[i];"
        yield from self._of_own_place(line, f"({at})[y] = plane[i][y];")

    def _turned(self, name: str, source: str, picks: Sequence[Sequence[tuple[Expr, Expr]]]) -> Lines:
        """Vectors made of elements of others."""
        yield f"const {self.vector} {name}[{len(picks)}] = {{"
        for row in picks:
            yield f"{INDENT}{{{', '.join(f'{source}[{vector}][{element}]' for vector, element in row)}}},"
        yield "};"

    def _move(self, side: str) -> Lines:
        """Pieces, those of neighbouring threads side by side: to shared memory, or from there."""
        plan, (array, const) = self.plan, ARRAYS[side]
        shared, place = self._address("next", plan.exchanged(side)), self._address(side, plan.launched(side))
        yield from place.declared(f"{const}{plan.kind.hip}*", array)
        yield from shared.declared("const int")
        yield from unrolled("i", plan.short, opens=True)
        thread, piece = (self.spell(part) for part in plan.of_slot(SLOT))
        inner = [f"const int {SLOT} = {plan.threads} * i + {THREAD};"]
        inner.append(f"const int {NEXT_PLACE} = {plan.threads} * {BLOCK} + {thread};")
        inner.append(f"const int {NEXT_PIECE} = {piece};")
        if place.base:
            at = place.at
        else:
            at = side
            offset = self.spell(plan.places(side).outputs[0].xreplace({Y: ZERO, **NEXT}))
            inner.append(f"{const}{plan.kind.hip}* {side} = {array} + ({offset});")
        memory = f"*reinterpret_cast<{const}{self.in_memory}*>({at})"
        element = f"{at}[y]" if at.isidentifier() else f"({at})[y]"
        own = f"*reinterpret_cast<{'' if const else 'const '}{self.vector}*>(pieces + {shared.at})"
        if side == "source":
            inner.append(f"{self.vector} vector{' = {}' if self._may_lack else ''};")
            one, whole = f"vector[y] = {element};", f"vector = {memory};"
        else:
            inner.append(f"const {self.vector} vector = {own};")
            one, whole = f"{element} = vector[y];", f"{memory} = vector;"
        rest = plan.part * plan.short % plan.vector
        ones = [*unrolled("y", rest), INDENT + one] if rest else []
        first = (plan.short * plan.vector * plan.number + plan.vector * PIECE).xreplace(NEXT)
        inner += self._where_it_is(NEXT_PLACE, first, plan.short * plan.long, [whole], ones)
        if side == "source":
            inner.append(f"{own} = vector;")
        yield from indented(_used(inner))
        yield "}"

    def _of_own_place(self, whole: str, one: str) -> Lines:
        """For all planes of a thread's own place."""
        plan = self.plan
        ones = [*unrolled("i", plan.short), *indented(unrolled("y", plan.part)), INDENT * 2 + one]
        loop = [*unrolled("i", plan.short), INDENT + whole]
        yield from self._where_it_is(PLACE, plan.vector * plan.number, plan.long, loop, ones)

    def _where_it_is(self, place: Symbol, first: Expr, end: int, whole: list[str], ones: list[str]) -> Lines:
        """Statements for a place that there is; ``ones`` for the last elements of planes.

        ``first``: the number of a vector's first element, of the ``end`` that planes have.
        """
        plan = self.plan
        is_place = [f"{place} < {plan.count}"] if plan.count % plan.threads else []
        if not plan.part:
            yield from _if(is_place, whole)
            return
        yield from _if([*is_place, f"{self.spell(first)} <= {end - plan.vector}"], whole)
        if ones:
            yield from _if([*is_place, f"{self.spell(first)} < {end}"], ones, otherwise=True)

    @property
    def _may_lack(self) -> bool:
        """Whether a thread may have no place, or less than whole vectors."""
        return self.plan.part > 0 or self.plan.count % self.plan.threads > 0

    def _own_address(self, side: str) -> LoopAddress:
        """Where planes of a thread's own place are."""
        plan, found = self.plan, self.plan.places(side)
        domain = Domain.of(
            {PLACE.name: plan.blocks * plan.threads, PLANE.name: plan.short, Y.name: plan.vector}
        )
        return self._address(side, IndexMap(domain, found.outputs))

    @staticmethod
    def _address(name: str, found: IndexMap) -> LoopAddress:
        """Where a thread's vectors are in a tensor, or in shared memory, by the loop counter."""
        counted = {PIECE: COUNTER, PLANE: COUNTER}
        variables = tuple(
            replace(v, symbol=counted.get(v.symbol, v.symbol))
            for v in found.domain.variables
            if v.symbol != Y
        )
        offset = found.outputs[0].xreplace({Y: ZERO, **counted})
        return LoopAddress.of(name, offset, [COUNTER], Domain(variables))


def _used(lines: Sequence[str]) -> Lines:
    """Statements without the declarations of numbers that none of those after them names."""
    kept: list[str] = []
    for line in reversed(lines):
        name = line.removeprefix("const int ").partition(" ")[0]
        if not line.startswith("const int ") or re.search(rf"\b{name}\b", "\n".join(kept)):
            kept.insert(0, line)
    yield from kept


def _if(conditions: Sequence[str], body: Iterable[str], *, otherwise: bool = False) -> Lines:
    """Statements under conditions, if there are some."""
    asked = f"if ({' && '.join(conditions)})" if conditions else ""
    asked = f"else {asked}".rstrip() if otherwise else asked
    if not asked:
        yield from body
        return
    yield f"{asked} {{"
    yield from indented(body)
    yield "}"

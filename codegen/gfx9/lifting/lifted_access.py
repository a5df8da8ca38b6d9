"""One access of a lifted kernel: where each lane goes, as a formula, and what is shown of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sympy import Integer, Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lifting.access_costs import conflict_cycles, lines_of_memory
from layoutalg.codegen.gfx9.lifting.formula_numbers import LANES, Numbers, OpaqueLetterError
from layoutalg.codegen.gfx9.lifting.lifted_formulas import Formulas
from layoutalg.codegen.gfx9.lifting.replacement import Rebuilt
from layoutalg.codegen.gfx9.lifting.word_formulas import Value
from layoutalg.data_type import DataType
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError
from layoutalg.index import Select
from layoutalg.index.node import conjuncts
from layoutalg.machine.lds import Direction
from layoutalg.memory.wave_access import WaveAccess
from layoutalg.properties import one_writer
from layoutalg.rules.polynomial import Polynomial
from layoutalg.verdict import Refuted, Verdict

__all__ = ["LiftedAccess", "Shown"]

MOST_ALIGNED = 16  # bytes
THREADS = ("lane", "wave", "workgroup_x", "workgroup_y", "workgroup_z")


@dataclass(frozen=True)
class Shown:
    """A statement about an access: whether it was shown, and what is missing where it was not.

    ``refuted``: a point at which it fails, where one was found.
    """

    what: str
    is_shown: bool
    missing: str = ""
    refuted: Refuted | None = None

    @classmethod
    def by(cls, what: str, verdict: Verdict, missing: str = "") -> Shown:
        """What a verdict says; ``missing``: what could not be shown where it is unknown."""
        refuted = verdict if isinstance(verdict, Refuted) else None
        return cls(what, bool(verdict), "" if verdict else missing or str(verdict), refuted)

    def __str__(self) -> str:
        if self.refuted is not None:
            return f"{self.what}: {self.refuted}"
        missing = f" ({self.missing})" if self.missing else ""
        return f"{self.what}: {'proved' if self.is_shown else f'not shown{missing}'}"


@dataclass(frozen=True)
class LiftedAccess:
    """Where the lanes of an instruction go.

    ``space``: global, buffer, lds, scalar or scratch; ``bytes`` of a lane (of a scalar load: of the wave);
    ``buffer``: the argument that it points into, "" where none is known; ``cases``: guards with the offset in
    bytes from there (in the LDS: from its beginning); ``active``: the guard of the lanes that take part;
    ``size``: of a buffer resource, its bytes; ``loops``: the letters that count the turns of loops around it.
    """

    formulas: Formulas
    place: int
    space: str
    direction: str
    bytes: int
    buffer: str
    cases: Value
    active: int
    size: Polynomial | None = None
    loops: tuple[int, ...] = ()

    @property
    def instruction(self) -> Instruction:
        return self.formulas.assembly.instructions[self.place]

    @property
    def line(self) -> str:
        """The source line, if the code has lines."""
        return self.formulas.line_of(self.place)

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """Why the address is no formula of lane, wave, workgroup, arguments and turns; empty if it is one."""
        words = self.formulas.words
        found: dict[str, None] = {}
        for _, polynomial in self.cases:
            for letter in sorted(words.bases(polynomial) | self._all_letters(polynomial)):
                reason = self.formulas.reason(letter)
                if reason:
                    found[reason] = None
        return tuple(found)

    def _all_letters(self, polynomial: Polynomial) -> frozenset[int]:
        """The letters of a polynomial and of what those are operations on."""
        found: set[int] = set()
        waiting = [polynomial]
        while waiting:
            for letter in waiting.pop().letters - found:
                found.add(letter)
                waiting += [
                    part
                    for part in self.formulas.words.form.atoms[letter].operands
                    if isinstance(part, Polynomial)
                ]
        return frozenset(found)

    @property
    def is_understood(self) -> bool:
        """Whether every case of the address is a formula."""
        return not self.missing

    @cached_property
    def formula(self) -> str:
        """The offset in bytes as text; cases as ``a if condition else b``."""
        return " else ".join(self._told(is_short=False))

    @cached_property
    def short_cases(self) -> tuple[str, ...]:
        """The same case by case, with names for what is uniform, which ``formulas.names`` defines."""
        return tuple(self._told(is_short=True))

    def _told(self, *, is_short: bool) -> Iterator[str]:
        """Each case as ``a if condition``, the last one without."""
        formulas = self.formulas
        for number, (holds, polynomial) in enumerate(self.cases, start=1):
            text = formulas.text(formulas.names.shortened(polynomial) if is_short else polynomial)
            is_last = number == len(self.cases)
            condition = formulas.text_of_guard(holds, self.active, is_short=is_short)
            yield text if is_last else f"{text} if {condition}"

    @cached_property
    def when(self) -> str:
        """Which lanes take part; empty if all do."""
        return self.formulas.text_of_guard(self.active, 1)

    @cached_property
    def short_when(self) -> str:
        """The same with names for what is uniform."""
        return self.formulas.text_of_guard(self.active, 1, is_short=True)

    # --- what is shown

    @cached_property
    def bounds(self) -> Shown:
        """Whether every lane that takes part stays within the buffer or the LDS, by what is assumed."""
        end = self.extent
        if end is None:
            return Shown(
                "in bounds", is_shown=False, missing=f"no extent of {self.buffer or self.space} is given"
            )
        words = self.formulas.words
        for holds, given in self.cases:
            both = words.guards.both(holds, self.active)
            if self._is_within(both, given, end):
                continue
            with words.under(both):
                offset = Rebuilt(words).of(given)
                if not words.ranges.is_shown(offset):
                    return self._bounds_asked(end, "below 0")
                is_before_end = self.is_bounded_by_hardware or words.ranges.is_shown(
                    end - offset.plus(self.bytes)
                )
                if not is_before_end:
                    return self._bounds_asked(end, "beyond the end")
        return Shown("in bounds", is_shown=True)

    def _is_within(self, guard: int, offset: Polynomial, end: Polynomial) -> bool:
        """Whether it is in bounds in every lane of the launch, where lane and workgroup decide all of it."""
        tables = self.formulas.tables
        lanes, before = tables.truths(guard), tables.values(offset)
        behind = tables.values(end - offset.plus(self.bytes))
        if lanes is None or before is None or behind is None:
            return False
        return bool((~lanes | ((before >= 0) & (behind >= 0))).all())

    @cached_property
    def is_bounded_by_hardware(self) -> bool:
        """Whether the resource of a buffer ends where the memory that is declared does, or before.

        What lies past the end of the resource is not accessed.
        """
        declared = self.formulas.extents.get(self.buffer)
        if self.size is None or declared is None:
            return False
        words = self.formulas.words
        return words.ranges.is_shown(words.form.of(declared) - self.size)

    def _bounds_asked(self, end: Polynomial, what: str) -> Shown:
        """The same by the provers, which tell a place beyond the bounds if they find one."""
        prove = self.formulas.prove
        if prove is None or not self.is_understood:
            return Shown("in bounds", is_shown=False, missing=what)
        try:
            places = self.index_map
            last = self.formulas.questions.expressions.of(end)
            within = (
                Comparison(Integer(0), "<=", places.offset),
                Comparison(places.offset + self.bytes, "<=", last),
            )
            domain = places.domain.only(*places.outputs, *places.when, last)
            verdict = prove(Claim("in bounds", "access", domain, within, places.when))
        except LayoutError:  # no expression, no point, or too large a claim
            return Shown("in bounds", is_shown=False, missing=what)
        return Shown.by("in bounds", verdict, what)

    @property
    def extent(self) -> Polynomial | None:
        """The bytes of what it goes to: as declared, or else of its resource; None where not known."""
        if self.space == "lds":
            return Polynomial.constant(self.formulas.lds_bytes)
        extent = self.formulas.extents.get(self.buffer)
        return self.size if extent is None else self.formulas.words.form.of(extent)

    @cached_property
    def alignment(self) -> Shown:
        """Whether offsets are multiples of the bytes that a lane moves (of 16 at most)."""
        size = min(self.bytes & -self.bytes, MOST_ALIGNED)
        words = self.formulas.words
        for holds, offset in self.cases:
            with words.under(words.guards.both(holds, self.active)):
                if words.masked(offset, size - 1, 64):
                    return Shown(f"aligned to {size}", is_shown=False)
        return Shown(f"aligned to {size}", is_shown=True)

    @property
    def is_whole(self) -> bool:
        """Whether two accesses of this width that overlap are shown to begin at one place."""
        return self.alignment.is_shown and self.bytes & -self.bytes == self.bytes <= MOST_ALIGNED

    @property
    def wave_access(self) -> WaveAccess:
        """The access as the models of memory and their pictures take it: bytes, as many as a lane moves.

        Refused: an address that is no formula.
        """
        places = self.index_map
        lane = places.domain["lane"]
        domain = places.domain.only(places.offset, *places.when, lane)
        own = IndexMap(domain, places.outputs, places.when)
        return WaveAccess(own, lane, DataType.named("i8"), self.bytes, self.way)

    @cached_property
    def conflict_cycles(self) -> int | None:
        """In the LDS: cycles that bank conflicts add at most, in all turns; None where unknown."""
        if self.space != "lds" or not self.is_understood:
            return None
        return conflict_cycles(self.formulas, self.cases, self.bytes, self.way)

    @cached_property
    def lines_of_memory(self) -> tuple[int, int] | None:
        """Of memory: lines that the fullest wave touches at small sizes, and those that its bytes need.

        None in the LDS, and where the address is no formula.
        """
        if self.space not in ("global", "buffer") or not self.is_understood:
            return None
        return lines_of_memory(self.formulas, self.offsets, self.bytes, self.way)

    @property
    def claimed_way(self) -> str:
        """What a claim calls it: a load or a store; an atomic operation is a store."""
        return "load" if self.direction == "load" else "store"

    @property
    def way(self) -> Direction:
        """Whether it reads or writes."""
        return "read" if self.direction == "load" else "write"

    @cached_property
    def one_writer(self) -> Shown | None:
        """Of a store to memory: whether no two threads write one place by it; None of other accesses."""
        if self.direction != "store" or self.space not in ("global", "buffer"):
            return None
        prove = self.formulas.prove
        if self.space == "buffer" and not self.buffer:
            return Shown("one writer", is_shown=False, missing="its resource begins in no known buffer")
        if prove is None or not self.is_understood:
            missing = self.missing[0] if self.missing else "no prover was given"
            return Shown("one writer", is_shown=False, missing=missing)
        try:
            places = self.index_map
            threads = tuple(axis.symbol for axis in places.domain.axes if axis.name in THREADS)
            if not self.is_whole:
                places = _byte_by_byte(places, self.bytes)
            verdict = prove(one_writer(places, threads, "store"))
        except LayoutError as error:
            return Shown("one writer", is_shown=False, missing=str(error))
        return Shown.by("one writer", verdict)

    @cached_property
    def index_map(self) -> IndexMap:
        """The offset in bytes as a map from lane, wave, workgroup and turns: a layout like any other.

        Refused: an address that is no formula.
        """
        expressions = self.formulas.questions.expressions
        if not self.is_understood:
            raise LayoutError(f"{self.instruction.text}: not understood: {self.missing[0]}")
        try:
            *others, (_, last) = self.cases
            offset = expressions.of(last)
            for holds, polynomial in reversed(others):
                offset = Select.unchecked(expressions.truth(holds), expressions.of(polynomial), offset)
            when = expressions.truth(self.active)
        except OpaqueLetterError as error:
            raise LayoutError(f"{self.instruction.text}: no expression for {error}") from None
        threads = [self.formulas.start.domain[name] for name in THREADS]
        domain = expressions.domain(offset, when, *threads).only(offset, when, *threads)
        return IndexMap(domain, (offset,), conjuncts(when))

    def offsets(self, **values: int) -> tuple[Any, Any]:
        """Offsets of the 64 lanes and which of them take part, where names have these values.

        Names: ``wave``, ``workgroup_x``, ..., arguments, turns. Refused: an address that is no formula.
        """
        numbers = Numbers(self.formulas.words, values)
        active = numbers.guard(self.active)
        found = np.zeros(LANES, dtype=object)
        for holds, offset in self.cases:
            here = numbers.guard(holds) & active
            if here.any():
                found = np.where(here, numbers.of(offset), found)
        return found, active


def _byte_by_byte(places: IndexMap, count: int) -> IndexMap:
    """The places of all bytes of accesses that begin at these."""
    byte = Symbol("byte", integer=True, nonnegative=True)
    domain = places.domain.joined(Domain((Variable(byte, Integer(0), Integer(count)),)))
    return IndexMap(domain, (places.offset + byte,), places.when)

"""One access of a lifted kernel: where each lane goes, as a formula, and what is shown of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.access_counts import AccessCounts
from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lifting.formula_numbers import LANES, Numbers, OpaqueLetterError
from layoutalg.codegen.gfx9.lifting.lifted_formulas import Formulas
from layoutalg.codegen.gfx9.lifting.replacement import Rebuilt, replaced
from layoutalg.codegen.gfx9.lifting.word_formulas import Value
from layoutalg.machine.lds import Direction
from layoutalg.rules.polynomial import Polynomial

__all__ = ["LiftedAccess", "Shown"]

WRITES = ("store", "atomic")
ALL_BANKS = 256  # bytes: 64 banks of a word, twice the 32 of older targets


@dataclass(frozen=True)
class Shown:
    """A statement about an access: whether it was shown, and what is missing where it was not."""

    what: str
    is_shown: bool
    missing: str = ""

    def __str__(self) -> str:
        missing = f" ({self.missing})" if self.missing else ""
        return f"{self.what}: {'proved' if self.is_shown else f'not shown{missing}'}"


@dataclass(frozen=True)
class LiftedAccess:
    """Where the lanes of an instruction go.

    ``space``: global, buffer, lds, scalar or scratch; ``bytes`` of a lane (of a scalar load: of the wave);
    ``buffer``: the argument that it points into, "" where none is known; ``cases``: guards with the offset in
    bytes from there (in the LDS: from its beginning); ``active``: the guard of the lanes that take part;
    ``size``: of a buffer resource, its bytes.
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
        texts = [
            (self.formulas.text_of_guard(holds, self.active), self.formulas.text(p))
            for holds, p in self.cases
        ]
        *first, (_, last) = texts
        return "".join(f"{text} if {condition} else " for condition, text in first) + last

    @cached_property
    def when(self) -> str:
        """Which lanes take part; empty if all do."""
        return self.formulas.text_of_guard(self.active, 1)

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
            with words.under(words.guards.both(holds, self.active)):
                offset = Rebuilt(words).of(given)
                for what, needed in (("below 0", offset), ("beyond the end", end - offset.plus(self.bytes))):
                    if not words.ranges.is_shown(needed):
                        return Shown("in bounds", is_shown=False, missing=what)
        return Shown("in bounds", is_shown=True)

    @property
    def extent(self) -> Polynomial | None:
        """The bytes of what it goes to; None where they are not known."""
        if self.space == "lds":
            return Polynomial.constant(self.formulas.lds_bytes)
        if self.size is not None:
            return self.size
        extent = self.formulas.extents.get(self.buffer)
        return None if extent is None else self.formulas.words.form.of(extent)

    @cached_property
    def alignment(self) -> Shown:
        """Whether offsets are multiples of the bytes that a lane moves (of 16 at most)."""
        size = min(self.bytes & -self.bytes, 16)
        words = self.formulas.words
        for holds, offset in self.cases:
            with words.under(words.guards.both(holds, self.active)):
                if words.masked(offset, size - 1, 64):
                    return Shown(f"aligned to {size}", is_shown=False)
        return Shown(f"aligned to {size}", is_shown=True)

    @cached_property
    def conflict_cycles(self) -> int | None:
        """In the LDS: cycles that bank conflicts add at most, all lanes on, in all turns; None where unknown.

        What is the same for all lanes moves every bank alike where it is a multiple of all banks; the lanes'
        part is counted with its own numbers.
        """
        if self.space != "lds" or not self.is_understood:
            return None
        words, worst = self.formulas.words, 0
        lane = words.lane.as_letter
        wave = words.form.symbol("wave").as_letter
        for _, offset in self.cases:
            for monomial, coefficient in offset:
                bases = words.bases(Polynomial({monomial: 1}))
                if bases - {lane, wave} and (lane in bases or wave in bases or coefficient % ALL_BANKS):
                    return None
            moved = {x: Polynomial.constant(0) for x in words.bases(offset) - {lane, wave}}
            alone = replaced(words, offset, moved)
            for number in range(self.formulas.waves):
                try:
                    places = Numbers(words, {"wave": number}).of(alone)
                except OpaqueLetterError:
                    return None
                worst = max(worst, self._conflicts(places))
        return worst

    def _conflicts(self, places: Any) -> int:
        counts = AccessCounts(self.formulas.target)
        way: Direction = "write" if self.direction in WRITES else "read"
        found = counts.observed(
            "lds", way, self.bytes, places.astype(np.int64)[None], np.ones((1, LANES), dtype=bool), 1
        )
        return found[f"lds_{way}_conflict_cycles"]

    def offsets(self, **values: int) -> tuple[Any, Any]:
        """Offsets of the 64 lanes and which of them take part, where names have these values.

        Names: ``wave``, ``workgroup_x``, ..., arguments, turns. Refused: an address that is no formula.
        """
        numbers = Numbers(self.formulas.words, values)
        active = numbers.guard(self.active)
        found = np.zeros(LANES, dtype=object)
        for holds, offset in self.cases:
            found = np.where(numbers.guard(holds) & active, numbers.of(offset), found)
        return found, active

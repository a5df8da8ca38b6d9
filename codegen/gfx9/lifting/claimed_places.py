"""Where a claimed access goes, as formulas of a lifted kernel: which claimed element an address is of.

Registers are counted through; the turn of a loop is solved for, since tiles follow each other by a step.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sympy import Symbol

from layoutalg.codegen.claimed_access import ClaimedAccess
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, NEVER
from layoutalg.codegen.gfx9.lifting.lane_tables import InLanes, Table
from layoutalg.codegen.gfx9.lifting.lifted_formulas import Formulas
from layoutalg.codegen.gfx9.lifting.replacement import Rebuilt, replaced_in_guard
from layoutalg.errors import LayoutError
from layoutalg.index.interpret import interpret
from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial

__all__ = ["ClaimedElement", "ClaimedPlaces", "Found"]

MOST_REGISTERS = 1 << 14  # elements that one thread holds of one window


@dataclass(frozen=True)
class ClaimedElement:
    """An element that a thread holds: its place in bytes and where it is there, by the letter of the turn."""

    number: int
    place: Polynomial
    valid: int


@dataclass(frozen=True)
class Found:
    """The element that an address is of, and in which turn of the claim; None: read in place of another."""

    element: ClaimedElement | None
    turn: Polynomial


class ClaimedPlaces:
    """The places of one claimed access; ``loops``: the letters that count turns in the code."""

    def __init__(self, claim: ClaimedAccess, formulas: Formulas, loops: frozenset[int]) -> None:
        self.claim = claim
        self.loops = loops
        self.formulas = formulas
        self.words = words = formulas.words
        self.tables = formulas.tables
        self._launch = {name: words.form.of(expression) for name, expression in claim.launch.items()}
        self.bytes = claim.kind.bits // 8
        if claim.kind.bits % 8 or len(claim.turns) > 1:
            msg = f"claimed access of {claim.array}: wanted whole bytes and one axis of turns at most"
            raise LayoutError(msg)
        self.turn = self._turn()
        self._by_lanes: dict[bytes, dict[tuple[Any, ...], list[tuple[Polynomial, ClaimedElement]]]] = {}

    def _turn(self) -> Polynomial | None:
        """A letter for the axis that counts turns."""
        if not self.claim.turns:
            return None
        axis = self.claim.map.domain.variable(self.claim.turns[0].name)
        assert axis.upper is not None
        last = self.words.form.of(axis.upper).plus(-1)
        return self.words.letter(f"claimed_{axis.name}", ZERO, last)

    @property
    def turns(self) -> Polynomial:
        """How many turns there are: 1 where the claim has no such axis."""
        if not self.claim.turns:
            return ONE
        found: Polynomial = self.words.form.of(self.claim.map.domain.variable(self.claim.turns[0].name).upper)
        return found

    # --- the elements

    @cached_property
    def elements(self) -> tuple[ClaimedElement, ...]:
        """Every element that a thread holds, the last register fastest."""
        lengths = [self._length(axis.name) for axis in self.claim.registers]
        return tuple(
            self._element(number, values)
            for number, values in enumerate(itertools.product(*map(range, lengths)))
        )

    def _length(self, name: str) -> int:
        axis = self.claim.map.domain.variable(name)
        if axis.upper is None or not axis.upper.is_Integer or int(axis.upper) > MOST_REGISTERS:
            raise LayoutError(f"claimed access of {self.claim.array}: {axis} counts no registers")
        return int(axis.upper)

    def _element(self, number: int, values: tuple[int, ...]) -> ClaimedElement:
        registers = {axis.name: value for axis, value in zip(self.claim.registers, values, strict=True)}

        def leaf(symbol: Symbol) -> Polynomial:
            if symbol.name in registers:
                return Polynomial.constant(registers[symbol.name])
            if symbol in self.claim.turns:
                assert self.turn is not None
                return self.turn
            if symbol.name in self._launch:
                return self._launch[symbol.name]
            found: Polynomial = self.words.form.symbol(symbol.name)
            return found

        form = self.words.form
        place = interpret(self.claim.map.outputs[0], form, leaf).scaled(self.bytes)
        valid = ALWAYS
        for condition in self.claim.map.when:
            truth: Any = interpret(condition, form, leaf)
            valid = self.words.guards.both(valid, self._guard(truth))
        for axis in self.claim.map.domain.axes:
            if axis.name in self._launch and axis.upper is not None:
                inside = interpret(axis.upper, form, leaf) - self._launch[axis.name].plus(1)
                valid = self.words.guards.both(valid, self.words.compared("nonnegative", inside, ALWAYS))
        return ClaimedElement(number, place, valid)

    def _guard(self, condition: Condition) -> int:
        """A condition as a guard, its comparisons decided where ranges decide them."""
        guards = self.words.guards
        if condition.kind in ("and", "or"):
            parts = [self._guard(part) for part in condition.parts if isinstance(part, Condition)]
            found = parts[0]
            for part in parts[1:]:
                found = guards.both(found, part) if condition.kind == "and" else guards.either(found, part)
            return found
        if condition.kind == "nonnegative":
            return self.words.compared("nonnegative", condition.polynomials()[0], ALWAYS)
        return guards.of(condition)

    # --- addresses

    def found(self, place: Polynomial, holds: int, lanes: Table, hint: int = -1) -> Found | None:
        """The element whose place an offset in bytes is, wherever a guard holds; None where none is shown.

        ``lanes``: the lanes in which the guard may hold; ``hint``: the element to try first.
        """
        given = self.tables.of(place, lanes)
        alike = self._alike(given, lanes)
        ordered = sorted(alike, key=lambda one: one[1].number != hint)
        for shared, element in ordered:
            turn = self._solved(given.shared - shared, element)
            if turn is None:
                continue
            with self.words.under(holds):
                turn = Rebuilt(self.words).of(turn)
            is_harmless = self.claim.is_shared and self.claim.way == "load"
            needed = ALWAYS if is_harmless else element.valid
            valid = needed if self.turn is None else self.at(needed, turn)
            if valid != NEVER and self.formulas.implied(holds, valid):
                return Found(element, turn)
        elsewhere = self.claim.elsewhere
        if elsewhere is not None:
            offset = place.as_integer
            wanted = range(elsewhere, elsewhere + len(self.elements))
            if offset is not None and offset % self.bytes == 0 and offset // self.bytes in wanted:
                return Found(None, ZERO)
        return None

    def _alike(self, given: InLanes, lanes: Table) -> list[tuple[Polynomial, ClaimedElement]]:
        """The elements whose places differ between lanes as the given one does."""
        key = lanes.tobytes()
        if key not in self._by_lanes:
            table: dict[tuple[Any, ...], list[tuple[Polynomial, ClaimedElement]]] = {}
            for element in self.elements:
                at = self.tables.of(element.place if self.turn is None else self._first(element), lanes)
                table.setdefault(at.shape, []).append((at.shared, element))
            self._by_lanes[key] = table
        return self._by_lanes[key].get(given.shape, [])

    def _letter(self) -> int:
        assert self.turn is not None
        letter = self.turn.as_letter
        assert letter is not None
        return letter

    def _first(self, element: ClaimedElement) -> Polynomial:
        """The place of an element in turn 0."""
        return element.place.replaced(self._letter(), ZERO)

    def _step(self, element: ClaimedElement) -> Polynomial | None:
        """How far apart its places are from turn to turn; None where that differs."""
        step = element.place.coefficient(self._letter())
        if step is None or self._letter() in step.letters:
            return None
        return step

    def _solved(self, distance: Polynomial, element: ClaimedElement) -> Polynomial | None:
        """The turn whose place lies so far from that of turn 0; None where no turn is shown to."""
        if self.turn is None:
            return None if distance else ZERO
        step = self._step(element)
        if not step:
            return None
        turn, rest = distance.divided(step)
        return None if rest else turn

    def at(self, guard: int, turn: Polynomial) -> int:
        """A guard of an element in a turn, which must be one of the claim's."""
        words = self.words
        inside = replaced_in_guard(words, guard, {self._letter(): turn})
        for needed in (turn, self.turns.plus(-1) - turn):
            inside = words.guards.both(inside, words.compared("nonnegative", needed, ALWAYS))
        return inside

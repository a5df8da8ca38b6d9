"""Where a claimed access goes, as formulas of a lifted kernel: which claimed element an address is of.

Registers are counted through; the turn of a loop is solved for, since tiles follow each other by a step.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import sympy

from layoutalg.claim import IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess
from layoutalg.codegen.gfx9.lifting.claimed_elements import ClaimedElement, ClaimedElements
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, NEVER
from layoutalg.codegen.gfx9.lifting.lane_tables import Table
from layoutalg.codegen.gfx9.lifting.lifted_formulas import Formulas
from layoutalg.codegen.gfx9.lifting.replacement import Rebuilt, Replacement, replaced_in_guard
from layoutalg.codegen.gfx9.lifting.same_form import SameForm
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.domain import Variable
from layoutalg.errors import LayoutError
from layoutalg.index.choice import Max, Min, Select
from layoutalg.index.interpret import interpret
from layoutalg.rules.condition import Condition
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial

__all__ = ["ClaimedPlaces", "Found", "placed", "within"]

SELECTIONS = Select, Min, Max
MOST_SELECTIONS = 3  # of a claim's map
MOST_REGISTERS = 1 << 14  # of one kind that a thread holds of one window


def placed(form: NormalForm, expression: Any, values: Mapping[str, Polynomial]) -> Any:
    """An expression of a layout in normal form, with polynomials in place of its axes."""
    return interpret(
        expression,
        form,
        lambda symbol: values[symbol.name] if symbol.name in values else form.symbol(symbol.name),
    )


def within(words: Words, axis: Variable, value: Polynomial, values: Mapping[str, Polynomial]) -> int:
    """The guard of a value that lies between the ends of an axis."""
    found = ALWAYS
    needed = [] if axis.lower is None else [value - placed(words.form, axis.lower, values)]
    if axis.upper is not None:
        needed.append(placed(words.form, axis.upper, values) - value.plus(1))
    if axis.multiple_of != 1:
        raise LayoutError(f"claimed layout: {axis} goes in steps: wanted every value between its ends")
    for one in needed:
        found = words.guards.both(found, words.compared("nonnegative", one, ALWAYS))
    return found


def _settled(words: Words, place: Polynomial) -> Polynomial:
    """With 0 for the number of a workgroup that is alone along an axis of its grid, as codes have it."""
    for letter in place.letters:
        atom = words.form.atoms[letter]
        is_alone = words.form.bounds.interval(Polynomial.letter(letter)).high == 0
        if atom.kind == "axis" and str(atom.operands[0]).startswith("workgroup") and is_alone:
            place = place.replaced(letter, ZERO)
    return place


def _without_selections(made: IndexMap, left: int = MOST_SELECTIONS) -> Iterator[IndexMap]:
    """A map for each way that its selections may go; of more than so many the rest stay."""
    found = min(made.outputs[0].atoms(*SELECTIONS), key=sympy.count_ops, default=None) if left else None
    if found is None:
        yield made
        return
    condition, *ways = found.args if isinstance(found, Select) else (sympy.Le(*found.args), *found.args)
    if isinstance(found, Max):
        ways.reverse()
    for holds, way in zip((condition, sympy.Not(condition)), ways, strict=True):
        outputs, when = (
            tuple(part.xreplace({found: way}) for part in parts) for parts in (made.outputs, made.when)
        )
        yield from _without_selections(IndexMap(made.domain, outputs, (*when, holds)), left - 1)


@dataclass(frozen=True)
class Found:
    """The element that an address is of, and in which turn of the claim; None: read in place of another."""

    element: ClaimedElement | None
    turn: Polynomial


class ClaimedPlaces:
    """The places of one claimed access; ``loops``: the last turns of the code's loops by their letters."""

    def __init__(
        self, claim: ClaimedAccess, formulas: Formulas, loops: Mapping[int, Polynomial | None]
    ) -> None:
        self.claim = claim
        self.loops = loops
        self.formulas = formulas
        self.words = words = formulas.words
        self.tables = formulas.tables
        self.forms = SameForm(words)
        self._launch = {name: _settled(words, words.form.of(place)) for name, place in claim.launch.items()}
        self.bytes = claim.kind.bits // 8
        if claim.kind.bits % 8 or len(claim.turns) > 1:
            msg = f"claimed access of {claim.array}: wanted whole bytes and one axis of turns at most"
            raise LayoutError(msg)
        self.turn = self._turn()
        self._used: dict[int, set[tuple[int, int]]] = {}  # by number of the element: instruction, guard
        self._possible: dict[int, bool] = {}
        self._in_turn: dict[Polynomial, tuple[Replacement, int]] = {}  # and whether it is one of the claim's

    def _turn(self) -> Polynomial | None:
        """A letter for the axis that counts turns."""
        if not self.claim.turns:
            return None
        axis = self.claim.map.domain.variable(self.claim.turns[0].name)
        if axis.upper is None or axis.lower != 0 or axis.multiple_of != 1:
            raise LayoutError(f"claimed access of {self.claim.array}: wanted turns from 0 on, got {axis}")
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
        ranges = map(self._range, self.claim.registers)
        each = itertools.product(itertools.product(*ranges), self.cases)
        return tuple(self._element(number, *one) for number, one in enumerate(each))

    @cached_property
    def cases(self) -> tuple[IndexMap, ...]:
        """The claim's map by cases of what it selects: compiled code goes one way or the other."""
        return tuple(_without_selections(self.claim.map))

    def _range(self, axis: Variable) -> range:
        """The values of a register."""
        low, high = axis.lower, axis.upper
        if not (low is not None and low.is_Integer and high is not None and high.is_Integer):
            raise LayoutError(f"claimed access of {self.claim.array}: {axis} counts no registers")
        found = range(int(low), int(high), axis.multiple_of)
        if len(found) > MOST_REGISTERS:
            raise LayoutError(f"claimed access of {self.claim.array}: {axis}: at most {MOST_REGISTERS}")
        return found

    def _element(self, number: int, registers: tuple[int, ...], case: IndexMap) -> ClaimedElement:
        form, guards = self.words.form, self.words.guards
        values = dict(self._launch)
        for axis, value in zip(self.claim.registers, registers, strict=True):
            values[axis.name] = Polynomial.constant(value)
        if self.turn is not None:
            values[self.claim.turns[0].name] = self.turn
        place = placed(form, case.outputs[0], values).scaled(self.bytes)
        valid = chosen = ALWAYS
        for at, condition in enumerate(case.when):
            holds = self._guard(placed(form, condition, values))
            valid = guards.both(valid, holds)
            chosen = guards.both(chosen, holds) if at >= len(self.claim.map.when) else chosen
        return ClaimedElement(number, place, guards.both(valid, self._there), chosen)

    @cached_property
    def _as_claimed(self) -> ClaimedElements:
        return self._table(self.elements)

    @cached_property
    def _in_same_form(self) -> ClaimedElements | None:
        """The elements as codes that divide in other ways have them; None where that is no other form."""
        each = ((one, self.forms.of_claim(one.place, one.valid)) for one in self.elements)
        found = tuple(replace(one, place=place, valid=valid) for one, (place, valid) in each)
        return None if found == self.elements else self._table(found)

    def _table(self, elements: tuple[ClaimedElement, ...]) -> ClaimedElements:
        turn = None if self.turn is None else self._letter()
        return ClaimedElements(elements, len(self.cases), self.tables, turn)

    @cached_property
    def _there(self) -> int:
        """The guard of threads that are on all axes that the launch counts."""
        found, values = ALWAYS, dict(self._launch)
        for axis in self.claim.map.domain.axes:
            if axis.name in self._launch:
                inside = within(self.words, axis, self._launch[axis.name], values)
                found = self.words.guards.both(found, inside)
        return found

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

    def _found(
        self, elements: ClaimedElements, place: Polynomial, holds: int, lanes: Table, hint: int
    ) -> Found | None:
        """The element whose place an offset in bytes is, wherever a guard holds; None where none is shown.

        Of several in one place that which fewest accesses of the same lanes are of: a place that is filled
        again and again is read by one access after the other. ``lanes``: the lanes in which the guard may
        hold; ``hint``: the element to try first of those.
        """
        given = self.tables.of(place, lanes)
        alike = elements.alike(given, lanes)
        ordered = sorted(alike, key=lambda one: (self._times_used(one[1], holds), one[1].number != hint))
        for asks in (True, False) if self._is_read_anyhow else (True,):
            for shared, element in ordered:
                found = self._solved(given.shared - shared, element)
                if found is None:
                    continue
                with self.words.under(holds):
                    turn = Rebuilt(self.words).of(found)
                needed = element.valid if asks else ALWAYS
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

    def note_use(self, instruction: int, element: ClaimedElement, holds: int) -> None:
        """Take down that an instruction, by its number, accesses an element where a guard holds."""
        self._used.setdefault(element.number, set()).add((instruction, holds))

    def _times_used(self, element: ClaimedElement, holds: int) -> int:
        """How many accesses of an element a lane may have gone through that is where a guard holds."""
        guards = self.words.guards
        return sum(guards.both(one, holds) != NEVER for _, one in self._used.get(element.number, ()))

    def all_found(
        self, place: Polynomial, holds: int, lanes: Table, hint: int
    ) -> list[tuple[int, Found]] | None:
        """The same by guard, where the ways of selections may differ between lanes.

        Looked for as the code has it first, then with both in one form.
        """
        found = self._found_among(self._as_claimed, place, holds, lanes, hint)
        if found is not None:
            return found
        other_place, guard = self.forms.of_code(place, holds, self._there)
        if self._in_same_form is not None or (other_place, guard) != (place, holds):
            elements = self._in_same_form or self._as_claimed
            found = self._found_among(elements, other_place, guard, lanes, hint)
        return self._found_by_minima(place, holds, hint) if found is None else found

    def _found_by_minima(self, place: Polynomial, holds: int, hint: int) -> list[tuple[int, Found]] | None:
        """The same by which of two numbers is smaller, where code has the minimum and the claim each of both.

        Where they are equal either will do: the claim has one of them there.
        """
        minima = self.words.form.atoms.of_kind("min", place) if len(self.cases) > 1 else ()
        if not minima:
            return None
        first, second = self.words.form.atoms[minima[0]].operands
        for one, other in ((first, second), (second, first)):
            is_one = self.words.compared("nonnegative", other - one, ALWAYS)
            ways = (one, is_one), (other, self.words.guards.opposite(is_one))
            found = [self._with_minimum(place, holds, hint, minima[0], *way) for way in ways]
            if all(pieces is not None for pieces in found):
                return [piece for pieces in found for piece in pieces or ()]
        return None

    def _with_minimum(
        self, place: Polynomial, holds: int, hint: int, minimum: int, value: Polynomial, chosen: int
    ) -> list[tuple[int, Found]] | None:
        """The same where the letter of a minimum has one value; nothing where that is in no lane."""
        guards = self.words.guards
        both = guards.both(replaced_in_guard(self.words, holds, {minimum: value}), chosen)
        lanes = self.tables.where(both)
        if guards.is_empty(both) or not lanes.any():
            return []
        return self.all_found(place.replaced(minimum, value), both, lanes, hint)

    def _found_among(
        self, elements: ClaimedElements, place: Polynomial, holds: int, lanes: Table, hint: int
    ) -> list[tuple[int, Found]] | None:
        """Found by the ways of selections, or as one for all lanes."""
        by_cases = self._found_by_cases(elements, place, holds)
        if by_cases is not None:
            return by_cases
        one = self._found(elements, place, holds, lanes, hint)
        return None if one is None else [(holds, one)]

    def _found_by_cases(
        self, elements: ClaimedElements, place: Polynomial, holds: int
    ) -> list[tuple[int, Found]] | None:
        """The same of a claim with selections, whose ways lanes differ in: by guard the place of each way.

        Of several elements in one place all of them.
        """
        guards, pieces = self.words.guards, list[tuple[int, Found]]()
        for ways, alike in elements.by_ways.items():
            both = {number: guards.both(holds, way) for number, way in enumerate(ways)}
            lanes = {n: self.tables.where(one) for n, one in both.items() if self._is_possible(one)}
            there = {number: table for number, table in lanes.items() if table.any()}
            fitting = [elements.in_place(place, table) for table in there.values()]
            for found in alike:
                chosen = [found[number] for number in there]
                if all(one.number in numbers for one, numbers in zip(chosen, fitting, strict=True)) and all(
                    self._is_read_anyhow or self.formulas.implied(both[number], found[number].valid)
                    for number in there
                ):
                    pieces += [(both[number], Found(found[number], ZERO)) for number in there]
        return pieces or None

    def _is_possible(self, guard: int) -> bool:
        """Whether a guard was not shown to hold nowhere."""
        if guard not in self._possible:
            self._possible[guard] = not self.formulas.implied(guard, NEVER)
        return self._possible[guard]

    @property
    def _is_read_anyhow(self) -> bool:
        """Whether an access of elements that are not there does no harm."""
        return self.claim.is_shared and self.claim.way == "load"

    def may_be_read_too(self, place: Polynomial, holds: int) -> bool:
        """Whether an element beside a claimed one does no harm: compilers read more of an array in one go."""
        room = self.claim.room
        if room is None or not self._is_read_anyhow:
            return False
        with self.words.under(holds):
            ends = place, (-place).plus(room - self.bytes)
            return all(map(self.words.ranges.is_shown, ends))

    def _letter(self) -> int:
        assert self.turn is not None
        letter = self.turn.as_letter
        assert letter is not None
        return letter

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
        if turn not in self._in_turn:
            first, last = (
                self.words.compared("nonnegative", needed, ALWAYS)
                for needed in (turn, self.turns.plus(-1) - turn)
            )
            in_place = Replacement(self.words, {self._letter(): turn})
            self._in_turn[turn] = in_place, self.words.guards.both(first, last)
        in_place, is_one = self._in_turn[turn]
        return self.words.guards.both(in_place.of_guard(guard), is_one)

"""The registers of a wave as formulas, by cases of which lanes and which ways through the kernel.

A scalar register holds a word or half of a lane mask, the condition code a guard. Where nothing was written a
register holds no value: reading it there gives an unknown that nothing is known of.
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, ANY, NEVER, Lanes, OpaqueCondition
from layoutalg.codegen.gfx9.lifting.register_uses import EXEC_MASK, SCC, Register
from layoutalg.codegen.gfx9.lifting.word_formulas import Value, Words, runs_of_ones
from layoutalg.rules.polynomial import ZERO, Polynomial

__all__ = ["Cell", "LaneMask", "Registers"]

MOST_RUNS = 8
WORD = 2**32


@dataclass(frozen=True)
class LaneMask:
    """Half 0 or 1 of a mask of lanes; the whole of a condition."""

    guard: int
    half: int = 0


Cell = tuple[tuple[int, "Polynomial | LaneMask"], ...]


class Registers:
    """What all registers hold on one way through a kernel; ``path``: the guard of being on it."""

    def __init__(self, words: Words, path: int = ALWAYS, cells: dict[Register, Cell] | None = None) -> None:
        self.words = words
        self.path = path
        self.cells: dict[Register, Cell] = {} if cells is None else cells

    def copy(self, path: int) -> Registers:
        """The same on a narrower way."""
        return Registers(self.words, path, self.cells.copy())

    @property
    def lanes(self) -> int:
        """The lanes that are on."""
        return self.mask(*EXEC_MASK)

    def active(self) -> int:
        """The guard of a lane that is on, on this way, without what follows from this lane of some lane."""
        guards, lanes = self.words.guards, self.lanes
        found = guards.both(self.path, lanes)
        for number in guards.support(self.path):
            if guards.is_some_lane_of(number, lanes):
                found = guards.with_variable(found, number, value=True)
        return found

    def some_lane_is_on(self) -> bool:
        """Whether this way is gone by waves alone of which a lane is on: others jumped over it."""
        guards, lanes = self.words.guards, self.lanes
        for number, value in guards.literals(self.path):
            variable = guards.variables[number]
            if value and isinstance(variable, OpaqueCondition) and variable.name == ANY:
                (of,) = variable.operands
                if isinstance(of, Lanes) and guards.implies(guards.both(self.path, of.guard), lanes):
                    return True
        return False

    # --- reading

    def held(self, register: Register, inside: int) -> dict[object, int]:
        """What a register holds where a guard holds: each content with its guard."""
        guards, held = self.words.guards, self.cells.get(register, ())
        found = guards.cases((guards.both(holds, inside), payload) for holds, payload in held)
        return {payload: holds for holds, payload in found}

    def word(self, register: Register, inside: int) -> Value:
        """The word of a register where a guard holds."""
        guards, found, left = self.words.guards, [], inside
        for holds, payload in self.cells.get(register, ()):
            both = guards.both(holds, inside)
            if guards.is_empty(both):
                continue
            left = guards.without(left, holds)
            found.append((both, payload if isinstance(payload, Polynomial) else self._bits(payload)))
        if not guards.is_empty(left) or not found:
            name = f"unset.{register[0]}{register[1]}"
            operands = (self.words.place, *self.words.here())
            found.append((left, self.words.unknown(name, operands, 0, WORD - 1)))
        return self.words.within(tuple(found), inside)

    def _bits(self, mask: LaneMask) -> Polynomial:
        """The word that half of a mask is."""
        if mask.guard in (NEVER, ALWAYS):
            return Polynomial.constant(-1) if mask.guard == ALWAYS else ZERO
        return self.words.unknown("bits of lanes", (Lanes(mask.guard), mask.half), 0, WORD - 1)

    def mask(self, low: Register, high: Register) -> int:
        """The lanes whose bits are set in two scalar registers."""
        guards, found, left = self.words.guards, NEVER, self.path
        first, second = self.cells.get(low, ()), self.cells.get(high, ())
        for holds, one in first:
            for also, other in second:
                both = guards.both(guards.both(holds, also), self.path)
                if not guards.is_empty(both):
                    left = guards.without(left, both)
                    found = guards.either(found, guards.both(both, self._lanes_of(one, other)))
        if not guards.is_empty(left):
            unset = guards.of(OpaqueCondition("unset lanes", (low, self.words.place, *self.words.here())))
            found = guards.either(found, guards.both(left, unset))
        return guards.given(found, self.path)

    def _lanes_of(self, low: Polynomial | LaneMask, high: Polynomial | LaneMask) -> int:
        if isinstance(low, LaneMask) and (low.half, high) == (0, LaneMask(low.guard, 1)):
            return low.guard
        numbers = [p.as_integer if isinstance(p, Polynomial) else None for p in (low, high)]
        if None not in numbers:
            return self.lanes_in((numbers[1] % WORD) * WORD + numbers[0] % WORD)  # type: ignore[operator]
        return self.words.guards.of(OpaqueCondition("bit of lane", (low, high, self.words.lane)))

    def lanes_in(self, mask: int) -> int:
        """The lanes of a mask that is a number: run by run."""
        guards, form, lane = self.words.guards, self.words.form, self.words.lane
        if mask in (0, WORD * WORD - 1):
            return ALWAYS if mask else NEVER
        runs = list(runs_of_ones(mask))
        if len(runs) > MOST_RUNS:
            return guards.of(OpaqueCondition("bit of lane", (mask, lane)))
        found = NEVER
        for first, end in runs:
            above, below = form.less(form.integer(first - 1), lane), form.less(lane, form.integer(end))
            found = guards.either(found, guards.both(guards.of(above), guards.of(below)))
        return found

    def condition(self) -> int:
        """The condition code."""
        guards, found, left = self.words.guards, NEVER, self.path
        for holds, payload in self.cells.get(SCC, ()):
            both = guards.both(holds, self.path)
            if isinstance(payload, LaneMask) and not guards.is_empty(both):
                left = guards.without(left, both)
                found = guards.either(found, guards.both(both, payload.guard))
        if not guards.is_empty(left):
            operands = (self.words.place, *self.words.here(by_lane=False))
            unset = guards.of(OpaqueCondition("unset condition", operands, is_uniform=True))
            found = guards.either(found, guards.both(left, unset))
        return guards.given(found, self.path)

    # --- writing

    def put(self, register: Register, value: Cell, inside: int) -> None:
        """Write cases where a guard holds; elsewhere the register keeps what it holds."""
        guards = self.words.guards
        if inside == ALWAYS:
            self.cells[register] = value
            return
        new = [(guards.both(holds, inside), payload) for holds, payload in value]
        kept = [(guards.without(holds, inside), payload) for holds, payload in self.cells.get(register, ())]
        self.cells[register] = guards.cases([*new, *kept])

    def put_scalar(self, register: Register, value: Cell) -> None:
        """Write a scalar register on this way."""
        self.cells[register] = (
            value
            if self.path == ALWAYS
            else tuple((self.words.guards.both(holds, self.path), payload) for holds, payload in value)
        )

    def put_mask(self, low: Register, high: Register, guard: int) -> None:
        """Write a mask of lanes to two scalar registers: all and none are numbers like others."""
        if guard in (NEVER, ALWAYS):
            number = Polynomial.constant(-1 if guard == ALWAYS else 0)
            for register in (low, high):
                self.put_scalar(register, ((self.path, number),))
            return
        for half, register in enumerate((low, high)):
            self.put_scalar(register, ((self.path, LaneMask(guard, half)),))

    def put_condition(self, guard: int) -> None:
        """Write the condition code."""
        self.put_scalar(SCC, ((self.path, LaneMask(guard)),))

    def joined(self, other: Registers) -> Registers:
        """Where two ways meet: each register holds what it held on the way that was taken."""
        guards = self.words.guards
        path = guards.either(self.path, other.path)
        found = Registers(self.words, path)
        for register in self.cells.keys() | other.cells.keys():
            mine, theirs = self.cells.get(register, ()), other.cells.get(register, ())
            if mine == theirs:
                found.cells[register] = mine
                continue
            sides = ((self, mine), (other, theirs))
            found.cells[register] = guards.cases(
                (guards.both(holds, side.path), payload) for side, held in sides for holds, payload in held
            )
        return found

"""A loop executed on formulas: again and again, until no more of what it carries becomes known.

Each pass begins with what is known of the registers that the body reads before it writes them, as formulas of
``turn``, and with letters for the others. What it learns (``loop_turns``) the next pass begins with. The
number of turns that the loop's condition suggests is taken for the end of ``turn`` in the next pass, and
stands if that pass, with it, comes to the same number without a wrap on the way: which is induction again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from layoutalg.codegen.gfx9.lifting.carried_loads import name_by_loads
from layoutalg.codegen.gfx9.lifting.execute import Executor
from layoutalg.codegen.gfx9.lifting.formula_letters import Opaque
from layoutalg.codegen.gfx9.lifting.formula_registers import Cell, LaneMask, Registers
from layoutalg.codegen.gfx9.lifting.lane_guards import OpaqueCondition
from layoutalg.codegen.gfx9.lifting.loop_turns import Carried, LastTurn, last_turn, solved
from layoutalg.codegen.gfx9.lifting.loops_of_flow import ControlFlow, Loop
from layoutalg.codegen.gfx9.lifting.memory_access import Executed
from layoutalg.codegen.gfx9.lifting.needed import Needed
from layoutalg.codegen.gfx9.lifting.register_uses import EXEC_MASK, SCC, Register, RegisterUses
from layoutalg.codegen.gfx9.lifting.replacement import replaced, replaced_in_guard
from layoutalg.codegen.gfx9.lifting.ways import Ways
from layoutalg.codegen.gfx9.lifting.word_formulas import Value, Words
from layoutalg.rules.polynomial import ZERO, Polynomial

__all__ = ["KernelLoop", "LoopPasses", "Visit"]

MOST_PASSES = 10
WORD = 2**32


@dataclass(frozen=True)
class KernelLoop:
    """A loop as it was understood.

    ``place``: its first instruction; ``letter``: of its turns, from 0; ``last``: the largest of them, None
    where that is not known.
    """

    place: int
    letter: int
    last: Polynomial | None


@dataclass(frozen=True)
class Visit:
    """An access, with the loops that it stands in, outermost first."""

    access: Executed
    loops: tuple[KernelLoop, ...]


class Walking(Protocol):
    """What executes blocks: the walk through a kernel that a loop is part of."""

    words: Words
    flow: ControlFlow
    uses: list[RegisterUses]
    needed: Needed
    executor: Executor
    visits: list[Visit]
    around: list[KernelLoop]
    counted: set[int]

    def region(
        self, blocks: Iterable[int], ways: Ways, loop: Loop | None
    ) -> tuple[Registers | None, list[tuple[int, Registers]]]:
        """Execute the blocks of a loop once."""


class LoopPasses:
    """The passes over one loop, entered with one state."""

    def __init__(self, walk: Walking, loop: Loop, entry: Registers) -> None:
        self.walk = walk
        self.words = walk.words
        self.loop = loop
        self.entry = entry
        self.place = walk.flow.blocks[loop.header].first
        needed = walk.needed.at_start[loop.header]
        written = {r for place in self._places() for r in walk.uses[place].writes}
        if any(walk.uses[place].writes_any for place in self._places()):
            written |= {register for register in needed if register[0] == "v"}
        self.carried_registers = sorted(written & needed)
        self.known: dict[Register, Cell] = {}  # in terms of ``self.any_turn``
        self.pairs: dict[Register, Register] = {}  # low words to high words
        self.any_turn = self._turn("any", None)
        self.last: Polynomial | None = None
        self.guessed: list[Polynomial] = []  # numbers of turns that did not stand
        self.sure: dict[Register, Cell] = {}  # what was known before a last turn was assumed
        self.made: dict[int, Carried] = {}  # what the last pass made of what is carried
        self.widens = False  # whether lanes come back that had left
        self.loose: set[Register] = set()  # written in lanes that are off where a turn begins

    def _places(self) -> list[int]:
        blocks = (self.walk.flow.blocks[number] for number in self.loop.blocks)
        places = [place for block in blocks for place in range(block.first, block.last + 1)]
        return [place for place in places if place in self.walk.needed.places]

    def _turn(self, name: str, last: Polynomial | None) -> Polynomial:
        """A letter for the number of the turn."""
        return self.words.letter(f"turn.{self.place}.{name}", ZERO, last)

    def run(self) -> list[tuple[int, Registers]]:
        """Execute the loop; gives the states with which it is left."""
        walk, visits, number = self.walk, len(self.walk.visits), 0
        while True:
            del walk.visits[visits:]
            number += 1
            if number == MOST_PASSES and self.last is not None:  # what is left open stays open
                self._assume(None)
            turn = self._turn(f"{len(walk.words.opaque)}.{number}", self.last)
            letter = turn.as_letter
            assert letter is not None
            self._begin(letter)
            self.words.place = self.place
            header, carried = self._header(turn)
            ways = Ways()
            ways.add(self.loop.header, header)
            back, leaving = walk.region(self.loop.blocks, ways, self.loop)
            self._end()
            if back is None:
                return leaving
            found = self._last(header, back, letter)
            news = self._learn(header, back, carried, turn)
            if number == MOST_PASSES or (not news and self._stands(found)):
                return self._leave(leaving, letter, found)

    def _begin(self, letter: int) -> None:
        around = self.walk.around
        around.append(KernelLoop(self.place, letter, self.last))
        self.words.turns = tuple(Polynomial.letter(one.letter) for one in around)

    def _end(self) -> None:
        self.walk.around.pop()
        around = self.walk.around
        self.words.turns = tuple(Polynomial.letter(one.letter) for one in around)

    # --- the state at the header

    def _header(self, turn: Polynomial) -> tuple[Registers, dict[int, Carried]]:
        """The registers where a turn begins, and the letters that stand for those that are not known."""
        words, entry = self.words, self.entry
        found = entry.copy(entry.path)
        carried: dict[int, Carried] = {}
        lanes = self._masks(found, turn)
        inside = words.guards.both(entry.path, lanes)
        to_turn = {self.any_turn.as_letter: turn}
        for register in self.carried_registers:
            if register in EXEC_MASK or self._is_mask(register):
                continue
            if register in self.known:
                cell: Cell = tuple(
                    (replaced_in_guard(words, holds, to_turn), replaced(words, p, to_turn))  # type: ignore[arg-type]
                    for holds, p in self.known[register]
                )
            else:
                cell = ((inside, self._letter_of(register, carried)),)
            self._put(found, register, cell, inside)
        return found, carried

    def _put(self, found: Registers, register: Register, cell: Cell, inside: int) -> None:
        if register[0] not in ("v", "a"):
            found.put_scalar(register, cell)
            return
        if register in self.loose or not self._keeps_lanes():
            found.cells.pop(register, None)
        found.put(register, cell, inside)

    def _keeps_lanes(self) -> bool:
        """Whether the lanes that are on are the same in all turns."""
        return EXEC_MASK[0] not in self.carried_registers or EXEC_MASK[0] in self.known

    def _letter_of(self, register: Register, carried: dict[int, Carried]) -> Polynomial:
        """What a register holds that is not known: a letter, or half of one."""
        words = self.words
        low = next((a for a, b in self.pairs.items() if b == register), register)
        registers = (low, self.pairs[low]) if low in self.pairs else (register,)
        bits = 32 * len(registers)
        here = self.words.here(by_lane=register[0] in ("v", "a"))
        operands = (registers, self.place, *here)
        whole = words.unknown("carried", operands, 0, 2**bits - 1)
        letter = whole.as_letter
        assert letter is not None
        if letter not in carried:
            carried[letter] = Carried(registers, letter, bits, self._start(registers))
        if bits == 32:
            return whole
        return words.reduced(whole, 32) if register == low else words.ranges.divided(whole, WORD)

    def _start(self, registers: tuple[Register, ...]) -> Value:
        self.words.inside = self.entry.path
        return self._whole([self.entry.word(register, self.entry.path) for register in registers])

    def _is_mask(self, register: Register) -> bool:
        """Whether a register holds half of a mask of lanes, or the condition, where the loop is entered."""
        held = self.entry.cells.get(register, ())
        return bool(held) and all(isinstance(payload, LaneMask) for _, payload in held)

    def _masks(self, found: Registers, turn: Polynomial) -> int:
        """Put what masks of lanes are known to be; gives the lanes that are on."""
        words = self.words
        for register in self.carried_registers:
            if not self._is_mask(register) or register in self.known:
                continue
            half = next(p.half for _, p in self.entry.cells[register] if isinstance(p, LaneMask))
            number = (register[0], register[1] - half)
            operands = (number, self.place, turn, words.lane)
            guard = words.guards.of(OpaqueCondition("lanes", operands, is_uniform=register == SCC))
            found.put_scalar(register, ((found.path, LaneMask(guard, half)),))
            if register in EXEC_MASK and not self.widens:  # which the pass confirms
                words.guards.assume(words.guards.either(words.guards.opposite(guard), self.entry.lanes))
        return found.lanes

    # --- what a pass says

    def _learn(
        self, header: Registers, back: Registers, carried: dict[int, Carried], turn: Polynomial
    ) -> bool:
        """Take up what a pass found out; whether that is anything new."""
        words = self.words
        news = self._learn_masks(header, back)
        news = self._learn_lanes(header, back) or news
        inside = words.guards.both(back.path, back.lanes)
        found: dict[int, Carried] = {}
        for letter, one in carried.items():
            is_vector = one.registers[0][0] in ("v", "a")
            if is_vector and self.widens:
                continue
            after = self._after(back, one.registers, inside if is_vector else back.path)
            found[letter] = Carried(one.registers, letter, one.bits, one.start, after)
        self.made = found
        to_any = {turn.as_letter: self.any_turn}
        values = solved(words, found, turn)
        for letter, value in values.items():
            cases = tuple(
                (replaced_in_guard(words, holds, to_any), replaced(words, p, to_any))  # type: ignore[arg-type]
                for holds, p in value
            )
            news = True
            registers = found[letter].registers
            self.known[registers[0]] = tuple((h, words.reduced(p, 32)) for h, p in cases)
            if len(registers) > 1:
                self.known[registers[1]] = tuple((h, words.ranges.divided(p, WORD)) for h, p in cases)
        return self._learn_pairs(found, values) or news

    def _learn_lanes(self, header: Registers, back: Registers) -> bool:
        """Note lanes that come back after they left, and registers that change in lanes that are off."""
        guards, news = self.words.guards, False
        if not self.widens and not guards.implies(guards.both(back.path, back.lanes), header.lanes):
            self.widens = news = True
        outside = guards.without(back.path, header.lanes)
        if guards.is_empty(outside):
            return news
        for register in self.carried_registers:
            if register[0] in ("v", "a") and register not in self.loose:
                before, after = (side.held(register, outside) for side in (header, back))
                if before != after:
                    self.loose.add(register)
                    news = True
        return news

    def _after(self, back: Registers, registers: tuple[Register, ...], inside: int) -> Value:
        self.words.inside = inside
        return self.words.within(self._whole([back.word(register, inside) for register in registers]), inside)

    def _whole(self, parts: list[Value]) -> Value:
        """A word, or the number that two of them are."""
        words = self.words
        if len(parts) == 1:
            return parts[0]
        return words.each_pair(
            parts[0],
            parts[1],
            lambda p, q, guard: words.reduced(words.unsigned(p, 32, guard) + q.scaled(WORD), 64),
        )

    def _learn_masks(self, header: Registers, back: Registers) -> bool:
        news = False
        for register in self.carried_registers:
            if not self._is_mask(register) or register in self.known:
                continue
            before, after = (side.cells.get(register, ()) for side in (header, back))
            same = {payload for _, payload in before} == {
                payload for holds, payload in after if not self.words.guards.is_empty(holds)
            }
            if same:
                self.known[register] = self.entry.cells[register]
                news = True
        return news

    def _learn_pairs(self, found: dict[int, Carried], values: dict[int, Value]) -> bool:
        """A word whose step is a carry of another one is the upper half of a number with it."""
        words, news = self.words, False
        for letter, one in found.items():
            if letter in values or len(one.registers) > 1:
                continue
            steps = [p - Polynomial.letter(letter) for _, p in one.after]
            bases = frozenset().union(*map(words.bases, steps))
            others = (bases & found.keys()) - {letter}
            if len(others) != 1:
                continue
            (low,) = others
            unknown = (bases & words.opaque.keys()) - found.keys()
            if any(low in words.bases_of(x) for x in unknown):  # loaded from there, say: no carry
                continue
            registers, is_step = found[low].registers, any(low in step.letters for step in steps)
            if is_step or registers[0][0] != one.registers[0][0]:  # a step, and no carry
                continue
            paired = self.pairs.keys() | set(self.pairs.values())
            if len(registers) == 1 and registers[0] not in paired and one.registers[0] not in paired:
                self.pairs[registers[0]] = one.registers[0]
                self.known.pop(registers[0], None)
                news = True
        return news

    # --- the number of turns

    def _last(self, header: Registers, back: Registers, letter: int) -> LastTurn | None:
        guards = self.words.guards
        ahead = guards.given(guards.both(back.path, back.lanes), guards.both(header.path, header.lanes))
        with self.words.under(header.path):
            return last_turn(self.words, ahead, letter)

    def _stands(self, found: LastTurn | None) -> bool:
        """Whether the last turn that was assumed is the one that came out; if not, another one is assumed."""
        said = None if found is None else found.last
        if self.last is None and (said is None or said in self.guessed):
            return True
        if said == self.last:
            if found is not None and not found.wraps:
                return True
            self.guessed.append(said)  # type: ignore[arg-type]
            self._assume(None)
            return False
        if self.last is not None:
            self.guessed.append(self.last)
        self._assume(None if said in self.guessed else said)
        return False

    def _assume(self, last: Polynomial | None) -> None:
        """Take another last turn: what was learned with the one before is forgotten."""
        if self.last is None:
            self.sure = self.known.copy()
        else:
            self.known = self.sure.copy()
        self.last = last

    def _leave(
        self, leaving: list[tuple[int, Registers]], letter: int, found: LastTurn | None
    ) -> list[tuple[int, Registers]]:
        """The states after the loop: the number of the turn that was the last in place of ``turn``."""
        words, guards = self.words, self.words.guards
        name_by_loads(words, self.made)
        ends = [self._ends_here(state, found) for _, state in leaving]
        if all(ends):
            self.walk.counted.add(letter)
        result = []
        for number, (block, state) in enumerate(leaving):
            value = self.last if ends[number] else None
            if value is None:
                value = self._turns_made(letter, number)
            values = {letter: value}
            path = self.entry.path
            if len(leaving) > 1:
                path = replaced_in_guard(words, state.path, values)
            after = Registers(words, path)
            for register in self.walk.needed.at_start[block]:
                after.cells[register] = tuple(
                    (
                        guards.given(replaced_in_guard(words, holds, values), path),
                        LaneMask(replaced_in_guard(words, payload.guard, values), payload.half)
                        if isinstance(payload, LaneMask)
                        else replaced(words, payload, values),
                    )
                    for holds, payload in state.cells.get(register, ())
                    if not guards.is_empty(guards.both(holds, state.path))
                )
            result.append((block, after))
        return result

    def _ends_here(self, state: Registers, found: LastTurn | None) -> bool:
        """Whether a state leaves the loop after the last turn, and not in another one."""
        guards = self.words.guards
        is_told = self.last is not None and found is not None and found.last == self.last
        return is_told and guards.is_empty(guards.both(state.path, found.goes_on))  # type: ignore[union-attr]

    def _turns_made(self, letter: int, number: int) -> Polynomial:
        """The number of the turn in which a loop was left: unknown, and where lanes differ without an end."""
        words = self.words
        varies = self.last is not None and self.walk.executor.masks.varies_by_lane(self.last)
        found = words.letter(f"turns.{letter}.{number}", ZERO, None if varies else self.last)
        made = found.as_letter
        assert made is not None
        words.opaque[made] = Opaque("number of turns", words.here(), self.place)
        return found

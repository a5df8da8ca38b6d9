"""Values that go from lane to lane: ``v_readlane``, ``v_writelane``, ``ds_bpermute``, operands by DPP."""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lane_moves import LaneMove
from layoutalg.codegen.gfx9.lifting.formula_array import FormulaArray
from layoutalg.codegen.gfx9.lifting.formula_registers import LaneMask, Registers
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, NEVER, Lanes
from layoutalg.codegen.gfx9.lifting.lane_masks import LaneMasks
from layoutalg.codegen.gfx9.lifting.operand_values import Operands
from layoutalg.codegen.gfx9.lifting.register_uses import registers_of_operand
from layoutalg.codegen.gfx9.lifting.replacement import Replacement, replaced_in_guard
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import LANES
from layoutalg.codegen.gfx9.word_arithmetic import Word
from layoutalg.rules.polynomial import ZERO, Polynomial

__all__ = ["LaneExchange"]

U32 = np.dtype(np.uint32)
MOST = 2**32 - 1
MOST_LETTERS = 256  # that a value is made of, if it is followed into another lane


class LaneExchange:
    """Exchanges between the lanes of one kernel's waves."""

    def __init__(self, operands: Operands, masks: LaneMasks) -> None:
        self.words: Words = operands.words
        self.operands = operands
        self.masks = masks
        lane = self.words.lane.as_letter
        assert lane is not None
        self.lane = lane

    def run(self, name: str, instruction: Instruction, state: Registers) -> None:
        """Execute ``v_readfirstlane``, ``v_readlane`` or ``v_writelane``."""
        target, source = (Operand.of(text) for text in instruction.operands[:2])
        self.words.inside = state.path
        if name == "v_writelane_b32":
            self._write_lane(instruction, target, source, state)
            return
        inside = state.path if name == "v_readlane_b32" else state.active()
        chosen = self._chosen(instruction, state) if name == "v_readlane_b32" else self._first(inside, state)
        value = self.operands.read(Word(source), state, inside).value
        is_some = self.words.guards.implies(state.path, self.masks.any_of(state.lanes, state))
        found: list[tuple[int, Polynomial]] = []
        for holds, polynomial in value:
            if chosen is not None:
                change = Replacement(self.words, {self.lane: chosen})
                both = self.words.guards.both(change.of_guard(holds), state.path)
                found.append((both, change.of(polynomial)))
            elif len(value) == 1 and is_some and not self.masks.varies_by_lane(polynomial):
                found.append((state.path, polynomial))
        if not found:
            found = [(state.path, self.words.unknown("lane of", (value, Lanes(state.lanes)), 0, MOST))]
        (register,) = registers_of_operand(target)
        state.put_scalar(register, self.words.within(tuple(found), state.path))

    def _chosen(self, instruction: Instruction, state: Registers) -> Polynomial | None:
        """The lane that an operand names, where it is a number."""
        at = self.operands.read(Word(Operand.of(instruction.operands[2])), state, state.path).value
        number = at[0][1].as_integer if len(at) == 1 else None
        return None if number is None else Polynomial.constant(number % LANES)

    def _first(self, inside: int, state: Registers) -> Polynomial | None:
        """Lane 0, where that is on."""
        is_on = replaced_in_guard(self.words, inside, {self.lane: ZERO})
        return ZERO if self.words.guards.implies(state.path, is_on) else None

    def _write_lane(
        self, instruction: Instruction, target: Operand, source: Operand, state: Registers
    ) -> None:
        words, chosen = self.words, self._chosen(instruction, state)
        (register,) = registers_of_operand(target)
        if target.is_indexed:  # M0 chooses the register
            for any_vector in [one for one in state.cells if one[0] == "v"]:
                del state.cells[any_vector]
            return
        if chosen is None:
            state.cells.pop(register, None)
            return
        is_lane = words.compared("zero", words.lane - chosen, state.path)
        value = self.operands.read(Word(source), state, state.path).value
        state.put(register, value, words.guards.both(is_lane, state.path))

    def moved(self, move: LaneMove, values: list[Any]) -> tuple[list[Any], int]:
        """Sources from other lanes, and the lanes that keep what their register holds."""
        words, bits = self.words, _lanes_apart(move)
        if bits is None:
            return [self._moved_anywhere(move, value, number) for number, value in enumerate(values)], NEVER
        at = words.form.bit_xor(words.lane, words.form.integer(bits)) if bits else words.lane
        found = [self._from_lane(at, value, number) for number, value in enumerate(values)]
        if any(one is None for one in found):
            return [self._moved_anywhere(move, value, number) for number, value in enumerate(values)], NEVER
        return found, NEVER

    def pulled(self, instruction: Instruction, state: Registers) -> bool:
        """Execute ``ds_bpermute``: each lane reads the lane that its address names; False where it is opaque.

        Bytes: a lane has four of them, and addresses go around.
        """
        target, address, source = (Operand.of(text) for text in instruction.operands)
        words = self.words
        inside = words.inside = state.active()
        offset = int(instruction.modifiers.get("offset", "0"), 0)
        at = self.operands.read(Word(address), state, inside).value
        if len(at) != 1:
            return False
        lane = words.ranges.divided(words.masked(at[0][1].plus(offset), 4 * LANES - 4, 32), 4)
        found = self._from_lane(lane, self.operands.read(Word(source), state, inside))
        if found is None:
            return False
        (register,) = registers_of_operand(target)
        state.put(register, found.value, inside)
        return True

    def shifted(self, instruction: Instruction, state: Registers) -> bool:
        """Execute ``v_lshrrev_b64`` of a mask of lanes: its lowest bit is that of the lane it is shifted by.

        False where it is none of those.
        """
        target, places, source = (Operand.of(text) for text in instruction.operands)
        registers = registers_of_operand(source)
        held = [payload for register in registers for _, payload in state.cells.get(register, ())]
        if source.bank != "s" or not held or not all(isinstance(payload, LaneMask) for payload in held):
            return False
        words = self.words
        inside = words.inside = state.active()
        by = self.operands.read(Word(places), state, inside).value
        if len(by) != 1:
            return False
        mask, lane = state.mask(*registers), words.masked(by[0][1], LANES - 1, 32)
        bit = words.truth(replaced_in_guard(words, mask, {self.lane: lane}))
        rest = words.unknown("bits of lanes", (Lanes(mask), lane), 0, MOST // 2)
        above = words.unknown("bits of lanes", (Lanes(mask), lane, "above"), 0, MOST)
        low, high = registers_of_operand(target)
        state.put(low, ((inside, bit + rest.scaled(2)),), inside)
        state.put(high, ((inside, above),), inside)
        return True

    def _from_lane(self, lane: Polynomial, value: Any, number: int = 0) -> FormulaArray | None:
        """A value in the lane of this number instead of the own; None where that one may be off.

        What is made of very much, as sums of data over lanes are, is no formula: each step would double it.
        ``number``: which of the instruction's values it is.
        """
        words = self.words
        if any(len(words.bases(p) | words.bases_of_guard(holds)) > MOST_LETTERS for holds, p in value.value):
            unknown = words.unknown("moved", (words.place, number, *words.here()), 0, MOST)
            return FormulaArray(words, ((words.inside, unknown),), U32)
        change = Replacement(words, {self.lane: lane})
        if not words.guards.implies(words.inside, change.of_guard(words.inside)):
            return None
        return FormulaArray(words, words.within(change.of_value(value.value), words.inside), U32)

    def _moved_anywhere(self, move: LaneMove, value: Any, number: int) -> Any:
        """What is the same for all lanes stays that, but where no lane is read; all else is unknown.

        Told apart by its place and which of the values it is: numbers that agree in one lane, as far as they
        are moved, need not agree in it afterwards.
        """
        is_same = len(value.value) == 1 and not self.masks.varies_by_lane(value.value[0][1])
        if is_same and min(move.lanes) >= 0 and value.value[0][0] == ALWAYS:
            return value
        place = (self.words.place, number, *self.words.here())
        operands = (value.value, move, Lanes(self.words.inside), place)
        unknown = self.words.unknown("moved", operands, 0, MOST)
        return FormulaArray(self.words, ((self.words.inside, unknown),), U32)


def _lanes_apart(move: LaneMove) -> int | None:
    """The number b if each lane reads from ``lane ^ b``; None for other moves."""
    bits = move.lanes[0]
    every = all(source == number ^ bits for number, source in enumerate(move.lanes))
    return bits if every and move.mask == 2**LANES - 1 else None

"""What an instruction's operands hold, as formulas that its row can compute with."""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.lifting.formula_array import FormulaArray, TruthArray
from layoutalg.codegen.gfx9.lifting.formula_registers import Registers
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, NEVER
from layoutalg.codegen.gfx9.lifting.register_uses import M0, MOST_INDEXED, Register, registers_of_operand
from layoutalg.codegen.gfx9.lifting.word_formulas import Value, Words, constant
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.word_arithmetic import Word
from layoutalg.rules.polynomial import Polynomial

__all__ = ["Operands", "guard_of", "number_of", "value_of"]

MOST_M0 = 255  # of M0 so many bits choose a register
U32, BOOL = np.dtype(np.uint32), np.dtype(np.bool_)


class Operands:
    """The operands of one kernel."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def read(self, word: Word, state: Registers, inside: int) -> Any:
        """A word where a guard holds, or a mask of lanes as truth values."""
        operand = word.operand
        if word.is_mask:
            if operand.bank == "number":
                bits = operand.word_of_number(1) << 32 | operand.word_of_number(0)
                return TruthArray(self.words, state.lanes_in(bits))
            low, high = registers_of_operand(operand, 2)
            return TruthArray(self.words, self.words.guards.given(state.mask(low, high), inside))
        match operand.bank:
            case "scc":
                return TruthArray(self.words, state.condition())
            case "number":
                return FormulaArray(
                    self.words, ((inside, Polynomial.constant(operand.word_of_number(word.number))),), U32
                )
            case "lane":
                return FormulaArray(self.words, ((inside, self.words.lane),), U32)
            case "v" | "a" | "s" | "m0" if not operand.is_indexed:
                register = (operand.bank, 0 if operand.bank == "m0" else operand.first + word.number)
                return FormulaArray(self.words, state.word(register, inside), U32)
        if operand.is_indexed:
            chosen = self._chosen_by_m0(word, state, inside)
            if chosen is not None:
                return FormulaArray(self.words, chosen, U32)
        name = f"operand {operand.text}"
        unknown = self.words.unknown(name, (self.words.place, word.number, *self.words.here()), 0, 2**32 - 1)
        return FormulaArray(self.words, ((inside, unknown),), U32)

    def _chosen_by_m0(self, word: Word, state: Registers, inside: int) -> Value | None:
        """What the register holds that M0 chooses; None where that may be any."""
        found = self.chosen_registers(word, state, inside)
        if found is None:
            return None
        values = [case for holds, register in found for case in state.word(register, holds)]
        return self.words.within(tuple(values), inside)

    def chosen_registers(
        self, word: Word, state: Registers, inside: int
    ) -> list[tuple[int, Register]] | None:
        """The registers that M0 chooses, by cases: its low byte counts from the one that is named.

        None where it may count far.
        """
        words, found = self.words, []
        for holds, number in state.word(M0, inside):
            index = words.masked(number, MOST_M0, 32)
            low, high = words.ranges.interval(index)
            if not isinstance(low, int) or not isinstance(high, int) or high >= MOST_INDEXED:
                return None
            left = holds
            for place in range(low, high + 1):
                is_it = words.compared("zero", index.plus(-place), holds) if place < high else ALWAYS
                here = words.guards.both(left, is_it)
                left = words.guards.without(left, here)
                if not words.guards.is_empty(here):
                    found.append((here, (word.operand.bank, word.operand.first + word.number + place)))
        return found

    def pair(self, operand: Operand, state: Registers, inside: int) -> FormulaArray:
        """Two words as one of 64 bits."""
        low, high = (self.read(Word(operand, n), state, inside).astype(np.uint64) for n in range(2))
        return low | high << np.uint64(32)


def guard_of(result: Any) -> int:
    """A truth value that a row gives, as a guard."""
    if isinstance(result, TruthArray):
        return result.guard
    if isinstance(result, FormulaArray):
        return guard_of(result.astype(BOOL))
    return ALWAYS if bool(result) else NEVER


def value_of(result: Any) -> Value:
    """A word that a row gives, by cases."""
    if isinstance(result, TruthArray):
        result = result.astype(U32)
    return result.value if isinstance(result, FormulaArray) else constant(int(result))


def number_of(value: Any) -> Any:
    """A word or a truth value as NumPy's array of one, where it is a number."""
    if isinstance(value, TruthArray):
        return np.array([value.guard == ALWAYS]) if value.guard in (NEVER, ALWAYS) else None
    number = value.value[0][1].as_integer if len(value.value) == 1 else None
    return None if number is None else np.array([number % 2**32], dtype=np.uint32)

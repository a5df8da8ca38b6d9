"""One instruction on formulas: arithmetic by the rows' own meaning, masks as guards, memory as accesses.

What is no formula (floats, loaded values, counts of bits) is an unknown that names the instruction.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.lifting.formula_array import TruthArray
from layoutalg.codegen.gfx9.lifting.formula_registers import Registers
from layoutalg.codegen.gfx9.lifting.idioms import idiom
from layoutalg.codegen.gfx9.lifting.kernel_start import KernelStart
from layoutalg.codegen.gfx9.lifting.lane_exchange import LaneExchange
from layoutalg.codegen.gfx9.lifting.lane_guards import NEVER, Lanes, OpaqueCondition
from layoutalg.codegen.gfx9.lifting.lane_masks import LaneMasks
from layoutalg.codegen.gfx9.lifting.memory_access import Executed, MemoryAccess
from layoutalg.codegen.gfx9.lifting.operand_values import Operands, guard_of, number_of, value_of
from layoutalg.codegen.gfx9.lifting.register_uses import (
    RegisterUses,
    registers_of_operand,
)
from layoutalg.codegen.gfx9.mode_register import keeps_modes
from layoutalg.codegen.gfx9.rows.integer_rows import INTEGER_ROWS
from layoutalg.codegen.gfx9.rows.scalar_rows import SCALAR_ROWS
from layoutalg.codegen.gfx9.word_arithmetic import Arithmetic, Word

__all__ = ["Executor"]

U32, BOOL = np.dtype(np.uint32), np.dtype(np.bool_)
ENCODING = re.compile("_(e32|e64|sdwa|dpp)$")
NO_FORMULA = re.compile(  # counts and searches of bits, sums of parts of words: never part of an address
    r"^(v_(bcnt|mbcnt|ffb|sad|dot|perm_)|s_(bcnt|brev|ff|flbit|quadmask|wqm))"
)
MASKS = re.compile(r"^s_(mov|not|and|or|xor|andn2|orn2|nand|nor|xnor|cselect)_b64$|_saveexec_b64$")
FROM_LANES = {"ds_bpermute_b32": LaneExchange.pulled, "v_lshrrev_b64": LaneExchange.shifted}
INTEGER_COMPARISON = re.compile(r"^v_cmpx?_\w+_[iu](16|32|64)$")


class Executor:
    """Executes instructions of one kernel."""

    def __init__(self, start: KernelStart, uses: list[RegisterUses]) -> None:
        self.start = start
        self.words = start.words
        self.uses = uses
        self.instructions = start.assembly.instructions
        self.rounds_as_started = keeps_modes(start.assembly)
        self.operands = Operands(self.words)
        self.masks = LaneMasks(self.words, start.lanes())
        self.lanes = LaneExchange(self.operands, self.masks)
        self.memory = MemoryAccess(start, self.operands)

    def run(self, place: int, state: Registers) -> Executed | None:
        """Execute the instruction at a place; gives the access that it makes, if any."""
        instruction, uses = self.instructions[place], self.uses[place]
        self.words.place = place
        if uses.memory is not None:
            return self.memory.run(place, uses.memory, state)
        name = ENCODING.sub("", instruction.mnemonic)
        if MASKS.search(name) and self.masks.compute(name, instruction, state):
            return None
        if name in FROM_LANES and FROM_LANES[name](self.lanes, instruction, state):
            return None
        if name in ("v_readfirstlane_b32", "v_readlane_b32", "v_writelane_b32"):
            self.lanes.run(name, instruction, state)
        elif uses.arithmetic is None or not self._is_formula(name):
            if uses.writes_any:
                self._forget_vectors(state)
            self._unknown(place, uses, state)
        else:
            self._arithmetic(place, uses.arithmetic, state)
        return None

    def _is_formula(self, name: str) -> bool:
        if INTEGER_COMPARISON.match(name) or name.endswith("_saveexec_b64"):
            return True
        if name.startswith("v_mbcnt_") or name == "v_bitop3_b32":
            return True
        return (
            name in INTEGER_ROWS or name in SCALAR_ROWS or name in ("s_getpc_b64", "s_set_gpr_idx_on")
        ) and not NO_FORMULA.match(name)

    # --- arithmetic

    def _arithmetic(self, place: int, arithmetic: Arithmetic, state: Registers) -> None:
        words = self.words
        inside = state.path if arithmetic.is_scalar else state.active()
        words.inside = inside
        if words.guards.is_empty(inside):
            return
        values = [self.operands.read(word, state, inside) for word in arithmetic.sources]
        kept = NEVER
        if arithmetic.moved is not None:
            move, count = arithmetic.moved
            values[:count], kept = self.lanes.moved(move, values[:count])
        instruction = self.instructions[place]
        results = idiom(instruction, words, values, divides=self.rounds_as_started)
        if results is None:
            results = arithmetic.compute(*values)
        for word, result in zip(arithmetic.targets, results, strict=True):
            self._write(word, result, state, words.guards.without(inside, kept))

    def _write(self, word: Word, result: Any, state: Registers, inside: int) -> None:
        operand = word.operand
        if word.is_mask:
            lanes = self.words.guards.both(guard_of(result), state.lanes)
            low, high = registers_of_operand(operand, 2)
            state.put_mask(low, high, self.words.guards.given(lanes, state.path))
        elif operand.bank == "scc":
            state.put_condition(guard_of(result))
        elif operand.bank in ("v", "a", "s", "m0") and not operand.is_indexed:
            register = (operand.bank, 0 if operand.bank == "m0" else operand.first + word.number)
            value = value_of(result)
            if operand.bank in ("s", "m0"):
                state.put_scalar(register, value)
            else:
                state.put(register, value, inside)
        else:  # M0 chooses the register
            chosen = self.operands.chosen_registers(word, state, inside)
            if chosen is None:
                self._forget_vectors(state)
            for holds, register in chosen or ():
                state.put(register, value_of(result), holds)

    @staticmethod
    def _forget_vectors(state: Registers) -> None:
        """Any vector register may have been written."""
        for register in [register for register in state.cells if register[0] == "v"]:
            del state.cells[register]

    def _unknown(self, place: int, uses: RegisterUses, state: Registers) -> None:
        """Results that are no formula: the same operation on the same operands is the same unknown."""
        words = self.words
        is_scalar = all(register[0] != "v" and register[0] != "a" for register in uses.writes)
        inside = state.path if is_scalar else state.active()
        words.inside = inside
        instruction = self.instructions[place]
        name = ENCODING.sub("", instruction.mnemonic)
        arithmetic = uses.arithmetic
        if arithmetic is None:
            operands: tuple[object, ...] = (place, *self.words.here())
        else:
            read = [self.operands.read(word, state, inside) for word in arithmetic.sources]
            numbers = [number_of(one) for one in read]
            if None not in numbers and arithmetic.moved is None:  # what is known is computed
                results = arithmetic.compute(*numbers)
                for word, result in zip(arithmetic.targets, results, strict=True):
                    self._write(word, np.asarray(result).reshape(-1)[0], state, inside)
                return
            operands = tuple(Lanes(one.guard) if isinstance(one, TruthArray) else one.value for one in read)
            signs = (
                (n, word.operand.negate, word.operand.absolute) for n, word in enumerate(arithmetic.sources)
            )
            changes = [sign for sign in signs if any(sign[1:])]
            operands += ((*sorted(instruction.modifiers.items()), *changes),)
            if arithmetic.moved is not None:  # which lanes are on matters to what comes from others
                operands += (Lanes(inside),)
        masks = [word for word in arithmetic.targets if word.is_mask] if arithmetic is not None else []
        for number, register in enumerate(uses.writes):
            if register[0] == "scc" or any(
                register in registers_of_operand(word.operand, 2) for word in masks
            ):
                guard = words.guards.of(OpaqueCondition(name, operands))
                if register[0] == "scc":
                    state.put_condition(guard)
                elif register in {registers_of_operand(w.operand, 2)[0] for w in masks}:
                    lanes = words.guards.both(guard, state.lanes)
                    state.put_mask(register, ("s", register[1] + 1), lanes)
                continue
            value = ((inside, words.unknown(name, (*operands, number), 0, 2**32 - 1)),)
            if register[0] in ("v", "a"):
                state.put(register, value, inside)
            else:
                state.put_scalar(register, value)

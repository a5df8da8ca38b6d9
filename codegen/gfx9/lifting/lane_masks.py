"""Masks of lanes: logic on pairs of scalar registers as guards, and whether any lane is in one."""

from __future__ import annotations

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lifting.formula_registers import LaneMask, Registers
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, ANY, NEVER, Guards, Lanes, OpaqueCondition
from layoutalg.codegen.gfx9.lifting.register_uses import EXEC_MASK, registers_of_operand
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.rules.polynomial import Polynomial

__all__ = ["LaneMasks"]


class LaneMasks:
    """The masks of one kernel; ``first`` is that with which a wave begins."""

    def __init__(self, words: Words, first: int) -> None:
        self.words = words
        self.first = first

    def compute(self, name: str, instruction: Instruction, state: Registers) -> bool:
        """Logic on masks of lanes; whether the operands are such."""
        guards = self.words.guards
        target, *sources = (Operand.of(text) for text in instruction.operands)
        masks = [self._as_mask(source, state) for source in sources]
        if any(mask is None for mask in masks):
            return False
        given = [mask for mask in masks if mask is not None]
        low, high = registers_of_operand(target, 2)
        if name.endswith("_saveexec_b64"):
            operation = name.removeprefix("s_").removesuffix("_saveexec_b64")
            lanes = state.lanes
            found = _logic(guards, operation, given[0], lanes)
            state.put_mask(low, high, lanes)
            state.put_mask(*EXEC_MASK, guards.given(found, state.path))
            state.put_condition(self.any_of(found, state))
            return True
        operation = name.removeprefix("s_").removesuffix("_b64")
        if operation == "mov":
            found = given[0]
        elif operation == "not":
            found = guards.opposite(given[0])
        elif operation == "cselect":
            found = guards.chosen(state.condition(), *given)
        else:
            found = _logic(guards, operation, *given)
        found = guards.given(found, state.path)
        state.put_mask(low, high, found)
        if operation not in ("mov", "cselect"):
            state.put_condition(self.any_of(found, state))
        return True

    def _as_mask(self, operand: Operand, state: Registers) -> int | None:
        """A pair of scalar registers, or 0 or -1, as the lanes that it names; None where it holds numbers."""
        if operand.bank == "number":
            return {"0": NEVER, "-1": ALWAYS}.get(operand.text)
        if operand.bank != "s":
            return None
        low, high = registers_of_operand(operand, 2)
        for register in (low, high):
            for holds, payload in state.cells.get(register, ()):
                if self.words.guards.is_empty(self.words.guards.both(holds, state.path)):
                    continue
                if isinstance(payload, LaneMask):
                    continue
                if payload.as_integer not in (0, -1, 2**32 - 1):
                    return None
        if low not in state.cells or high not in state.cells:
            return None
        return state.mask(low, high)

    def any_of(self, lanes: int, state: Registers) -> int:
        """Whether some lane of the wave is in a mask: the mask itself where all lanes agree."""
        guards = self.words.guards
        lanes = guards.given(lanes, state.path)
        if lanes in (NEVER, ALWAYS):
            return lanes
        if not self.varies(lanes):
            return lanes
        common = ALWAYS  # what all lanes of the mask have, if it is the same for the whole wave
        for number, value in guards.literals(lanes):
            variable = guards.variables[number]
            alone = guards.of(variable)
            if not self.varies(alone):
                common = guards.both(common, alone if value else guards.opposite(alone))
                lanes = guards.with_variable(lanes, number, value)
        if lanes == ALWAYS:
            return common
        if not self.varies(lanes):
            return guards.both(common, lanes)
        found = guards.of(OpaqueCondition(ANY, (Lanes(lanes),), is_uniform=True))
        guards.assume(guards.either(guards.opposite(lanes), found))
        if lanes == self.first:  # a wave begins with a lane at least
            guards.assume(found)
        return guards.both(common, found)

    def varies(self, guard: int) -> bool:
        """Whether lanes may differ in a guard."""
        for number in self.words.guards.support(guard):
            variable = self.words.guards.variables[number]
            if isinstance(variable, OpaqueCondition) and variable.is_uniform:
                continue
            if isinstance(variable, OpaqueCondition) or self.varies_by_lane(variable.polynomials()[0]):
                return True
        return False

    def varies_by_lane(self, polynomial: Polynomial) -> bool:
        """Whether lanes of a wave may differ in a number."""
        lane = self.words.lane.as_letter
        for letter in self.words.bases(polynomial):
            if letter == lane:
                return True
            if letter in self.words.truths and self.varies(self.words.truths[letter]):
                return True
        return False


def _logic(guards: Guards, operation: str, left: int, right: int) -> int:
    match operation:
        case "and":
            return guards.both(left, right)
        case "or":
            return guards.either(left, right)
        case "xor":
            return guards.differ(left, right)
        case "andn2":
            return guards.without(left, right)
        case "andn1":
            return guards.without(right, left)
        case "orn2":
            return guards.either(left, guards.opposite(right))
        case "orn1":
            return guards.either(right, guards.opposite(left))
    plain = {"nand": "and", "nor": "or", "xnor": "xor"}[operation]
    return guards.opposite(_logic(guards, plain, left, right))

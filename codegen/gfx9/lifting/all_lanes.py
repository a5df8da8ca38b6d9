"""Where all lanes are on that a wave began with: found from the text, before anything is executed.

A mask of all of them may be kept in scalar registers and put back: ``s_and_saveexec``, ``s_or_b64 exec``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lifting.loops_of_flow import ControlFlow
from layoutalg.codegen.gfx9.lifting.register_uses import (
    EXEC_MASK,
    Register,
    RegisterUses,
    registers_of_operand,
)
from layoutalg.codegen.gfx9.operands import Operand

__all__ = ["places_with_all_lanes"]


@dataclass(frozen=True)
class _Known:
    """Whether all lanes are on, and the first of each pair of registers that hold a mask of all."""

    is_whole: bool
    kept: frozenset[Register]

    def met(self, other: _Known | None) -> _Known:
        if other is None:
            return self
        return _Known(self.is_whole and other.is_whole, self.kept & other.kept)


def places_with_all_lanes(
    flow: ControlFlow, instructions: Sequence[Instruction], uses: Sequence[RegisterUses]
) -> frozenset[int]:
    """The places of instructions that all lanes execute, whatever way led there."""
    before: dict[int, _Known] = {0: _Known(is_whole=True, kept=frozenset())}
    waiting = [0]
    while waiting:
        number = waiting.pop(0)
        block, known = flow.blocks[number], before[number]
        for place in range(block.first, block.last + 1):
            known = _after(known, instructions[place], uses[place])
        for follower in block.followers:
            met = known.met(before.get(follower))
            if met != before.get(follower):
                before[follower] = met
                waiting.append(follower)
    found = set()
    for number, at_start in before.items():
        block, known = flow.blocks[number], at_start
        for place in range(block.first, block.last + 1):
            if known.is_whole:
                found.add(place)
            known = _after(known, instructions[place], uses[place])
    return frozenset(found)


def _after(known: _Known, instruction: Instruction, uses: RegisterUses) -> _Known:
    """What is known behind an instruction."""
    if not any(register[0] == "s" for register in uses.writes):
        return known
    name = instruction.mnemonic
    lost = {register for register in uses.writes if register[0] == "s"}
    lost |= {("s", number - 1) for _, number in lost}
    kept, is_whole = known.kept - lost, known.is_whole
    target = registers_of_operand(Operand.of(instruction.operands[0]))
    sources = [registers_of_operand(Operand.of(text)) for text in instruction.operands[1:]]
    if name.endswith("_saveexec_b64"):
        return _Known(is_whole=False, kept=kept | ({target[0]} if is_whole else set()))
    changes = EXEC_MASK[0] in uses.writes
    if name == "s_mov_b64" and changes:
        is_whole = bool(sources[0]) and sources[0][0] in known.kept
    elif name == "s_mov_b64" and sources[0] == EXEC_MASK and is_whole:
        kept |= {target[0]}
    elif name == "s_or_b64" and changes:
        is_whole = is_whole or any(source and source[0] in known.kept for source in sources)
    elif changes:
        is_whole = False
    return _Known(is_whole, kept)

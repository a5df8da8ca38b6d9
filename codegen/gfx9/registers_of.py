"""Which registers an instruction names, as bits of one number: vectors, accumulators, then scalars.

>>> from layoutalg.codegen.gfx9.assembly import parse_instruction
>>> uses = registers_of(parse_instruction("ds_read_b64 v[6:7], v1", 1))
>>> name_of_registers(uses.read), name_of_registers(uses.loaded), uses.queue
('v1', 'v6', 'lds')
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.operands import Operand

__all__ = ["RegistersOf", "bits_of", "name_of_registers", "registers_of"]

BANK_SIZE = 512
BANKS = "vas"
QUEUE_OF = {"global": "vm", "buffer": "vm", "ds": "lds"}
KEEPS_OTHER_HALF = re.compile(r"_d16(_hi)?$")
LOADS = re.compile(r"^(global_load|buffer_load|ds_read|ds_bpermute|ds_permute|s_load|s_buffer_load)_")


@dataclass(frozen=True)
class RegistersOf:
    """``read`` now, ``written`` now or later; ``loaded``: those that a load will write, and by which queue.

    Of other instructions than loads all registers count as read: it makes no difference.
    """

    read: int
    written: int
    loaded: int
    queue: str

    @property
    def touched(self) -> int:
        return self.read | self.written


def registers_of(instruction: Instruction) -> RegistersOf:
    """The registers of an instruction as its operands name them."""
    name = instruction.mnemonic
    queue = QUEUE_OF.get(name.split("_")[0], "scalar" if name.startswith(("s_load_", "s_buffer_")) else "")
    masks = [bits_of(Operand.of(text)) for text in instruction.operands]
    everything = 0
    for mask in masks:
        everything |= mask
    if not queue or not LOADS.match(name) or "lds" in instruction.modifiers or "_load_lds_" in name:
        return RegistersOf(everything, 0, 0, queue)
    sources = everything if KEEPS_OTHER_HALF.search(name) else 0
    for mask in masks[1:]:
        sources |= mask
    return RegistersOf(sources, masks[0], masks[0], queue)


def name_of_registers(bits: int) -> str:
    """The first register of a set, as the assembler names it."""
    number = (bits & -bits).bit_length() - 1
    return f"{BANKS[number // BANK_SIZE]}{number % BANK_SIZE}"


def bits_of(operand: Operand) -> int:
    """The registers of one operand."""
    if operand.bank not in BANKS:
        return 0
    return ((1 << operand.count) - 1) << (BANKS.index(operand.bank) * BANK_SIZE + operand.first)

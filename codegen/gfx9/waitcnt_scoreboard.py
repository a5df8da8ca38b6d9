"""The scoreboard of ``s_waitcnt``: loads and stores that were issued and not yet waited for.

Three queues of each wave: ``vm`` (global and buffer loads and stores), ``lds`` and ``scalar``. The first two
finish in the order they were issued, scalar loads in any order. ``s_waitcnt vmcnt(n)`` leaves the last ``n``
of ``vm`` unfinished at most. ``lgkmcnt`` counts ``lds`` and ``scalar`` together: of the first, the last ``n``
may be unfinished, of the second, none if ``n`` is 0 and all otherwise. The counters end at 63 and 15: what
would be one more is not issued before the oldest has finished, so that one needs no wait.
Source: AMD Instinct MI300 Instruction Set Architecture, chapter 4.4 (S_WAITCNT); LLVM, SIInsertWaitcnts.cpp;
for the counters' ends ROCm, rocm-systems issue 11202 (of CDNA3 and CDNA4).

A store takes its data when it is issued (LLVM waits for expcnt on targets before gfx9 only), so registers it
read may change at once. Hazards, which the compiler fills with ``s_nop``, are another thing (``hazards``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.assembly import Instruction, UnknownInstructionError
from layoutalg.codegen.gfx9.lds_races import LdsAccess
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import Group
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = [
    "COUNTERS_END",
    "RegistersOf",
    "WaitcntScoreboard",
    "bits_of",
    "indexed_registers",
    "name_of_registers",
    "registers_of",
    "returns_value",
    "waits_of",
]

IN_ORDER = ("vm", "lds")
QUEUES = (*IN_ORDER, "scalar")
WAITED_FOR = {"vm": "vmcnt", "lds": "lgkmcnt", "scalar": "lgkmcnt"}
COUNTERS_END = {"vmcnt": 63, "lgkmcnt": 15}
BANK_SIZE = 512
SCALAR_MEMORY = ("s_load_", "s_buffer_", "s_store_")
BANKS = "vas"
QUEUE_OF = {"global": "vm", "buffer": "vm", "flat": "vm", "scratch": "vm", "ds": "lds"}
KEEPS_OTHER_HALF = re.compile(r"_d16(_hi)?$")
LOADS = re.compile(
    r"^((global|buffer|flat|scratch)_load|ds_(read|bpermute|permute|swizzle)|ds_\w+_rtn|s_load|s_buffer_load)_"
)


@dataclass(frozen=True)
class RegistersOf:
    """The registers an instruction names, as bits of one number: vectors, accumulators, then scalars.

    ``read`` now, ``written`` now or later; ``loaded``: those that a load will write, and by which queue.

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
    """The registers of an instruction as its operands name them.

    >>> from layoutalg.codegen.gfx9.assembly import parse_instruction
    >>> uses = registers_of(parse_instruction("ds_read_b64 v[6:7], v1", 1))
    >>> name_of_registers(uses.read), name_of_registers(uses.loaded), uses.queue
    ('v1', 'v6', 'lds')
    """
    name = instruction.mnemonic
    queue = QUEUE_OF.get(name.split("_")[0], "scalar" if name.startswith(SCALAR_MEMORY) else "")
    masks = [bits_of(Operand.of(text)) for text in instruction.operands]
    everything = 0
    for mask in masks:
        everything |= mask
    if (
        not queue
        or not (LOADS.match(name) or returns_value(instruction))
        or "lds" in instruction.modifiers
        or "_load_lds_" in name
    ):
        return RegistersOf(everything, 0, 0, queue)
    sources = everything if KEEPS_OTHER_HALF.search(name) else 0
    for mask in masks[1:]:
        sources |= mask
    return RegistersOf(sources, masks[0], masks[0], queue)


def returns_value(instruction: Instruction) -> bool:
    """Whether an atomic operation on global memory gives back what was there."""
    return "_atomic_" in instruction.mnemonic and bool({"glc", "sc0"} & set(instruction.modifiers))


def name_of_registers(bits: int) -> str:
    """The first register of a set, as the assembler names it."""
    number = (bits & -bits).bit_length() - 1
    return f"{BANKS[number // BANK_SIZE]}{number % BANK_SIZE}"


def bits_of(operand: Operand) -> int:
    """The registers of one operand."""
    if operand.bank not in BANKS or operand.is_indexed:
        return 0
    return ((1 << operand.count) - 1) << (BANKS.index(operand.bank) * BANK_SIZE + operand.first)


def indexed_registers(instruction: Instruction) -> int:
    """The registers of operands that M0 is added to, as they are without it."""
    operands = [Operand.of(text) for text in instruction.operands if text.startswith("idx(")]
    found = 0
    for operand in operands:
        found |= bits_of(replace(operand, is_indexed=False))
    return found


@dataclass(frozen=True)
class Transfer:
    """One load or store under way: registers it will write, and its number in the queue of each wave."""

    registers: int
    queue: str
    group: Group
    numbers: NDArray[np.int64]
    what: Instruction
    lds: LdsAccess | None


class WaitcntScoreboard:
    """The transfers under way in all waves of a batch; an instruction that needs one of them is a fault.

    ``registers``: those that any wave waits for, as bits.
    """

    def __init__(self, waves: int) -> None:
        self.waves = waves
        self.registers = 0
        self._issued = {queue: np.zeros(waves, dtype=np.int64) for queue in QUEUES}
        self._done = {queue: np.zeros(waves, dtype=np.int64) for queue in QUEUES}
        self._entries: list[Transfer] = []

    def issue(self, uses: RegistersOf, group: Group, what: Instruction, lds: LdsAccess | None = None) -> None:
        """A load or store begins."""
        issued = self._issued[uses.queue]
        issued[group] += 1
        if uses.queue in IN_ORDER:
            self._finished(uses.queue, COUNTERS_END[WAITED_FOR[uses.queue]], group)
        if uses.loaded or lds is not None:
            numbers = issued[group].copy()
            self._entries.append(Transfer(uses.loaded, uses.queue, group, numbers, what, lds))
            self.registers |= uses.loaded

    def wait(self, most: dict[str, int], group: Group) -> None:
        """``s_waitcnt``: at most so many of each queue stay under way."""
        for queue, left in most.items():
            self._finished(queue, left, group)
        self._entries = [e for e in self._entries if (e.numbers > self._done[e.queue][e.group]).any()]
        self.registers = 0
        for entry in self._entries:
            self.registers |= entry.registers

    def require(self, uses: RegistersOf, group: Group, what: Instruction) -> None:
        """Refuse an instruction that reads or overwrites what is still under way in its waves.

        A load may overwrite what an earlier one of its own queue has not yet brought, if they finish in
        order.
        """
        for entry in self._entries:
            touched = entry.registers & uses.read
            if entry.queue != uses.queue or entry.queue not in IN_ORDER:
                touched |= entry.registers & uses.written
            if touched and self._under_way(entry)[group].any():
                name = name_of_registers(touched)
                msg = f"{what}: {name} is still being loaded by {entry.what}"
                raise ExecutionFaultError(f"{msg}; no s_waitcnt {WAITED_FOR[entry.queue]} covers it")

    def lds_under_way(self) -> list[LdsAccess]:
        """Accesses to the LDS that some wave has not waited for, with the rows of those waves."""
        found = []
        for entry in self._entries:
            if entry.lds is not None:
                rows = self._under_way(entry)[entry.lds.waves]
                found.append(entry.lds.of_rows(rows))
        return found

    def _finished(self, queue: str, left: int, group: Group) -> None:
        """All but the last so many of a queue have finished."""
        done = self._done[queue]
        done[group] = np.maximum(done[group], self._issued[queue][group] - left)

    def _under_way(self, entry: Transfer) -> NDArray[np.bool_]:
        found = np.zeros(self.waves, dtype=bool)
        found[entry.group] = entry.numbers > self._done[entry.queue][entry.group]
        return found


def waits_of(instruction: Instruction) -> dict[str, int]:
    """How many of each queue an ``s_waitcnt`` leaves under way.

    >>> from layoutalg.codegen.gfx9.assembly import parse_instruction
    >>> waits_of(parse_instruction("s_waitcnt vmcnt(2) lgkmcnt(0)", 1))
    {'vm': 2, 'lds': 0, 'scalar': 0}
    >>> waits_of(parse_instruction("s_waitcnt 0xc07f", 1))
    {'lds': 0, 'scalar': 0}
    """
    text = " ".join(instruction.operands)
    found = {name: int(count) for name, count in re.findall(r"(vmcnt|lgkmcnt|expcnt)\((\d+)\)", text)}
    if not found:
        if not re.fullmatch(r"0x[0-9a-fA-F]+|\d+", text):
            msg = f"{instruction}: wanted vmcnt, lgkmcnt, expcnt or a number"
            raise UnknownInstructionError(msg)
        bits = int(text, 0)  # vmcnt in bits 15:14 and 3:0, lgkmcnt in bits 11:8
        found = {"vmcnt": bits >> 10 & 48 | bits & 15, "lgkmcnt": bits >> 8 & 15}
        found = {name: count for name, count in found.items() if count < COUNTERS_END[name]}
    waits = {"vm": found["vmcnt"]} if "vmcnt" in found else {}
    if "lgkmcnt" in found:
        waits["lds"] = found["lgkmcnt"]
        if found["lgkmcnt"] == 0:
            waits["scalar"] = 0
    return waits

"""A kernel as a program of the C machine: a record for each instruction, and the rows that they need."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Assembly, Instruction, UnknownInstructionError
from layoutalg.codegen.gfx9.device_memory import MAX_ALIGNMENT
from layoutalg.codegen.gfx9.local_transfer import lds_grain
from layoutalg.codegen.gfx9.machine import VECTOR, execution_of
from layoutalg.codegen.gfx9.native.arithmetic_records import ARITHMETIC_RECORDS
from layoutalg.codegen.gfx9.native.memory_records import MEMORY_RECORDS
from layoutalg.codegen.gfx9.native.record import (
    COHERENT,
    KINDS,
    RECORD,
    NativeProgram,
    NotNativeError,
    put_registers,
)
from layoutalg.codegen.gfx9.waitcnt_scoreboard import returns_value

__all__ = ["native_program"]

SWAP = re.compile(r"_atomic_cmpswap|^ds_cmpst_")
UPPER_HALF = re.compile(r"^[sv]_mul_hi_[iu]32")
LOWER_HALF = re.compile(r"^(s_mul_i32|v_mul_lo_u32)")
PLAIN_READ = re.compile(r"^(global|flat|buffer)_load_|^ds_read_b(32|64)$")


def native_program(
    assembly: Assembly, vgprs: int, agprs: int, lds_alignment: int = MAX_ALIGNMENT
) -> NativeProgram:
    """The program of a kernel with so many registers; :class:`NotNativeError` names what it lacks."""
    grain = lds_grain(assembly.instructions, lds_alignment)
    program = NativeProgram(assembly, vgprs, vgprs + agprs, grain)
    records = np.zeros(len(assembly.instructions) + 1, dtype=RECORD)
    records["wait"] = -1
    records["queue"] = -1
    for place in assembly.labels.values():
        records[place]["is_entry"] = 1
    for record, instruction in zip(records, assembly.instructions, strict=False):
        put_registers(program, record, instruction)
        record["indexed"] = any(text.startswith("idx(") for text in instruction.operands)
        record["is_vector"] = instruction.mnemonic.startswith(VECTOR)
        for maker in (*MEMORY_RECORDS, *ARITHMETIC_RECORDS):
            if maker(program, record, instruction):
                break
        else:
            _refuse(record, instruction, assembly)
    for number in _first_reads(assembly.instructions):
        records[number]["flags"] |= COHERENT
    for number in _lower_halves(assembly.instructions):
        records[number]["sum"] = 0
    records[-1]["kind"] = KINDS["end"]
    program.records = records
    return program


def _first_reads(instructions: Sequence[Instruction]) -> Iterator[int]:
    """Loads of what a compare-and-swap at the same address tries first: if it is stale, that one says so.

    LLVM makes such loops of atomic operations that the hardware lacks (AtomicExpandPass).
    """
    swaps = {_address_of(one) for one in instructions if SWAP.search(one.mnemonic)}
    for number, one in enumerate(instructions):
        if PLAIN_READ.match(one.mnemonic) and _address_of(one) in swaps:
            yield number


def _lower_halves(instructions: Sequence[Instruction]) -> Iterator[int]:
    """Products of which the upper half is computed as well: nothing of them is lost."""
    factors = {frozenset(one.operands[1:3]) for one in instructions if UPPER_HALF.match(one.mnemonic)}
    for number, one in enumerate(instructions):
        if LOWER_HALF.match(one.mnemonic) and frozenset(one.operands[1:3]) in factors:
            yield number


def _address_of(instruction: Instruction) -> tuple[str, str, str]:
    """The unit, the address of each lane, and the offset of an access.

    Of ``buffer`` the address stands behind the one register of data; of the others an instruction that gives
    nothing back begins with it.
    """
    unit, gives_back = instruction.mnemonic.partition("_")[0], returns_value(instruction)
    is_read = PLAIN_READ.match(instruction.mnemonic) is not None
    place = 1 if unit == "buffer" or is_read or gives_back or "_rtn_" in instruction.mnemonic else 0
    return unit, instruction.operands[place], instruction.modifiers.get("offset", "0")


def _refuse(record: Any, instruction: Instruction, assembly: Assembly) -> None:
    """What neither machine knows is at fault when it is come to; what the other one does is not native."""
    try:
        execution_of(instruction, assembly)
    except UnknownInstructionError:
        record["kind"] = KINDS["unknown"]
    else:
        raise NotNativeError(str(instruction))

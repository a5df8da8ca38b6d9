"""A kernel as a program of the C machine: a record for each instruction, and the rows that they need."""

from __future__ import annotations

from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Assembly, Instruction, UnknownInstructionError
from layoutalg.codegen.gfx9.local_transfer import lds_grain
from layoutalg.codegen.gfx9.machine import VECTOR, execution_of
from layoutalg.codegen.gfx9.native.arithmetic_records import ARITHMETIC_RECORDS
from layoutalg.codegen.gfx9.native.memory_records import MEMORY_RECORDS
from layoutalg.codegen.gfx9.native.record import KINDS, RECORD, NativeProgram, NotNativeError, put_registers

__all__ = ["native_program"]


def native_program(assembly: Assembly, vgprs: int, agprs: int) -> NativeProgram:
    """The program of a kernel with so many registers; :class:`NotNativeError` names what it lacks."""
    grain = lds_grain(assembly.instructions)
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
    records[-1]["kind"] = KINDS["end"]
    program.records = records
    return program


def _refuse(record: Any, instruction: Instruction, assembly: Assembly) -> None:
    """What neither machine knows is at fault when it is come to; what the other one does is not native."""
    try:
        execution_of(instruction, assembly)
    except UnknownInstructionError:
        record["kind"] = KINDS["unknown"]
    else:
        raise NotNativeError(str(instruction))

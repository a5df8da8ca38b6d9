"""Records of what computes, of what moves values between lanes, and of what directs the flow."""

from __future__ import annotations

from typing import Any

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.cross_lane import SWAPS
from layoutalg.codegen.gfx9.machine import NO_EFFECT, arithmetic_of
from layoutalg.codegen.gfx9.matrix_cores import matrix_of
from layoutalg.codegen.gfx9.mode_register import SETS_REGISTER, require_same_modes
from layoutalg.codegen.gfx9.native.matrix_tables import constant_bits, matrix_tables
from layoutalg.codegen.gfx9.native.record import BANKS, KINDS, NativeProgram, names_of, put_words, row_of
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.waitcnt_scoreboard import QUEUES, waits_of
from layoutalg.codegen.gfx9.word_arithmetic import Word

__all__ = ["ARITHMETIC_RECORDS"]

CONDITIONS = names_of("ALWAYS")
LANES_READ = {
    "v_readfirstlane_b32": "first_lane",
    "v_readlane_b32": "read_lane",
    "v_writelane_b32": "write_lane",
}


def _flow(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    name = instruction.mnemonic
    if name in NO_EFFECT:
        record["kind"] = KINDS["nothing"]
    elif name in SETS_REGISTER:
        require_same_modes(instruction, program.assembly)
        record["kind"] = KINDS["nothing"]
    elif name == "s_waitcnt":
        record["kind"] = KINDS["wait"]
        for queue, left in waits_of(instruction).items():
            record["wait"][QUEUES.index(queue)] = left
    elif name == "s_barrier":
        record["kind"] = KINDS["barrier"]
    elif name == "s_endpgm":
        record["kind"] = KINDS["end"]
    elif name == "s_branch" or name.startswith("s_cbranch_"):
        condition = name.removeprefix("s_cbranch_") if name != "s_branch" else "always"
        if condition not in CONDITIONS:
            return False
        record["kind"], record["condition"] = KINDS["branch"], CONDITIONS[condition]
        record["jump"] = program.assembly.labels[instruction.operands[0]]
    else:
        return False
    return True


def _cross_lane(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    name = instruction.mnemonic.removesuffix("_e32").removesuffix("_e64")
    operands = [Word(Operand.of(text)) for text in instruction.operands]
    if name in LANES_READ:
        record["kind"] = KINDS[LANES_READ[name]]
        put_words(program, record, "target", operands[:1])
        put_words(program, record, "source", operands[1:])
        return True
    if name not in SWAPS or instruction.modifiers:
        return False
    record["kind"], record["elements"] = KINDS["swap"], SWAPS[name]
    put_words(program, record, "target", operands)
    return True


def _arithmetic(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    arithmetic = arithmetic_of(instruction, program.assembly)
    if arithmetic is None:
        return False
    record["kind"] = KINDS["wave" if arithmetic.is_scalar else "vector"]
    put_words(program, record, "source", arithmetic.sources)
    put_words(program, record, "target", arithmetic.targets)
    for place, depends in enumerate(arithmetic.depends):
        record["depends"][place] = sum(1 << number for number in depends)
    if arithmetic.moved is not None:
        move, record["moved"] = arithmetic.moved
        record["move"] = program.moves.setdefault(move, len(program.moves))
    record["row"] = row_of(program, arithmetic)
    return True


def _matrix(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    if not instruction.mnemonic.startswith("v_mfma_"):
        return False
    mma = matrix_of(instruction, program.assembly.target)
    tables = matrix_tables(mma)
    result, *sources = (Operand.of(text) for text in instruction.operands)
    if tables is None or sources[0].bank == "number" or sources[1].bank == "number":
        return False
    record["kind"] = KINDS["matrix"]
    record["row"] = program.matrices.setdefault(mma, (len(program.matrices), tables))[0]
    put_words(program, record, "source", [Word(source) for source in sources])
    if sources[2].bank == "number":
        bits = constant_bits(instruction, program.assembly.target)
        if bits is None:
            return False
        record["source"][2] = (BANKS["number"], 0, bits)
    put_words(program, record, "target", [Word(result)])
    return True


ARITHMETIC_RECORDS = (_flow, _cross_lane, _matrix, _arithmetic)

"""Records of what computes, of what moves values between lanes, and of what directs the flow."""

from __future__ import annotations

from typing import Any

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.cross_lane import SWAPS
from layoutalg.codegen.gfx9.machine import NO_EFFECT, arithmetic_of
from layoutalg.codegen.gfx9.matrix_cores import matrix_of
from layoutalg.codegen.gfx9.matrix_scales import bytes_of_scales, is_scaled
from layoutalg.codegen.gfx9.mode_register import SETS_REGISTER, require_same_modes
from layoutalg.codegen.gfx9.native.matrix_tables import constant_bits, matrix_tables
from layoutalg.codegen.gfx9.native.record import BANKS, KINDS, NativeProgram, names_of, put_words, row_of
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.waitcnt_scoreboard import QUEUES, waits_of
from layoutalg.codegen.gfx9.word_arithmetic import Word

__all__ = ["ARITHMETIC_RECORDS"]

CONDITIONS = names_of("ALWAYS")
KINDS_OF_SUMS = names_of("NO_SUM", "sums.h")
KINDS_OF_MASKS = names_of("NO_MASK", "masks.h")
CACHES = {  # what an acquire and a release do besides waiting: LLVM, AMDGPU Memory Model
    "buffer_inv": "invalidate",
    "buffer_wbinvl1": "invalidate",
    "buffer_wbinvl1_vol": "invalidate",
    "buffer_wbl2": "write_back",
}
SUMS = {  # of 32 bits, without a carry: what the sanitizer follows (sums.h)
    "v_add_u32": "add",
    "v_add_i32": "add",
    "s_add_i32": "add",
    "v_sub_u32": "sub",
    "v_sub_i32": "sub",
    "s_sub_i32": "sub",
    "v_subrev_u32": "sub_reversed",
    "v_mul_lo_u32": "multiply",
    "s_mul_i32": "multiply",
    "v_mul_u32_u24": "multiply",
    "v_mul_i32_i24": "multiply",
    "v_lshlrev_b32": "shift_by_first",
    "s_lshl_b32": "shift_by_second",
    "v_mad_u32_u24": "multiply_add",
    "v_mad_i32_i24": "multiply_add",
    "v_lshl_add_u32": "shift_add",
    "v_add_lshl_u32": "add_shift",
    "v_add3_u32": "add_three",
    "v_or_b32": "or",
    "s_or_b32": "or",
    "v_lshl_or_b32": "shift_or",
    "v_mov_b32": "copy",
    "s_mov_b32": "copy",
    "v_cndmask_b32": "select",
    "s_cselect_b32": "select",
    "v_ashrrev_i64": "sign",
    "s_ashr_i64": "sign",
    "s_bfe_i64": "sign",
    "v_mad_i64_i32": "sign",
    "v_mad_u64_u32": "multiply_add_wide",
    **dict.fromkeys(
        (
            "v_lshlrev_b64", "s_lshl_b64", "v_add_co_u32", "v_addc_co_u32", "v_lshl_add_u64",
            "s_add_u32", "s_addc_u32", "v_sub_co_u32", "v_subb_co_u32", "s_sub_u32", "s_subb_u32",
            "v_mov_b64", "s_mov_b64", "v_pk_mov_b32",
        ),
        "wide",
    ),
}  # fmt: skip
MASKS = {  # of lanes (masks.h)
    "s_mov_b64": "mask_copy",
    "s_and_b64": "mask_and",
    "s_andn2_b64": "mask_and_not",
    "s_or_b64": "mask_or",
    "s_orn2_b64": "mask_or_not",
    "s_xor_b64": "mask_xor",
    "s_and_saveexec_b64": "mask_save_and",
}
SIGN_BITS = {"v_ashrrev_i32": 0, "s_ashr_i32": 1}  # which operand shifts, 31 places for a sign
LANES_READ = {
    "v_readfirstlane_b32": "first_lane",
    "v_readlane_b32": "read_lane",
    "v_writelane_b32": "write_lane",
}


def _flow(program: NativeProgram, record: Any, instruction: Instruction) -> bool:
    name = instruction.mnemonic
    if name in CACHES:
        record["kind"] = KINDS[CACHES[name]]
    elif name in NO_EFFECT:
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
    record["sum"] = _sum_of(instruction)
    if arithmetic.is_scalar:
        record["elements"] = KINDS_OF_MASKS[MASKS.get(instruction.mnemonic, "no_mask")]
    return True


def _sum_of(instruction: Instruction) -> int:
    """What the sanitizer takes a sum for; 0 for what is none."""
    name = instruction.mnemonic.removesuffix("_e32").removesuffix("_e64")
    shifts = SIGN_BITS.get(name)
    if shifts is not None and instruction.operands[1 + shifts] == "31":
        return KINDS_OF_SUMS["sign"]
    return KINDS_OF_SUMS[SUMS.get(name, "no_sum")]


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
    if is_scaled(instruction):
        record["offset"] = bytes_of_scales(instruction)
    return True


ARITHMETIC_RECORDS = (_flow, _cross_lane, _matrix, _arithmetic)

"""What hazards ask of an instruction: which classes it is of, and which registers it uses in which role.

Registers are bits of one number, as in ``waitcnt_scoreboard``; above those stand M0, one bit for all state
that has no register, and the hardware registers of ``s_setreg``. Operands stand as LLVM writes them: the
first one is written, but in the instructions that are named here.
Source: LLVM, SIInstrInfo.h (isVALU, isMFMA, isTRANS, isDOT ...), VOP1Instructions.td, VOP3PInstructions.td.

>>> from layoutalg.codegen.gfx9.assembly import parse_instruction
>>> uses = uses_of(parse_instruction("v_readlane_b32 s3, v1, s2", 1), "gfx942")
>>> {role: name_of(bits) for role, bits in uses.registers.items() if role in ("writes", "lane")}
{'writes': 's3', 'lane': 's2'}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lane_moves import DPP_MODIFIERS
from layoutalg.codegen.gfx9.matrix_passes import passes_of
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.waitcnt_scoreboard import (
    BANK_SIZE,
    BANKS,
    bits_of,
    name_of_registers,
    registers_of,
)

__all__ = ["ANY", "InstructionUses", "name_of", "uses_of"]

VGPRS = (1 << BANK_SIZE) - 1
VECTOR = (1 << 2 * BANK_SIZE) - 1  # accumulators too
M0 = 1 << len(BANKS) * BANK_SIZE
ANY = M0 << 1  # some state that has no register, such as a mode or a unit that is busy
HARDWARE = ANY << 1  # a bit for each hardware register of s_setreg
VCC, EXEC = (bits_of(Operand.of(name)) for name in ("vcc", "exec"))
SHADOWS = {"vccz": VCC, "src_vccz": VCC, "execz": EXEC, "src_execz": EXEC}
HARDWARE_NAMES = ("", "MODE", "STATUS", "TRAPSTS", "HW_ID", "GPR_ALLOC", "LDS_ALLOC", "IB_STS")
VSKIP = 28  # its bit of MODE

MEMORY = re.compile(r"^(buffer|tbuffer|global|flat|scratch|image)_")
TRANSCENDENTAL = re.compile(r"^v_(exp|log|rcp|rsq|sqrt|sin|cos)_(\w*)(f16|f32|f64)$")
TWO_RESULTS = re.compile(
    r"^v_((add|sub|subrev)_co_u32|(addc|subb|subbrev)_co_u32|div_scale_f(32|64)|mad_[ui]64_[ui]32)$"
)
BOTH_WAYS = re.compile(r"^v_(swap_b32|permlane(16|32)_swap_b32)$")
ADDS_TO_RESULT = re.compile(r"^v_(p?k?_?fmac|mac|dot\d+c|writelane|mad_mixhi|fma_mixhi)_|^v_fmac")
KEEPS_REST = re.compile(r"^v_cvt_(scalef32_)?(sr_|pk_|sr_pk_)?(fp8|bf8|fp4)_")
FOUR_BITS = re.compile(r"^v_cvt_scalef32_sr_pk\d*_fp4_")
NO_RESULT = re.compile(r"^(v_nop|v_clrexcp|v_cmp.*_nothing)$")
STORES_VECTORS = re.compile(r"^(buffer|global|flat|scratch)_(store|atomic)_")
MOST_SAFE_WORDS = 2  # a store of more takes its data in several steps
SCALAR_MEMORY = re.compile(r"^s_(load|buffer|store|scratch|atomic|dcache|memtime|memrealtime)")
PROGRAM = re.compile(
    r"^s_(nop|waitcnt|barrier|branch|cbranch|endpgm|sleep|setprio|sendmsg|sethalt|trap|icache|ttrace|setkill)"
)


@dataclass(frozen=True)
class InstructionUses:
    """An instruction as the rules of hazards see it.

    ``classes``: such as ``valu``, ``mfma``, ``dpp``; ``registers``: bits by role: ``reads``, ``writes``, and
    parts of those: ``a_b`` and ``c`` (sources of a matrix instruction), ``lane``, ``scalars``, ``data`` ...;
    ``passes`` of a matrix instruction; ``waits``: the wait states that pass while it is issued.
    """

    mnemonic: str
    classes: frozenset[str]
    registers: Mapping[str, int]
    passes: int = 0
    waits: int = 1


def uses_of(instruction: Instruction, target: str) -> InstructionUses:
    """What an instruction of a target uses."""
    name = _base(instruction.mnemonic)
    if name.startswith("v_"):
        return _vector(instruction, name, target)
    if MEMORY.match(name) or name.startswith("ds_"):
        return _memory(instruction, name)
    return _scalar(instruction, name)


def name_of(bits: int) -> str:
    """The first register of a set: ``v5``, ``vcc``, ``exec``, ``m0``, or no name."""
    if bits & (M0 - 1):
        number = name_of_registers(bits & (M0 - 1))
        low = bits & -bits
        special = next((name for name, mask in (("vcc", VCC), ("exec", EXEC)) if low & mask), None)
        return special or number
    if bits & M0:
        return "m0"
    number_of_hardware = (bits // HARDWARE).bit_length() - 1
    return "" if bits & ANY else f"hwreg({number_of_hardware})"


def _base(mnemonic: str) -> str:
    return re.sub(r"(_e32|_e64|_sdwa|_dpp)+$", "", mnemonic)


def _bits(text: str) -> int:
    """The registers of an operand as it is written."""
    if text in SHADOWS:
        return 0
    operand = Operand.of(text)
    return M0 if operand.bank == "m0" else bits_of(operand)


def _together(masks: list[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def _vector(instruction: Instruction, name: str, target: str) -> InstructionUses:
    """Vector arithmetic, matrix instructions among it."""
    masks = [_bits(text) for text in instruction.operands]
    if name.startswith(("v_mfma_", "v_smfmac_")) and not name.startswith("v_mfma_ld_"):
        return _matrix(instruction, name, masks, target)
    classes = _classes_of_vector(instruction, name)
    return InstructionUses(name, _true(classes), _registers_of_vector(instruction, name, masks))


def _registers_of_vector(instruction: Instruction, name: str, masks: list[int]) -> dict[str, int]:
    """The registers of vector arithmetic by role."""
    results = 0 if NO_RESULT.match(name) else 2 if TWO_RESULTS.match(name) or BOTH_WAYS.match(name) else 1
    writes, reads = _together(masks[:results]), _together(masks[results:])
    keeps = ADDS_TO_RESULT.match(name) or BOTH_WAYS.match(name) or KEEPS_REST.match(name)
    if keeps or "UNUSED_PRESERVE" in instruction.modifiers.values():
        reads |= writes & VECTOR
    if name.startswith("v_div_fmas"):
        reads |= VCC
    if name.startswith("v_cmpx_"):
        writes |= EXEC
    registers = {
        "reads": reads,
        "vectors": reads & VGPRS,
        "scalars": reads & ~VECTOR,
        "writes": writes,
        "exec": EXEC,
        "vcc": VCC,
        "any": ANY,
        "moved": _together(masks[results : results + 1]) & VGPRS,
        "shadows": _together([SHADOWS.get(text, 0) for text in instruction.operands]),
        "a_b": _together(masks[1:3]),
        "part": writes & VECTOR if _writes_part(instruction, name) else 0,
        "touches": (reads | writes) & VECTOR,
    }
    if name in ("v_readlane_b32", "v_writelane_b32"):
        registers["lane"] = masks[2] & ~VECTOR
    return registers


def _classes_of_vector(instruction: Instruction, name: str) -> dict[str, bool]:
    """Which classes vector arithmetic is of."""
    is_dot = bool(re.match(r"^v_dot\d", name))
    is_transcendental = bool(TRANSCENDENTAL.match(name)) and not name.startswith("v_pk_")
    is_accumulator = name in ("v_accvgpr_read_b32", "v_accvgpr_write_b32")
    return {
        "vector": True,
        "valu": True,
        "valu not dot": not is_dot,
        "valu or memory": True,
        "vector or memory": True,
        "dot": is_dot,
        "transcendental" if is_transcendental else "not transcendental": True,
        "packed": _takes_upper_half(instruction, name),
        "dpp": bool(DPP_MODIFIERS & set(instruction.modifiers)) or "_dpp" in instruction.mnemonic,
        "accvgpr": is_accumulator,
        "valu not accvgpr": not is_accumulator,
        "fma f64": name in ("v_fma_f64", "v_fmac_f64"),
        "permlane swap": bool(BOTH_WAYS.match(name)) and name != "v_swap_b32",
        "v_cmpx": name.startswith("v_cmpx_"),
        "lane read": name in ("v_readlane_b32", "v_readfirstlane_b32"),
        "lane": name in ("v_readlane_b32", "v_readfirstlane_b32", "v_writelane_b32"),
        "needs m0": "lds_direct" in instruction.operands or "src_lds_direct" in instruction.operands,
        name: True,
    }


def _true(classes: Mapping[str, bool]) -> frozenset[str]:
    return frozenset(name for name, is_of in classes.items() if is_of)


def _writes_part(instruction: Instruction, name: str) -> bool:
    """Whether a result is shifted to its place in the register (LLVM: getDstSelForwardingOperand)."""
    chosen = re.findall(r"\d", instruction.modifiers.get("op_sel", ""))
    if FOUR_BITS.match(name):
        return True
    if instruction.modifiers.get("dst_sel", "DWORD") != "DWORD":
        return True
    if name.startswith(("v_pk_", "v_dot", "v_mad_mix", "v_fma_mix")):
        return False
    is_narrow = bool(KEEPS_REST.match(name))
    return bool(chosen) and ("1" in chosen[2:] if is_narrow else chosen[-1] == "1")


def _takes_upper_half(instruction: Instruction, name: str) -> bool:
    """Whether the upper half of a packed result takes the upper half of A, which is what LLVM asks."""
    if name.startswith(("v_mad_mix", "v_fma_mix")):
        return re.sub(r"\D", "", instruction.modifiers.get("op_sel_hi", "0")).startswith("1")
    is_packed = name.startswith("v_pk_") or bool(re.match(r"^v_dot2_[fiu]32_", name))
    return is_packed and re.sub(r"\D", "", instruction.modifiers.get("op_sel_hi", "1")).startswith("1")


def _matrix(instruction: Instruction, name: str, masks: list[int], target: str) -> InstructionUses:
    """A matrix instruction; a sparse one adds to its result, and its fourth operand is an index."""
    is_sparse = name.startswith("v_smfmac_")
    a_b = _together([*masks[1:3], *masks[3 if is_sparse else 4 :]])
    c = masks[0] if is_sparse else masks[3]
    is_double = "_f64_" in name
    # on gfx942 and gfx950 products of f32 take another way than all others
    is_single = target in ("gfx942", "gfx950") and bool(re.match(r"^v_mfma_f32_\w+x\w+_f32$", name))
    unit = "dgemm" if is_double else "sgemm" if is_single else "xdl"
    classes = {
        "mfma": True,
        unit: True,
        "dgemm 4x4": is_double and "_4x4x4" in name,
        "not xdl": unit != "xdl",
        "vector": True,
        "not transcendental": True,
        "vector or memory": True,
    }
    registers = {
        "a_b": a_b,
        "c": c,
        "reads": a_b | c,
        "vectors": (a_b | c) & VGPRS,
        "writes": masks[0],
        "touches": a_b | c | masks[0],
        "exec": EXEC,
        "any": ANY,
    }
    return InstructionUses(name, _true(classes), registers, passes_of(instruction, target))


def _memory(instruction: Instruction, name: str) -> InstructionUses:
    """A load, a store or an atomic operation on memory or the LDS."""
    masks = [_bits(text) for text in instruction.operands]
    uses = registers_of(instruction)
    is_local = name.startswith("ds_")
    to_lds = "lds" in instruction.modifiers or "_load_lds_" in name
    data = 0
    if STORES_VECTORS.match(name) and not to_lds:
        place = 0 if name.startswith("buffer_") else 1
        data = masks[place] if len(masks) > place else 0
        returns = uses.written and name.startswith(("global_", "flat_"))
        data = masks[2] if returns and len(masks) > 2 else data
        offset = instruction.operands[3:4] if name.startswith("buffer_") else ()
        if (data & VECTOR).bit_count() <= MOST_SAFE_WORDS:
            data = 0
        elif any(bits_of(Operand.of(text)) or text == "m0" for text in offset):
            data = 0  # the scalar offset takes one more cycle, in which the data is read
    scalars = 0 if is_local else _together(masks) & ~VECTOR | EXEC | (M0 if to_lds else 0)
    needs_m0 = "gds" in instruction.modifiers or "_gws_" in name or "_addtid_" in name
    classes = {
        "memory": True,
        "valu or memory": True,
        "vector or memory": True,
        "vmem": not is_local,
        "needs m0": needs_m0,
        "load to lds": to_lds,
        "vector": to_lds and not is_local,
        "not transcendental": to_lds and not is_local,
    }
    registers = {
        "reads": uses.read,
        "writes": uses.written,
        "scalars": scalars,
        "data": data & VECTOR,
        "m0": M0,
        "any": ANY,
    }
    return InstructionUses(name, _true(classes), registers)


def _scalar(instruction: Instruction, name: str) -> InstructionUses:
    """What the scalar unit does, or the program counter."""
    waits = 1
    if name == "s_nop":
        waits = int(instruction.operands[0], 0) + 1
    is_arithmetic = not SCALAR_MEMORY.match(name) and not PROGRAM.match(name)
    writes = _bits(instruction.operands[0]) if is_arithmetic and instruction.operands else 0
    hardware = _hardware(instruction) if name.startswith(("s_setreg", "s_getreg")) else 0
    classes = {
        "salu": is_arithmetic,
        "setreg": name.startswith("s_setreg"),
        "getreg": name.startswith("s_getreg"),
        "vskip": name == "s_setvskip" or (name.startswith("s_setreg") and _sets_vskip(instruction)),
        "needs m0": name.startswith(("s_sendmsg", "s_ttracedata", "s_movrel")),
        "s_rfe_b64": name.startswith("s_rfe"),
    }
    registers = {"writes": writes, "hardware": hardware, "m0": M0, "any": ANY, "traps": HARDWARE << 3}
    return InstructionUses(name, _true(classes), registers, waits=waits)


def _hardware(instruction: Instruction) -> int:
    """The hardware register that ``s_setreg`` or ``s_getreg`` names."""
    named = re.search(r"hwreg\(\s*(\w+)", instruction.text)
    if named is None:
        number = next((int(t, 0) & 63 for t in instruction.operands if re.match(r"^(0x[\da-f]+|\d+)$", t)), 0)
    elif named[1].isdigit():
        number = int(named[1])
    else:
        short = named[1].removeprefix("HW_REG_")
        number = HARDWARE_NAMES.index(short) if short in HARDWARE_NAMES else 62
    return HARDWARE << number


def _sets_vskip(instruction: Instruction) -> bool:
    """Whether ``s_setreg`` changes the mode in which vector instructions are passed over."""
    if _hardware(instruction) != HARDWARE << 1:
        return False
    span = re.search(r"hwreg\(\s*\w+\s*,\s*(\d+)\s*,\s*(\d+)", instruction.text)
    first, size = (int(span[1]), int(span[2])) if span else (0, 32)
    return first <= VSKIP < first + size

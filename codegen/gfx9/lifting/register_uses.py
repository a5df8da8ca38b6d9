"""Which registers an instruction reads and writes, for following what addresses are made of.

A register is ``("v", 3)``, ``("a", 3)``, ``("s", 3)``, ``("m0", 0)`` or ``("scc", 0)``.

>>> from layoutalg.codegen.gfx9.assembly import Assembly, parse_instruction
>>> one = parse_instruction("v_add_u32_e32 v1, s2, v1", 1)
>>> uses = uses_of(one, Assembly("kernel", "gfx942", (one,), {}, {}))
>>> uses.writes, ("s", 2) in uses.reads
((('v', 1),), True)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from layoutalg.codegen.gfx9.assembly import Assembly, Instruction, UnknownInstructionError
from layoutalg.codegen.gfx9.cross_lane import SWAPS
from layoutalg.codegen.gfx9.lifting.memory_form import MemoryForm, memory_form
from layoutalg.codegen.gfx9.machine import FLOW, NO_EFFECT, arithmetic_of
from layoutalg.codegen.gfx9.mode_register import SETS_REGISTER
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import EXEC, VCC
from layoutalg.codegen.gfx9.word_arithmetic import Arithmetic, Word

__all__ = [
    "EXEC_MASK",
    "M0",
    "MOST_INDEXED",
    "SCC",
    "Register",
    "RegisterUses",
    "registers_of_operand",
    "require_followed",
    "uses_of",
]

Register = tuple[str, int]
SCC, M0 = ("scc", 0), ("m0", 0)
MOST_INDEXED = 16  # registers among which M0 is followed to choose
EXEC_MASK = (("s", EXEC), ("s", EXEC + 1))
_VCC = (("s", VCC), ("s", VCC + 1))
_CONDITIONS = {"scc": (SCC,), "vcc": _VCC, "exe": EXEC_MASK}
_LANES = ("v_readfirstlane_b32", "v_readlane_b32", "v_writelane_b32")
_ACCESS = re.compile(
    r"^(global|flat|buffer|tbuffer|image|scratch|ds|s_load|s_store|s_buffer|s_atomic|s_scratch)_"
)
_NOT_FOLLOWED = ("s_setpc_b64", "s_swappc_b64", "s_call_b64", "s_rfe_b64", "s_cbranch_join", "s_setvskip")
_MOVES = ("ds_bpermute_b32", "ds_permute_b32", "ds_swizzle_b32")


@dataclass(frozen=True)
class RegisterUses:
    """What an instruction reads and writes; ``is_wanted``: for its own sake, as an address or a branch.

    ``arithmetic`` or ``memory`` is what it does, where it is one of those; ``is_partial``: registers of lanes
    that are off keep what they hold; ``writes_any``: M0 chooses a vector register that is written.
    """

    reads: tuple[Register, ...] = ()
    writes: tuple[Register, ...] = ()
    wanted: tuple[Register, ...] = ()
    is_wanted: bool = False
    is_partial: bool = False
    arithmetic: Arithmetic | None = None
    memory: MemoryForm | None = None
    writes_any: bool = False


def registers_of_operand(operand: Operand, count: int | None = None) -> tuple[Register, ...]:
    """The registers of an operand, or so many from its first one on."""
    if operand.bank in ("m0", "scc"):
        return ((operand.bank, 0),)
    if operand.bank not in ("v", "a", "s"):
        return ()
    return tuple((operand.bank, operand.first + n) for n in range(operand.count if count is None else count))


def uses_of(instruction: Instruction, assembly: Assembly) -> RegisterUses:
    """The registers of an instruction; one that is not known writes what its first operand names."""
    name = instruction.mnemonic
    if name in FLOW:
        condition = _CONDITIONS.get(name.removeprefix("s_cbranch_")[:3], ())
        return RegisterUses(wanted=condition, is_wanted=True)
    if name in NO_EFFECT or name in SETS_REGISTER or name == "s_waitcnt":
        return RegisterUses()
    memory = memory_form(instruction)
    if memory is not None:
        return _of_memory(memory)
    plain = name.removesuffix("_e32").removesuffix("_e64")
    operands = [Operand.of(text) for text in instruction.operands]
    if plain in _LANES or plain in SWAPS or name in _MOVES:
        return _of_lanes(plain, operands)
    try:
        arithmetic = arithmetic_of(instruction, assembly)
    except UnknownInstructionError:
        arithmetic = None
    if arithmetic is None:
        every = tuple(register for operand in operands for register in registers_of_operand(operand))
        written = registers_of_operand(operands[0]) if operands else ()
        return RegisterUses(every + EXEC_MASK, written, is_partial=name.startswith(("v_", "ds_")))
    reads = tuple(_of_words(arithmetic.sources)) + (() if arithmetic.is_scalar else EXEC_MASK)
    if any(word.operand.is_indexed for word in arithmetic.targets):
        return RegisterUses(reads, is_wanted=True, arithmetic=arithmetic, writes_any=True)
    writes = tuple(_of_words(arithmetic.targets))
    return RegisterUses(reads, writes, is_partial=not arithmetic.is_scalar, arithmetic=arithmetic)


def require_followed(assembly: Assembly) -> None:
    """Refuse a kernel with what is not followed: calls, skipped vectors, accesses of unknown form."""
    for instruction in assembly.instructions:
        name = instruction.mnemonic
        is_access = _ACCESS.match(name) and name not in NO_EFFECT and name not in _MOVES
        if name in _NOT_FOLLOWED or (is_access and memory_form(instruction) is None):
            what = "an access that is not lifted" if is_access else "flow that is not lifted"
            raise UnknownInstructionError(f"{assembly.name}: {instruction}: {what}")


def _of_words(words: Iterable[Word]) -> Iterable[Register]:
    for word in words:
        if word.is_mask:
            yield from registers_of_operand(word.operand, 2)
        elif word.operand.is_indexed:
            yield M0
            first = word.operand.first + word.number
            yield from (("v", first + index) for index in range(MOST_INDEXED))
        elif word.operand.bank in ("m0", "scc"):
            yield (word.operand.bank, 0)
        elif word.operand.bank in ("v", "a", "s"):
            yield word.operand.bank, word.operand.first + word.number


def _of_memory(form: MemoryForm) -> RegisterUses:
    wanted = [register for part in form.addresses for register in registers_of_operand(part)]
    if form.space == "global" and form.base is not None:
        wanted += registers_of_operand(form.base, 2)
    wanted += [M0] if form.to_lds else []
    wanted += [] if form.space == "scalar" else list(EXEC_MASK)
    writes = tuple(register for part in form.targets for register in registers_of_operand(part))
    return RegisterUses(
        (), writes, tuple(wanted), is_wanted=True, is_partial=form.space != "scalar", memory=form
    )


def _of_lanes(name: str, operands: list[Operand]) -> RegisterUses:
    """Exchanges between lanes: the first operand is written, in a swap both are."""
    every = tuple(register for operand in operands for register in registers_of_operand(operand))
    if operands[0].is_indexed:
        return RegisterUses(every + EXEC_MASK, is_wanted=True, writes_any=True)
    written = every if name in SWAPS else registers_of_operand(operands[0])
    return RegisterUses(
        every + EXEC_MASK, written, is_partial=name not in ("v_readfirstlane_b32", "v_readlane_b32")
    )

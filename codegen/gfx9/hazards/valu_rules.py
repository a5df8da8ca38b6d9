"""Hazards of vector arithmetic, of scalar registers it writes, and of modes and M0.

A result goes on to the next instruction at once on most ways. It does not on those to other units (an address
in scalar registers), to other lanes (DPP, the lane of ``v_readlane``), and from results that are shifted to
their place in a register; nor do EXEC and M0 everywhere.

Disputed rules: in the code objects of AMD's aiter for gfx942 and gfx950, thousands of ``v_cndmask`` stand one
instruction behind the ``v_cmp`` that writes their mask, where LLVM wants two; loads to the LDS follow at once
on writes of M0, and atomics on ``s_setvskip``. So do instructions with DPP on registers that it does not
move. After packed results LLVM waits only if A has its op_sel_hi bit: it seems to take one bit for another.

Source: LLVM, GCNHazardRecognizer.cpp: checkVMEMHazards, checkVALUHazards, checkDPPHazards,
checkDivFMasHazards, checkRWLaneHazards, checkPermlaneHazards, checkReadM0Hazards, checkGetRegHazards,
checkSetRegHazards, checkRFEHazards; for vccz, execz and vskip, which LLVM never comes to, AMD "Vega"
Instruction Set Architecture, chapter 4.5 (manually inserted wait states).

>>> next(rule.wait_states for rule in VALU_RULES if rule.consumer == "vmem")
5
"""

from __future__ import annotations

from layoutalg.codegen.gfx9.hazards.hazard_rule import EVERY_TARGET, HazardRule

__all__ = ["VALU_RULES"]

GFX950 = frozenset({"gfx950"})
SINCE_90A = frozenset({"gfx90a", "gfx942", "gfx950"})
SINCE_942 = frozenset({"gfx942", "gfx950"})
BEFORE_942 = EVERY_TARGET - SINCE_942
WRITES = ("vector", "writes")  # any vector arithmetic, matrix instructions among it
WRITTEN = ("vector or memory", "writes")
DOT = ("dot", "writes")
OVERWRITES = "wide store's data overwritten by VALU"


def _rule(
    name: str,
    producer: tuple[str, str],
    consumer: tuple[str, str],
    wait_states: int,
    targets: frozenset[str] = EVERY_TARGET,
    *,
    same_mnemonic: bool | None = None,
    is_disputed: bool = False,
) -> HazardRule:
    """A rule between two classes, each with its role."""
    return HazardRule(
        name, "valu", *producer, *consumer, wait_states, targets,
        same_mnemonic=same_mnemonic, is_disputed=is_disputed,
    )  # fmt: skip


VALU_RULES = (
    _rule("VALU writes SGPR, memory reads it", WRITES, ("vmem", "scalars"), 5),
    _rule("VALU writes the lane of v_readlane or v_writelane", WRITES, ("lane", "lane"), 4),
    _rule("VALU writes VCC before v_div_fmas", WRITES, ("v_div_fmas_f32", "vcc"), 4),
    _rule("VALU writes VCC before v_div_fmas", WRITES, ("v_div_fmas_f64", "vcc"), 4),
    _rule("VALU writes EXEC before DPP", WRITES, ("dpp", "exec"), 5),
    _rule("VALU writes VGPR, DPP moves it", WRITES, ("dpp", "moved"), 2),
    _rule("register written, DPP uses it", WRITTEN, ("dpp", "touches"), 2, is_disputed=True),
    _rule("packed result used", ("packed", "writes"), ("vector", "touches"), 1, SINCE_942, is_disputed=True),
    _rule("VALU writes VCC or EXEC, VALU reads vccz or execz", WRITES, ("vector", "shadows"), 5),
    _rule(OVERWRITES, ("memory", "data"), WRITES, 1, BEFORE_942),
    _rule(OVERWRITES, ("memory", "data"), WRITES, 2, SINCE_942),
    _rule("VALU writes SGPR, VALU reads it", WRITES, ("vector", "scalars"), 2, SINCE_942, is_disputed=True),
    _rule("VALU writes VGPR, v_readlane reads it", WRITES, ("lane read", "vectors"), 1, SINCE_942),
    _rule("VALU writes EXEC before v_readlane or v_writelane", WRITES, ("lane", "exec"), 4, SINCE_942),
    _rule("result shifted to its place, then used", ("vector", "part"), ("vector", "touches"), 1, SINCE_942),
    _rule("VALU writes VGPR, v_permlane_swap reads it", WRITES, ("permlane swap", "vectors"), 2, GFX950),
    _rule("v_cmpx before v_permlane_swap", ("v_cmpx", "writes"), ("permlane swap", "exec"), 4, GFX950),
    _rule("dot product read by others", DOT, ("valu or memory", "reads"), 3, SINCE_90A, same_mnemonic=False),
    _rule("dot product read as A or B", DOT, ("dot", "a_b"), 3, SINCE_90A, same_mnemonic=True),
    _rule("dot product overwritten", DOT, ("valu or memory", "writes"), 3, SINCE_90A, same_mnemonic=False),
    _rule("SALU writes M0, load to LDS", ("salu", "writes"), ("load to lds", "m0"), 1, is_disputed=True),
    _rule("SALU writes M0 before it is needed", ("salu", "writes"), ("needs m0", "m0"), 1),
    _rule("s_setreg before s_getreg", ("setreg", "hardware"), ("getreg", "hardware"), 2),
    _rule("s_setreg before s_setreg", ("setreg", "hardware"), ("setreg", "hardware"), 2),
    _rule("s_setreg of TRAPSTS before s_rfe", ("setreg", "hardware"), ("s_rfe_b64", "traps"), 1),
    _rule("vskip set before vectors", ("vskip", "any"), ("vector or memory", "any"), 2, is_disputed=True),
)  # fmt: skip

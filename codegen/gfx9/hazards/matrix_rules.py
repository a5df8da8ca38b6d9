"""Hazards of matrix instructions on gfx90a, gfx942 and gfx950: wait states by the passes of the first one.

A matrix instruction writes its result after its passes, and nothing holds back what comes too early. A
result goes on to the sum of the next instruction at once if both name the very same registers; as a factor,
or to any other instruction, it takes until it is in the registers. Three kinds of matrix instructions:
``dgemm`` (f64), ``sgemm`` (f32 on gfx942 and gfx950) and ``xdl`` (all others).
Source: LLVM, GCNHazardRecognizer.cpp: checkMAIHazards90A and checkMAIVALUHazards, and there the functions
``GFX940_XDL_N_Pass...`` and ``GFX940_SMFMA_N_Pass...``.

>>> next(rule.wait_states for rule in MATRIX_RULES if rule.name == "MFMA result read by VALU or memory")
{2: 5, 8: 11, 16: 19}
"""

from __future__ import annotations

from collections.abc import Mapping

from layoutalg.codegen.gfx9.hazards.hazard_rule import HazardRule

__all__ = ["MATRIX_RULES"]

GFX90A, GFX942, GFX950 = (frozenset({target}) for target in ("gfx90a", "gfx942", "gfx950"))
SINCE_90A, SINCE_942 = GFX90A | GFX942 | GFX950, GFX942 | GFX950

READ, OVERWRITTEN = "MFMA result read by VALU or memory", "MFMA result overwritten by VALU or a load"
FACTOR, SUM, SAME_SUM = (
    "MFMA result read as A or B",
    "MFMA result overlaps C",
    "MFMA result read as the same C",
)


def _result(
    name: str,
    producer: str,
    consumer: str,
    takes: str,
    targets: frozenset[str],
    wait_states: Mapping[int, int],
    *,
    same: bool | None = None,
) -> HazardRule:
    return HazardRule(name, "mfma", producer, "writes", consumer, takes, wait_states, targets, same)


TO_SUM = (
    _result(SUM, "xdl", "xdl", "c", GFX90A, {2: 2, 8: 8, 16: 16}, same=False),
    _result(SUM, "xdl", "dgemm", "c", GFX90A, {2: 3, 8: 9, 16: 17}, same=False),
    _result(SUM, "xdl", "xdl", "c", GFX942, {2: 3, 4: 5, 8: 9, 16: 17}, same=False),
    _result(SUM, "xdl", "not xdl", "c", GFX942, {2: 3, 4: 5, 8: 9, 16: 17}, same=False),
    _result(SUM, "xdl", "xdl", "c", GFX950, {2: 4, 4: 6, 8: 10, 16: 18}, same=False),
    _result(SUM, "xdl", "not xdl", "c", GFX950, {2: 3, 4: 6, 8: 10, 16: 18}, same=False),
    _result(SUM, "sgemm", "not xdl", "c", SINCE_942, {2: 2, 4: 4, 8: 8, 16: 16}, same=False),
    _result(SUM, "dgemm", "not xdl", "c", GFX90A | GFX942, {4: 4, 8: 9}, same=False),
    _result(SUM, "dgemm", "not xdl", "c", GFX950, {4: 4, 16: 17}, same=False),
    _result(SAME_SUM, "dgemm", "dgemm 4x4", "c", SINCE_90A, {4: 4}, same=True),
    _result(SAME_SUM, "xdl", "mfma", "c", SINCE_942, {2: 2}, same=True),
    _result(SAME_SUM, "sgemm", "mfma", "c", SINCE_942, {2: 2}, same=True),
)

TO_FACTOR = (
    _result(FACTOR, "xdl", "mfma", "a_b", GFX90A, {2: 5, 8: 11, 16: 19}),
    _result(FACTOR, "xdl", "mfma", "a_b", GFX942, {2: 5, 4: 7, 8: 11, 16: 19}),
    _result(FACTOR, "xdl", "mfma", "a_b", GFX950, {2: 5, 4: 8, 8: 12, 16: 20}),
    _result(FACTOR, "sgemm", "mfma", "a_b", SINCE_942, {2: 4, 4: 6, 8: 10, 16: 18}),
    _result(FACTOR, "dgemm", "mfma", "a_b", GFX90A | GFX942, {4: 6, 8: 11}),
    _result(FACTOR, "dgemm", "mfma", "a_b", GFX950, {4: 6, 16: 19}),
)

TO_OTHERS = (
    _result(READ, "xdl", "valu or memory", "reads", GFX90A, {2: 5, 8: 11, 16: 19}),
    _result(READ, "xdl", "valu or memory", "reads", GFX942, {2: 5, 4: 7, 8: 11, 16: 19}),
    _result(READ, "xdl", "valu or memory", "reads", GFX950, {2: 5, 4: 8, 8: 12, 16: 20}),
    _result(READ, "sgemm", "valu or memory", "reads", SINCE_942, {2: 4, 4: 6, 8: 10, 16: 18}),
    _result("DGEMM result read by memory", "dgemm", "memory", "reads", SINCE_90A, {4: 9, 8: 18, 16: 18}),
    _result("DGEMM result read by VALU", "dgemm", "valu", "reads", GFX90A | GFX942, {4: 6, 8: 11}),
    _result("DGEMM result read by VALU", "dgemm", "valu", "reads", GFX950, {4: 6, 16: 19}),
    _result(OVERWRITTEN, "xdl", "valu or memory", "writes", GFX90A, {2: 5, 8: 11, 16: 19}),
    _result(OVERWRITTEN, "xdl", "valu or memory", "writes", GFX942, {2: 5, 4: 7, 8: 11, 16: 19}),
    _result(OVERWRITTEN, "xdl", "valu or memory", "writes", GFX950, {2: 5, 4: 8, 8: 12, 16: 20}),
    _result(OVERWRITTEN, "sgemm", "valu or memory", "writes", SINCE_942, {2: 4, 4: 6, 8: 10, 16: 18}),
    _result(OVERWRITTEN, "dgemm", "valu or memory", "writes", SINCE_90A, {4: 6, 8: 11, 16: 11}),
)

BUSY = "f64 unit busy with a DGEMM"
READS_SUM = "C of an MFMA overwritten while it is read"
WAITS_OF_SUM = {2: 1, 4: 3, 8: 7, 16: 15}

MATRIX_RULES = (
    *TO_SUM,
    *TO_FACTOR,
    *TO_OTHERS,
    HazardRule(READS_SUM, "mfma", "xdl", "c", "valu or memory", "writes", WAITS_OF_SUM, SINCE_90A),
    HazardRule(BUSY, "mfma", "dgemm", "any", "fma f64", "any", 2, SINCE_90A),
    HazardRule(
        "VALU result read by an MFMA", "mfma", "valu not dot", "writes", "mfma", "reads", 2, SINCE_90A
    ),
    HazardRule("VALU writes EXEC before an MFMA", "mfma", "valu", "writes", "mfma", "exec", 4, SINCE_90A),
    HazardRule(
        "VALU result read by memory, a DGEMM between",
        "mfma", "valu", "writes", "memory", "reads", 2, GFX90A, between="dgemm",
    ),
)  # fmt: skip

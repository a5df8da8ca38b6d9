"""Hazards of matrix instructions on gfx908, whose sums are in accumulators that only they reach.

``v_accvgpr_read`` and ``v_accvgpr_write`` copy between accumulators and other registers; both go through the
matrix core, and other arithmetic does not see accumulators at all.
Source: LLVM, GCNHazardRecognizer.cpp: checkMAIHazards908 and checkMAILdStHazards.

>>> next(rule.wait_states for rule in MATRIX_RULES_GFX908 if rule.consumer == "v_accvgpr_read_b32")
{2: 4, 8: 10, 16: 18}
"""

from __future__ import annotations

from collections.abc import Mapping

from layoutalg.codegen.gfx9.hazards.hazard_rule import HazardRule

__all__ = ["MATRIX_RULES_GFX908"]

GFX908 = frozenset({"gfx908"})
READ, WRITE = "v_accvgpr_read_b32", "v_accvgpr_write_b32"


def _rule(
    name: str,
    uses: tuple[str, str, str, str],
    wait_states: int | Mapping[int, int],
    *,
    same: bool | None = None,
    between: str = "",
) -> HazardRule:
    """A rule of gfx908; ``uses``: the two classes, each with its role."""
    producer, gives, consumer, takes = uses
    return HazardRule(
        name, "mfma", producer, gives, consumer, takes, wait_states, GFX908, same, between=between
    )


MATRIX_RULES_GFX908 = (
    _rule("MFMA result overlaps C", ("xdl", "writes", "mfma", "c"), 2, same=False),
    _rule("MFMA result read as A or B", ("xdl", "writes", "mfma", "a_b"), 4, same=False),
    _rule("MFMA result read by v_accvgpr_read", ("xdl", "writes", READ, "reads"), {2: 4, 8: 10, 16: 18}),
    _rule(
        "MFMA result overwritten by v_accvgpr_write",
        ("xdl", "writes", WRITE, "writes"),
        {2: 1, 8: 7, 16: 15},
    ),
    _rule("C of an MFMA overwritten while it is read", ("xdl", "c", WRITE, "writes"), {8: 5, 16: 13}),
    _rule("v_accvgpr_write result read as C", (WRITE, "writes", "mfma", "c"), 1),
    _rule("v_accvgpr_write result read as A or B", (WRITE, "writes", "mfma", "a_b"), 3),
    _rule("v_accvgpr_write result read by v_accvgpr_read", (WRITE, "writes", READ, "reads"), 3),
    _rule("VALU writes EXEC before an MFMA", ("vector", "writes", "mfma", "exec"), 4),
    _rule("VALU writes EXEC before v_accvgpr_write", ("vector", "writes", WRITE, "exec"), 4),
    _rule("VALU result read by an MFMA", ("vector", "writes", "mfma", "vectors"), 2),
    _rule("VALU result read by v_accvgpr_write", ("vector", "writes", WRITE, "vectors"), 2),
    _rule("v_accvgpr_read result read by memory", (READ, "writes", "memory", "reads"), 2),
    _rule(
        "VALU result read by memory, v_accvgpr between",
        ("valu not accvgpr", "writes", "memory", "reads"),
        2,
        between="accvgpr",
    ),
)

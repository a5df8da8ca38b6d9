"""Hazards of transcendental arithmetic: on gfx942 and gfx950 its results come one instruction later.

Exponentials, logarithms, reciprocals, roots, sines have a unit of their own, four times as slow; on these
targets an instruction of the main unit may follow at once, and then reads the register as it was before.
Source: LLVM, GCNHazardRecognizer.cpp: checkVALUHazards (hasTransForwardingHazard).

>>> [rule.wait_states for rule in TRANSCENDENTAL_RULES]
[1]
"""

from __future__ import annotations

from layoutalg.codegen.gfx9.hazards.hazard_rule import HazardRule

__all__ = ["TRANSCENDENTAL_RULES"]

SINCE_942 = frozenset({"gfx942", "gfx950"})

TRANSCENDENTAL_RULES = (
    HazardRule(
        "transcendental result read by other VALU",
        "trans", "transcendental", "writes", "not transcendental", "reads", 1, SINCE_942,
    ),
)  # fmt: skip

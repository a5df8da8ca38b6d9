"""All rules of hazards, of all kinds and targets.

>>> sorted({rule.kind for rule in HAZARD_RULES})
['mfma', 'trans', 'valu']
"""

from __future__ import annotations

from layoutalg.codegen.gfx9.hazards.hazard_rule import HazardRule
from layoutalg.codegen.gfx9.hazards.matrix_rules import MATRIX_RULES
from layoutalg.codegen.gfx9.hazards.matrix_rules_gfx908 import MATRIX_RULES_GFX908
from layoutalg.codegen.gfx9.hazards.transcendental_rules import TRANSCENDENTAL_RULES
from layoutalg.codegen.gfx9.hazards.valu_rules import VALU_RULES

__all__ = ["HAZARD_RULES"]

HAZARD_RULES: tuple[HazardRule, ...] = (
    *MATRIX_RULES,
    *MATRIX_RULES_GFX908,
    *TRANSCENDENTAL_RULES,
    *VALU_RULES,
)

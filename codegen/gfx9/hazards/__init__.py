"""Hazards of gfx9 code: dependencies that the hardware does not wait for, so that ``s_nop`` must."""

from layoutalg.codegen.gfx9.hazards.hazard import Hazard
from layoutalg.codegen.gfx9.hazards.hazard_rule import HazardRule, Kind
from layoutalg.codegen.gfx9.hazards.hazard_search import hazards_of
from layoutalg.codegen.gfx9.hazards.hazard_tables import HAZARD_RULES

__all__ = ["HAZARD_RULES", "Hazard", "HazardRule", "Kind", "hazards_of"]

"""Compiled gfx9 code executed on formulas: where each lane of each access goes, and what is shown of it."""

from layoutalg.codegen.gfx9.lifting.claimed_layouts import ClaimedLayout, compare_with_layouts
from layoutalg.codegen.gfx9.lifting.explained_layout import explained
from layoutalg.codegen.gfx9.lifting.facts_file import LiftFacts, facts_of, read_facts
from layoutalg.codegen.gfx9.lifting.kernel_start import Assumed
from layoutalg.codegen.gfx9.lifting.lift import LiftedKernel, LiftedLoop, lift, lift_kernel
from layoutalg.codegen.gfx9.lifting.lifted_access import LiftedAccess, Shown
from layoutalg.codegen.gfx9.lifting.translation_validation import TranslationValidation, validate_translation
from layoutalg.codegen.gfx9.lifting.validated_kernel import validated_kernel

__all__ = [
    "Assumed",
    "ClaimedLayout",
    "LiftFacts",
    "LiftedAccess",
    "LiftedKernel",
    "LiftedLoop",
    "Shown",
    "TranslationValidation",
    "compare_with_layouts",
    "explained",
    "facts_of",
    "lift",
    "lift_kernel",
    "read_facts",
    "validate_translation",
    "validated_kernel",
]

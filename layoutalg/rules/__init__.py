"""Rewriting of index expressions: the rules, the normal form they reach, and the way back."""

from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.simplify import (
    Simplified,
    Simplifier,
    closed_forms,
    require_defined,
    simplify,
    simplify_all,
)

__all__ = [
    "NormalForm",
    "Simplified",
    "Simplifier",
    "closed_forms",
    "require_defined",
    "simplify",
    "simplify_all",
]

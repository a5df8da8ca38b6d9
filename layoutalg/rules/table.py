"""All rewrite rules in one table."""

from layoutalg.rules.bits import AND_RULES, OR_AS_SUM, XOR_RULES
from layoutalg.rules.bound_steps import BOUND_RULES
from layoutalg.rules.choice import MAX_AS_MIN, MIN_OF_MIN, MIN_OF_ORDERED, SELECTION_RULES
from layoutalg.rules.division import DIVISION_RULES, MOD_AS_DIV
from layoutalg.rules.truncation import MOD_AS_TRUNC, TRUNCATION_RULES

__all__ = ["RULES"]

RULES = (
    *DIVISION_RULES,
    MOD_AS_DIV,
    *TRUNCATION_RULES,
    MOD_AS_TRUNC,
    *XOR_RULES,
    *AND_RULES,
    OR_AS_SUM,
    MIN_OF_ORDERED,
    MIN_OF_MIN,
    MAX_AS_MIN,
    *SELECTION_RULES,
    *BOUND_RULES,
)

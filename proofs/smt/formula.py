"""What is asserted of polynomials: none negative, zero, not, and all of.

>>> Formula.nonnegative(Polynomial.letter(0)).negated().negated().kind
'nonnegative'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from layoutalg.rules.polynomial import Polynomial

__all__ = ["FALSE", "TRUE", "Formula", "all_of"]


@dataclass(frozen=True)
class Formula:
    """``nonnegative`` and ``zero`` of a polynomial, ``not`` of a formula, ``and`` of any number."""

    kind: str
    parts: tuple[Any, ...]

    @classmethod
    def nonnegative(cls, polynomial: Polynomial) -> Formula:
        return cls("nonnegative", (polynomial,))

    @classmethod
    def at_least(cls, left: Polynomial, right: Polynomial) -> Formula:
        return cls.nonnegative(left - right)

    @classmethod
    def less(cls, left: Polynomial, right: Polynomial) -> Formula:
        return cls.nonnegative((right - left).plus(-1))

    @classmethod
    def equal(cls, left: Polynomial, right: Polynomial) -> Formula:
        return cls("zero", (left - right,))

    def negated(self) -> Formula:
        if self.kind == "nonnegative":
            return Formula.nonnegative((-self.parts[0]).plus(-1))
        return self.parts[0] if self.kind == "not" else Formula("not", (self,))

    def implies(self, other: Formula) -> Formula:
        """True where this one is not, or where the other is."""
        return other if self == TRUE else all_of(self, other.negated()).negated()


TRUE = Formula("and", ())
FALSE = Formula("not", (TRUE,))


def all_of(*formulas: Formula) -> Formula:
    """The formula that holds where all of them do."""
    parts: list[Formula] = []
    for formula in formulas:
        parts += formula.parts if formula.kind == "and" else (formula,)
    return parts[0] if len(parts) == 1 else Formula("and", tuple(parts))

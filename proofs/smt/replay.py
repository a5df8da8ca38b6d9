"""Polynomials over atoms, rewritten by equations that were shown: how the steps of a proof are replayed.

Nothing is found here. An operation that a shown step speaks of is replaced by the step's right side, and
whatever contains it then has the replaced operands: that is all.

>>> from layoutalg.domain import Domain
>>> from layoutalg.index import FloorDiv
>>> from layoutalg.rules.explained_step import ExplainedStep
>>> domain = Domain.of({"x": 8})
>>> values = Replayed(domain)
>>> values.use(ExplainedStep("div_of_small", "x // 8", "0", "0 <= x and x < 8"))
>>> values.of(FloorDiv(domain["x"], 8) + 1)
Polynomial({(): 1})
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layoutalg.proofs.smt.formula import Formula
from layoutalg.proofs.smt.purification import Purified
from layoutalg.rules.polynomial import Polynomial
from layoutalg.term import interpret_term

if TYPE_CHECKING:
    from layoutalg.domain import Domain
    from layoutalg.proofs.smt.strided_intervals import StridedInterval
    from layoutalg.rules.explained_step import ExplainedStep

__all__ = ["Replayed"]


class Replayed(Purified):
    """AtomTable of which some are replaced; remainders are written by their quotients."""

    def __init__(self, domain: Domain) -> None:
        self._replaced: dict[int, Polynomial] = {}
        self.concluded: list[Formula] = []  # wherever the steps hold
        super().__init__(domain)

    def use(self, step: ExplainedStep) -> None:
        """Let the left side of a shown step be replaced by its right side from here on."""
        needed = len(self.needed)
        before, after = (
            interpret_term(term, self, self.symbol) for term in (step.before_term, step.after_term)
        )
        atom = before.as_letter
        if atom is not None and atom not in after.letters:
            self._replaced[atom] = after
            if self.atoms[atom].kind == "minimum":  # what is replaced says no more that it is the least
                self.concluded += [Formula.at_least(side, after) for side in self.atoms[atom].operands]
        del self.needed[needed:]

    def remainder(self, left: Polynomial, right: Polynomial) -> Polynomial:
        return left - right * self.quotient(left, right)

    def _letter(self, kind: str, operands: tuple[Any, ...], interval: StridedInterval) -> Polynomial:
        if kind == "quotient":
            number, divisor = operands
            exact, rest = number.divided(divisor) if (divisor.as_integer or 0) > 0 else (None, number)
            if exact is not None and not rest:
                return exact
        found = super()._letter(kind, operands, interval)
        atom = found.as_letter
        assert atom is not None
        return self._replaced.get(atom, found)

"""Letters of polynomials, where their values lie, and what that says of polynomials and formulas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from layoutalg.proofs.smt.strided_intervals import Span

if TYPE_CHECKING:
    from layoutalg.proofs.smt.formula import Formula
    from layoutalg.rules.polynomial import Polynomial

__all__ = ["Letter", "Letters"]


@dataclass(frozen=True)
class Letter:
    """A variable or an operation on polynomials over earlier letters, and where its values lie.

    A variable known to be a multiple of 64 is 64 times its letter.
    """

    kind: str
    operands: tuple[Any, ...]
    span: Span


class Letters:
    """A table of letters; a polynomial is over the numbers of its letters."""

    def __init__(self) -> None:
        self.letters: list[Letter] = []
        self.asked: list[Polynomial] = []

    def span(self, polynomial: Polynomial) -> Span:
        """Where the values of a polynomial lie, letters taken to be independent."""
        total = Span.of(0)
        for monomial, coefficient in polynomial:
            product = Span.of(coefficient)
            for letter in sorted(set(monomial)):
                power = self._power(self.letters[letter].span, monomial.count(letter))
                product = product * power
            total = total + product
        return total

    def is_below(self, limit: int) -> bool:
        """Whether every letter, and every polynomial asked for so far, lies within ``-limit .. limit``."""
        spans = [*(letter.span for letter in self.letters), *map(self.span, self.asked)]
        return all(-limit <= span.low and span.high <= limit for span in spans)

    def decided(self, formula: Formula) -> bool | None:
        """Whether a formula holds, judged by spans alone; None where they do not tell."""
        match formula.kind:
            case "nonnegative":
                span = self.span(formula.parts[0])
                return True if span.low >= 0 else False if span.high < 0 else None
            case "zero":
                span = self.span(formula.parts[0])
                misses = span.low > 0 or span.high < 0 or (span.step and span.residue % span.step)
                return True if span.number == 0 else False if misses else None
            case "not":
                found = self.decided(formula.parts[0])
                return None if found is None else not found
            case _:
                found_parts = [self.decided(part) for part in formula.parts]
                return False if False in found_parts else None if None in found_parts else True

    @staticmethod
    def _power(span: Span, exponent: int) -> Span:
        found = span
        for _ in range(exponent - 1):
            found = found * span
        if exponent % 2 == 0:
            found = Span.between(max(0, found.low), found.high, found.step, found.residue)
        return found

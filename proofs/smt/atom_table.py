"""The atoms of polynomials: variables and operations by number, and where their values lie.

What is known of atoms decides some polynomials and formulas without a solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

from layoutalg.proofs.smt.strided_intervals import StridedInterval
from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from layoutalg.proofs.smt.formula import Formula

__all__ = ["Atom", "AtomTable"]


@dataclass(frozen=True)
class Atom:
    """A variable or an operation on polynomials over earlier atoms, and where its values lie.

    A variable known to be a multiple of 64 is 64 times its atom, so that the atom has every value.
    """

    kind: str
    operands: tuple[Any, ...]
    interval: StridedInterval


class AtomTable:
    """All atoms met so far; a polynomial speaks of them by their numbers."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self.asked: list[Polynomial] = []

    def interval(self, polynomial: Polynomial) -> StridedInterval:
        """Where the values of a polynomial lie, atoms taken to be independent but for remainders in full."""
        plain = self._independently(polynomial)
        left, rests = self._without_remainders(polynomial)
        if not rests or plain.step == 0:
            return plain
        closer = reduce(add, rests, self._independently(left))
        ends = max(plain.low, closer.low), min(plain.high, closer.high)
        return StridedInterval.between(*ends, plain.step, plain.residue)

    def _independently(self, polynomial: Polynomial) -> StridedInterval:
        total = StridedInterval.of(0)
        for monomial, coefficient in polynomial:
            product = StridedInterval.of(coefficient)
            for atom in sorted(set(monomial)):
                power = self._power(self.atoms[atom].interval, monomial.count(atom))
                product = product * power
            total = total + product
        return total

    def _without_remainders(self, polynomial: Polynomial) -> tuple[Polynomial, list[StridedInterval]]:
        """A polynomial less each ``n - d*(n // d)`` in it by a number, and where the values of these lie."""
        rests = []
        for letter in sorted(polynomial.letters):
            if self.atoms[letter].kind != "quotient":
                continue
            number, divisor = self.atoms[letter].operands
            factor, base = polynomial.coefficient(letter), divisor.as_integer or 0
            times = None if factor is None else factor.as_integer
            if times is None or base < 1 or times % base:
                continue
            left = polynomial - (number - divisor * Polynomial.letter(letter)).scaled(-times // base)
            if len(left.terms) < len(polynomial.terms) - 1:
                rests.append(StridedInterval.of(-times // base) * StridedInterval.between(0, base - 1))
                polynomial = left
        return polynomial, rests

    def is_below(self, limit: int) -> bool:
        """Whether every atom, and every polynomial asked for so far, lies within ``-limit .. limit``."""
        intervals = [*(atom.interval for atom in self.atoms), *map(self.interval, self.asked)]
        return all(-limit <= interval.low and interval.high <= limit for interval in intervals)

    def decided(self, formula: Formula) -> bool | None:
        """Whether a formula holds, judged by intervals alone; None where they do not tell."""
        match formula.kind:
            case "nonnegative":
                interval = self.interval(formula.parts[0])
                return True if interval.low >= 0 else False if interval.high < 0 else None
            case "zero":
                interval = self.interval(formula.parts[0])
                misses = (
                    interval.low > 0
                    or interval.high < 0
                    or (interval.step and interval.residue % interval.step)
                )
                return True if interval.number == 0 else False if misses else None
            case "not":
                found = self.decided(formula.parts[0])
                return None if found is None else not found
            case _:
                found_parts = [self.decided(part) for part in formula.parts]
                return False if False in found_parts else None if None in found_parts else True

    @staticmethod
    def _power(interval: StridedInterval, exponent: int) -> StridedInterval:
        found = interval
        for _ in range(exponent - 1):
            found = found * interval
        if exponent % 2 == 0:
            found = StridedInterval.between(max(0, found.low), found.high, found.step, found.residue)
        return found

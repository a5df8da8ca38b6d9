"""Ranges and congruences: where a value lies and what it leaves when divided.

This is the prover's own range arithmetic, apart from that of the rewrite rules (``layoutalg.rules.bounds``)
with which it shares only what an end is: a rule that rests on a wrong range must not be able to prove itself.
``tests/proofs/test_ranges_agree.py`` holds the two against each other and against enumeration.

A interval holds every value of an expression: ``low .. high``, all equal to ``residue`` modulo ``step`` (a
``step`` of 0 means one value). It knows nothing of how values are tied to each other.

>>> rows, columns = StridedInterval.between(0, 63), StridedInterval.between(0, 7)
>>> rows * StridedInterval.of(8) + columns
0..511
>>> rows * StridedInterval.of(8) + StridedInterval.of(3)
3..507, 3 mod 8
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from layoutalg.rules.interval import End, Infinity

__all__ = ["StridedInterval"]


@dataclass(frozen=True, repr=False)
class StridedInterval:
    """All integers ``low <= value <= high`` with ``value % step == residue``."""

    low: End
    high: End
    step: int = 1
    residue: int = 0

    @classmethod
    def of(cls, number: int) -> StridedInterval:
        return cls(number, number, 0, number)

    @classmethod
    def between(cls, low: End, high: End, step: int = 1, residue: int = 0) -> StridedInterval:
        """The interval with its ends moved inwards to values it holds."""
        if step > 1:
            residue %= step
            low = low if isinstance(low, Infinity) else low + (residue - low) % step
            high = high if isinstance(high, Infinity) else high - (high - residue) % step
        if low == high and isinstance(low, int):
            return cls.of(low)
        return cls(low, high, step, residue)

    @property
    def number(self) -> int | None:
        """The one value, or None."""
        return self.residue if self.step == 0 else None

    def __add__(self, other: StridedInterval) -> StridedInterval:
        step = math.gcd(self.step, other.step)
        return StridedInterval.between(
            self.low + other.low, self.high + other.high, step, _residue(self.residue + other.residue, step)
        )

    def __mul__(self, other: StridedInterval) -> StridedInterval:
        corners = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        step = math.gcd(self.step * other.step, self.residue * other.step, other.residue * self.step)
        residue = _residue(self.residue * other.residue, step)
        return StridedInterval.between(min(corners), max(corners), step, residue)

    def quotient(self, divisor: StridedInterval) -> StridedInterval:
        """Floor division, for divisors that are positive."""
        low, high = max(1, divisor.low), max(1, divisor.high)
        corners = [a // b for a in (self.low, self.high) for b in (low, high)]
        number = divisor.number
        step, residue = 1, 0
        if number and number > 0 and self.step % number == 0:
            step, residue = self.step // number, self.residue // number
        return StridedInterval.between(min(corners), max(corners), step, _residue(residue, step))

    def remainder(self, divisor: StridedInterval) -> StridedInterval:
        """What floor division leaves, for divisors that are positive."""
        quotient = self.quotient(divisor).number
        if quotient == 0 or (quotient is not None and divisor.number is not None):
            return self + StridedInterval.of(-quotient) * divisor
        high = divisor.high - 1
        if self.low >= 0:
            high = min(high, self.high)
        step = math.gcd(self.step, divisor.step, divisor.residue)
        return StridedInterval.between(0, high, step, _residue(self.residue, step))

    def bits(self, other: StridedInterval, kind: str) -> StridedInterval:
        """``xor``, ``and`` or ``or`` of values that are not negative."""
        if self.number is not None and other.number is not None and min(self.low, other.low) >= 0:
            one, two = self.number, other.number
            return StridedInterval.of({"xor": one ^ two, "and": one & two, "or": one | two}[kind])
        highest = max(self.high, other.high)
        high = highest if isinstance(highest, Infinity) else (1 << max(0, highest).bit_length()) - 1
        if kind == "and":
            high = min(self.high, other.high)
        step = 1 << min(self._zero_bits(), other._zero_bits())
        return StridedInterval.between(max(self.low, other.low) if kind == "or" else 0, high, step)

    def _zero_bits(self) -> int:
        """How many low bits are 0 in every value."""
        common = math.gcd(self.step, self.residue)
        return 62 if common == 0 else (common & -common).bit_length() - 1

    def minimum(self, other: StridedInterval) -> StridedInterval:
        step, residue = self._joined(other)
        return StridedInterval.between(min(self.low, other.low), min(self.high, other.high), step, residue)

    def union(self, other: StridedInterval) -> StridedInterval:
        """Every value of either."""
        step, residue = self._joined(other)
        return StridedInterval.between(min(self.low, other.low), max(self.high, other.high), step, residue)

    def _joined(self, other: StridedInterval) -> tuple[int, int]:
        step = math.gcd(self.step, other.step, self.residue - other.residue)
        return step, _residue(self.residue, step)

    def __repr__(self) -> str:
        if self.step == 0:
            return str(self.residue)
        ends = f"{self.low}..{self.high}"
        return ends if self.step == 1 else f"{ends}, {self.residue} mod {self.step}"


def _residue(value: int, step: int) -> int:
    return value % step if step else value

"""Division by a constant as the upper word of one product, where the range of the dividend allows it.

``n // d == mulhi(n, multiplier) >> shift`` with ``multiplier = ceil(2**(32 + shift) / d)``. The product
is too large by ``n*e`` with ``e = multiplier*d - 2**(32 + shift)``, which changes no quotient as long as
``n*e < 2**(32 + shift)``. Source: Granlund and Montgomery, "Division by invariant integers using
multiplication", 1994.

>>> Reciprocal.of(28, 2**20)
Reciprocal(divisor=28, multiplier=153391690, shift=0)
>>> Reciprocal.of(28, 2**20).quotient(1000)
35
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Reciprocal"]

WORD = 32


@dataclass(frozen=True)
class Reciprocal:
    """The multiplier (one word) and shift for one divisor and a largest dividend."""

    divisor: int
    multiplier: int
    shift: int

    @classmethod
    def of(cls, divisor: int, largest: int) -> Reciprocal | None:
        """The smallest shift that is exact from 0 to ``largest``; None where one word is not enough."""
        for shift in range(WORD):
            power = 1 << (WORD + shift)
            multiplier = -(-power // divisor)
            if multiplier >= 1 << WORD:
                break
            if largest < 1 << WORD and largest * (multiplier * divisor - power) < power:
                return cls(divisor, multiplier, shift)
        return None

    def quotient(self, dividend: int) -> int:
        """What the emitted code computes."""
        return (dividend * self.multiplier >> WORD) >> self.shift

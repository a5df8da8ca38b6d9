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

__all__ = ["Reciprocal", "ShortReciprocal"]

WORD = 32
LONG = 1 << 15  # a multiplier that is told from other factors


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


@dataclass(frozen=True)
class ShortReciprocal:
    """A multiplier and a shift whose whole product is one word: ``n // d == n * multiplier >> shift``.

    For small numbers, of which GPUs make a product at full rate; compilers that divide them by themselves may
    do so in words of 16 bits, in more steps.

    >>> ShortReciprocal.of(3, 4000)
    ShortReciprocal(divisor=3, multiplier=43691, shift=17)
    >>> ShortReciprocal.of(3, 2**20) is None
    True
    """

    divisor: int
    multiplier: int
    shift: int

    @classmethod
    def of(cls, divisor: int, largest: int) -> ShortReciprocal | None:
        """The smallest shift that is exact from 0 to ``largest``; None where the product is no ``int``.

        Multipliers of 16 bits and more are taken where they do, as readers of machine code expect of them.
        """
        exact = [found for shift in range(WORD) if (found := cls._shifted(divisor, largest, shift))]
        long = (found for found in exact if found.multiplier >= LONG)
        return next(long, exact[0] if exact else None)

    @classmethod
    def _shifted(cls, divisor: int, largest: int, shift: int) -> ShortReciprocal | None:
        power = 1 << shift
        multiplier = -(-power // divisor)
        is_exact = largest * (multiplier * divisor - power) < power
        return cls(divisor, multiplier, shift) if is_exact and largest * multiplier < 1 << WORD - 1 else None

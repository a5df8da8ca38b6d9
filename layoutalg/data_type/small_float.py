"""Small floats: the number that few bits mean, in the codings of OCP and of AMD's earlier FNUZ.

OCP's E5M2 has infinities; its E4M3 has one NaN a sign and no infinity; FNUZ ("finite, no negative
zero") has a single NaN where the negative zero would be, and a bias one larger; the types of 6 and 4 bits
have neither.

>>> SmallFloat(4, 3, "ocp").value(0b0_0111_000), SmallFloat(4, 3, "fnuz").value(0b0_0111_000)
(1.0, 0.5)

Sources: OCP 8-bit Floating Point Specification 1.0; OCP Microscaling Formats 1.0; AMD CDNA3 ISA, FP8 formats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from layoutalg.errors import LayoutError

__all__ = ["SmallFloat"]

Coding = Literal["ieee", "ocp", "fnuz", "finite", "exponent"]


@dataclass(frozen=True)
class SmallFloat:
    """Sign, exponent and mantissa.

    ``coding``: ``ieee`` has infinities and NaNs; ``ocp`` gives up infinities and keeps one NaN a sign;
    ``fnuz`` keeps one NaN; ``finite`` has numbers only; ``exponent`` is no more than that, without a sign,
    all ones are no number.
    """

    exponent_bits: int
    mantissa_bits: int
    coding: Coding

    @property
    def bits(self) -> int:
        return (self.coding != "exponent") + self.exponent_bits + self.mantissa_bits

    @property
    def bias(self) -> int:
        """What is taken off the exponent field."""
        half = 1 << (self.exponent_bits - 1)
        return half if self.coding == "fnuz" else half - 1

    @property
    def largest(self) -> float:
        """The largest finite number."""
        return max(value for value in map(self.value, range(1 << self.bits)) if math.isfinite(value))

    def value(self, bits: int) -> float:
        """The number a pattern of bits means."""
        if not isinstance(bits, int) or not 0 <= bits < 1 << self.bits:
            msg = f"wanted a pattern of {self.bits} bits, got {bits!r}"
            raise LayoutError(msg)
        if self.coding == "exponent":
            return math.nan if bits + 1 == 1 << self.bits else 2.0 ** (bits - self.bias)
        mantissa = bits & ((1 << self.mantissa_bits) - 1)
        exponent = bits >> self.mantissa_bits & ((1 << self.exponent_bits) - 1)
        sign = -1.0 if bits >> (self.bits - 1) else 1.0
        special = self._special(exponent, mantissa, sign)
        if special is not None:
            return special
        if exponent == 0:
            return sign * math.ldexp(mantissa, 1 - self.bias - self.mantissa_bits)
        whole = mantissa + (1 << self.mantissa_bits)
        return sign * math.ldexp(whole, exponent - self.bias - self.mantissa_bits)

    def _special(self, exponent: int, mantissa: int, sign: float) -> float | None:
        if self.coding == "fnuz":
            return math.nan if sign < 0 and exponent == 0 and mantissa == 0 else None
        if self.coding == "finite" or exponent != (1 << self.exponent_bits) - 1:
            return None
        if self.coding == "ieee":
            return math.nan if mantissa else sign * math.inf
        return math.nan if mantissa == (1 << self.mantissa_bits) - 1 else None

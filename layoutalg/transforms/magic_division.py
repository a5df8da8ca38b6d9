"""Division by a constant as a multiplication and a shift, with Composable Kernel's numbers.

``n // d == (mulhi(n, multiplier) + n) >> shift`` where ``mulhi`` is the upper word of the product. CK
promises it for dividends of 31 bits only; above, some quotients are wrong:

>>> magic = MagicDivision.of(7)
>>> magic
MagicDivision(divisor=7, multiplier=613566757, shift=3, bits=32)
>>> magic.quotient(2**31 - 1) == (2**31 - 1) // 7, magic.quotient(2**32 - 1) == (2**32 - 1) // 7
(True, False)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from layoutalg.errors import LengthError

__all__ = ["MagicDivision"]

_WORD = np.uint64(2**32 - 1)
_LARGEST = {32: 2**31 - 1, 16: 2**16}


@dataclass(frozen=True)
class MagicDivision:
    """The multiplier and shift for one divisor, on words of 32 or 16 bits.

    >>> import layoutalg as la
    >>> la.MagicDivision.of(7)
    MagicDivision(divisor=7, multiplier=613566757, shift=3, bits=32)
    """

    divisor: int
    multiplier: int
    shift: int
    bits: int = 32

    @classmethod
    def of(cls, divisor: int, bits: int = 32) -> MagicDivision:
        """The numbers CK computes: the smallest shift with ``2**shift >= divisor``."""
        if bits not in _LARGEST:
            msg = f"magic division: wanted words of 32 or 16 bits, got {bits!r}"
            raise LengthError(msg)
        largest = _LARGEST[bits]
        if not isinstance(divisor, int) or not 1 <= divisor <= largest:
            msg = f"magic division: wanted a divisor from 1 to {largest}, got {divisor!r}"
            raise LengthError(msg)
        shift = (divisor - 1).bit_length()
        multiplier = (2**bits * (2**shift - divisor)) // divisor + 1
        return cls(divisor, multiplier, shift, bits)

    def quotient(self, dividend: Any) -> Any:
        """What CK's code computes, right or wrong, for an integer or an array.

        The arithmetic is that of unsigned 32-bit words: a negative dividend is a large one.
        """
        word = np.asarray(dividend, dtype=np.int64).astype(np.uint64) & _WORD
        product = word * np.uint64(self.multiplier)
        if self.bits == 16:
            product &= _WORD
        high = product >> np.uint64(self.bits)
        result = (((high + word) & _WORD) >> np.uint64(self.shift)).astype(np.int64)
        return result if result.ndim else int(result)

"""The ends of ranges, and ranges of whole numbers with such ends.

An end is an integer of any size or an infinity. An infinity says that nothing is known to stop the values on
that side; it is a value of its own, not a large number, so that no end is ever rounded and no sum of ends
overflows.

>>> Interval(0, 63) + Interval(8, OO)
Interval(low=8, high=oo)
>>> Interval(0, 99) // Interval(-OO, OO)
Interval(low=0, high=99)
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

__all__ = ["EVERYTHING", "OO", "End", "Infinity", "Interval"]


class Infinity:
    """Above every integer, or below every one; products with 0 are 0, as ranges need it.

    >>> OO > 10**400, -OO < 0, OO * 0, -3 * OO, 7 // OO, -7 // OO
    (True, True, 0, -oo, 0, -1)
    """

    __slots__ = ("sign",)

    def __init__(self, sign: int) -> None:
        self.sign = sign

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Infinity) and self.sign == other.sign

    def __hash__(self) -> int:
        return hash(("infinity", self.sign))

    def __lt__(self, other: End) -> bool:
        return self.sign < (other.sign if isinstance(other, Infinity) else 0)

    def __le__(self, other: End) -> bool:
        return self.sign <= (other.sign if isinstance(other, Infinity) else 0)

    def __gt__(self, other: End) -> bool:
        return self.sign > (other.sign if isinstance(other, Infinity) else 0)

    def __ge__(self, other: End) -> bool:
        return self.sign >= (other.sign if isinstance(other, Infinity) else 0)

    def __neg__(self) -> Infinity:
        return Infinity(-self.sign)

    def __add__(self, other: End) -> Infinity:
        if isinstance(other, Infinity) and other.sign != self.sign:
            msg = "oo - oo has no value"
            raise ArithmeticError(msg)
        return self

    __radd__ = __add__

    def __sub__(self, other: End) -> Infinity:
        return self + -other

    def __rsub__(self, other: End) -> Infinity:
        return -self + other

    def __mul__(self, other: End) -> End:
        sign = other.sign if isinstance(other, Infinity) else (other > 0) - (other < 0)
        return Infinity(self.sign * sign) if sign else 0

    __rmul__ = __mul__

    def __floordiv__(self, divisor: End) -> Infinity:
        """The limit of the quotients, for a positive divisor."""
        return self

    def __rfloordiv__(self, number: int) -> int:
        """The limit of ``number // divisor`` as the divisor grows: 0, or -1 for a negative number."""
        return 0 if number >= 0 else -1

    def __repr__(self) -> str:
        return "oo" if self.sign > 0 else "-oo"


End: TypeAlias = int | Infinity
OO = Infinity(1)


class Interval(NamedTuple):
    """All whole numbers from ``low`` to ``high``, both included."""

    low: End
    high: End

    def __add__(self, other: Interval) -> Interval:  # type: ignore[override]  # a sum, not a longer tuple
        return Interval(self.low + other.low, self.high + other.high)

    def __mul__(self, other: Interval) -> Interval:  # type: ignore[override]
        corners = [a * b for a in self for b in other]
        return Interval(min(corners), max(corners))

    def __floordiv__(self, divisor: Interval) -> Interval:
        """The quotients rounded down. Divisors below 1 are left out: such a division is never computed."""
        divisors = max(1, divisor.low), max(1, divisor.high)
        corners = [number // by for number in self for by in divisors]
        return Interval(min(corners), max(corners))

    def scaled(self, factor: int) -> Interval:
        """Every value times an integer."""
        ends = self.low * factor, self.high * factor
        return Interval(*ends) if factor >= 0 else Interval(*reversed(ends))

    def within(self, other: Interval) -> Interval:
        """The values that both hold."""
        return Interval(max(self.low, other.low), min(self.high, other.high))

    def hull(self, other: Interval) -> Interval:
        """The smallest interval that holds both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))

    @property
    def number(self) -> int | None:
        """The one value, or None where there may be more.

        >>> Interval(4, 4).number, Interval(4, 5).number
        (4, None)
        """
        return self.low if self.low == self.high and isinstance(self.low, int) else None


EVERYTHING = Interval(-OO, OO)

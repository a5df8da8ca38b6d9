"""Values whose bits are xors of input bits: linear maps over the field with two elements.

A value is a tuple of bits, lowest first; a bit is an integer whose bit ``k`` says that input bit ``k`` takes
part, and whose bit ``CONSTANT`` says that it is flipped. Xors, shifts, masks, digits by powers of two and
sums of disjoint bits stay linear; whatever else comes is refused.
"""

from __future__ import annotations

from typing import Any, NoReturn

from layoutalg.errors import LayoutError
from layoutalg.index.arithmetic import Arithmetic

__all__ = ["CONSTANT", "BitForms", "Bits", "point_of", "unseen"]

Bits = tuple[int, ...]
CONSTANT = 1 << 62


class BitForms(Arithmetic[Bits]):
    """Linear forms as numbers."""

    def integer(self, number: int) -> Bits:
        if number < 0:
            _refuse("a negative number")
        return tuple(CONSTANT if number >> k & 1 else 0 for k in range(number.bit_length()))

    def add(self, left: Bits, right: Bits) -> Bits:
        if _number(left) is not None and _number(right) is not None:
            return self.integer(_known(left) + _known(right))
        for one, other in zip(left, right, strict=False):
            if one and other:
                _refuse("a sum whose bits overlap")
        return self.bit_xor(left, right)

    def mul(self, left: Bits, right: Bits) -> Bits:
        number, other = (left, right) if _number(left) is not None else (right, left)
        factor = _number(number)
        if factor == 0:
            return ()
        if factor is None or factor & (factor - 1):
            _refuse("a factor that is no power of two")
        return (0,) * (factor.bit_length() - 1) + other

    def quotient(self, left: Bits, right: Bits) -> Bits:
        return left[self._exponent(right) :]

    def remainder(self, left: Bits, right: Bits) -> Bits:
        return _trimmed(left[: self._exponent(right)])

    def _exponent(self, divisor: Bits) -> int:
        number = _number(divisor)
        if not number or number & (number - 1):
            _refuse("a divisor that is no power of two")
        return number.bit_length() - 1

    def bit_xor(self, left: Bits, right: Bits) -> Bits:
        width = max(len(left), len(right))
        both = zip(_wide(left, width), _wide(right, width), strict=True)
        return _trimmed(tuple(one ^ other for one, other in both))

    def bit_and(self, left: Bits, right: Bits) -> Bits:
        found = []
        for one, other in zip(left, right, strict=False):
            if one in (0, CONSTANT) or one == other:
                found.append(other if one else 0)
            elif other in (0, CONSTANT):
                found.append(one if other else 0)
            else:
                _refuse("a product of bits")
        return _trimmed(tuple(found))

    def bit_or(self, left: Bits, right: Bits) -> Bits:
        return self.bit_xor(self.bit_xor(left, right), self.bit_and(left, right))

    def shift_left(self, left: Bits, right: Bits) -> Bits:
        return (0,) * self._shift(right) + left if left else ()

    def shift_right(self, left: Bits, right: Bits) -> Bits:
        return left[self._shift(right) :]

    def _shift(self, exponent: Bits) -> int:
        number = _number(exponent)
        if number is None or number > 62:
            _refuse("a shift that is not fixed")
        return number

    def truth(self, value: bool) -> Any:  # noqa: FBT001
        return value

    def _refused(self, *operands: Any, **named: Any) -> NoReturn:
        del operands, named
        _refuse("a choice or a condition")

    minimum = maximum = select = less = equal = both = negation = _refused


def unseen(rows: list[int], count: int) -> list[int]:
    """A basis of the sets of the ``count`` inputs that flip no row, each as bits of an integer.

    >>> unseen([0b01, 0b11], 2), unseen([0b11], 2)
    ([], [3])
    """
    pivots: dict[int, int] = {}
    for given in rows:
        row = given & (CONSTANT - 1)
        for pivot, other in pivots.items():
            if row >> pivot & 1:
                row ^= other
        if row:
            pivot = row.bit_length() - 1
            pivots = {k: other ^ row if other >> pivot & 1 else other for k, other in pivots.items()}
            pivots[pivot] = row
    free = [k for k in range(count) if k not in pivots]
    return [1 << k | sum(1 << pivot for pivot, row in pivots.items() if row >> k & 1) for k in free]


def point_of(bits: int, widths: dict[str, int]) -> dict[str, int]:
    """The values of the axes whose input bits are given, first axis lowest."""
    found = {}
    for name, width in widths.items():
        found[name] = bits & ((1 << width) - 1)
        bits >>= width
    return found


def _number(bits: Bits) -> int | None:
    if any(bit not in (0, CONSTANT) for bit in bits):
        return None
    return sum(1 << k for k, bit in enumerate(bits) if bit)


def _known(bits: Bits) -> int:
    found = _number(bits)
    assert found is not None
    return found


def _wide(bits: Bits, width: int) -> Bits:
    return bits + (0,) * (width - len(bits))


def _trimmed(bits: Bits) -> Bits:
    while bits and bits[-1] == 0:
        bits = bits[:-1]
    return bits


def _refuse(what: str) -> NoReturn:
    msg = f"not linear over bits: {what}"
    raise LayoutError(msg)

"""Integer types of C++, and numbers of them: promotion, the usual arithmetic conversions, wraparound.

A number of type ``int`` is Python's ``int``, one of ``bool`` is Python's ``bool``; every other type has its
numbers as ``Integer``. Widths are those of x86-64 and AMDGPU: ``long`` has 64 bits, ``char`` has a sign.

>>> arithmetic("-", integer("unsigned int", 0), 1)
4294967295
>>> kind_of(arithmetic("+", integer("unsigned char", 255), True))
'int'
>>> arithmetic("+", 2147483647, 1)
Traceback (most recent call last):
OverflowError: 2147483647 + 1 = 2147483648 does not fit int
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import cache
from typing import Self

__all__ = [
    "C_TYPES",
    "TYPES",
    "Integer",
    "arithmetic",
    "common",
    "fits",
    "integer",
    "kind_of",
    "negated",
    "promoted",
]

INT = "int"
LOW, HIGH = -(2**31), 2**31 - 1  # of int


@dataclass(frozen=True, slots=True)
class IntegerType:
    """A width in bits, whether there is a sign, and the rank of the usual arithmetic conversions."""

    bits: int
    is_signed: bool
    rank: int

    @property
    def low(self) -> int:
        return -(2 ** (self.bits - 1)) if self.is_signed else 0

    @property
    def high(self) -> int:
        return 2 ** (self.bits - self.is_signed) - 1

    def wrapped(self, number: int) -> int:
        """The number modulo ``2**bits``, in the range of this type."""
        return (number - self.low) % 2**self.bits + self.low


TYPES = {
    "bool": IntegerType(1, is_signed=False, rank=0),
    "char": IntegerType(8, is_signed=True, rank=1),
    "char8_t": IntegerType(8, is_signed=False, rank=1),
    "char16_t": IntegerType(16, is_signed=False, rank=2),
    "char32_t": IntegerType(32, is_signed=False, rank=3),
    "wchar_t": IntegerType(32, is_signed=True, rank=3),
    "signed char": IntegerType(8, is_signed=True, rank=1),
    "unsigned char": IntegerType(8, is_signed=False, rank=1),
    "short": IntegerType(16, is_signed=True, rank=2),
    "unsigned short": IntegerType(16, is_signed=False, rank=2),
    INT: IntegerType(32, is_signed=True, rank=3),
    "unsigned int": IntegerType(32, is_signed=False, rank=3),
    "long": IntegerType(64, is_signed=True, rank=4),
    "unsigned long": IntegerType(64, is_signed=False, rank=4),
    "long long": IntegerType(64, is_signed=True, rank=5),
    "unsigned long long": IntegerType(64, is_signed=False, rank=5),
}
C_TYPES = {  # the names that <cstdint>, <cstddef> and CK give to built-in types
    "int8_t": "signed char",
    "uint8_t": "unsigned char",
    "int16_t": "short",
    "uint16_t": "unsigned short",
    "ushort": "unsigned short",
    "int32_t": "int",
    "uint32_t": "unsigned int",
    "uint": "unsigned int",
    "int64_t": "long",
    "uint64_t": "unsigned long",
    "size_t": "unsigned long",
    "ptrdiff_t": "long",
    "intptr_t": "long",
    "uintptr_t": "unsigned long",
    "nullptr_t": "nullptr_t",
    "__half": "_Float16",
}
_PROMOTED = {"char32_t": "unsigned int", "wchar_t": INT}  # besides what is narrower than int
_PLAIN = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
_COMPARED = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


class Integer(int):
    """A number with its type, for types other than ``int`` and ``bool``.

    Python's own operators give plain ``int``; :func:`arithmetic` keeps types.
    """

    kind: str

    def __new__(cls, kind: str, number: int) -> Self:
        made = super().__new__(cls, number)
        made.kind = kind
        return made


def integer(kind: str, number: int) -> int:
    """The number converted to the type: wrapped at its width; for ``bool``, whether it is not 0."""
    if kind == INT:
        return int(number) if LOW <= number <= HIGH else TYPES[INT].wrapped(number)
    return bool(number) if kind == "bool" else Integer(kind, TYPES[kind].wrapped(number))


def kind_of(number: int) -> str:
    """The type of a number."""
    if isinstance(number, Integer):
        return number.kind
    return "bool" if isinstance(number, bool) else INT


def fits(kind: str, number: int) -> bool:
    """Whether the number is in the type's range."""
    return TYPES[kind].low <= number <= TYPES[kind].high


def promoted(kind: str) -> str:
    """The promoted type, in which operators compute: ``int`` for every narrower one."""
    return _PROMOTED.get(kind, INT if TYPES[kind].rank < TYPES[INT].rank else kind)


@cache
def common(left: str, right: str) -> str:
    """The common type of two operands by the usual arithmetic conversions."""
    left, right = promoted(left), promoted(right)
    one, other = TYPES[left], TYPES[right]
    if one.is_signed == other.is_signed:
        return left if one.rank >= other.rank else right
    (unsigned, signed) = (right, left) if one.is_signed else (left, right)
    if TYPES[unsigned].rank >= TYPES[signed].rank:
        return unsigned
    return signed if TYPES[signed].bits > TYPES[unsigned].bits else f"unsigned {signed}"


def arithmetic(sign: str, left: int, right: int) -> int:
    """``left sign right``; raises where a constant expression has no value.

    ``OverflowError`` where the result does not fit a type with a sign, ``ZeroDivisionError``, and
    ``ValueError`` for a shift by a number that the width does not allow.
    """
    if type(left) is int and type(right) is int:
        kind = INT
        plain = _PLAIN.get(sign)
        if plain is not None and LOW <= (result := plain(left, right)) <= HIGH:
            return result
    else:
        kind = common(kind_of(left), kind_of(right))
        if sign in {"<<", ">>"}:
            return _shifted(sign, integer(promoted(kind_of(left)), left), int(right))
        left, right = integer(kind, left), integer(kind, right)
    if sign in _COMPARED:
        return _COMPARED[sign](int(left), int(right))
    if sign in {"<<", ">>"}:
        return _shifted(sign, left, right)
    if sign in {"/", "%"}:
        return _divided(sign, left, right, kind)
    return _of_type(kind, _PLAIN[sign](int(left), int(right)), left, sign, right)


def _of_type(kind: str, result: int, left: int, sign: str, right: int) -> int:
    """A result of an operator; ``OverflowError`` where a type with a sign does not have it."""
    if TYPES[kind].is_signed and not fits(kind, result):
        raise OverflowError(f"{left} {sign} {right} = {result} does not fit {kind}")
    return integer(kind, result)


def _divided(sign: str, left: int, right: int, kind: str) -> int:
    """As C++ divides: towards zero; a remainder has no value where the quotient has none."""
    if right == 0:
        raise ZeroDivisionError(f"{left} {sign} 0")
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    whole = _of_type(kind, quotient, left, sign, right)
    return whole if sign == "/" else integer(kind, left - quotient * right)


def _shifted(sign: str, left: int, count: int) -> int:
    """A shift, computed in the type of the promoted left operand; bits shifted out are lost."""
    kind = kind_of(left)
    if not 0 <= count < TYPES[kind].bits:
        raise ValueError(f"{left} {sign} {count}: {kind} has {TYPES[kind].bits} bits")
    return integer(kind, int(left) << count if sign == "<<" else int(left) >> count)


def negated(sign: str, value: int) -> int:
    """``-value``, ``+value`` or ``~value``, of the promoted type."""
    kind = promoted(kind_of(value))
    if sign == "-":
        return arithmetic("-", integer(kind, 0), value)
    return integer(kind, ~int(value) if sign == "~" else value)

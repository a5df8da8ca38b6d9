r"""Literals of C++: numbers of each base with their types, and characters.

>>> number("0b1100'1111"), number("2.5f")
(207, 2.5)
>>> [number(text).kind for text in ("1UL", "0xffffffff", "4294967295")]
['unsigned long', 'unsigned int', 'long']
>>> character(r"'\n'")
10
"""

from __future__ import annotations

import re
from functools import lru_cache

from layoutalg.ck.cpp.integer_types import fits, integer

__all__ = ["character", "literal", "number"]

_DIGITS = r"0[xX][\da-fA-F](?:'?[\da-fA-F])*|0[bB][01](?:'?[01])*|0(?:'?[0-7])*|[1-9](?:'?\d)*"
_INTEGER = re.compile(rf"({_DIGITS})(\w*)")
_FLOAT = re.compile(r"[\d']*\.?[\d']*(?:[eE][+-]?[\d']+)?[fFlL]?")
_SUFFIX = re.compile(r"u?(?:l|ll|z)?|(?:l|ll|z)u")
_SIMPLE = dict(zip("'\"?\\abfnrtv", "'\"?\\\a\b\f\n\r\t\v", strict=True))
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|(['\"?\\abfnrtv]))")


@lru_cache(4096)
def number(token: str) -> int | float:
    """The value of a literal, an integer with its type; ``ValueError`` for text that is no number."""
    match = _INTEGER.fullmatch(token)
    if match is not None:
        return literal(match[1], match[2])
    text = token.replace("'", "").lower()
    if _FLOAT.fullmatch(token) and any(c in text for c in ".e"):
        return float(text.rstrip("fl"))
    raise ValueError(token)


def literal(digits: str, suffix: str = "") -> int:
    """An integer of the first type that has it, among those that its base and suffix allow."""
    low = suffix.lower()
    if not _SUFFIX.fullmatch(low) or "lL" in suffix or "Ll" in suffix:
        raise ValueError(f"{digits}{suffix}")
    plain = digits.replace("'", "").lower()
    is_decimal = not plain.startswith("0")
    value = int(plain, 10 if is_decimal else {"x": 16, "b": 2}.get(plain[1:2], 8))
    length = low.replace("u", "")
    kinds = {"": ("int", "long"), "ll": ("long long",)}.get(length, ("long",))
    for kind in kinds:
        unsigned = f"unsigned {kind}"
        if "u" not in low and fits(kind, value):
            return integer(kind, value)
        if ("u" in low or not is_decimal) and fits(unsigned, value):
            return integer(unsigned, value)
    raise ValueError(f"{digits}{suffix} fits no type")


def character(token: str) -> int:
    """The number of a character between single quotes; ``ValueError`` for more than one character."""
    inside = token[1:-1]
    match = _ESCAPE.fullmatch(inside)
    if match is None:
        if len(inside) != 1 or not inside.isascii() or inside == "\\":
            raise ValueError(token)
        value = ord(inside)
    elif match[3] is not None:
        value = ord(_SIMPLE[match[3]])
    else:
        value = int(match[1], 8) if match[1] is not None else int(match[2], 16)
    if not fits("unsigned char", value):
        raise ValueError(token)
    return integer("char", value)

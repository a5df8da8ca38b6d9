"""Integers that users spell in bindings, tuned tables, encodings and options."""

from __future__ import annotations

import re

from layoutalg.reading.input_limits import DIGITS

__all__ = ["spelled_integer"]

_INTEGER = re.compile(r"(-?)(?:0[xX]([0-9a-fA-F]+)|([0-9]+))")


def spelled_integer(text: str, where: str = "", *, may_be_hexadecimal: bool = False) -> int | None:
    """The integer that a text spells, in decimal or, if it may, as ``0x1f``; None where it spells none.

    Only the digits 0 to 9 count as such (``str.isdigit`` is true of a superscript, too). Refused, with
    ``where`` in the message: more digits than the limit ``DIGITS`` allows; Python itself reads 4,300 at most.

    >>> spelled_integer("-64"), spelled_integer("64 rows"), spelled_integer("²"), spelled_integer("0x1f")
    (-64, None, None, None)
    >>> spelled_integer("0x1f", may_be_hexadecimal=True)
    31
    """
    found = _INTEGER.fullmatch(text.strip())
    if found is None or (found[2] and not may_be_hexadecimal):
        return None
    sign, hexadecimal, decimal = found.groups()
    DIGITS.check(len(hexadecimal or decimal), where)
    value = int(hexadecimal, 16) if hexadecimal else int(decimal)
    return -value if sign else value

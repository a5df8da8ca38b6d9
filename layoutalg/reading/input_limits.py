"""How large texts, layout files and CK's headers may be: each limit with its name.

A text that is too long, too deep or that speaks of numbers too large is refused with one line before
any work is done on it; the line names the limit.

>>> SHIFT.check(8)
>>> SHIFT.check(100_000, "x << 100000")
Traceback (most recent call last):
    ...
layoutalg.errors.LimitError: x << 100000: 100000 bits of a shift are more than the 4096 allowed \
(limit SHIFT) (make it smaller, or split it)
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.errors import LimitError

__all__ = [
    "BITS",
    "CK_BRACKETS",
    "CK_CONDITION",
    "CK_ELEMENTS",
    "CK_LOOP",
    "CK_MACROS",
    "CK_STEPS",
    "CK_TEMPLATES",
    "DIGITS",
    "ENCODING_ELEMENTS",
    "ENUMERATED",
    "EXPRESSION",
    "FILE",
    "NESTING",
    "OPERATIONS",
    "SHIFT",
    "WORDS",
    "InputLimit",
    "excerpt",
]


@dataclass(frozen=True)
class InputLimit:
    """The most of something that is read: ``what`` is counted, ``most`` is allowed."""

    name: str
    most: int
    what: str

    def check(self, count: int, where: str = "") -> None:
        """Refuse a count above the limit, saying ``where`` it was met.

        Raises :class:`~layoutalg.errors.LimitError`.
        """
        if count > self.most:
            place = f"{where}: " if where else ""
            bits = count.bit_length()
            said = str(count) if bits < READABLE else f"2^{bits - 1} or more"
            msg = f"{place}{said} {self.what} are more than the {self.most} allowed (limit {self.name})"
            raise LimitError(msg, hint="make it smaller, or split it")


EXPRESSION = InputLimit("EXPRESSION", 200_000, "characters of an index expression")
WORDS = InputLimit("WORDS", 20_000, "words of an index expression")
NESTING = InputLimit("NESTING", 200, "levels inside each other")
OPERATIONS = InputLimit("OPERATIONS", 20_000, "operations of an expression, as many times as each is used,")
DIGITS = InputLimit("DIGITS", 200, "digits of a number")
SHIFT = InputLimit("SHIFT", 4_096, "bits of a shift")
BITS = InputLimit("BITS", 1_000, "bits of a number")
FILE = InputLimit("FILE", 4_000_000, "characters of a file")

# of CK's headers, read by layoutalg.ck
CK_BRACKETS = InputLimit("CK_BRACKETS", 400, "brackets and signs inside each other")
CK_CONDITION = InputLimit("CK_CONDITION", 10_000, "tokens of an #if with its macros read through")
CK_ELEMENTS = InputLimit("CK_ELEMENTS", 100_000, "elements of a sequence, tuple or array")
CK_LOOP = InputLimit("CK_LOOP", 100_000, "rounds of a loop")
CK_MACROS = InputLimit("CK_MACROS", 20, "macros that name each other in an #if")
CK_STEPS = InputLimit("CK_STEPS", 2_000_000, "steps of an import")
CK_TEMPLATES = InputLimit("CK_TEMPLATES", 100, "templates inside each other")
ENCODING_ELEMENTS = InputLimit("ENCODING_ELEMENTS", 1 << 24, "elements of a distribution to be drawn")
ENUMERATED = 100_000_000  # points of a domain that a proof may try one by one
READABLE = 64  # bits of a count that is written out
SHOWN = 60  # characters of a text around the place that a message is about


def excerpt(text: str, position: int) -> str:
    """Where something stands in a text, and what stands there.

    >>> excerpt("x + 010", 4)
    "column 5 ('x + 010')"
    """
    start = max(text.rfind("\n", 0, position) + 1, position - SHOWN // 2)
    line = text[start : position + SHOWN // 2].partition("\n")[0]
    column = position - text.rfind("\n", 0, position)
    number = text.count("\n", 0, position)
    place = f"line {number + 1}, column {column}" if number else f"column {column}"
    return f"{place} ({line!r})"

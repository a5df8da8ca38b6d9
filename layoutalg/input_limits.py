"""How large an input may be: every limit a user can meet, with its name, in one place.

A text that is too long, too deep or that speaks of numbers too large is refused with one line before
any work is done on it; the line names the limit.

>>> SHIFT.check(8)
>>> SHIFT.check(100_000, "x << 100000")
Traceback (most recent call last):
    ...
layoutalg.errors.LimitError: x << 100000: 100000 bits of a shift are more than the 4096 allowed (limit SHIFT)
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.errors import LimitError

__all__ = [
    "CK_BRACKETS",
    "CK_CONDITION",
    "CK_ELEMENTS",
    "CK_LOOP",
    "CK_STEPS",
    "CK_TEMPLATES",
    "DIGITS",
    "ENCODING_ELEMENTS",
    "EXPRESSION",
    "NESTING",
    "SHIFT",
    "InputLimit",
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
            msg = f"{place}{count} {self.what} are more than the {self.most} allowed (limit {self.name})"
            raise LimitError(msg)


EXPRESSION = InputLimit("EXPRESSION", 200_000, "characters of an index expression")
NESTING = InputLimit("NESTING", 200, "levels of parentheses and signs")
DIGITS = InputLimit("DIGITS", 1_000, "digits of a number")
SHIFT = InputLimit("SHIFT", 4_096, "bits of a shift")

# of CK's headers, read by layoutalg.ck
CK_BRACKETS = InputLimit("CK_BRACKETS", 400, "brackets and signs inside each other")
CK_CONDITION = InputLimit("CK_CONDITION", 10_000, "tokens of an #if with its macros read through")
CK_ELEMENTS = InputLimit("CK_ELEMENTS", 100_000, "elements of a sequence, tuple or array")
CK_LOOP = InputLimit("CK_LOOP", 100_000, "rounds of a loop")
CK_STEPS = InputLimit("CK_STEPS", 2_000_000, "steps of an import")
CK_TEMPLATES = InputLimit("CK_TEMPLATES", 100, "templates inside each other")
ENCODING_ELEMENTS = InputLimit("ENCODING_ELEMENTS", 1 << 24, "elements of a distribution to be drawn")

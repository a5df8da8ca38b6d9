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

__all__ = ["DIGITS", "EXPRESSION", "NESTING", "SHIFT", "InputLimit"]


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

"""The one family of errors this package raises on bad input.

Every message says what was wanted, what came and where, in one line; ``hint`` says how to mend it.
"""

from __future__ import annotations

__all__ = [
    "InternalError",
    "LayoutError",
    "LengthError",
    "LimitError",
    "MissingFactError",
    "ToolError",
    "UndefinedInCKError",
    "shortened",
]

LONGEST = 2_000  # characters of a message


def shortened(text: str, most: int = LONGEST) -> str:
    """The text, cut after ``most`` characters: what came may be a file of a megabyte.

    >>> shortened("a long text", 6)
    'a long...'
    """
    return text if len(text) <= most else f"{text[:most]}..."


class LayoutError(ValueError):
    """A value that cannot be built from what was given.

    >>> raise LayoutError("merge: wanted two lengths or more, got none", hint="list the lower lengths")
    Traceback (most recent call last):
        ...
    layoutalg.errors.LayoutError: merge: wanted two lengths or more, got none (list the lower lengths)
    """

    text_line = 0  # of a text of several lines, the one that is wrong, from 0

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.message = shortened(message)
        self.hint = hint
        super().__init__(f"{self.message} ({hint})" if hint else self.message)


class LengthError(LayoutError):
    """A length, pad, stride or dimension id that does not fit where it was given."""


class MissingFactError(LayoutError):
    """An index that is defined only under a fact nobody has stated, such as a positive divisor."""


class UndefinedInCKError(LayoutError):
    """Something Composable Kernel itself leaves undefined or does not compile."""


class ToolError(RuntimeError):
    """A compiler, driver or optional package that is missing or has failed."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} ({hint})" if hint else message)


class LimitError(LayoutError):
    """An input larger than what is read: one of the limits of :mod:`layoutalg.reading.input_limits`."""


class InternalError(RuntimeError):
    """The package contradicts itself: a proof that fails at a point, or a prover that crashes.

    Nothing is said of the claim then. The message holds what a report of the mistake needs.
    """

"""Sizes left open in a binding.

>>> symbol(min=64, multiple_of=32)
Symbol(minimum=64, multiple_of=32, maximum=None)
"""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.errors import LayoutError

__all__ = ["Symbol", "symbol"]


@dataclass(frozen=True)
class Symbol:
    """An integer of which only this is known."""

    minimum: int = 1
    multiple_of: int = 1
    maximum: int | None = None


def symbol(*, min: int = 1, multiple_of: int = 1, max: int | None = None) -> Symbol:  # noqa: A002
    """A size that is not known: at least ``min``, a multiple of ``multiple_of``, at most ``max``."""
    if min < 1 or multiple_of < 1 or (max is not None and max < min):
        raise LayoutError(
            f"symbol: wanted 1 <= min <= max and multiple_of >= 1, got {min}, {max}, {multiple_of}"
        )
    return Symbol(min, multiple_of, max)

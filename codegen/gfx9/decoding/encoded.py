"""The words of one instruction as they stand in memory."""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.errors import LayoutError

__all__ = ["Encoded", "UndecodableError"]


class UndecodableError(LayoutError):
    """Bytes that are no instruction of the target, as far as the tables know."""


@dataclass(frozen=True)
class Encoded:
    """Up to four words, read from ``address`` on, for ``target``; words behind the end of the code are 0.

    >>> Encoded((0x02000501,), 0, "gfx942").bits(30, 25)
    1
    """

    words: tuple[int, ...]
    address: int
    target: str

    def bits(self, high: int, low: int) -> int:
        """A field, its bits counted through all words."""
        first, last = low // 32, high // 32
        value = 0
        for number in range(first, last + 1):
            value |= self.word(number) << (32 * (number - first))
        return value >> (low - 32 * first) & ((1 << (high - low + 1)) - 1)

    def word(self, number: int) -> int:
        return self.words[number] if number < len(self.words) else 0

    @property
    def has_cache_bits(self) -> bool:
        """Whether the target's cache bits are called sc0, nt and sc1 rather than glc, slc and scc."""
        return self.target in ("gfx942", "gfx950")

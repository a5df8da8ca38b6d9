"""A piece of C text, how strongly it binds, and how wide C computes it.

C gives an operation the type of its operands, whatever becomes of the result: ``1 << k`` and
``2000000000 + 2000000000`` are of type ``int``, also where they are returned as ``int64_t``. A piece that
must be wider says so by a cast of its own:

>>> one, count = Piece("1", ATOM, 32), Piece("k", ATOM, 64)
>>> one.joined(" << ", count, 8, bits=32)
Piece(text='1 << k', level=8, bits=32)
>>> one.widened("int64_t").joined(" << ", count, 8, bits=64)
Piece(text='(int64_t)1 << k', level=8, bits=64)
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ATOM", "LEVEL", "SPELLING", "UNARY", "Piece", "bits_of_literal"]

# how strongly C's operators bind; a weaker operand is put in parentheses
LEVEL = {"select": 0, "or": 1, "and": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7}
LEVEL |= {"<<": 8, ">>": 8, "+": 9, "*": 10, "//": 10, "exact": 10, "%": 10, "not": 11}
UNARY, ATOM = 11, 12
SPELLING = {"//": "/", "exact": "/", "and": "&&", "or": "||"}


class Piece(NamedTuple):
    """``bits``: 32 for C's ``int``, 64 for what is wider."""

    text: str
    level: int
    bits: int

    def within(self, level: int) -> str:
        """The text as an operand of something that binds as strongly as ``level``; 0 stands alone."""
        is_weak = self.level < level or (level and self.level < LEVEL["+"])
        return f"({self.text})" if is_weak else self.text

    def widened(self, wide: str) -> Piece:
        """The same value in 64 bits."""
        return self if self.bits == 64 else Piece(f"({wide}){self.within(UNARY)}", UNARY, 64)

    def joined(self, sign: str, other: Piece, level: int, *, bits: int) -> Piece:
        """An operation that groups to the left."""
        return Piece(f"{self.within(level)}{sign}{other.within(level + 1)}", level, bits)


def bits_of_literal(number: int) -> int:
    """The width of the first of C's types that has a literal; its minus is an operation on it.

    >>> bits_of_literal(2**31 - 1), bits_of_literal(-(2**31))
    (32, 64)
    """
    return 32 if abs(number) < 1 << 31 else 64

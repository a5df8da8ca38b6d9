"""Four rows of four bytes, turned in registers by two steps of ``v_perm_b32``.

Compilers make some seven instructions a word of the same written byte by byte; these are two a word.
Source: AMD Instinct MI300 Instruction Set Architecture, ``V_PERM_B32``: a byte of the selector names one of
the four bytes of the second source (0 to 3) or of the first (4 to 7).

>>> turned_bytes()[1]
'__device__ turned_words turned(unsigned a, unsigned b, unsigned c, unsigned d)'
"""

from __future__ import annotations

from layoutalg.codegen.text.source import INDENT, typedef

__all__ = ["ROWS", "turned_bytes"]

ROWS = 4  # of as many bytes
LOW_BYTES, HIGH_BYTES = 0x05010400, 0x07030602  # of two words in turn: the first two of each, the last two
LOW_HALVES, HIGH_HALVES = 0x05040100, 0x07060302  # of two words: their first halves, their second ones


def turned_bytes() -> list[str]:
    """The function that turns them: byte ``k`` of word ``j`` is byte ``j`` of row ``k``."""

    def chosen(first: str, second: str, selector: int) -> str:
        return f"__builtin_amdgcn_perm({second}, {first}, 0x{selector:08x})"

    pairs = (("a", "b"), ("c", "d"))
    parts = (("low", LOW_BYTES), ("high", HIGH_BYTES))
    halves = [
        f"{one}{other}_{part} = {chosen(one, other, bytes_)}"
        for one, other in pairs
        for part, bytes_ in parts
    ]
    words = [
        chosen(f"ab_{part}", f"cd_{part}", half) for part, _ in parts for half in (LOW_HALVES, HIGH_HALVES)
    ]
    return [
        typedef("unsigned", ROWS, "turned_words"),
        "__device__ turned_words turned(unsigned a, unsigned b, unsigned c, unsigned d)",
        "{",
        *(f"{INDENT}const unsigned {half};" for half in halves),
        f"{INDENT}return turned_words{{",
        *(f"{INDENT * 2}{word}," for word in words),
        f"{INDENT}}};",
        "}",
    ]

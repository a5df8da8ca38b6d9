"""Many parts joined two by two: a chain of hundreds becomes a tree of a few levels.

>>> balanced(lambda a, b: f"({a}{b})", "abcd")
'(((ab)c)d)'
>>> balanced(lambda a, b: 1 + max(a, b), [0] * 1600)  # levels
19
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

__all__ = ["balanced"]

SHORT = 16  # operands that stay joined from the left, as they are written

Part = TypeVar("Part")


def balanced(join: Callable[[Part, Part], Part], parts: Sequence[Part]) -> Part:
    """Parts joined from the left; in pairs where there are many, so that no chain becomes deep."""
    found = list(parts)
    while len(found) > SHORT:
        pairs = [join(found[i], found[i + 1]) for i in range(0, len(found) - 1, 2)]
        found = pairs + found[len(found) // 2 * 2 :]
    result = found[0]
    for part in found[1:]:
        result = join(result, part)
    return result

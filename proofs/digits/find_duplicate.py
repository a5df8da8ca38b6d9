"""Numbers that occur twice among very many, in bounded memory.

Numbers are read in blocks, several times over where they are too many to hold: each time those of one
residue class are kept and sorted.

>>> blocks = lambda: iter([np.array([3, 1, 4]), np.array([1, 5])])
>>> first_duplicate(blocks, count=5), first_duplicate(blocks, count=5, held=2)
((1, 3), (1, 3))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

__all__ = ["HELD", "first_duplicate"]

HELD = 1 << 24  # numbers held at a time: 256 MiB with their places


def first_duplicate(
    blocks: Callable[[], Iterator[NDArray[np.int64]]], count: int, held: int = HELD
) -> tuple[int, int] | None:
    """The places of the earliest number that was there before, and of its first occurrence, or None."""
    classes = max(1, -(-count // held))
    best: tuple[int, int] | None = None
    for residue in range(classes):
        found = _duplicate_in_class(blocks(), classes, residue)
        if found is not None and (best is None or found[1] < best[1]):
            best = found
    return best


def _duplicate_in_class(
    blocks: Iterator[NDArray[np.int64]], classes: int, residue: int
) -> tuple[int, int] | None:
    numbers, places, start = [], [], 0
    for block in blocks:
        chosen = np.flatnonzero(block % classes == residue) if classes > 1 else np.arange(len(block))
        numbers.append(block[chosen])
        places.append(chosen + start)
        start += len(block)
    if not numbers:
        return None
    kept, where = np.concatenate(numbers), np.concatenate(places)
    order = np.argsort(kept, kind="stable")
    ordered = kept[order]
    again = np.flatnonzero(ordered[1:] == ordered[:-1]) + 1
    if not len(again):
        return None
    later = again[np.argmin(where[order[again]])]
    first = np.searchsorted(ordered, ordered[later])
    return int(where[order[first]]), int(where[order[later]])

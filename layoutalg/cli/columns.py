"""Rows of cells as lines of text, each column as wide as it needs.

>>> print(*columns([("claim", "ms"), ("in bounds", 1.5)]), sep=chr(10))
claim      ms
in bounds  1.5
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

__all__ = ["columns"]


def columns(rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """The lines; all rows have the same number of cells."""
    texts = [tuple(map(str, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

"""Which places of a long row are shown: the first and the last, with a gap between.

>>> ends(3, 8), ends(10, 4)
([0, 1, 2], [0, 1, None, 8, 9])
"""

from __future__ import annotations

__all__ = ["ends", "left_out"]


def ends(count: int, room: int) -> list[int | None]:
    """The first and last of ``count`` places, with None for those between that find no room."""
    if count <= room:
        return list(range(count))
    head = (room + 1) // 2
    return [*range(head), None, *range(count - (room - head), count)]


def left_out(what: str, shown: list[int | None], count: int) -> str:
    """A note on what is not shown; empty if all is."""
    return f"({count - len(shown) + 1} of {count} {what} are left out)" if None in shown else ""

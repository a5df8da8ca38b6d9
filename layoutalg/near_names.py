"""Names near a mistyped one: for messages that say how to mend it.

>>> near_names("Problem.ADatatype", ["Problem.ADataType", "Problem.BDataType", "kTileM"])
('Problem.ADataType',)
>>> meant("gfx95O", ["gfx942", "gfx950"], "targets")
'did you mean gfx950?'
>>> meant("a", ["gfx942", "gfx950"], "targets")
'targets are gfx942, gfx950'
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

__all__ = ["meant", "near_names"]

CLOSE = 0.6
SHOWN = 12


def near_names(wrong: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The known names most like a wrong one, whatever their case; the nearest first.

    Of ``Problem.kM`` and ``Problem.kN`` only what differs is compared; a name that ends alike counts as near.
    """
    head, _, last = wrong.lower().rpartition(".")
    rows = []
    for name in dict.fromkeys(known):
        other, _, end = name.lower().rpartition(".")
        tail = SequenceMatcher(None, last, end).ratio()
        whole = SequenceMatcher(None, wrong.lower(), name.lower()).ratio()
        rows.append((tail if head == other else max(whole, tail - 0.1), name))
    rows.sort(key=lambda row: -row[0])
    best = rows[0][0] if rows else 0.0
    return tuple(name for likeness, name in rows if likeness >= max(CLOSE, best - 0.05))[:most]


def meant(wrong: str, known: Iterable[str], what: str) -> str:
    """A hint: the near names, or else all that are known."""
    every = list(dict.fromkeys(known))
    near = near_names(wrong, every)
    if near:
        return f"did you mean {' or '.join(near)}?"
    shown = ", ".join(every[:SHOWN]) + (", ..." if len(every) > SHOWN else "")
    return f"{what} are {shown}" if every else f"there are no {what}"

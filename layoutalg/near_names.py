"""Names near a mistyped one: for messages that say how to mend it.

>>> near_names("Problem.ADatatype", ["Problem.ADataType", "Problem.BDataType", "kTileM"])
('Problem.ADataType', 'Problem.BDataType')
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

    A name that ends alike counts as near: ``N`` of ``kargs.N``.
    """
    lowered, last = wrong.lower(), wrong.lower().rpartition(".")[2]
    rows = []
    for name in dict.fromkeys(known):
        other = name.lower()
        likeness = SequenceMatcher(None, lowered, other).ratio()
        tail = SequenceMatcher(None, last, other.rpartition(".")[2]).ratio()
        rows.append((max(likeness, tail - 0.1), name))
    rows.sort(key=lambda row: -row[0])
    best = rows[0][0] if rows else 0.0
    return tuple(name for likeness, name in rows if likeness >= max(CLOSE, best - 0.15))[:most]


def meant(wrong: str, known: Iterable[str], what: str) -> str:
    """A hint: the near names, or else all that are known."""
    every = list(dict.fromkeys(known))
    near = near_names(wrong, every)
    if near:
        return f"did you mean {' or '.join(near)}?"
    shown = ", ".join(every[:SHOWN]) + (", ..." if len(every) > SHOWN else "")
    return f"{what} are {shown}" if every else f"there are no {what}"

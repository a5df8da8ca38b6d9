"""What was meant by a name that is not there: the names most like it, and all that are known.

>>> near_names("Problem.ADatatype", ["Problem.ADataType", "Problem.BDataType", "kTileM"])
('Problem.ADataType',)
>>> print(no_such("key", "unknwon", ["unknown", "select"]))
there is no key unknwon (did you mean unknown? known are unknown, select)
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from layoutalg.errors import LayoutError, shortened
from layoutalg.reading.other_words import called_here

__all__ = ["meant", "meant_or_known", "near_hint", "near_names", "no_such", "not_one_of"]

CLOSE = 0.6  # how alike names must be
LONGEST = 80  # characters of a name that is compared and shown
SHOWN = 12  # names shown of many
FEW = 5  # where one is near


def near_names(wrong: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The known names most like a wrong one, whatever their case; the nearest first.

    Of ``Problem.kM`` and ``Problem.kN`` only what differs is compared; a name that ends alike counts as near.
    What others call otherwise is known by its name here (:mod:`layoutalg.reading.other_words`).
    """
    known = _in_order(known)
    if found := called_here(wrong, known):
        return found[:most]
    asked = wrong[:LONGEST].lower()
    head, _, last = asked.rpartition(".")
    rows = []
    for name in known:
        other, _, end = name.lower().rpartition(".")
        tail = SequenceMatcher(None, last, end).ratio()
        whole = SequenceMatcher(None, asked, name.lower()).ratio()
        rows.append((tail if head == other else max(whole, tail - 0.1), name))
    rows.sort(key=lambda row: -row[0])
    best = rows[0][0] if rows else 0.0
    return tuple(name for likeness, name in rows if likeness >= max(CLOSE, best - 0.05))[:most]


def meant(name: str, known: Iterable[str]) -> str:
    """The names like it as a question, empty if there is none.

    >>> meant("layots", ["symbols", "facts", "layout"])
    'did you mean layout?'
    """
    found = near_names(name, known)
    return f"did you mean {' or '.join(found)}?" if found else ""


def meant_or_known(name: str, known: Iterable[str], what: str) -> str:
    """The names like it as a question, or else the first that are known.

    >>> meant_or_known("a", ["gfx942", "gfx950"], "targets")
    'targets are gfx942, gfx950'
    """
    every = _in_order(known)
    shown = ", ".join(every[:SHOWN]) + (", ..." if len(every) > SHOWN else "")
    return meant(name, every) or (f"{what} are {shown}" if every else f"there are no {what}")


def near_hint(name: str, known: Iterable[str]) -> str:
    """The names like it, and all there are."""
    every = _in_order(known)
    return " ".join(filter(None, (meant(name, every), f"known are {', '.join(every)}" if every else "")))


def no_such(
    what: str, name: str, known: Iterable[str], *, where: str = "", kind: type[LayoutError] = LayoutError
) -> LayoutError:
    """The error about a name that nothing has, where there may be many.

    >>> print(no_such("symbol", "x", {"M", "N", "K", "batch", "heads", "pages"}))
    there is no symbol x (known are K, M, N, batch, heads, pages)
    """
    shown = shortened(name, LONGEST)
    place = f"{where}: " if where else ""
    return kind(f"{place}there is no {what} {shown}", hint=near_hint(name, known))


def not_one_of(
    what: str, got: object, known: Iterable[str], *, where: str = "", kind: type[LayoutError] = LayoutError
) -> LayoutError:
    """The error about a choice that is none of a few.

    Of many only the first are told where one is near.

    >>> print(not_one_of("a rung", "tild", ["naive", "tiled"], where="gemm"))
    gemm: wanted a rung of naive, tiled; got 'tild' (did you mean tiled?)
    """
    every = _in_order(known)
    hint = meant(str(got), every)
    first = every[:FEW] if hint and len(every) > SHOWN else every
    choices = ", ".join((*first, "...") if len(first) < len(every) else first)
    place = f"{where}: " if where else ""
    return kind(f"{place}wanted {what} of {choices}; got {shortened(repr(got), LONGEST)}", hint=hint)


def _in_order(known: Iterable[str]) -> list[str]:
    """The names as they come; those of a set by the alphabet, as its own order differs from run to run."""
    return sorted(known) if isinstance(known, set | frozenset) else list(dict.fromkeys(known))

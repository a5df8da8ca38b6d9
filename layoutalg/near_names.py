"""What was meant by a name that is not there: the nearest ones, and all that are known.

>>> print(no_such("key", "unknwon", ["unknown", "select"]))
there is no key unknwon (did you mean unknown? known are unknown, select)
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from layoutalg.errors import LayoutError

__all__ = ["meant", "near_hint", "no_such"]

NEAR = 0.6  # how alike names must be
LONGEST = 80  # characters of a name that is compared and shown


def no_such(what: str, name: str, known: Iterable[str], *, where: str = "") -> LayoutError:
    """The error about a name that nothing has."""
    shown = name if len(name) <= LONGEST else f"{name[:LONGEST]}..."
    place = f"{where}: " if where else ""
    return LayoutError(f"{place}there is no {what} {shown}", hint=near_hint(name, known))


def near_hint(name: str, known: Iterable[str]) -> str:
    """The names like it, and all there are."""
    every = list(dict.fromkeys(known))
    return " ".join(filter(None, (meant(name, every), f"known are {', '.join(every) or 'none'}")))


def meant(name: str, known: Iterable[str]) -> str:
    """The names like it as a question, empty if there is none.

    >>> meant("layots", ["symbols", "facts", "layout"])
    'did you mean layout?'
    """
    every = list(dict.fromkeys(known))
    close = get_close_matches(name[:LONGEST].lower(), [one.lower() for one in every], n=3, cutoff=NEAR)
    found = [one for one in every if one.lower() in close]
    return f"did you mean {' or '.join(found)}?" if found else ""

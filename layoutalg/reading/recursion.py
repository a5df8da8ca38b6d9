"""Room for what is nested: calls inside each other, as many as the limits of input may ask for.

>>> with deeply("here"):
...     raise RecursionError
Traceback (most recent call last):
    ...
layoutalg.errors.LimitError: here: calls inside each other without end (write it with fewer levels)
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from layoutalg.errors import LimitError

__all__ = ["deeply"]

FRAMES = 8_000  # of a nesting that the limits allow, through the parser, SymPy and the rules


@contextmanager
def deeply(what: str, frames: int = FRAMES) -> Iterator[None]:
    """More calls inside each other than Python allows of itself; more than these are refused in one line.

    Raises :class:`~layoutalg.errors.LimitError`.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, frames))
    try:
        yield
    except RecursionError:
        msg = f"{what}: calls inside each other without end"
        raise LimitError(msg, hint="write it with fewer levels") from None
    finally:
        sys.setrecursionlimit(limit)

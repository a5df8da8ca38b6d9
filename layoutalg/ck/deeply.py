"""Room for code inside of code: Python's own limit is too low for C++ that is nested as deeply as allowed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from layoutalg.ck.trouble import NotUnderstoodError

__all__ = ["deeply"]

RECURSION = 20_000


@contextmanager
def deeply() -> Iterator[None]:
    """Room for calls inside each other; their number is limited by the interpreter itself."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION))
    try:
        yield
    except RecursionError:
        raise NotUnderstoodError("expressions inside each other without end") from None
    finally:
        sys.setrecursionlimit(limit)

"""Room for code inside of code: C++ nests deeper than index expressions do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.errors import LimitError
from layoutalg.reading import recursion

__all__ = ["deeply"]

RECURSION = 20_000


@contextmanager
def deeply() -> Iterator[None]:
    """Room for calls inside each other; their number is limited by the interpreter itself."""
    try:
        with recursion.deeply("expressions", RECURSION):
            yield
    except LimitError as error:
        raise NotUnderstoodError(error.message) from None

"""How far a long enumeration is, told to whoever asked to be.

>>> told = []
>>> with progress(told.append, after=2):
...     list(watched(["ab", "c"], len))
['ab', 'c']
>>> told
[2, 3]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

__all__ = ["MANY", "progress", "watched"]

MANY = 10_000_000  # points tried before the first is told

Part = TypeVar("Part")
Listener = tuple[Callable[[int], None], int]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def progress(show: Callable[[int], None], after: int = MANY) -> Iterator[None]:
    """``show`` is called with the number of points an enumeration has tried, from ``after`` on."""
    before = _listener.set((show, after))
    try:
        yield
    finally:
        _listener.reset(before)


def watched(blocks: Iterable[Part], size: Callable[[Part], int]) -> Iterator[Part]:
    """The blocks of an enumeration as they are; whoever listens is told how many points they had."""
    listener, done = _listener.get(), 0
    for block in blocks:
        yield block
        if listener is not None:
            done += size(block)
            if done >= listener[1]:
                listener[0](done)

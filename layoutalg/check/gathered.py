"""Errors of one layout, gathered while its parts are read: the first must not hide the others.

>>> errors = Gathered()
>>> with errors.at("base", "lengths"):
...     raise LayoutError("wanted a length >= 1, got 0")
>>> with errors.at("stages", 0):
...     raise LayoutError("K is not declared")
>>> [(error.path, error.message) for error in errors.found]
[(('base', 'lengths'), 'wanted a length >= 1, got 0'), (('stages', 0), 'K is not declared')]
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from layoutalg.errors import LayoutError

__all__ = ["BuildError", "Gathered", "UnsoundLayoutError", "at"]


class BuildError(LayoutError):
    """What is wrong, and where below the layout's own table."""

    def __init__(self, path: tuple[str | int, ...], error: LayoutError) -> None:
        self.path = path
        super().__init__(error.message, hint=error.hint)
        self.text_line = error.text_line
        self.undeclared = error.undeclared


class UnsoundLayoutError(LayoutError):
    """Everything that is wrong with a layout; the message is that of the first."""

    def __init__(self, found: tuple[BuildError, ...]) -> None:
        self.found = found
        super().__init__(found[0].message, hint=found[0].hint)


@contextmanager
def at(*path: str | int) -> Iterator[None]:
    """An error inside is told with the place where it happened."""
    try:
        yield
    except (BuildError, UnsoundLayoutError):
        raise
    except LayoutError as error:
        raise BuildError(path, error) from None


class Gathered:
    """The errors so far, each with its place."""

    def __init__(self) -> None:
        self.found: list[BuildError] = []

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Keep the errors inside, with the place where they happened, and go on after them."""
        try:
            yield
        except UnsoundLayoutError as error:
            self.found += error.found
        except BuildError as error:
            self.found.append(error)
        except LayoutError as error:
            self.found.append(BuildError(path, error))

    def end(self) -> None:
        """Raise what was gathered, if there is any."""
        if self.found:
            raise UnsoundLayoutError(tuple(self.found))

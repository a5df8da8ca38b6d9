"""What a source asks: claims with their places, layouts that claim nothing, and what is in error.

>>> Asked().obligations
()
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutalg.check.file_error import FileError
    from layoutalg.claim import Claim
    from layoutalg.descriptor.adaptor import TensorAdaptor

__all__ = ["Asked", "Obligation", "Passed", "Unclaimed"]


@dataclass(frozen=True)
class Obligation:
    """A claim to be decided, and where it was made."""

    claim: Claim
    file: str
    line: int
    layout: str
    chain: TensorAdaptor | None = None


@dataclass(frozen=True)
class Unclaimed:
    """A layout of which nothing is claimed, and where it stands."""

    file: str
    line: int
    layout: str


@dataclass(frozen=True)
class Passed:
    """A layout, or a claim of it, that was passed by because something it stands on is in error."""

    file: str
    line: int
    layout: str
    why: str


@dataclass(frozen=True)
class Asked:
    """All of it; an error costs only what stands on it."""

    obligations: tuple[Obligation, ...] = ()
    unclaimed: tuple[Unclaimed, ...] = ()
    errors: tuple[FileError, ...] = ()
    passed: tuple[Passed, ...] = ()

    def of(self, layout: str) -> Asked:
        """What is asked of one layout alone; errors of the whole are of every one."""
        return Asked(
            tuple(one for one in self.obligations if one.layout == layout),
            tuple(one for one in self.unclaimed if one.layout == layout),
            tuple(error for error in self.errors if error.layout in ("", layout)),
            tuple(one for one in self.passed if one.layout == layout),
        )

    @property
    def layouts(self) -> tuple[str, ...]:
        """The names of all layouts that something is said of."""
        found = [one.layout for one in self.obligations]
        found += [one.layout for one in self.unclaimed]
        found += [one.layout for one in self.passed]
        found += [error.layout for error in self.errors if error.layout]
        return tuple(dict.fromkeys(found))

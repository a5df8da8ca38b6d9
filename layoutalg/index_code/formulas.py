"""What a function of an index computes: the programs, their inputs, and where they hold."""

from __future__ import annotations

from dataclasses import dataclass

from layoutalg.domain import Domain
from layoutalg.term import Term

__all__ = ["Advance", "Formulas"]


@dataclass(frozen=True)
class Advance:
    """``offset(index + step) - offset(index)`` as a program, for indices that stay inside ``domain``."""

    step: tuple[tuple[str, int], ...]
    difference: Term
    domain: Domain


@dataclass(frozen=True)
class Formulas:
    """The programs of one function; inputs are the axes of the domain, then its parameters."""

    name: str
    domain: Domain
    offset: Term
    valid: Term
    advance: Advance | None = None

    @property
    def inputs(self) -> tuple[str, ...]:
        return tuple(variable.name for variable in (*self.domain.axes, *self.domain.parameters))

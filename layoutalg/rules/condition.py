"""Conditions in normal form: comparisons of a polynomial with zero, joined by and, or.

>>> TRUE.and_(FALSE) is FALSE
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from layoutalg.rules.polynomial import Polynomial

__all__ = ["FALSE", "TRUE", "Condition"]

COMPARISONS = ("nonnegative", "zero", "nonzero")


@dataclass(frozen=True, slots=True)
class Condition:
    """``kind`` is true, false, nonnegative (P >= 0), zero, nonzero, and, or."""

    kind: str
    parts: tuple[Polynomial | Condition, ...] = ()

    @property
    def is_decided(self) -> bool:
        return self.kind in ("true", "false")

    def and_(self, other: Condition) -> Condition:
        return self._joined("and", other, neutral=TRUE, absorbing=FALSE)

    def or_(self, other: Condition) -> Condition:
        return self._joined("or", other, neutral=FALSE, absorbing=TRUE)

    def _joined(self, kind: str, other: Condition, *, neutral: Condition, absorbing: Condition) -> Condition:
        if absorbing in (self, other):
            return absorbing
        if self in (neutral, other):
            return other
        if other == neutral:
            return self
        mine = self.parts if self.kind == kind else (self,)
        theirs = other.parts if other.kind == kind else (other,)
        return Condition(kind, (*mine, *(part for part in theirs if part not in mine)))

    def negated(self) -> Condition:
        if self.is_decided:
            return FALSE if self.kind == "true" else TRUE
        if self.kind == "nonnegative":
            (polynomial,) = self.polynomials()
            return Condition("nonnegative", ((-polynomial).plus(-1),))
        if self.kind in ("zero", "nonzero"):
            return Condition("zero" if self.kind == "nonzero" else "nonzero", self.parts)
        first, *rest = [part.negated() for part in self.parts if isinstance(part, Condition)]
        for part in rest:
            first = first.or_(part) if self.kind == "and" else first.and_(part)
        return first

    def polynomials(self) -> tuple[Polynomial, ...]:
        """The polynomials of this comparison itself."""
        return cast("tuple[Polynomial, ...]", self.parts) if self.kind in COMPARISONS else ()

    def compared(self) -> Iterator[Polynomial]:
        """The polynomials of all comparisons in it."""
        yield from self.polynomials()
        for part in self.parts:
            if isinstance(part, Condition):
                yield from part.compared()

    def with_compared(self, change: Callable[[Polynomial], Polynomial]) -> Condition:
        """The condition with other polynomials in its comparisons."""
        return Condition(
            self.kind,
            tuple(
                part.with_compared(change) if isinstance(part, Condition) else change(part)
                for part in self.parts
            ),
        )

    def nonnegative_parts(self) -> tuple[Polynomial, ...]:
        """Polynomials that are >= 0 wherever the condition holds."""
        if self.kind == "nonnegative":
            return self.polynomials()
        if self.kind == "zero":
            (polynomial,) = self.polynomials()
            return (polynomial, -polynomial)
        if self.kind == "and":
            return tuple(
                found
                for part in self.parts
                if isinstance(part, Condition)
                for found in part.nonnegative_parts()
            )
        return ()


TRUE = Condition("true")
FALSE = Condition("false")

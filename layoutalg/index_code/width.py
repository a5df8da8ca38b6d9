"""How wide the integers of a program must be: every value on the way counts, not only the result.

>>> from layoutalg.domain import Domain
>>> from layoutalg.parse import parse_term
>>> domain = Domain.of({"row": 65536, "col": 65536})
>>> Widths(domain).of([parse_term("row*65536 + col - 65536*row")])
Width(bits=64, lowest=-4294901760, largest=4294967295)
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from layoutalg.errors import MissingFactError
from layoutalg.interval import Infinity, Interval
from layoutalg.rules import NormalForm
from layoutalg.rules.condition import Condition
from layoutalg.term import Run, Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from layoutalg.domain import Domain

__all__ = ["Width", "Widths"]


@dataclass(frozen=True)
class Width:
    """32 or 64 bits, and the range of all values that are computed, both ends included."""

    bits: int
    lowest: int
    largest: int

    def joined(self, other: Width) -> Width:
        """What holds the values of both."""
        return Width(
            max(self.bits, other.bits), min(self.lowest, other.lowest), max(self.largest, other.largest)
        )


class Widths:
    """Ranges of values over one domain; ``named`` are parts of terms that go by a name."""

    def __init__(self, domain: Domain, named: Mapping[str, Term] | None = None) -> None:
        self.form = NormalForm(domain)
        self.named = named or {}
        self._run = Run(self.form, self._leaf)

    def range(self, term: Term) -> Interval:
        """The smallest and largest value of a term, or infinities where none is shown."""
        value = self._run.value(term)
        if isinstance(value, Condition):
            return Interval(0, 1)
        low, high = self.form.bounds.interval(self.form.digits.split(value))
        if low < 0 and self.form.bounds.is_nonnegative(value):
            low = 0
        return Interval(low, high)

    def _leaf(self, name: str) -> Any:
        return self._run.value(self.named[name]) if name in self.named else self.form.symbol(name)

    @contextmanager
    def where(self, condition: Term, *, holds: bool = True) -> Iterator[None]:
        """Ranges of what is computed only where a condition holds, or only where it does not."""
        found, outer = self._run.value(condition), self._run
        with self.form.under(found if holds else found.negated()):
            self._run = Run(self.form, self._leaf)
            try:
                yield
            finally:
                self._run = outer

    def of(self, terms: Iterable[Term]) -> Width:
        """The narrowest of ``int32_t`` and ``int64_t`` that holds every value on the way."""
        lowest = largest = 0
        for term in terms:
            for low, high in self._computed(term):
                if isinstance(low, Infinity) or isinstance(high, Infinity):
                    msg = f"no width holds {term}: nothing bounds a value on the way to it"
                    raise MissingFactError(msg, hint="give every parameter a highest value")
                lowest, largest = min(lowest, low), max(largest, high)
        for bits in (32, 64):
            if -(1 << bits - 1) <= lowest and largest < 1 << bits - 1:
                return Width(bits, lowest, largest)
        msg = f"no width holds values from {lowest} to {largest}"
        raise MissingFactError(msg, hint="lower the highest values of parameters")

    def _computed(self, term: Term) -> Iterator[Interval]:
        """Ranges of every value a left-to-right evaluation makes, partial sums and products included."""
        yield self.range(term)
        if term.op in ("+", "*"):
            for count in range(2, len(term.args)):
                yield self.range(Term(term.op, term.args[:count]))
        if term.op != "select":
            for part in term.parts:
                yield from self._computed(part)
            return
        condition, *branches = term.args
        yield from self._computed(condition)
        for branch, holds in zip(branches, (True, False), strict=True):
            with self.where(condition, holds=holds):
                yield from list(self._computed(branch))

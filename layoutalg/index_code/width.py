"""How wide the integers of a program must be: every value on the way counts, not only the result.

>>> from layoutalg.domain import Domain
>>> from layoutalg.term.parse import parse_term
>>> domain = Domain.of({"row": 65536, "col": 65536})
>>> Widths(domain).of([parse_term("row*65536 + col - 65536*row")])
Width(bits=64, lowest=-4294901760, largest=4294967295)
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from layoutalg.errors import MissingFactError
from layoutalg.index_code.lazily import conjunct_terms, is_guard
from layoutalg.rules import NormalForm
from layoutalg.rules.interval import End, Infinity, Interval
from layoutalg.term import CONDITIONS, Interpretation, Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from layoutalg.domain import Domain

__all__ = ["Width", "Widths", "bits_of"]

WIDTHS = (32, 64)


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
        self.form = NormalForm(domain, leaves_entries=True)
        self.named = named or {}
        self._run = Interpretation(self.form, self._leaf)

    def range(self, term: Term) -> Interval:
        """The smallest and largest value of a term, or infinities where none is shown."""
        if term.op in CONDITIONS:
            return Interval(0, 1)
        value = self._run.value(term)
        low, high = self.form.bounds.interval(self.form.digits.split(value))
        if low >= 0 and high < 1 << WIDTHS[0] - 1:
            return Interval(low, high)
        self._note_remainders(term)
        is_nonnegative = self.form.bounds.is_nonnegative
        for end in (0, *(-(1 << bits - 1) for bits in WIDTHS)):  # facts may show more than ranges do
            if low < end and is_nonnegative(value.plus(-end)):
                low = end
        for end in ((1 << bits - 1) - 1 for bits in WIDTHS):
            if high > end and is_nonnegative((-value).plus(end)):
                high = end
        return Interval(low, high)

    def _note_remainders(self, term: Term) -> None:
        """Know of each quotient that ``n - d*(n // d)`` is a remainder, which ranges of sizes do not show."""
        for part in term.walk():
            if part.op == "//" and part.args[1].op != "integer":
                self._run.value(Term("%", part.args))

    def _leaf(self, name: str) -> Any:
        return self._run.value(self.named[name]) if name in self.named else self.form.symbol(name)

    @contextmanager
    def where(self, condition: Term, *, holds: bool = True) -> Iterator[None]:
        """Ranges of what is computed only where a condition holds, or only where it does not.

        Where a guard does not hold nothing is known: any of its parts may fail.
        """
        with ExitStack() as known:
            if not is_guard(condition):
                known.enter_context(self._where(condition, holds))
            elif holds:
                for part in conjunct_terms(condition):
                    known.enter_context(self._where(part, holds=True))
            yield

    @contextmanager
    def _where(self, condition: Term, holds: bool) -> Iterator[None]:  # noqa: FBT001
        found, outer = self._run.value(condition), self._run
        with self.form.under(found if holds else found.negated()):
            self._run = Interpretation(self.form, self._leaf)
            try:
                yield
            finally:
                self._run = outer

    def shift(self, term: Term) -> End:
        """The highest count of a shift, 0 for other terms; refused where no type of C's has as many bits."""
        if term.op not in ("<<", ">>"):
            return 0
        highest, count = self.range(term.args[1]).high, self._run.value(term.args[1])
        for end in (bits - 1 for bits in WIDTHS):  # a condition may say more than the range does
            if highest > end and self.form.bounds.is_nonnegative((-count).plus(end)):
                highest = end
        if not isinstance(highest, Infinity) and highest >= WIDTHS[-1]:
            msg = f"no width holds {term}: it may shift by as much as {highest}"
            raise MissingFactError(msg, hint=f"C shifts by at most {WIDTHS[-1] - 1}; bound {term.args[1]}")
        return highest

    def of(self, terms: Iterable[Term]) -> Width:
        """The narrowest of ``int32_t`` and ``int64_t`` that holds every value on the way."""
        lowest = largest = farthest = 0
        for term in terms:
            for (low, high), shift in self._computed(term):
                if isinstance(low, Infinity) or isinstance(high, Infinity) or isinstance(shift, Infinity):
                    msg = f"no width holds {term}: nothing bounds a value on the way to it"
                    raise MissingFactError(msg, hint="give every parameter a highest value")
                lowest, largest = min(lowest, low), max(largest, high)
                farthest = max(farthest, shift)
        bits = bits_of(Interval(lowest, largest), farthest)
        if bits is not None and bits <= WIDTHS[-1]:
            return Width(bits, lowest, largest)
        msg = f"no width holds values from {lowest} to {largest}"
        raise MissingFactError(msg, hint="lower the highest values of parameters")

    def _computed(self, term: Term) -> Iterator[tuple[Interval, End]]:
        """Every value a left-to-right evaluation makes, partial sums and products included: range and shift.

        What a sum takes away is computed by its size: ``x - 2*y`` has a value of ``2*y`` on its way.
        """
        if term.op == "table":
            return
        yield self.range(term), self.shift(term)
        for made in _made_before(term):
            yield self.range(made), 0
        if is_guard(term):
            yield from self._guarded(term)
            return
        if term.op != "select":
            for part in term.parts:
                yield from self._computed(part)
            return
        condition, *branches = term.args
        yield from self._computed(condition)
        for branch, holds in zip(branches, (True, False), strict=True):
            with self.where(condition, holds=holds):
                yield from list(self._computed(branch))

    def _guarded(self, term: Term) -> Iterator[tuple[Interval, End]]:
        """What the operands of a conjunction compute, each where those before it hold."""
        with ExitStack() as known:
            for part in term.args:
                yield from list(self._computed(part))
                known.enter_context(self.where(part))


def _made_before(term: Term) -> Iterator[Term]:
    """Partial sums and products, and the sizes of what is taken away."""
    if term.op in ("+", "*"):
        for count in range(2, len(term.args)):
            yield Term(term.op, term.args[:count])
    if term.op == "+":
        for part in term.args:
            sign, size = part.sign_and_size
            if sign < 0:
                yield size
                yield from _made_before(size)


def bits_of(values: Interval, shift: End = 0) -> int | None:
    """The least width that holds a range and shifts so far; None where an end is not known.

    >>> bits_of(Interval(0, 2**31 - 1)), bits_of(Interval(0, 2**31)), bits_of(Interval(0, 9), shift=32)
    (32, 64, 64)
    """
    low, high = values
    if isinstance(low, Infinity) or isinstance(high, Infinity) or isinstance(shift, Infinity):
        return None
    for bits in WIDTHS:
        if -(1 << bits - 1) <= low and high < 1 << bits - 1 and shift < bits:
            return bits
    return 2 * WIDTHS[-1]

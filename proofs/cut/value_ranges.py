"""Sums that conditions hold between two ends: the values at which a map may be cut.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules import NormalForm
>>> from layoutalg.rules.from_text import parse
>>> domain = Domain.of({"b": "(M + 127)//128", "row": 128}, {"M": (1, None)})
>>> form = NormalForm(domain)
>>> ranges = Ranges(form)
>>> ranges.add(form.of(parse("128*b + row < M", domain)))
>>> ((value, low, high),) = ranges.closed()
>>> value == form.of(parse("128*b + row", domain)), low == ZERO, high == form.of(parse("M - 1", domain))
(True, True, True)
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from sympy import Symbol

from layoutalg.rules.polynomial import ZERO, Polynomial

if TYPE_CHECKING:
    from layoutalg.domain import Domain
    from layoutalg.rules import NormalForm
    from layoutalg.rules.condition import Condition

__all__ = ["Ranges", "is_axis", "new_symbols"]


class Ranges:
    """Sums in the axes and the uniform ends that conditions give them."""

    def __init__(self, form: NormalForm) -> None:
        self.form = form
        self.conditions: list[Condition] = []
        self.lows: dict[Polynomial, Polynomial] = {}
        self.highs: dict[Polynomial, Polynomial] = {}

    def add(self, condition: Condition) -> None:
        self.conditions.append(condition)
        for known in condition.nonnegative_parts():
            fixed, varying = self._parted(known)
            if not varying:
                continue
            if self._is_upright(varying):
                self.lows.setdefault(varying, -fixed)
            else:
                self.highs.setdefault(-varying, fixed)

    def _is_upright(self, varying: Polynomial) -> bool:
        """Whether more of its digits are added than taken away; of a tie whether the first one is."""
        split = self.form.digits.split(varying)
        added = sum(1 if coefficient > 0 else -1 for _, coefficient in split)
        return added > 0 or (added == 0 and varying.terms[min(varying.terms)] > 0)

    def bounds_only(self, condition: Any, values: set[Polynomial]) -> bool:
        """Whether a condition says nothing but where one of these values ends."""
        varying = [self._parted(known)[1] for known in self.form.of(condition).nonnegative_parts()]
        return all(part in values or -part in values for part in varying)

    def _parted(self, polynomial: Polynomial) -> tuple[Polynomial, Polynomial]:
        uniform = {m: c for m, c in polynomial if all(self.form.atoms[x].is_uniform for x in m)}
        fixed = Polynomial(uniform)
        return fixed, polynomial - fixed

    def closed(self) -> list[tuple[Polynomial, Polynomial, Polynomial]]:
        """The sums with both ends; an end that no condition gives is taken from the ranges of the axes."""
        found = []
        with self.form.scope():
            for condition in self.conditions:
                self.form.assume(condition)
            for value in dict.fromkeys((*self.lows, *self.highs)):
                low, high = self._low(value), self.highs.get(value, self.form.bounds.upper(value))
                if low is not None and high is not None:
                    found.append((value, low, high))
        return found

    def _low(self, value: Polynomial) -> Polynomial | None:
        if value in self.lows:
            return self.lows[value]
        return ZERO if self.form.bounds.is_nonnegative(value) else self.form.bounds.lower(value)


def is_axis(form: NormalForm, value: Polynomial) -> bool:
    """Whether a value is a single axis."""
    letter = value.as_letter
    return letter is not None and form.atoms[letter].kind == "axis"


def new_symbols(count: int, domain: Domain) -> list[Symbol]:
    """Names for values that the domain does not have."""
    letters = itertools.chain("vwu", (f"v_{level}" for level in itertools.count()))  # cuts have cuts inside
    letter = next(x for x in letters if not any(f"{x}{i}" in domain.names for i in range(count)))
    return [Symbol(f"{letter}{i}", integer=True, nonnegative=True) for i in range(count)]

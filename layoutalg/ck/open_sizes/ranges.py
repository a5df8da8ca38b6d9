"""What ranges of sizes imply for conditions and expressions on them.

>>> from sympy import Symbol
>>> k = Symbol("k", integer=True, positive=True)
>>> ranges = Ranges({k: 4}, {k: None})
>>> ranges.truth(k * 8 > 16), ranges.truth(k > 5)
(True, None)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sympy import Expr, Symbol

from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.index.sympy_forms import from_sympy
from layoutalg.rules import NormalForm
from layoutalg.rules.interval import EVERYTHING, Interval

__all__ = ["Ranges"]


@dataclass(frozen=True)
class Ranges:
    """The smallest and largest value of each symbol; a symbol that is not named is at least 1."""

    low: dict[Symbol, int]
    high: dict[Symbol, int | None]

    def truth(self, condition: Any) -> bool | None:
        """Whether a condition holds for all sizes (True) or for none (False); None if neither is known."""
        form = self._form(condition)
        try:
            found = form.of(from_sympy(condition))
        except LayoutError:  # not defined for all sizes, or no condition on integers
            return None
        return found.kind == "true" if getattr(found, "is_decided", False) else None

    def ends(self, value: Expr) -> Interval:
        """An interval in which an expression lies for all sizes."""
        form = self._form(value)
        try:
            found = form.of(from_sympy(value))
        except LayoutError:
            return EVERYTHING
        low, high = form.bounds.interval(form.digits.split(found))
        return Interval(0, high) if low < 0 and form.bounds.is_nonnegative(found) else Interval(low, high)

    def _form(self, about: Any) -> NormalForm:
        """A fresh normal form that declares all symbols of an expression."""
        symbols = sorted(getattr(about, "free_symbols", ()), key=str)
        others = {s.name: (1, None) for s in symbols if s not in self.low}
        return NormalForm(Domain.of({}, {**self._named, **others})) if others else self._bare.copy()

    @cached_property
    def _named(self) -> dict[str, tuple[int, int | None]]:
        return {symbol.name: (low, self.high.get(symbol)) for symbol, low in self.low.items()}

    @cached_property
    def _bare(self) -> NormalForm:
        return NormalForm(Domain.of({}, self._named))

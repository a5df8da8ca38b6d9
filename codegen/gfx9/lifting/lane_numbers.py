"""What formulas of lane and wave alone are worth: every value, and so their ranges, to the number.

Addresses in LDS mix sums, products, remainders and bits of the lane until no rule sees through. But a
workgroup has 1,024 lanes at most: where nothing else decides a number, all its values are computed. Of a sum,
that part is.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> letters = Letters(NormalForm(Domain.of({"lane": 64, "x": 8})))
>>> lane, x = letters.lane, letters.form.symbol("x")
>>> numbers = LaneNumbers(letters)
>>> numbers.interval(lane.scaled(64) - lane * lane)
Interval(low=0, high=1024)
>>> numbers.parted(lane * lane + x) == (lane * lane, x)
True
"""

from __future__ import annotations

import numpy as np

from layoutalg.codegen.gfx9.lifting.formula_letters import Letters
from layoutalg.codegen.gfx9.lifting.formula_numbers import LANES, LaneValues, Numbers, OpaqueLetterError
from layoutalg.rules.interval import Interval
from layoutalg.rules.polynomial import ZERO, Polynomial

__all__ = ["LaneNumbers"]

MOST_WAVES = 16


class LaneNumbers:
    """The values of what lane and wave of a workgroup alone decide, in each lane of each wave."""

    def __init__(self, letters: Letters) -> None:
        self.letters = letters
        self._decided: dict[int, bool] = {}
        self._intervals: dict[Polynomial, Interval] = {}
        wave = letters.named("wave")
        last = None if wave is None else letters.form.bounds.interval(wave).high
        waves = last + 1 if isinstance(last, int) else 1
        lanes = np.tile(np.arange(LANES), waves).astype(object)
        values = {"lane": lanes}
        if waves <= MOST_WAVES:
            values["wave"] = np.repeat(np.arange(waves), LANES).astype(object)
        self._numbers = Numbers(letters, values)

    def parted(self, polynomial: Polynomial) -> tuple[Polynomial, Polynomial]:
        """The terms that lane and wave alone decide, and the others; a number by itself is one of these."""
        own = {m: c for m, c in polynomial if m and all(map(self._is_decided, m))}
        if not own:
            return ZERO, polynomial
        if len(own) == len(polynomial.terms):
            return polynomial, ZERO
        return Polynomial(own), Polynomial({m: c for m, c in polynomial if m not in own})

    def of(self, polynomial: Polynomial) -> LaneValues:
        """The values of something that ``parted`` gave, wave by wave."""
        return self._numbers.of(polynomial)

    def interval(self, polynomial: Polynomial) -> Interval:
        """The smallest and the largest value of something that ``parted`` gave."""
        found = self._intervals.get(polynomial)
        if found is None:
            values = self.of(polynomial)
            found = self._intervals[polynomial] = Interval(int(values.min()), int(values.max()))
        return found

    def _is_decided(self, letter: int) -> bool:
        found = self._decided.get(letter)
        if found is None:
            try:
                self._numbers.letter(letter)
                found = True
            except OpaqueLetterError:
                found = False
            self._decided[letter] = found
        return found

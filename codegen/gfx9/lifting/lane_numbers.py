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
>>> numbers.interval(lane.scaled(64) - lane * lane, [lane.plus(-48)])  # in the last sixteen lanes
Interval(low=63, high=768)
>>> numbers.parted(lane * lane + x) == (lane * lane, x)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from layoutalg.codegen.gfx9.lifting.formula_letters import Letters
from layoutalg.codegen.gfx9.lifting.formula_numbers import LANES, LaneValues, Numbers, OpaqueLetterError
from layoutalg.rules.interval import Interval
from layoutalg.rules.polynomial import ZERO, Monomial, Polynomial

__all__ = ["LaneNumbers"]

MOST_WAVES = 16


class LaneNumbers:
    """The values of what lane and wave of a workgroup alone decide, in each lane of each wave.

    ``extents``: how many there are of other axes, outermost first; the wave, where its range is declared, if
    left out. Whole waves of values lie one after the other.
    """

    def __init__(self, letters: Letters, extents: Mapping[str, int] | None = None) -> None:
        extents = _waves(letters) if extents is None else extents
        grid = np.meshgrid(*(np.arange(n) for n in (*extents.values(), LANES)), indexing="ij")
        *axes, lanes = (values.ravel().astype(object) for values in grid)
        self.numbers = Numbers(letters, {"lane": lanes, **dict(zip(extents, axes, strict=True))})
        self._letters: dict[int, LaneValues | None] = {}
        self._intervals: dict[tuple[Polynomial, ...], Interval] = {}

    @property
    def axes(self) -> frozenset[int]:
        """The letters that values are computed for: lane, wave."""
        symbols = (self.numbers.letters.form.symbol(name) for name in self.numbers.values)
        return frozenset().union(*(symbol.letters for symbol in symbols))

    def letter(self, number: int) -> LaneValues | None:
        """The values of a letter; None of one that something else decides too."""
        if number not in self._letters:
            try:
                self._letters[number] = self.numbers.letter(number)
            except OpaqueLetterError:
                self._letters[number] = None
        return self._letters[number]

    def parted(self, polynomial: Polynomial) -> tuple[Polynomial, Polynomial]:
        """The terms that lane and wave alone decide, and the others; a number by itself is one of these."""
        own = {m: c for m, c in polynomial if m and all(self.letter(x) is not None for x in m)}
        if not own:
            return ZERO, polynomial
        if len(own) == len(polynomial.terms):
            return polynomial, ZERO
        return Polynomial(own), Polynomial({m: c for m, c in polynomial if m not in own})

    def interval(self, polynomial: Polynomial, facts: Iterable[Polynomial] = ()) -> Interval:
        """The smallest and the largest value of something that ``parted`` gave.

        ``facts``: what is not negative; lanes count where those hold that lane and wave alone decide.
        """
        known = tuple(fact for fact in facts if fact.letters and not self.parted(fact)[1].letters)
        found = self._intervals.get((polynomial, *known))
        if found is None:
            values = self.numbers.of(polynomial)
            there = np.ones(len(values), dtype=bool)
            for fact in known:
                there &= self.numbers.of(fact) >= 0
            values = values[there] if there.any() else values  # where no lane comes anything is right
            found = Interval(int(values.min()), int(values.max()))
            self._intervals[(polynomial, *known)] = found
        return found

    def products_at_least(self, polynomial: Polynomial, is_natural: Callable[[int], bool]) -> Polynomial:
        """A number that is not larger, with the smallest number for what is of lanes in products with others.

        Of ``ldc*(lane % 16) + x*ldc`` that is ``x*ldc``: few letters are left to look at. What others are
        not ``is_natural``, never negative, stays as it is.
        """
        factors: dict[Monomial, dict[Monomial, int]] = {}
        rest = dict[Monomial, int]()
        for monomial, coefficient in polynomial:
            own = tuple(x for x in monomial if self.letter(x) is not None)
            others = tuple(x for x in monomial if self.letter(x) is None)
            if own and others and all(map(is_natural, others)):
                factors.setdefault(others, {})[own] = coefficient
            else:
                rest[monomial] = coefficient
        found = Polynomial(rest)
        for others, terms in factors.items():
            low = self.interval(Polynomial(terms)).low
            assert isinstance(low, int)
            found = found + Polynomial({others: low} if low else {})
        return found


def _waves(letters: Letters) -> dict[str, int]:
    """How many waves there are, where a few are declared."""
    if "wave" not in letters.form.domain.names:
        return {}
    low, high = letters.form.bounds.interval(letters.form.symbol("wave"))
    return {"wave": high + 1} if low == 0 and isinstance(high, int) and high < MOST_WAVES else {}

"""Questions with one number for what lane and wave decide in them: what holds of any such number holds of it.

Where a lane's part of a tile begins is a mix of digits and bits of its number, which compilers write in other
ways than layouts do. But it is one of a few values. They are computed, and formulas of equal values are one.

>>> from layoutalg.codegen.gfx9.lifting.formula_letters import Letters
>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> letters = Letters(NormalForm(Domain.of({"lane": 64, "tile": "K"}, {"K": (1, None)})))
>>> lane, tile, K = map(letters.form.symbol, ("lane", "tile", "K"))
>>> digit = lane - letters.form.quotient(lane, letters.form.integer(8)).scaled(8)
>>> inside, first = (Condition("nonnegative", (one - tile,)) for one in (K + digit.scaled(16), digit))
>>> asked, values = without_lanes(Ranges(letters), inside, first)
>>> [(letter, each)] = values.items()
>>> each[:10].tolist()
[0, 1, 2, 3, 4, 5, 6, 7, 0, 1]
>>> number = Polynomial.letter(letter)
>>> [one.parts[0] for one in asked] == [K + number.scaled(16) - tile, number - tile]
True
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from layoutalg.codegen.gfx9.lifting.formula_numbers import LaneValues
from layoutalg.codegen.gfx9.lifting.formula_ranges import Ranges
from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import ZERO, Polynomial

__all__ = ["without_lanes"]


def without_lanes(
    ranges: Ranges, *conditions: Condition
) -> tuple[tuple[Condition, ...], Mapping[int, LaneValues]]:
    """The conditions with letters in place of what lanes decide; what these are in each lane of each wave.

    A letter may be any number from 0 to the largest that it is. Conditions in which lanes stand in products
    with something else come back as they are: what holds of these depends on the lane itself.
    """
    letters: dict[int, LaneValues] = {}
    by_values: dict[tuple[int, ...], Polynomial] = {}
    made: dict[Polynomial, Polynomial] = {}
    for polynomial in dict.fromkeys(one for condition in conditions for one in condition.compared()):
        own, rest = ranges.lanes.parted(polynomial)
        if ranges.letters.bases(rest) & ranges.lanes.axes:
            return conditions, {}
        made[polynomial] = rest + _in_values(ranges, own, letters, by_values) if own.letters else polynomial
    return tuple(condition.with_compared(made.__getitem__) for condition in conditions), letters


def _in_values(
    ranges: Ranges,
    own: Polynomial,
    letters: dict[int, LaneValues],
    by_values: dict[tuple[int, ...], Polynomial],
) -> Polynomial:
    """The number as a multiple of a letter, which counts from 0, and a constant."""
    values = ranges.lanes.numbers.of(own)
    low, high = int(values.min()), int(values.max())
    each = math.gcd(*(int(value) - low for value in values))
    if not each:
        return Polynomial.constant(low)
    up, down = tuple((values - low) // each), tuple((high - values) // each)
    if down in by_values:
        return by_values[down].scaled(-each).plus(high)
    if up not in by_values:
        end = (high - low) // each
        name = f"lanes.{len(letters)}.{end}"
        found = by_values[up] = ranges.letters.letter(name, ZERO, Polynomial.constant(end))
        (letter,) = found.letters
        letters[letter] = (values - low) // each
    return by_values[up].scaled(each).plus(low)

"""Questions with one letter for each sum that they speak of as a whole: what holds of any number holds of it.

Loads of a tile ask the same of rows that differ by constants: with a letter for where a row begins they are
one question, and a smaller one.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> letters = Letters(NormalForm(Domain.of({"lane": 64, "row": 8, "turn": "K"}, {"K": (1, None)})))
>>> row, turn, K = map(letters.form.symbol, ("row", "turn", "K"))
>>> begins = Condition("nonnegative", (row * K + row + turn,))
>>> ends = Condition("nonnegative", ((row * K + row).scaled(2) - turn,))
>>> (both, last), sums = generalised(letters, begins.and_(ends), Condition("zero", (turn,)))
>>> ((begin, whole),) = sums.items()
>>> whole == row * K + row, both.parts[1].parts[0] == Polynomial.letter(begin).scaled(2) - turn
(True, True)
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction

from layoutalg.codegen.gfx9.lifting.formula_letters import Letters
from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import Monomial, Polynomial

__all__ = ["generalised"]

SEVERAL = 2  # comparisons of a sum: what stands in all of them is taken for a part of it
Direction = tuple[tuple[int, Fraction], ...]  # in which comparisons something stands, and how often


def generalised(
    letters: Letters, *conditions: Condition
) -> tuple[tuple[Condition, ...], Mapping[int, Polynomial]]:
    """The conditions with letters in place of sums that stand in comparisons as wholes; the sums by letter.

    A letter may be any integer: where the conditions hold, these hold with the sums for letters. No argument
    of a kernel has its name, which is no identifier.
    """
    compared = list(dict.fromkeys(one for condition in conditions for one in _compared(condition)))
    rows: list[dict[Monomial, int]] = [dict(one.terms) for one in compared]
    sums: dict[int, Polynomial] = {}
    for direction, alike in _together(rows).items():
        first = rows[direction[0][0]]
        tried = (
            [term for term in first if term and term[0] not in sums] if len(direction) >= SEVERAL else alike
        )
        terms = [term for term in tried if _is_as(direction, term, rows)]
        if len(terms) < 2:
            continue
        each = math.gcd(*(first[term] for term in terms))
        letter = letters.letter(f"sum.{len(sums)}", None, None).as_letter
        assert letter is not None
        sums[letter] = Polynomial({term: first[term] // each for term in terms})
        for place, ratio in direction:
            for term in terms:
                del rows[place][term]
            rows[place][(letter,)] = int(each * ratio)
    made = dict(zip(compared, map(Polynomial, rows), strict=True))
    return tuple(_with(condition, made) for condition in conditions), sums


def _compared(condition: Condition) -> Iterator[Polynomial]:
    yield from condition.polynomials()
    for part in condition.parts:
        if isinstance(part, Condition):
            yield from _compared(part)


def _together(rows: list[dict[Monomial, int]]) -> dict[Direction, list[Monomial]]:
    """Products that stand in the same comparisons, everywhere in the same proportion."""
    places: defaultdict[Monomial, list[tuple[int, int]]] = defaultdict(list)
    for number, row in enumerate(rows):
        for term, count in row.items():
            places[term].append((number, count))
    found: defaultdict[Direction, list[Monomial]] = defaultdict(list)
    for term, counts in places.items():
        if term:
            found[tuple((number, Fraction(count, counts[0][1])) for number, count in counts)].append(term)
    return {
        direction: terms
        for direction, terms in found.items()
        if len(terms) > 1 and all(ratio.denominator == 1 for _, ratio in direction)
    }


def _is_as(direction: Direction, term: Monomial, rows: list[dict[Monomial, int]]) -> bool:
    """Whether a product has that proportion in these comparisons; it may stand elsewhere, too."""
    first = rows[direction[0][0]].get(term, 0)
    return first != 0 and all(rows[number].get(term) == first * ratio for number, ratio in direction)


def _with(condition: Condition, made: Mapping[Polynomial, Polynomial]) -> Condition:
    """The condition with other polynomials."""
    return Condition(
        condition.kind,
        tuple(_with(part, made) if isinstance(part, Condition) else made[part] for part in condition.parts),
    )

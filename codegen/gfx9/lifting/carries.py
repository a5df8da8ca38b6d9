"""Carries: comparisons with ``2**32`` or ``2**64`` as the quotients that they are.

>>> from layoutalg.codegen.gfx9.lifting.word_formulas import Words
>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> words = Words(NormalForm(Domain.of({"lane": 64, "low": 2**32})))
>>> total = words.form.symbol("low") + words.lane
>>> carried = words.compared("nonnegative", total.plus(-2**32), words.inside)
>>> carry(words.guards, words.ranges, carried) == words.form.divided(total, words.form.integer(2**32))
True
"""

from __future__ import annotations

from layoutalg.codegen.gfx9.lifting.formula_ranges import Ranges
from layoutalg.codegen.gfx9.lifting.lane_guards import Guards, OpaqueCondition
from layoutalg.rules.polynomial import ONE, Polynomial

__all__ = ["carry", "is_carried"]

WIDTHS = (32, 64)  # bits of what carries


def carry(guards: Guards, ranges: Ranges, guard: int) -> Polynomial | None:
    """The quotient that a guard or its opposite is, of numbers that reach no further; None of others."""
    found = _carry(guards, ranges, guard)
    if found is not None:
        return found
    opposite = _carry(guards, ranges, guards.opposite(guard))
    return None if opposite is None else ONE - opposite


def is_carried(guards: Guards, ranges: Ranges, number: int) -> bool:
    """Whether a variable of guards says that a sum of words went past the end of one."""
    variable = guards.variables[number]
    if isinstance(variable, OpaqueCondition) or variable.kind not in ("nonnegative", "nonzero"):
        return False
    (polynomial,) = variable.polynomials()
    if variable.kind == "nonnegative":
        is_long = ranges.interval(polynomial).low < -(2 ** (WIDTHS[0] - 1))
        return is_long and carry(guards, ranges, guards.of(variable)) is not None
    return all(_is_of_words(ranges, letter) for letter in polynomial.letters)


def _is_of_words(ranges: Ranges, letter: int) -> bool:
    """Whether a letter counts how often the end of a word was passed."""
    atom = ranges.form.atoms[letter]
    return atom.kind == "floor" and atom.operands[1].as_integer in [2**bits for bits in WIDTHS]


def _carry(guards: Guards, ranges: Ranges, guard: int) -> Polynomial | None:
    support = guards.support(guard)
    if len(support) != 1:
        return None
    variable = guards.variables[next(iter(support))]
    if isinstance(variable, OpaqueCondition) or guards.of(variable) != guard:
        return None
    (polynomial,) = variable.polynomials()
    if variable.kind == "nonzero":
        return next((one for one in (polynomial, -polynomial) if ranges.is_bit(one)), None)
    low, high = ranges.interval(polynomial)
    for bits in WIDTHS:
        size = 2**bits
        if high >= size or low < -2 * size:
            continue
        if low >= -size or (ranges.facts and ranges.is_shown(polynomial.plus(size))):
            return ranges.form.divided(polynomial, Polynomial.constant(size)).plus(1)
    return None

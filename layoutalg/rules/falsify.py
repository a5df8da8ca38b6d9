"""A few points of the domain at which letters have values: what is negative there needs no search.

Ranges try hard to show that a polynomial is never negative; most that are not shown to be are indeed
negative somewhere, and a handful of points tells. Where facts leave none of the first ones, others are
tried. A point can only spare a search, never prove.

>>> from layoutalg.rules.atoms import Atom, Atoms
>>> from layoutalg.rules.polynomial import ZERO
>>> atoms = Atoms()
>>> x = atoms.letter(Atom("axis", ("x",), lower=ZERO, upper=Polynomial.constant(63)))
>>> falsifier = Falsifier(atoms)
>>> falsifier.refute(x.plus(-1), ()), falsifier.refute(x.plus(1), ())
(True, False)
"""

from __future__ import annotations

import math
from functools import reduce
from operator import and_, mul, xor
from typing import TYPE_CHECKING

from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from layoutalg.rules.atoms import Atom, Atoms
    from layoutalg.rules.polynomial import Monomial

__all__ = ["Falsifier"]

BLOCK = 10  # points tried together
BLOCKS = 16  # of which all are tried where facts hold at few points
ENOUGH = 4  # points at which the facts hold
SCATTER = 2654435761  # 2**32 over the golden ratio: neighbouring numbers land far apart
WIDTHS = (8, 100, 3000, 100_000)  # of the range tried where an end is open

Values = list[int | None]  # one a point; None where the letter has no value there


class Falsifier:
    """Values of letters and polynomials at the same few points, always the same ones."""

    def __init__(self, atoms: Atoms) -> None:
        self.atoms = atoms
        self._values: dict[Monomial, Values] = {}
        self._inside: dict[tuple[Polynomial, ...], list[int]] = {}
        self.residues: dict[int, tuple[int, int]] = {}  # of an axis, by a fact: the modulus and what is left

    def anew(self) -> Falsifier:
        """The same residues, nothing worked out yet."""
        found = Falsifier(self.atoms)
        found.residues = self.residues
        return found

    def copy(self, atoms: Atoms) -> Falsifier:
        """The same points over a copy of the table."""
        found = Falsifier(atoms)
        found.residues = self.residues
        found._values, found._inside = self._values.copy(), self._inside.copy()
        return found

    def holds(self, conditions: tuple[Condition, ...], facts: tuple[Polynomial, ...]) -> bool:
        """Whether all of the conditions hold at a point where the facts do."""
        return any(all(self._holds(c, point) for c in conditions) for point in self._points(facts))

    def _holds(self, condition: Condition, point: int) -> bool | None:
        """Whether the condition holds at the point; None where something has no value there."""
        match condition.kind:
            case "nonnegative" | "zero" | "nonzero":
                value = self._at(condition.polynomials()[0], point)
                if value is None:
                    return None
                return (
                    value >= 0
                    if condition.kind == "nonnegative"
                    else (not value) == (condition.kind == "zero")
                )
            case "and" | "or":
                found = [self._holds(c, point) for c in condition.parts if isinstance(c, Condition)]
                decides = condition.kind == "or"
                if decides in found:
                    return decides
                return None if None in found else not decides
            case _:
                return condition.kind == "true"

    def refute(self, polynomial: Polynomial, facts: tuple[Polynomial, ...]) -> bool:
        """Whether the polynomial is negative at a point where all facts are not."""
        points = self._points(facts)
        if not points or not polynomial:
            return False
        products = [self._products(monomial, points[-1]) for monomial in polynomial.terms]
        coefficients = polynomial.terms.values()
        for point in points:
            row = [values[point] for values in products]
            if None not in row and sum(map(mul, coefficients, row)) < 0:
                return True
        return False

    def points_with(self, facts: tuple[Polynomial, ...], asked: tuple[Polynomial, ...]) -> list[int]:
        """The points at which the facts hold and each polynomial has a value."""
        return [p for p in self._points(facts) if all(self._at(one, p) is not None for one in asked)]

    def at(self, polynomial: Polynomial, points: list[int]) -> list[int]:
        """The values at points at which there are some."""
        return [self._at(polynomial, point) or 0 for point in points]

    def _points(self, facts: tuple[Polynomial, ...]) -> list[int]:
        if facts not in self._inside:
            found: list[int] = []
            for block in range(BLOCKS):
                points = range(block * BLOCK, (block + 1) * BLOCK)
                found += [point for point in points if self._are_facts_at(facts, point)]
                if len(found) >= ENOUGH:
                    break
            self._inside[facts] = found
        return self._inside[facts]

    def _are_facts_at(self, facts: tuple[Polynomial, ...], point: int) -> bool:
        return all((-1 if (v := self._at(fact, point)) is None else v) >= 0 for fact in facts)

    def _at(self, polynomial: Polynomial, point: int) -> int | None:
        total = 0
        for monomial, coefficient in polynomial.terms.items():
            value = self._products(monomial, point)[point]
            if value is None:
                return None
            total += coefficient * value
        return total

    def _products(self, monomial: Monomial, point: int) -> Values:
        """The values of a product of letters, those of the point's block among them."""
        known = self._values.get(monomial, [])
        if point < len(known):
            return known
        found = known.copy()
        for each in range(len(known), (point // BLOCK + 1) * BLOCK):
            if len(monomial) == 1:
                found.append(self._value(self.atoms[monomial[0]], monomial[0], each))
            else:
                factors = [self._products((letter,), each)[each] for letter in monomial]
                found.append(None if None in factors else math.prod(factors))
        self._values[monomial] = found
        return found

    def _value(self, atom: Atom, letter: int, point: int) -> int | None:
        if atom.kind in ("axis", "parameter"):
            return self._chosen(atom, letter, point)
        if atom.kind in ("entry", "run"):  # the entries of a table are not known at all
            return None
        if atom.kind == "select":
            condition, first, second = atom.operands
            holds = self._holds(condition, point)
            return None if holds is None else self._at(first if holds else second, point)
        found = [self._at(operand, point) for operand in atom.operands]
        operands = [value for value in found if value is not None]
        if len(operands) < len(found):
            return None
        match atom.kind:
            case "floor":
                number, divisor = operands
                return number // divisor if divisor > 0 else None
            case "trunc" | "left":
                number, divisor = operands
                if divisor <= 0:
                    return None
                whole = number // divisor if number >= 0 else -(-number // divisor)
                return whole if atom.kind == "trunc" else number - divisor * whole
            case "digit":
                number, scale, base = operands
                return number // scale % base if scale > 0 and base > 0 else None
            case "xor" | "and":
                operation = xor if atom.kind == "xor" else and_
                return reduce(operation, operands) if min(operands) >= 0 else None
            case "min":
                return min(operands)
            case _:
                return 1 << operands[0] if 0 <= operands[0] < 64 else None

    def _chosen(self, atom: Atom, letter: int, point: int) -> int | None:
        """The lower end, the upper end, or something between them that only the letter and point decide."""
        lower, upper = (None if end is None else self._at(end, point) for end in (atom.lower, atom.upper))
        if (lower is None and atom.lower is not None) or (upper is None and atom.upper is not None):
            return None
        width = WIDTHS[point % len(WIDTHS)]
        if lower is None:  # mostly positive where both are open: sizes and divisors are
            lower = (width if upper is None else upper) - width - width // 8
        upper = lower + width if upper is None else upper
        if upper < lower:
            return None
        scattered = (letter * BLOCK + point) * SCATTER >> 7
        chosen = (lower, upper)[point] if point < 2 else lower + scattered % (upper - lower + 1)
        if point >= BLOCK and scattered >> 16 & 1:  # facts are about ends more often than not
            chosen = (lower, upper)[scattered >> 17 & 1]
        modulus, left = self.residues.get(letter, (1, 0))
        chosen -= (chosen - left) % modulus
        chosen = chosen if chosen >= lower else chosen + modulus
        return chosen if chosen <= upper else None

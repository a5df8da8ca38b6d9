"""A few points of the domain at which letters have values: what is negative there needs no search.

Ranges try hard to show that a polynomial is never negative; most that are not shown to be are indeed
negative somewhere, and a handful of points tells. A point can only spare a search, never prove.

>>> from layoutalg.rules.atoms import Atom, Atoms
>>> from layoutalg.rules.polynomial import ZERO
>>> atoms = Atoms()
>>> x = atoms.letter(Atom("axis", ("x",), lower=ZERO, upper=Polynomial.constant(63)))
>>> falsifier = Falsifier(atoms)
>>> falsifier.refute(x.plus(-1), ()), falsifier.refute(x.plus(1), ())
(True, False)
"""

from __future__ import annotations

from functools import reduce
from operator import and_, xor
from typing import TYPE_CHECKING

from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from layoutalg.rules.atoms import Atom, Atoms

__all__ = ["Falsifier"]

POINTS = 10
SCATTER = 2654435761  # 2**32 over the golden ratio: neighbouring numbers land far apart
WIDTHS = (8, 100, 3000, 100_000)  # of the range tried where an end is open

Values = list[int | None]  # one a point; None where the letter has no value there


class Falsifier:
    """Values of letters and polynomials at the same few points, always the same ones."""

    def __init__(self, atoms: Atoms) -> None:
        self.atoms = atoms
        self._letters: dict[int, Values] = {}
        self._inside: dict[tuple[Polynomial, ...], list[int]] = {}

    def copy(self, atoms: Atoms) -> Falsifier:
        """The same points over a copy of the table."""
        found = Falsifier(atoms)
        found._letters, found._inside = self._letters.copy(), self._inside.copy()
        return found

    def refute(self, polynomial: Polynomial, facts: tuple[Polynomial, ...]) -> bool:
        """Whether the polynomial is negative at a point where all facts are not."""
        return any((self._at(polynomial, point) or 0) < 0 for point in self._points(facts))

    def _points(self, facts: tuple[Polynomial, ...]) -> list[int]:
        if facts not in self._inside:
            self._inside[facts] = [
                point
                for point in range(POINTS)
                if all((-1 if (v := self._at(fact, point)) is None else v) >= 0 for fact in facts)
            ]
        return self._inside[facts]

    def _at(self, polynomial: Polynomial, point: int) -> int | None:
        total = 0
        for monomial, coefficient in polynomial.terms.items():
            part = coefficient
            for letter in monomial:
                value = (self._letters.get(letter) or self._values(letter))[point]
                if value is None:
                    return None
                part *= value
            total += part
        return total

    def _values(self, letter: int) -> Values:
        atom = self.atoms[letter]
        self._letters[letter] = [self._value(atom, letter, point) for point in range(POINTS)]
        return self._letters[letter]

    def _value(self, atom: Atom, letter: int, point: int) -> int | None:
        if atom.kind in ("axis", "parameter"):
            return self._chosen(atom, letter, point)
        if atom.kind in ("select", "entry", "run"):  # the entries of a table are not known at all
            return None
        found = [self._at(operand, point) for operand in atom.operands]
        operands = [value for value in found if value is not None]
        if len(operands) < len(found):
            return None
        match atom.kind:
            case "floor":
                number, divisor = operands
                return number // divisor if divisor > 0 else None
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
        lower = 0 if atom.lower is None else self._at(atom.lower, point)
        if lower is None:
            return None
        if atom.lower is None:
            lower = -WIDTHS[point % len(WIDTHS)]
        upper = lower + WIDTHS[point % len(WIDTHS)] if atom.upper is None else self._at(atom.upper, point)
        if upper is None or upper < lower:
            return None
        if point < 2:
            return (lower, upper)[point]
        scattered = (letter * POINTS + point) * SCATTER >> 7
        return lower + scattered % (upper - lower + 1)

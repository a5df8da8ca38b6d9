"""A few points of the domain at which letters, and polynomials of them, have values.

The points are always the same ones, and facts hold at some of them; where facts leave none of the first
ones, others are tried.

>>> from layoutalg.rules.atoms import Atom, Atoms
>>> from layoutalg.rules.polynomial import ZERO
>>> atoms = Atoms()
>>> x = atoms.letter(Atom("axis", ("x",), lower=ZERO, upper=Polynomial.constant(63)))
>>> points = TriedPoints(atoms)
>>> points.refute(x.plus(-1), ()), points.refute(x.plus(1), ())
(True, False)
"""

from __future__ import annotations

from functools import reduce
from operator import and_, eq, ge, mul, ne, xor
from typing import TYPE_CHECKING

from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from layoutalg.rules.atoms import Atom, Atoms
    from layoutalg.rules.polynomial import Monomial

__all__ = ["TriedPoints"]

BLOCK = 10  # points tried together
BLOCKS = 16  # of which all are tried where facts hold at few points
ENOUGH = 16  # points at which the facts hold
SCATTER = 2654435761  # 2**32 over the golden ratio: neighbouring numbers land far apart
WIDTHS = (8, 100, 3000, 100_000)  # of the range tried where an end is open

SIGNS: dict[str, Callable[[int, int], bool]] = {"nonnegative": ge, "zero": eq, "nonzero": ne}

Values = list[int | None]  # one a point; None where the letter has no value there


class TriedPoints:
    """Values of letters and polynomials at the same few points, always the same ones."""

    def __init__(self, atoms: Atoms) -> None:
        self.atoms = atoms
        self._values: dict[Monomial, Values] = {}
        self._inside: dict[tuple[Polynomial, ...], list[int]] = {}
        self._holds_at: dict[tuple[Polynomial, int], int] = {}  # a fact in a block
        self._letters: dict[int, frozenset[int]] = {}
        self.residues: dict[int, tuple[int, int]] = {}  # of an axis, by a fact: the modulus and what is left

    def anew(self) -> TriedPoints:
        """The same residues, nothing worked out yet."""
        found = TriedPoints(self.atoms)
        found.residues = self.residues
        return found

    def copy(self, atoms: Atoms) -> TriedPoints:
        """The same points over a copy of the table."""
        found = TriedPoints(atoms)
        found.residues = self.residues
        found._values, found._inside = self._values.copy(), self._inside.copy()
        found._holds_at = self._holds_at.copy()
        return found

    def holds(self, conditions: tuple[Condition, ...], facts: tuple[Polynomial, ...]) -> bool:
        """Whether all of the conditions hold at a point where the facts do, and all axes have a value."""
        letters = frozenset().union(*map(self._letters_of_condition, conditions))
        axes = [(letter,) for letter in letters if self.atoms[letter].kind in ("axis", "parameter")]
        return any(
            all(self._products(axis, point)[point] is not None for axis in axes)
            and all(self._holds(c, point) for c in conditions)
            for point in self.points(facts)
        )

    def _all_letters(self, polynomial: Polynomial) -> frozenset[int]:
        """The letters of a polynomial, and of what those are operations on."""
        return frozenset().union(*map(self._letters_of_letter, polynomial.letters))

    def _letters_of_letter(self, letter: int) -> frozenset[int]:
        if letter not in self._letters:
            found = frozenset({letter})
            for part in self.atoms[letter].operands:
                if isinstance(part, Polynomial):
                    found |= self._all_letters(part)
                elif isinstance(part, Condition):
                    found |= self._letters_of_condition(part)
            self._letters[letter] = found
        return self._letters[letter]

    def _letters_of_condition(self, condition: Condition) -> frozenset[int]:
        return frozenset().union(*map(self._all_letters, condition.compared()))

    def _holds(self, condition: Condition, point: int) -> bool | None:
        """Whether the condition holds at the point; None where something has no value there."""
        match condition.kind:
            case "nonnegative" | "zero" | "nonzero":
                value = self._at(condition.polynomials()[0], point)
                return None if value is None else SIGNS[condition.kind](value, 0)
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
        return any(value is not None and value < 0 for value in self.values(polynomial, self.points(facts)))

    def values(self, polynomial: Polynomial, points: Sequence[int]) -> Iterator[int | None]:
        """The value at each of the points, which ascend; None where there is none."""
        if not points:
            return
        products = [self._products(monomial, points[-1]) for monomial in polynomial.terms]
        coefficients = polynomial.terms.values()
        for point in points:
            row = [values[point] for values in products]
            yield None if None in row else sum(map(mul, coefficients, row))

    def points(self, facts: tuple[Polynomial, ...]) -> list[int]:
        """The points at which the facts hold, of as many as are needed to have some."""
        if facts not in self._inside:
            found: list[int] = []
            for block in range(BLOCKS):
                holds = self._all_hold(facts, block)
                found += [block * BLOCK + place for place in range(BLOCK) if holds >> place & 1]
                if len(found) >= ENOUGH:
                    break
            self._inside[facts] = found
        return self._inside[facts]

    def _all_hold(self, facts: tuple[Polynomial, ...], block: int) -> int:
        """The points of a block at which all facts hold, a bit for each."""
        holds = (1 << BLOCK) - 1
        for fact in facts:
            if (fact, block) not in self._holds_at:
                points = range(block * BLOCK, (block + 1) * BLOCK)
                signs = (value is not None and value >= 0 for value in self.values(fact, points))
                self._holds_at[fact, block] = sum(sign << place for place, sign in enumerate(signs))
            holds &= self._holds_at[fact, block]
            if not holds:
                break
        return holds

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
        if point >= len(known):
            points = range(len(known), (point // BLOCK + 1) * BLOCK)
            if len(monomial) == 1:
                more = self._letter(monomial[0], points)
            else:
                factors = [self._products((letter,), point) for letter in monomial]
                more = [_product(values[each] for values in factors) for each in points]
            known = self._values[monomial] = known + more
        return known

    def _letter(self, letter: int, points: Sequence[int]) -> Values:
        """The values of a letter by what it stands for; the entries of a table are not known at all."""
        atom = self.atoms[letter]
        if atom.kind in ("axis", "parameter"):
            ends = (self._end(end, points) for end in (atom.lower, atom.upper))
            return [self._inside_ends(atom, letter, *row) for row in zip(points, *ends, strict=True)]
        if atom.kind == "select":
            return [self._branch(atom, point) for point in points]
        meaning = MEANINGS.get(atom.kind)
        if meaning is None:
            return [None] * len(points)
        operands = (self.values(operand, points) for operand in atom.operands)
        return [None if None in row else meaning(*row) for row in zip(*operands, strict=True)]

    def _end(self, end: Polynomial | None, points: Sequence[int]) -> Iterable[int | None]:
        return [None] * len(points) if end is None else self.values(end, points)

    def _branch(self, atom: Atom, point: int) -> int | None:
        condition, first, second = atom.operands
        holds = self._holds(condition, point)
        return None if holds is None else self._at(first if holds else second, point)

    def _inside_ends(
        self, atom: Atom, letter: int, point: int, lower: int | None, upper: int | None
    ) -> int | None:
        """A value of an axis or size; None where an end of it is not known, or there is nothing between."""
        if (lower is None and atom.lower is not None) or (upper is None and atom.upper is not None):
            return None
        return self._chosen(letter, point, lower, upper)

    @staticmethod
    def _closed(lower: int | None, upper: int | None, width: int) -> tuple[int, int]:
        """The ends, so far apart where one is open; mostly positive where both are, as sizes are."""
        if lower is None:
            lower = (width if upper is None else upper) - width - width // 8
        return lower, lower + width if upper is None else upper

    def _chosen(self, letter: int, point: int, lower: int | None, upper: int | None) -> int | None:
        """The lower end, the upper end, or something between them that only the letter and point decide."""
        width = WIDTHS[point % len(WIDTHS)]
        lower, upper = self._closed(lower, upper, width)
        if upper < lower:
            return None
        if point > 1 and self.atoms[letter].kind == "parameter":  # facts bound products of large sizes
            upper = min(upper, lower + width)
        scattered = (letter * BLOCK + point) * SCATTER >> 7
        chosen = (lower, upper)[point] if point < 2 else lower + scattered % (upper - lower + 1)
        if point >= BLOCK and scattered >> 16 & 1:  # facts are about ends more often than not
            chosen = (lower, upper)[scattered >> 17 & 1]
        return self._in_residue(letter, chosen, lower, upper)

    def _in_residue(self, letter: int, chosen: int, lower: int, upper: int) -> int | None:
        """A value near the one that was chosen that leaves what a fact says; None where there is none."""
        modulus, left = self.residues.get(letter, (1, 0))
        chosen -= (chosen - left) % modulus
        chosen = chosen if chosen >= lower else chosen + modulus
        return chosen if chosen <= upper else None


def _product(factors: Iterable[int | None]) -> int | None:
    product = 1
    for factor in factors:
        if factor is None:
            return None
        product *= factor
    return product


def _quotient(number: int, divisor: int) -> int | None:
    return number // divisor if divisor > 0 else None


def _truncated(number: int, divisor: int) -> int | None:
    if divisor <= 0:
        return None
    return number // divisor if number >= 0 else -(-number // divisor)


def _left(number: int, divisor: int) -> int | None:
    whole = _truncated(number, divisor)
    return None if whole is None else number - divisor * whole


def _digit(number: int, scale: int, base: int) -> int | None:
    return number // scale % base if scale > 0 and base > 0 else None


def _of_bits(operation: Callable[[int, int], int]) -> Callable[..., int | None]:
    return lambda *operands: reduce(operation, operands) if min(operands) >= 0 else None


def _power_of_two(exponent: int) -> int | None:
    return 1 << exponent if 0 <= exponent < 64 else None


MEANINGS: dict[str, Callable[..., int | None]] = {
    "floor": _quotient,
    "trunc": _truncated,
    "left": _left,
    "digit": _digit,
    "xor": _of_bits(xor),
    "and": _of_bits(and_),
    "min": min,
    "power_of_two": _power_of_two,
}

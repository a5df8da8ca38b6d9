"""Ranges of polynomials, and quotients by powers of two, as machine code needs them.

Beside what the normal form knows of ranges: every value of what lane and wave alone decide; quotients seen as
digits, as what they are quotients of, bits that are multiplied with something, case by case; magic numbers
told to be the divisions that they stand for.
Source of the latter: T. Granlund, P. Montgomery, "Division by Invariant Integers using Multiplication", PLDI
1994, theorem 4.2.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> letters = Letters(NormalForm(Domain.of({"lane": 64})))
>>> ranges, lane = Ranges(letters), letters.lane
>>> ranges.divided(lane.scaled(0xAAAAAAAB), 2**33) == ranges.form.divided(lane, ranges.form.integer(3))
True
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce

from layoutalg.codegen.gfx9.lifting.formula_letters import Letters
from layoutalg.codegen.gfx9.lifting.lane_numbers import LaneNumbers
from layoutalg.codegen.gfx9.lifting.linear_search import is_shown_by_products
from layoutalg.rules.bounds import strengthened
from layoutalg.rules.interval import EVERYTHING, Interval
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial
from layoutalg.rules.products_of_facts import shown_nonnegative
from layoutalg.rules.ranges_under_facts import RangesUnderFacts

__all__ = ["Ranges", "divisor_of_magic"]


BIT_KINDS = ("xor", "and", "or")
FAR = 2**20  # a quotient by so much is asked to be nothing with all that is known


class Ranges:
    """Ranges and quotients over one normal form; ``facts``: how many of guards are taken at the moment."""

    def __init__(self, letters: Letters) -> None:
        self.letters, self.form = letters, letters.form
        self.lanes = LaneNumbers(letters)
        self.facts = 0
        self._known: dict[Polynomial, Interval] = {}
        self._ranges: dict[tuple[Polynomial, ...], RangesUnderFacts] = {}
        self._linear: dict[tuple[Polynomial, tuple[Polynomial, ...]], bool] = {}
        self._searched: dict[tuple[Polynomial, tuple[Polynomial, ...]], bool] = {}

    def interval(self, polynomial: Polynomial) -> Interval:
        """Smallest and largest value: of the sum, of its digits, of what its quotients are quotients of."""
        bounds, atoms = self.form.bounds, self.form.atoms
        found = bounds.interval(polynomial)
        for sign in (1, -1):
            known = self._known.get(polynomial.scaled(sign))
            found = found if known is None else found.within(known.scaled(sign))
        own, rest = self._in_lanes(polynomial)
        if own:
            found = found.within(self.lanes.interval(own) + bounds.interval(rest))
            if not rest.letters:
                return found
        floors = atoms.of_kind("floor", polynomial)
        if not floors:
            return found
        found = found.within(bounds.interval(self.form.digits.split(polynomial)))
        found = found.within(self._by_bit(polynomial))
        if len(floors) > 1:
            found = found.within(self._by_quotients(polynomial, floors))
        for letter in floors:
            number, divisor = atoms[letter].operands
            factor, size = polynomial.coefficient(letter), divisor.as_integer
            times = None if factor is None else factor.as_integer
            if size is None or not times:
                continue
            rest = polynomial.without(letter)
            exact = bounds.interval(self.form.digits.split(rest.scaled(size) + number.scaled(times)))
            most = (size - 1) * abs(times)  # what rounding down leaves away
            ends = (
                Interval(exact.low - most, exact.high)
                if times > 0
                else Interval(exact.low, exact.high + most)
            )
            found = found.within(Interval(-(-ends.low // size), ends.high // size))
            if len(number.terms) > 1:
                found = found.within(self._by_digit(polynomial, letter, number, size))
        return found

    def _in_lanes(self, polynomial: Polynomial) -> tuple[Polynomial, Polynomial]:
        """What lane and wave alone decide, if that is more than a sum of them, and the rest."""
        own, rest = self.lanes.parted(polynomial)
        is_sum = all(len(m) == 1 and self.form.atoms[m[0]].kind == "axis" for m, _ in own)
        return (ZERO, polynomial) if is_sum else (own, rest)

    def _by_quotients(self, polynomial: Polynomial, floors: Sequence[int]) -> Interval:
        """The range with ``(n - rest)/d`` in place of every quotient ``n // d``, each rest by itself."""
        atoms, whole = self.form.atoms, 1
        parts = []
        for letter in floors:
            number, divisor = atoms[letter].operands
            factor, size = polynomial.coefficient(letter), divisor.as_integer
            times = None if factor is None else factor.as_integer
            if size is not None and times is not None:
                parts.append((letter, number, size, times))
                whole = math.lcm(whole, size)
        exact, below, above = polynomial, 0, 0
        for letter, *_ in parts:
            exact = exact.without(letter)
        exact = exact.scaled(whole)
        for _, number, size, times in parts:
            exact = exact + number.scaled(times * (whole // size))
            left = (size - 1) * abs(times) * (whole // size)
            below, above = (below + left, above) if times > 0 else (below, above + left)
        low, high = self.form.bounds.interval(self.form.digits.split(exact))
        return Interval(-(-(low - below) // whole), (high + above) // whole)

    def _by_bit(self, polynomial: Polynomial) -> Interval:
        """The range where something that is 0 or 1 is times something else: in both cases."""
        for letter in {x for m, _ in polynomial if len(m) > 1 for x in m}:
            if self.form.bounds.interval(Polynomial.letter(letter)) == Interval(0, 1):
                cases = (self.interval(polynomial.replaced(letter, value)) for value in (ZERO, ONE))
                return reduce(Interval.hull, cases)
        return EVERYTHING

    def _by_digit(self, polynomial: Polynomial, letter: int, number: Polynomial, size: int) -> Interval:
        """The range where ``number // size`` is seen with multiples of the number: as what is left of it."""
        digit = self.form.digits.digit(number, ONE, Polynomial.constant(size))
        whole = digit + Polynomial.letter(letter).scaled(size)
        found = EVERYTHING
        for times in {c // number.terms[m] for m, c in polynomial if m in number.terms}:
            moved = polynomial - number.scaled(times) + whole.scaled(times)
            found = found.within(self.form.bounds.interval(moved))
        return found

    def is_shown(self, polynomial: Polynomial) -> bool:
        """Whether a number is shown not to be negative, with the facts that are taken at the moment."""
        low, high = self.interval(polynomial)
        if low >= 0 or high < 0:
            return low >= 0
        if self._under_facts(polynomial).low >= 0:
            return True
        at_worst = self._at_worst(polynomial)
        if at_worst != polynomial:
            return at_worst is not None and self.is_shown(at_worst)
        own, rest = self._in_lanes(polynomial)
        bounds = self.form.bounds
        if own:
            low = self.lanes.interval(own).low
            assert isinstance(low, int)
            if bounds.is_nonnegative(rest.plus(low)):
                return True
        return bounds.is_nonnegative(polynomial) or self._is_found(polynomial)

    def _under_facts(self, polynomial: Polynomial) -> Interval:
        """The range with the facts that are taken at the moment; what lane and wave alone decide by its values."""
        facts = self.form.bounds.facts
        if facts not in self._ranges:
            self._ranges[facts] = RangesUnderFacts(self.form, facts, self.is_shown)
        ranges = self._ranges[facts]
        own, rest = self._in_lanes(polynomial)
        found = ranges.interval(polynomial)
        return found.within(self.lanes.interval(own) + ranges.interval(rest)) if own else found

    def _at_worst(self, polynomial: Polynomial) -> Polynomial | None:
        """The polynomial where unknown values of which no fact speaks make it smallest.

        None where one is times something of either sign: nothing is shown of that, and looking takes long.
        """
        unknown = polynomial.letters & self.letters.opaque.keys()
        if unknown and self.facts:
            unknown = unknown.difference(*map(self.letters.bases, self.form.bounds.facts))
        for letter in unknown:
            factor, rest = polynomial.coefficient(letter), polynomial.without(letter)
            if factor is None or letter in self.letters.bases(rest) | self.letters.bases(factor):
                continue
            sign, ends = self.interval(factor), self.form.bounds.interval(Polynomial.letter(letter))
            end = ends.low if sign.low >= 0 else ends.high
            if sign.low < 0 < sign.high or not isinstance(end, int):
                return None
            polynomial = rest + factor.scaled(end)
        return polynomial

    def _is_found(self, polynomial: Polynomial) -> bool:
        """What a search of facts says: of the same facts the same."""
        key = polynomial, tuple(self.form.bounds.facts)
        if key not in self._searched:
            self._searched[key] = shown_nonnegative(self.form, polynomial) or self._is_linear(polynomial)
        return self._searched[key]

    def _is_linear(self, polynomial: Polynomial) -> bool:
        """What linear arithmetic over products says, of what is left with lanes and bit operations at worst."""
        own, rest = self.lanes.parted(polynomial)
        low = self.lanes.interval(own).low if own else 0
        bits = {m: c for m, c in rest if len(m) == 1 and self.form.atoms[m[0]].kind in BIT_KINDS}
        more = self._under_facts(Polynomial(bits)).low
        if not isinstance(low, int) or not isinstance(more, int):
            return False
        rest = Polynomial({m: c for m, c in rest if m not in bits})
        asked = strengthened(rest.plus(low + more))
        if not any(len(m) > 1 for m, _ in asked):
            return False
        for letter in sorted(asked.letters, reverse=True):
            factor, ends = asked.coefficient(letter), self._under_facts(Polynomial.letter(letter))
            if self.form.atoms[letter].kind != "parameter" or not factor or not factor.letters:
                continue
            if isinstance(ends.low, int) and ends.low >= 0 and self.is_shown(factor):
                return self.is_shown(asked.without(letter) + factor.scaled(ends.low))
        key = asked, tuple(self.form.bounds.facts)
        if key not in self._linear:
            self._linear[key] = is_shown_by_products(self.form, asked)
        return self._linear[key]

    def is_bit(self, polynomial: Polynomial) -> bool:
        """Whether a number is shown to be 0 or 1."""
        if self.is_shown(polynomial) and self.is_shown((-polynomial).plus(1)):
            return True
        step = self._step_of_quotients(polynomial)
        return step is not None and all(map(self.is_shown, step))

    def _step_of_quotients(self, polynomial: Polynomial) -> tuple[Polynomial, Polynomial] | None:
        """Of ``(x + d)//n - x//n``: ``d`` and ``n - d``, which are not negative where it is 0 or 1."""
        if sorted(polynomial.terms.values()) != [-1, 1] or any(len(m) != 1 for m in polynomial.terms):
            return None
        (above,), (below,) = sorted(polynomial.terms, key=lambda m: -polynomial.terms[m])
        atoms = self.form.atoms[above], self.form.atoms[below]
        if any(atom.kind != "floor" for atom in atoms) or atoms[0].operands[1] != atoms[1].operands[1]:
            return None
        distance = atoms[0].operands[0] - atoms[1].operands[0]
        return distance, atoms[0].operands[1] - distance

    def divided(self, number: Polynomial, size: int) -> Polynomial:
        """``number // size`` for a power of two, magic numbers told from others."""
        halves = [m for m, c in number if 2 * c == -size]
        if halves:  # -x // 2 is x // 2 - x: equal quotients are to look equal
            moved = Polynomial(dict.fromkeys(halves, 1))
            return self.divided(number + moved.scaled(size), size) - moved
        if size >= FAR:
            below = size // 2 - 1
            rest = Polynomial({m: r for m, c in number if (r := (c + below) % size - below)})
            low, high = self.interval(rest)
            if rest != number and low >= 0 and high < size:  # whole multiples, and less than one
                return (number - rest).divided(Polynomial.constant(size))[0]
        low, high = self.interval(number)
        if low // size == high // size and isinstance(low, int):
            return Polynomial.constant(low // size)
        is_far = size >= FAR and not (low >= 0 and high < size)
        if is_far and self.is_shown(number) and self.is_shown((-number).plus(size - 1)):
            return ZERO
        if size > 1 and low >= -1 and high <= 0:  # 0 or -1, as copies of a bit are
            return number
        whole = self._of_quotient(number, size)
        if whole is not None:
            return whole
        odd = self._odd(number, size)
        if odd is not None:  # (x + 1) // 2 is x - x // 2
            return odd - self.divided(odd, 2)
        found = self._by_magic(number, size)
        if found is None:
            found = self.form.divided(number, Polynomial.constant(size))
        value = self._under_facts(found).number if is_far else None
        if value is not None:
            return Polynomial.constant(value)
        if len(found.terms) > 1 and not self.facts:  # what it is a quotient of says more than its terms
            self._known[found] = self.interval(number) // Interval(size, size)
        return found

    def _of_quotient(self, number: Polynomial, size: int) -> Polynomial | None:
        """``(n//d + r) // size`` as ``(n + r*d) // (d*size)``, for sizes d, so that its remainder is seen."""
        for letter in self.form.atoms.of_kind("floor", number):
            inner, divisor = self.form.atoms[letter].operands
            rest = number.without(letter)
            if divisor.letters and rest.letters and number.coefficient(letter) == ONE:
                return self.form.divided(inner + rest * divisor, divisor.scaled(size))
        return None

    @staticmethod
    def _odd(number: Polynomial, size: int) -> Polynomial | None:
        """The x of ``size//2 * (x + 1)``; None where the number is none such, or x is nothing."""
        half = size // 2
        if size < 2 or number.terms.get((), 0) % size != half or len(number.terms) < 2:
            return None
        if any(coefficient % half for _, coefficient in number):
            return None
        return number.plus(-half).divided(Polynomial.constant(half))[0]

    def _by_magic(self, number: Polynomial, size: int) -> Polynomial | None:
        """``x*M // 2**k`` that is ``x // d`` for every x there is."""
        floors = [x for x in number.letters if self.form.atoms[x].kind == "floor"]
        whole = number
        for letter in floors:  # x + x*M // 2**32, shifted: the sum form of a magic number
            inner, scale = self.form.atoms[letter].operands
            fixed = scale.as_integer
            if fixed and number.coefficient(letter) == ONE and fixed >= 2**16:
                whole, size = inner + number.without(letter).scaled(fixed), size * fixed
                break
        times = 0
        for _, coefficient in whole:
            times = math.gcd(times, abs(coefficient))
        if times < 2**15 or size < 2**16:
            return None
        rest, _ = whole.divided(Polynomial.constant(times))
        low, high = self.interval(rest)
        if low < 0 or not isinstance(high, int):
            return None
        divisor = divisor_of_magic(times, size, high)
        if divisor is None:
            return None
        return self.form.divided(rest, Polynomial.constant(divisor))


def divisor_of_magic(factor: int, size: int, most: int) -> int | None:
    """The d with ``x*factor // size == x // d`` for all x from 0 to ``most``; None where there is none.

    ``factor*d`` is ``size + e`` with an ``e`` that is small enough not to be seen: ``e*most < size``.

    >>> divisor_of_magic(0xAAAAAAAB, 2**33, 2**32 - 1), divisor_of_magic(0xAAAAAAA0, 2**33, 2**32 - 1)
    (3, None)
    """
    divisor = -(-size // factor)
    excess = factor * divisor - size
    return divisor if divisor > 1 and excess * most < size else None

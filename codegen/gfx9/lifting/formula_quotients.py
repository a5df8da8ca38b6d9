"""Quotients by powers of two, as shifts of machine code are: magic numbers told to be divisions.

Source: T. Granlund, P. Montgomery, "Division by Invariant Integers using Multiplication", PLDI 1994, theorem
4.2.

>>> from layoutalg.codegen.gfx9.lifting.formula_letters import Letters
>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> letters = Letters(NormalForm(Domain.of({"lane": 64})))
>>> ranges, lane = Quotients(letters), letters.lane
>>> ranges.divided(lane.scaled(0xAAAAAAAB), 2**33) == ranges.form.divided(lane, ranges.form.integer(3))
True
"""

from __future__ import annotations

import math

from layoutalg.codegen.gfx9.lifting.formula_ranges import Ranges
from layoutalg.rules.interval import Interval
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial

__all__ = ["Quotients", "divisor_of_magic"]

NEARLY = 4  # what is added to a number to take less than this part of a word away
SCALES = (1, 2, 4, 8, 16, 32, 64)  # elements of a vector, or of what a thread moves
WORD = 2**32
LARGEST = 2**31 - 1  # that a size is
FAR = 2**20  # a quotient by so much is asked to be nothing with all that is known


class Quotients(Ranges):
    """Ranges, and quotients that these make simpler."""

    def quotient(self, number: Polynomial, divisor: Polynomial) -> Polynomial:
        """``number // divisor``, in one look for each size that is known."""
        size = divisor.as_integer
        return self.form.divided(number, divisor) if size is None else self.divided(number, size)

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
        if is_far and (carried := self._carried(number, size)) is not None:
            return carried
        if is_far and self.is_shown(number) and self.is_shown((-number).plus(size - 1)):
            return ZERO
        if size > 1 and low >= -1 and high <= 0:  # 0 or -1, as copies of a bit are
            return number
        whole = self._of_quotient(number, size)
        if whole is not None:
            return whole
        negative = self._of_negative_quotient(number, size)
        if negative is not None:
            return negative
        odd = self._odd(number, size)
        if odd is not None:  # (x + 1) // 2 is x - x // 2
            return self._of_next_quotient(odd) or odd - self.divided(odd, 2)
        found = self._by_magic(number, size)
        if found is None and size < FAR and all(c < 0 for m, c in number if m):
            return (-self.divided((-number).plus(-1), size)).plus(-1)  # (-x - 1) // n is -1 - x // n
        if found is None:
            # (x - 1) // 8 is (x + 7) // 8 - 1, one look of both; a word that comes round is a little negative
            constant = number.terms.get((), 0)
            times = constant // size if size < FAR else int(constant + size // NEARLY >= size)
            found = self.form.divided(number.plus(-times * size), Polynomial.constant(size)).plus(times)
        value = self.under_facts(found).number if is_far else None
        if value is not None:
            return Polynomial.constant(value)
        if len(found.terms) > 1 and not self.facts:  # what it is a quotient of says more than its terms
            self.known[found] = self.interval(number) // Interval(size, size)
        return found

    def _carried(self, number: Polynomial, size: int) -> Polynomial | None:
        """``(n - size*(n//size) + x) // size`` as ``(n + x)//size - n//size``: a carry out of a low word.

        For x from 0 on. That n is less than a word is not known, or there were no quotient of it: nor is
        it of n + x.
        """
        for letter in self.form.atoms.of_kind("floor", number):
            inner, divisor = self.form.atoms[letter].operands
            whole = number + Polynomial.letter(letter).scaled(size)
            if divisor.as_integer == size and self.interval(whole - inner).low >= 0:
                return self.form.divided(whole, divisor) - Polynomial.letter(letter)
        return None

    def _of_quotient(self, number: Polynomial, size: int) -> Polynomial | None:
        """``(n//d + r) // size`` as ``(n + r*d) // (d*size)``, so that its remainder is seen.

        For sizes d; for powers of two where there is no r; for others where n + r*d is a multiple, or little.
        """
        for letter in self.form.atoms.of_kind("floor", number):
            inner, divisor = self.form.atoms[letter].operands
            rest, fixed = number.without(letter), divisor.as_integer
            if fixed and fixed & (fixed - 1) == 0 and number.as_letter == letter:
                return self.divided(inner, fixed * size)  # what is high in a pair of words may be nothing
            if number.coefficient(letter) != ONE or not rest.letters:
                continue
            whole = inner + rest * divisor
            if divisor.letters:
                return self.form.divided(whole, divisor.scaled(size))
            low, high = self.interval(whole)
            if fixed and low >= 0 and high < fixed * size:
                return ZERO
            if fixed and all(coefficient % size == 0 for _, coefficient in whole):
                return self.form.divided(whole.divided(Polynomial.constant(size))[0], divisor)
        return None

    def _of_next_quotient(self, number: Polynomial) -> Polynomial | None:
        """``(x//d + 1) // 2`` as ``(x + d) // (2*d)``: for a d that is no power of two."""
        letters = self.form.atoms.of_kind("floor", number)
        if len(letters) != 1 or number.coefficient(letters[0]) != ONE:
            return None
        inner, divisor = self.form.atoms[letters[0]].operands
        size = divisor.as_integer
        if not size or size & (size - 1) == 0:
            return None
        whole = inner + number.without(letters[0]).plus(1).scaled(size)
        return self.form.divided(whole, Polynomial.constant(2 * size))

    def _of_negative_quotient(self, number: Polynomial, size: int) -> Polynomial | None:
        """``(-(x//d) - 1) // size`` but for x = 0: the same of ``d * size``."""
        for letter in self.form.atoms.of_kind("floor", number):
            inner, divisor = self.form.atoms[letter].operands
            rest, quotient = inner.plus(1 - WORD), -number.without(letter)
            low, high = self.interval(rest)
            is_any = divisor.as_integer == WORD and low >= 0 and high <= WORD  # whether there is a rest
            if not is_any or number.coefficient(letter) != -ONE:
                continue
            for other in self.form.atoms.of_kind("floor", quotient):
                fixed = self.form.atoms[other].operands[1]
                if fixed.as_integer and self.form.divided(rest, fixed) == quotient:
                    return -self.form.divided(rest, fixed.scaled(size)) - Polynomial.letter(letter)
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
        """``(x*M + left) // 2**k`` that is ``x // d`` for every x there is."""
        floors = [x for x in number.letters if self.form.atoms[x].kind == "floor"]
        whole = number
        for letter in floors:  # x + x*M // 2**32, shifted: the sum form of a magic number
            inner, scale = self.form.atoms[letter].operands
            fixed = scale.as_integer
            if fixed and number.coefficient(letter) == ONE and fixed >= 2**16:
                whole, size = inner + number.without(letter).scaled(fixed), size * fixed
                break
        constant = whole.terms.get((), 0)
        times = math.gcd(*(coefficient for monomial, coefficient in whole if monomial))
        left = constant % times if times else 0  # of (8*x + 319)*M // 2**39 with the 8 left to the shift
        rest, _ = whole.plus(-left).divided(Polynomial.constant(times)) if times else (ZERO, ZERO)
        if times < 2**15 or size < 2**16:
            return None
        low, high = self.interval(rest)
        if high <= 0 and isinstance(low, int) and -low < WORD and not left:
            return self._by_negative_magic(-rest, -low, times, size)
        if not isinstance(low, int) or not isinstance(high, int) or low < 0:
            return None
        for scale in SCALES:  # n*x // d, of which compilers leave the n to the shift
            for added in dict.fromkeys((left * scale // times, -(-left * scale // times))):
                of = rest.scaled(scale).plus(added)
                divisor = self._divisor(of, times, size * scale, left * scale - added * times)
                if divisor is not None:
                    return self.form.divided(of, Polynomial.constant(divisor))
        return None

    def _divisor(self, number: Polynomial, factor: int, size: int, left: int) -> int | None:
        """The d of ``(x*factor + left) // size`` for a number x, which facts may bound more than types do."""
        low, high = self.interval(number)
        assert isinstance(low, int)
        assert isinstance(high, int)
        divisor = divisor_of_magic(factor, size, (low, high), left)
        if divisor is None and high > LARGEST:
            divisor = divisor_of_magic(factor, size, (low, LARGEST), left)
            return divisor if divisor is not None and self.is_shown((-number).plus(LARGEST)) else None
        return divisor

    def _by_negative_magic(self, rest: Polynomial, most: int, times: int, size: int) -> Polynomial | None:
        """``-x*M // 2**k`` that is ``-(x // d)`` less 1 but for x = 0, where that is 0."""
        is_any = self.form.divided(rest.plus(WORD - 1), Polynomial.constant(WORD))  # 1 but for 0
        if most * times <= size:
            return -is_any
        for scale in SCALES:
            divisor = divisor_of_magic(times, size * scale, (0, most * scale))
            if divisor is not None and times * divisor > size * scale:
                return -self.form.divided(rest.scaled(scale), Polynomial.constant(divisor)) - is_any
        return None


def divisor_of_magic(factor: int, size: int, ends: tuple[int, int], left: int = 0) -> int | None:
    """The d with ``(x*factor + left) // size == x // d`` for x between the ends; None where there is none.

    ``factor*d`` is ``size + e`` with an ``e`` that is too small to be seen: ``e*x + left*d < size``. Where
    ``left`` is negative, ``e`` makes up for it at multiples of d, but not at 0.

    >>> words = 0, 2**32 - 1
    >>> divisor_of_magic(0xAAAAAAAB, 2**33, words), divisor_of_magic(0xAAAAAAA0, 2**33, words)
    (3, None)
    >>> divisor_of_magic(0x66666667, 2**39, (319, 2**29), -1)
    320
    """
    least, most = ends
    divisor = -(-size // factor)
    excess = factor * divisor - size
    is_made_up_for = left >= 0 or (least > 0 and excess + left >= 0)
    return divisor if divisor > 1 and excess * most + left * divisor < size and is_made_up_for else None

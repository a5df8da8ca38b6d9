"""Sums of products with integer coefficients: the form in which indices are compared and reduced.

The letters of a polynomial are small integers that an :class:`~layoutalg.rules.atoms.Atoms` table gives
a meaning: an axis, a parameter, a quotient, an xor. Addition and multiplication are exact, so two
index expressions that differ only by arithmetic have the same polynomial.

>>> x, y = Polynomial.letter(0), Polynomial.letter(1)
>>> (x + y) * (x - y) == x * x - y * y
True
"""

from __future__ import annotations

import math
from collections import Counter
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["ONE", "ZERO", "Monomial", "Polynomial", "without"]

SHORT = 16  # terms that are looked through for a letter
Monomial = tuple[int, ...]  # letters in ascending order, repeated for powers


class Polynomial:
    """An immutable sum of ``coefficient * letter * letter ...``; equal sums are equal values."""

    __slots__ = ("_hash", "_in_order", "_letters", "_places", "terms")

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms = terms
        self._hash: int | None = None
        self._in_order: list[tuple[Monomial, int]] | None = None
        self._letters: frozenset[int] | None = None
        self._places: dict[int, list[Monomial]] | None = None

    @classmethod
    def constant(cls, number: int) -> Polynomial:
        return cls({(): number}) if number else ZERO

    @classmethod
    def letter(cls, letter: int) -> Polynomial:
        return cls({(letter,): 1})

    @classmethod
    def sum_of(cls, terms: Iterable[tuple[Monomial, int]]) -> Polynomial:
        total: dict[Monomial, int] = {}
        for monomial, coefficient in terms:
            total[monomial] = total.get(monomial, 0) + coefficient
        return cls({monomial: c for monomial, c in total.items() if c})

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Polynomial) and self.terms == other.terms)

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __repr__(self) -> str:
        return f"Polynomial({dict(self.terms)})"

    def __iter__(self) -> Iterator[tuple[Monomial, int]]:
        return iter(self.terms.items())

    def __add__(self, other: Polynomial) -> Polynomial:
        if not self.terms:
            return other
        return self._plus(other, 1) if other.terms else self

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -c for monomial, c in self.terms.items()})

    def __sub__(self, other: Polynomial) -> Polynomial:
        if not self.terms:
            return -other
        return self._plus(other, -1) if other.terms else self

    def _plus(self, other: Polynomial, sign: int) -> Polynomial:
        total = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            found = total.get(monomial, 0) + sign * coefficient
            if found:
                total[monomial] = found
            else:
                del total[monomial]
        return Polynomial(total)

    def __mul__(self, other: Polynomial) -> Polynomial:
        if len(other.terms) == 1 and () in other.terms:
            return self.scaled(other.terms[()])
        if len(self.terms) == 1 and () in self.terms:
            return other.scaled(self.terms[()])
        return Polynomial.sum_of(
            (tuple(sorted(m + n)) if m and n else m or n, c * d)
            for m, c in self.terms.items()
            for n, d in other.terms.items()
        )

    def scaled(self, factor: int) -> Polynomial:
        if factor == 1:
            return self
        return Polynomial({m: c * factor for m, c in self.terms.items()}) if factor else ZERO

    def plus(self, number: int) -> Polynomial:
        """The sum with a number."""
        if not number:
            return self
        total = dict(self.terms)
        found = total.get((), 0) + number
        if found:
            total[()] = found
        else:
            del total[()]
        return Polynomial(total)

    @property
    def as_integer(self) -> int | None:
        """The number this is, or None where letters remain."""
        if not self.terms:
            return 0
        return self.terms.get(()) if len(self.terms) == 1 else None

    @property
    def as_letter(self) -> int | None:
        """The letter this is, or None."""
        if len(self.terms) != 1:
            return None
        ((monomial, coefficient),) = self.terms.items()
        return monomial[0] if len(monomial) == 1 and coefficient == 1 else None

    @property
    def letters(self) -> frozenset[int]:
        """The letters that occur."""
        if self._letters is None:
            self._letters = frozenset().union(*self.terms)
        return self._letters

    def in_order(self) -> list[tuple[Monomial, int]]:
        """The terms in ascending order, by which polynomials are put in order."""
        if self._in_order is None:
            self._in_order = sorted(self.terms.items())
        return self._in_order

    def coefficient(self, letter: int) -> Polynomial | None:
        """What multiplies the letter, or None where the letter occurs in a higher power."""
        found = {}
        for monomial in self._with(letter):
            place = monomial.index(letter)
            rest = monomial[:place] + monomial[place + 1 :]
            if letter in rest:
                return None
            found[rest] = self.terms[monomial]
        return Polynomial(found) if found else ZERO

    def _with(self, letter: int) -> list[Monomial]:
        """The monomials in which a letter occurs; long sums are asked for each of their letters."""
        if len(self.terms) <= SHORT:
            return [monomial for monomial in self.terms if letter in monomial]
        if self._places is None:
            self._places = {}
            for monomial in self.terms:
                for each in dict.fromkeys(monomial):
                    self._places.setdefault(each, []).append(monomial)
        return self._places.get(letter, [])

    def without(self, letter: int) -> Polynomial:
        return Polynomial({m: c for m, c in self.terms.items() if letter not in m})

    def replaced(self, letter: int, value: Polynomial) -> Polynomial:
        """The polynomial with another polynomial in place of a letter."""
        kept: dict[Monomial, int] = {}
        total = ZERO
        for monomial, coefficient in self.terms.items():
            power = monomial.count(letter)
            if not power:
                kept[monomial] = coefficient
                continue
            part = Polynomial({tuple(x for x in monomial if x != letter): coefficient})
            for _ in range(power):
                part = part * value
            total = total + part
        return Polynomial(kept) + total

    @property
    def primitive(self) -> Polynomial:
        """The polynomial without what divides every term: ``1 + x`` of ``2*n + 2*n*x``."""
        if not self.terms:
            return self
        shared = reduce(and_, map(Counter, self.terms))
        content = Polynomial({tuple(sorted(shared.elements())): math.gcd(*self.terms.values())})
        return self.divided(content)[0]

    def divided(self, divisor: Polynomial, *, exactly: bool = True) -> tuple[Polynomial, Polynomial]:
        """Quotient and rest by a polynomial, term by term from the largest.

        ``exactly`` takes a term into the quotient only if its coefficient divides; otherwise the
        coefficient is divided towards zero and what is left stays in the rest.
        """
        number = divisor.as_integer
        if number is not None:
            return self._divided_by_integer(number, exactly=exactly)
        lead = max(divisor.terms, key=lambda monomial: (len(monomial), monomial))
        lead_coefficient = divisor.terms[lead]
        quotient, rest, left = ZERO, dict[Monomial, int](), self
        while left:
            monomial = max(left.terms, key=lambda m: (len(m), m))
            coefficient = left.terms[monomial]
            others = without(monomial, lead)
            factor = _truncated(coefficient, lead_coefficient, exactly=exactly)
            if others is None or not factor:
                rest[monomial] = coefficient
                left = left - Polynomial({monomial: coefficient})
                continue
            part = Polynomial({others: factor})
            quotient = quotient + part
            left = left - part * divisor
            remains = left.terms.get(monomial)
            if remains:
                rest[monomial] = remains
                left = left - Polynomial({monomial: remains})
        return quotient, Polynomial(rest)

    def _divided_by_integer(self, divisor: int, *, exactly: bool) -> tuple[Polynomial, Polynomial]:
        quotient, rest = {}, {}
        for monomial, coefficient in self.terms.items():
            factor = _truncated(coefficient, divisor, exactly=exactly)
            if factor:
                quotient[monomial] = factor
            if coefficient - factor * divisor:
                rest[monomial] = coefficient - factor * divisor
        return Polynomial(quotient), Polynomial(rest)


def _truncated(coefficient: int, divisor: int, *, exactly: bool) -> int:
    if exactly and coefficient % divisor:
        return 0
    quotient = abs(coefficient) // abs(divisor)
    return quotient if (coefficient > 0) == (divisor > 0) else -quotient


def without(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    """The letters left after taking out those of the divisor, or None if one is missing."""
    rest = list(monomial)
    for letter in divisor:
        if letter not in rest:
            return None
        rest.remove(letter)
    return tuple(rest)


ZERO = Polynomial({})
ONE = Polynomial({(): 1})

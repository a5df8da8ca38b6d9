"""Quotients of one index seen as its digits, so that ranges do not forget how quotients belong together.

``x - 64*(x // 64)`` is the last digit of ``x`` in base 64: between 0 and 63. As a sum of two
independent terms it could be anything. :meth:`Digits.split` rewrites each chain of quotients
``x, x // a, x // (a*b), ...`` into digits ``(x // a) % b``, which range independently of each other;
:meth:`Digits.join` undoes it. Both are plain linear algebra and exact for symbolic ``a`` and ``b``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.rules.atoms import Atom
from layoutalg.rules.polynomial import ONE, ZERO, Polynomial, without

if TYPE_CHECKING:
    from collections.abc import Iterator

    from layoutalg.rules.atoms import Atoms

__all__ = ["Digits"]


class Digits:
    """The change between quotients and digits, over one table of letters."""

    def __init__(self, atoms: Atoms) -> None:
        self.atoms = atoms
        self.joined: dict[int, Polynomial] = {}
        self._splits: dict[Polynomial, Polynomial] = {}

    def copy(self, atoms: Atoms) -> Digits:
        """The same digits over a copy of the table."""
        found = Digits(atoms)
        found.joined, found._splits = self.joined.copy(), self._splits.copy()
        return found

    def split(self, polynomial: Polynomial) -> Polynomial:
        """The polynomial with quotients of a common index replaced by digits."""
        if polynomial not in self._splits:
            self._splits[polynomial] = self._split(polynomial)
        return self._splits[polynomial]

    def _split(self, polynomial: Polynomial) -> Polynomial:
        chains = self._chains(polynomial)
        # an index made of other quotients must be recognised before these are replaced
        for number, chain in sorted(chains.items(), key=lambda c: -max(c[0].letters, default=-1)):
            polynomial = self._split_chain(polynomial, number, chain)
        return polynomial

    def join(self, polynomial: Polynomial) -> Polynomial:
        """The polynomial with digits written as quotients again."""
        for kind in ("digit", "left"):
            for letter in self.atoms.of_kind(kind, polynomial):
                polynomial = polynomial.replaced(letter, self.joined[letter])
        return polynomial

    def digit(self, number: Polynomial, scale: Polynomial, base: Polynomial) -> Polynomial:
        """The letter of ``(number // scale) % base``."""
        operands = (number, scale, base)
        found = self.atoms.find("digit", operands)
        if found is not None:
            return found
        uniform = all(map(self.atoms.is_uniform, operands))
        return self.atoms.letter(Atom("digit", operands, ZERO, base.plus(-1), uniform))

    def known_digit(self, number: Polynomial, base: Polynomial, value: Polynomial) -> Polynomial:
        """The letter of ``number % base``, of which the value in quotients is known."""
        digit = self.digit(number, ONE, base)
        letter = digit.as_letter
        assert letter is not None
        self.joined.setdefault(letter, value)
        return digit

    def left(self, number: Polynomial, divisor: Polynomial, quotient: int) -> Polynomial:
        """The letter of what a division towards zero leaves."""
        uniform = all(map(self.atoms.is_uniform, (number, divisor)))
        ends = divisor.plus(-1)
        found = self.atoms.letter(Atom("left", (number, divisor), -ends, ends, uniform))
        letter = found.as_letter
        assert letter is not None
        self.joined[letter] = number - divisor * Polynomial.letter(quotient)
        return found

    def _chains(self, polynomial: Polynomial) -> dict[Polynomial, list[tuple[Polynomial, int]]]:
        chains: dict[Polynomial, list[tuple[Polynomial, int]]] = {}
        for letter in self.atoms.of_kind("floor", polynomial):
            number, divisor = self.atoms[letter].operands
            chains.setdefault(number, []).append((divisor, letter))
        for chain in chains.values():
            chain.sort(key=lambda link: (_size(link[0]), link[1]))
        return chains

    def _split_chain(
        self, polynomial: Polynomial, number: Polynomial, chain: list[tuple[Polynomial, int]]
    ) -> Polynomial:
        first_divisor, first = chain[0]
        polynomial = self._take_out(polynomial, number, first_divisor, first)
        scale, letter = first_divisor, first
        for divisor, following in chain[1:]:
            base, rest = divisor.divided(scale)
            if rest:
                continue
            polynomial = self._substitute(polynomial, letter, number, scale, base, following)
            scale, letter = divisor, following
        return polynomial

    def _take_out(
        self, polynomial: Polynomial, number: Polynomial, base: Polynomial, quotient: int
    ) -> Polynomial:
        """Replace multiples of the index itself by ``digit + base*quotient`` where that cancels."""
        letter = number.as_letter
        if letter is not None:
            if letter not in polynomial.letters:
                return polynomial
            return self._substitute(polynomial, letter, number, ONE, base, quotient)
        factor = polynomial.coefficient(quotient)
        if factor is None:
            return polynomial
        for multiple in self._multiples(polynomial, number, -factor.divided(base)[0]):
            after = factor + base * multiple
            if len(after.terms) < len(factor.terms) + 1:
                whole = self._digit_and_rest(number, ONE, base, quotient)
                return polynomial - multiple * number + multiple * whole
        return polynomial

    @staticmethod
    def _multiples(
        polynomial: Polynomial, number: Polynomial, all_at_once: Polynomial
    ) -> Iterator[Polynomial]:
        """How many times the index may occur, judged by its products of letters, the leading one first."""
        by_size = sorted(number.terms, key=lambda m: (len(m), m), reverse=True)
        for lead in by_size if len(all_at_once.terms) > 1 else ():
            wanted = all_at_once * Polynomial({lead: number.terms[lead]})
            if all(polynomial.terms.get(monomial) == coefficient for monomial, coefficient in wanted):
                yield all_at_once
        for lead in by_size:
            for monomial, coefficient in polynomial if lead else ():
                rest = without(monomial, lead)
                if rest is not None and coefficient % number.terms[lead] == 0:
                    yield Polynomial({rest: coefficient // number.terms[lead]})

    def _substitute(
        self,
        polynomial: Polynomial,
        letter: int,
        number: Polynomial,
        scale: Polynomial,
        base: Polynomial,
        quotient: int,
    ) -> Polynomial:
        if letter not in polynomial.letters:
            return polynomial
        whole = self._digit_and_rest(number, scale, base, quotient, Polynomial.letter(letter))
        return polynomial.replaced(letter, whole)

    def _digit_and_rest(
        self,
        number: Polynomial,
        scale: Polynomial,
        base: Polynomial,
        quotient: int,
        value: Polynomial | None = None,
    ) -> Polynomial:
        digit = self.digit(number, scale, base)
        rest = base * Polynomial.letter(quotient)
        letter = digit.as_letter
        assert letter is not None
        self.joined[letter] = (number if value is None else value) - rest
        return digit + rest


def _size(divisor: Polynomial) -> tuple[int, int, list[tuple[int, ...]]]:
    degree = max((len(monomial) for monomial in divisor.terms), default=0)
    return degree, abs(sum(divisor.terms.values())), sorted(divisor.terms)

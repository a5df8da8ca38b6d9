"""What is claimed and what code does in one form, where compilers and layouts divide in different ways.

>>> from layoutalg.codegen.gfx9.lifting.word_formulas import Words
>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> words = Words(NormalForm(Domain.of({"lane": 64, "x": 100})))
>>> form, x = words.form, words.form.symbol("x")
>>> past = form.divided(x, form.integer(90))
>>> inside = words.compared("nonnegative", (-x).plus(89), words.inside)
>>> SameForm(words).of_claim(x + past, inside) == (x, inside)
True
"""

from __future__ import annotations

from collections.abc import Iterable

from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS
from layoutalg.codegen.gfx9.lifting.replacement import replaced_in_guard
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import ZERO, Polynomial

__all__ = ["SameForm"]


class SameForm:
    """The forms of one kernel's places, and of the guards where they are accessed."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._of_code: dict[tuple[Polynomial, int, int], tuple[Polynomial, int]] = {}
        self._nothing: dict[tuple[int, int], bool] = {}

    def of_claim(self, place: Polynomial, valid: int) -> tuple[Polynomial, int]:
        """A claimed place and where it is there, without quotients that are nothing there."""
        letters = self._letters_of(valid) | place.letters
        values = {letter: self._in_small_multiples(letter) for letter in letters}
        none = {letter for letter in letters if self._is_nothing(letter, valid, {letter})}
        values |= {letter: ZERO for letter in none if self._is_nothing(letter, valid, none)}
        return self._with(values, place), self._with_in_guard(values, valid)

    def of_code(self, place: Polynomial, holds: int, there: int) -> tuple[Polynomial, int]:
        """An address and where it is accessed; ``there``: the threads that may access what is claimed."""
        key = place, holds, there
        if key not in self._of_code:
            letters = self._letters_of(holds) | place.letters
            values = {letter: self._in_small_multiples(letter) for letter in letters}
            guard = self._with_in_guard(values, holds)  # what threads past the end do is looked at, too
            none = {letter for letter in place.letters if self._is_nothing(letter, there, {letter})}
            self._of_code[key] = self._with(values | dict.fromkeys(none, ZERO), place), guard
        return self._of_code[key]

    @staticmethod
    def _with(values: dict[int, Polynomial], place: Polynomial) -> Polynomial:
        for letter in values.keys() & place.letters:
            if values[letter].as_letter != letter:
                place = place.replaced(letter, values[letter])
        return place

    def _with_in_guard(self, values: dict[int, Polynomial], guard: int) -> int:
        changed = {letter: value for letter, value in values.items() if value.as_letter != letter}
        return replaced_in_guard(self.words, guard, changed) if changed else guard

    def _in_small_multiples(self, letter: int) -> Polynomial:
        """A quotient without whole parts: ``(8*x - 29*y) // 5`` is ``x - 6*y + (3*x + y) // 5``."""
        atom, form = self.words.form.atoms[letter], self.words.form
        size = atom.operands[1].as_integer if atom.kind == "floor" else None
        if size is None or all(0 <= c < size for _, c in atom.operands[0]):
            return Polynomial.letter(letter)
        whole = Polynomial({m: c // size for m, c in atom.operands[0] if c // size})
        return whole + form.divided(atom.operands[0] - whole.scaled(size), form.integer(size))

    def _letters_of(self, guard: int) -> frozenset[int]:
        """The letters of what a guard compares."""
        guards = self.words.guards
        asked = (guards.variables[number] for number in guards.support(guard))
        numbers = (number for one in asked if isinstance(one, Condition) for number in one.polynomials())
        return frozenset().union(*(number.letters for number in numbers))

    def _is_nothing(self, letter: int, inside: int, others: Iterable[int]) -> bool:
        """Whether a letter is a quotient that is 0 inside, by what is said there without these others.

        Threads past the end of an axis alone have such quotients: compilers know of none.
        """
        atom, guards = self.words.form.atoms[letter], self.words.guards
        if atom.kind != "floor":
            return False
        said = ALWAYS
        for number, value in guards.literals(inside):
            holds = guards.of(guards.variables[number])
            if self._letters_of(holds).isdisjoint(others):
                said = guards.both(said, holds if value else guards.opposite(holds))
        if (letter, said) not in self._nothing:
            number, divisor = atom.operands
            with self.words.under(said):
                ends = number, divisor - number.plus(1)
                self._nothing[letter, said] = all(map(self.words.ranges.is_shown, ends))
        return self._nothing[letter, said]

"""The letters of a kernel's formulas: named ones, and unknown values that are no formula.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> letters = Letters(NormalForm(Domain.of({"lane": 64})))
>>> loaded = letters.unknown("loaded", (letters.lane,), 0, 255)
>>> letters.unknown("loaded", (letters.lane,), 0, 255) == loaded, len(letters.bases(loaded + letters.lane))
(True, 2)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

import sympy

from layoutalg.codegen.gfx9.lifting.lane_guards import Guards, Lanes, OpaqueCondition
from layoutalg.rules.atoms import Atom
from layoutalg.rules.condition import Condition
from layoutalg.rules.normal_form import NormalForm
from layoutalg.rules.polynomial import Polynomial

__all__ = ["Letters", "Opaque", "is_case"]


PLACES = ("lane", "wave", "workgroup_x", "workgroup_y", "workgroup_z")


@dataclass(frozen=True)
class Opaque:
    """What a letter stands for that is no formula: how it came to be, from what."""

    name: str
    operands: tuple[object, ...]
    place: int


def is_case(operand: object) -> TypeGuard[tuple[int, Polynomial]]:
    """Whether an operand of something opaque is a guard with a polynomial."""
    return (
        isinstance(operand, tuple)
        and len(operand) == 2
        and isinstance(operand[0], int)
        and isinstance(operand[1], Polynomial)
    )


class Letters:
    """The letters over one normal form, and the guards over conditions on them.

    ``opaque``: what letters stand for that are no formula; ``truths``: letters that are 1 where a guard
    holds, else 0; ``place``: the instruction that is executed, ``turns`` the letters of loops around it.
    """

    def __init__(self, form: NormalForm) -> None:
        self.form = form
        self.guards = Guards()
        self.lane: Polynomial = form.symbol("lane")
        self.place = -1
        self.turns: tuple[Polynomial, ...] = ()
        self.opaque: dict[int, Opaque] = {}
        self.truths: dict[int, int] = {}
        self._opaque_letters: dict[tuple[object, ...], Polynomial] = {}
        self._bases: dict[int, frozenset[int]] = {}

    def letter(
        self,
        name: str,
        low: Polynomial | None,
        high: Polynomial | None,
        *,
        is_size: bool = False,
        multiple_of: int = 1,
        more_highs: tuple[Polynomial, ...] = (),
    ) -> Polynomial:
        """A letter with a name of its own, within these ends (all included), of which several may be high."""
        symbol = sympy.Symbol(name, integer=True)
        kind = "parameter" if is_size else "axis"
        atom = Atom(kind, (name,), low, high, is_size, symbol, multiple_of, more_uppers=more_highs)
        return self.form.atoms.letter(atom)

    def here(self, *, by_lane: bool = True) -> tuple[object, ...]:
        """What an unknown value may depend on: turns of loops, lane, wave and workgroup."""
        names = PLACES if by_lane else PLACES[1:]
        return (*self.turns, *(self.form.symbol(name) for name in names))

    def unknown(self, name: str, operands: tuple[object, ...], low: int, high: int) -> Polynomial:
        """A letter for what an operation gives of operands that is no formula; equal ones share it."""
        key = (name, operands, low, high)
        found = self._opaque_letters.get(key)
        if found is None:
            number = len(self._opaque_letters)
            ends = Polynomial.constant(low), Polynomial.constant(high)
            found = self.letter(f"{name}.{number}", *ends)
            self._opaque_letters[key] = found
            letter = found.as_letter
            assert letter is not None
            self.opaque[letter] = Opaque(name, operands, self.place)
        return found

    def is_longer(self, polynomial: Polynomial, most: int) -> bool:
        """Whether it has more terms than these, with those of all that its letters are operations on."""
        seen: set[int] = set()
        waiting, left = [polynomial], most
        while waiting and left >= 0:
            part = waiting.pop()
            left -= len(part.terms)
            for letter in part.letters - seen:
                seen.add(letter)
                waiting += [p for p in self.form.atoms[letter].operands if isinstance(p, Polynomial)]
        return left < 0

    def bases(self, polynomial: Polynomial) -> frozenset[int]:
        """The letters that are no operations, of which a polynomial is made."""
        return frozenset().union(*(self.bases_of(letter) for letter in polynomial.letters))

    def bases_of(self, letter: int) -> frozenset[int]:
        """The letters that are no operations, of which a letter is made."""
        found = self._bases.get(letter)
        if found is None:
            if letter in self.truths:
                found = self.bases_of_guard(self.truths[letter]) | {letter}
            elif letter in self.opaque:
                found = self._bases_within(self.opaque[letter].operands) | {letter}
            elif self.form.atoms[letter].kind in ("axis", "parameter"):
                found = frozenset({letter})
            else:
                found = self._bases_within(self.form.atoms[letter].operands)
            self._bases[letter] = found
        return found

    def _bases_within(self, operands: object) -> frozenset[int]:
        if isinstance(operands, Polynomial):
            return self.bases(operands)
        if isinstance(operands, Condition):
            return self._bases_within(operands.parts)
        if isinstance(operands, Lanes):
            return self.bases_of_guard(operands.guard)
        if is_case(operands):
            return self.bases_of_guard(operands[0]) | self.bases(operands[1])
        if isinstance(operands, OpaqueCondition):
            return self._bases_within(operands.operands)
        if isinstance(operands, tuple):
            return frozenset().union(*map(self._bases_within, operands))
        return frozenset()

    def bases_of_guard(self, guard: int) -> frozenset[int]:
        """The letters that a guard's conditions are made of."""
        variables = (self.guards.variables[number] for number in self.guards.support(guard))
        return frozenset().union(*map(self._bases_within, variables))

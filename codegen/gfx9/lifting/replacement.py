"""Other values in place of letters: inside of operations, guards and unknowns too."""

from __future__ import annotations

from collections.abc import Mapping

from layoutalg.codegen.gfx9.lifting.formula_letters import is_case
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, ANY, Lanes, OpaqueCondition, Variable
from layoutalg.codegen.gfx9.lifting.word_formulas import Value, Words, Wrap
from layoutalg.rules.polynomial import ZERO, Polynomial

__all__ = ["Rebuilt", "Replacement", "replaced", "replaced_in_guard"]

WORD = 2**32


def replaced(words: Words, polynomial: Polynomial, values: Mapping[int, Polynomial]) -> Polynomial:
    """The polynomial with others in place of letters."""
    return Replacement(words, values).of(polynomial)


def replaced_in_guard(words: Words, guard: int, values: Mapping[int, Polynomial]) -> int:
    """The guard with other values in place of letters."""
    return Replacement(words, values).of_guard(guard)


class Replacement:
    """Other values in place of letters, all at once; what was replaced already is kept."""

    def __init__(self, words: Words, values: Mapping[int, Polynomial]) -> None:
        self.words = words
        self.values = values
        self._done: dict[int, Polynomial] = dict(values)
        self._guards: dict[int, int] = {}
        self._variables: dict[int, int] = {}
        self._is_changed = frozenset(values)

    def _is_to_change(self, letter: int) -> bool:
        return letter in self.values or bool(self.words.bases_of(letter) & self._is_changed)

    def of(self, polynomial: Polynomial) -> Polynomial:
        """The polynomial with the values in place."""
        total = ZERO
        changed = {letter for letter in polynomial.letters if self._is_to_change(letter)}
        if not changed:
            return polynomial
        for monomial, coefficient in polynomial:
            part = Polynomial.constant(coefficient)
            for letter in monomial:
                part = part * (self._letter(letter) if letter in changed else Polynomial.letter(letter))
            total = total + part
        return total

    def of_value(self, value: Value) -> Value:
        """Every case with the values in place, in its guard too."""
        return tuple((self.of_guard(holds), self.of(polynomial)) for holds, polynomial in value)

    def _letter(self, letter: int) -> Polynomial:
        found = self._done.get(letter)
        if found is None:
            found = self._computed(letter)
            self._done[letter] = found
            wrap = self.words.wraps.get(letter)
            if wrap is not None:
                for new in found.letters:
                    if self.words.form.atoms[new].kind == "floor":
                        self.words.wraps.setdefault(
                            new, Wrap(self.of(wrap.number), wrap.low, wrap.high, wrap.place)
                        )
        return found

    def _computed(self, letter: int) -> Polynomial:
        words, form = self.words, self.words.form
        atom = form.atoms[letter]
        if letter in words.truths:
            return words.truth(self.of_guard(words.truths[letter]))
        if letter in words.opaque:
            known = words.opaque[letter]
            return words.unknown(known.name, self._inside(known.operands), 0, self._most(letter))
        operands = tuple(self.of(part) if isinstance(part, Polynomial) else part for part in atom.operands)
        if atom.kind in ("xor", "and") and not all(map(words.ranges.is_shown, operands)):
            return words.unknown(atom.kind, operands, 0, self._most(letter))
        match atom.kind:
            case "floor":
                return words.ranges.quotient(*operands)
            case "xor":
                found = operands[0]
                for other in operands[1:]:
                    found = form.bit_xor(found, other)
                return found
            case "and":
                return form.bit_and(*operands)
            case "min":
                return form.minimum(*operands)
        return words.unknown(atom.kind, operands, 0, self._most(letter))

    def _most(self, letter: int) -> int:
        """The largest value of a letter that is no formula: a word, or a pair of them."""
        high = self.words.form.bounds.interval(Polynomial.letter(letter)).high
        return high if isinstance(high, int) else WORD - 1

    def _inside(self, operands: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(self._part(part) for part in operands)

    def _part(self, part: object) -> object:
        if isinstance(part, Polynomial):
            return self.of(part)
        if isinstance(part, Lanes):
            return Lanes(self.of_guard(part.guard))
        if is_case(part):
            return self.of_guard(part[0]), self.of(part[1])
        if isinstance(part, tuple):
            return self._inside(part)
        return part

    def of_guard(self, guard: int) -> int:
        """The guard with the values in place."""
        return self.words.guards.mapped(guard, self._variable, self._guards)

    def _variable(self, number: int) -> int:
        found = self._variables.get(number)
        if found is None:
            found = self._variables[number] = self._condition(self.words.guards.variables[number])
        return found

    def _condition(self, variable: Variable) -> int:
        guards = self.words.guards
        if isinstance(variable, OpaqueCondition):
            operands = self._inside(variable.operands)
            found = guards.of(OpaqueCondition(variable.name, operands, variable.is_uniform))
            if variable.name == ANY and operands != variable.operands:
                (lanes,) = operands
                assert isinstance(lanes, Lanes)
                guards.assume(guards.either(guards.opposite(lanes.guard), found))
            return found
        (polynomial,) = variable.polynomials()
        if variable.kind == "nonnegative":
            return self.words.compared("nonnegative", self.of(polynomial), ALWAYS)
        return guards.opposite(self.words.compared("zero", self.of(polynomial), ALWAYS))


class Rebuilt(Replacement):
    """The same polynomials, every operation done anew with the facts that are taken at the moment."""

    def __init__(self, words: Words) -> None:
        super().__init__(words, {})

    def _is_to_change(self, letter: int) -> bool:
        return self.words.form.atoms[letter].kind in ("floor", "min", "xor", "and")

"""The numbers that formulas are: letters get values, lane by lane, and everything made of them is computed.

Plain whole numbers without end, operation by operation; nothing of the algebra that made the formula is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.lifting.formula_letters import Letters
from layoutalg.codegen.gfx9.lifting.lane_guards import ANY, Lanes, OpaqueCondition
from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import Monomial, Polynomial

__all__ = ["FITS", "LANES", "LaneValues", "Numbers", "OpaqueLetterError"]

LANES = 64
FITS = 1 << 62  # sums below it are those of words of 64 bits
LaneValues = NDArray[Any]


class OpaqueLetterError(Exception):
    """A letter that is no formula and has no value."""


class Numbers:
    """Values of polynomials and guards for the 64 lanes of a wave, where each named letter has one.

    ``values``: by name, a number or one for each lane; ``lane`` is there already. Given ``lane`` too, values
    are of so many points as that has; whole waves lie one after the other.
    """

    def __init__(
        self, letters: Letters, values: Mapping[str, Any], known: Mapping[int, Any] | None = None
    ) -> None:
        self.letters = letters
        self.values = {"lane": np.arange(LANES).astype(object), **values}
        self.size = len(self.values["lane"])
        self._done: dict[int, LaneValues] = {k: self._spread(v) for k, v in (known or {}).items()}
        self._guards: dict[int, NDArray[np.bool_]] = {}
        self._products: dict[Monomial, tuple[LaneValues, int]] = {}

    def _spread(self, value: Any) -> LaneValues:
        return (
            np.full(self.size, int(value), dtype=object)
            if np.ndim(value) == 0
            else np.asarray(value, dtype=object)
        )

    def of(self, polynomial: Polynomial) -> LaneValues:
        """The value of a polynomial in each lane."""
        total = np.zeros(self.size, dtype=object)
        for monomial, coefficient in polynomial:
            part: Any = coefficient
            for letter in monomial:
                part = part * self.letter(letter)
            total = total + part
        return total

    def total(self, terms: Mapping[Monomial, int], chosen: Any = ...) -> LaneValues:
        """The same for sums of products, at chosen points: in words of 64 bits where all parts fit these."""
        parts = [(coefficient, *self._product(monomial)) for monomial, coefficient in terms.items()]
        fits = sum(abs(coefficient) * max(most, 1) for coefficient, _, most in parts) < FITS
        found: LaneValues = np.zeros(self.size, dtype=np.int64 if fits else object)[chosen]
        for coefficient, values, _ in parts:
            found = found + coefficient * (values if fits else values.astype(object))[chosen]
        return found

    def _product(self, letters: Monomial) -> tuple[LaneValues, int]:
        """The values of a product, in words where they fit, and how large they get."""
        if letters not in self._products:
            found = np.ones(self.size, dtype=object)
            for letter in letters:
                found = found * self.letter(letter)
            most = int(np.abs(found).max())
            self._products[letters] = (found.astype(np.int64) if most < FITS else found), most
        return self._products[letters]

    def letter(self, number: int) -> LaneValues:
        """The value of a letter in each lane."""
        found = self._done.get(number)
        if found is None:
            found = self._done[number] = self._computed(number)
        return found

    def _computed(self, number: int) -> LaneValues:
        atom = self.letters.form.atoms[number]
        if number in self.letters.truths:
            return self.guard(self.letters.truths[number]).astype(int).astype(object)
        if atom.kind in ("axis", "parameter"):
            (name,) = atom.operands
            if name not in self.values:
                raise OpaqueLetterError(name)
            return self._spread(self.values[name]) // atom.multiple_of
        if atom.kind == "select":
            condition, first, second = atom.operands
            return np.where(self._condition(condition), self.of(first), self.of(second))
        parts = [self.of(part) for part in atom.operands]
        match atom.kind:
            case "floor":
                is_made = parts[1] != 0  # elsewhere it stands in a case that is not taken
                return np.where(is_made, parts[0] // np.where(is_made, parts[1], 1), 0)
            case "min":
                return np.minimum(*parts)
            case "power_of_two":
                return np.array([1 << int(n) for n in parts[0]], dtype=object)
            case "xor" | "and":
                found = parts[0]
                for other in parts[1:]:
                    found = found ^ other if atom.kind == "xor" else found & other
                return found
        raise OpaqueLetterError(atom.kind)

    def guard(self, guard: int) -> NDArray[np.bool_]:
        """Where a guard holds."""
        found = self._guards.get(guard)
        if found is None:
            table = self.letters.guards
            if guard in (0, 1):
                found = np.full(self.size, bool(guard))
            else:
                variable, low, high = table.node(guard)
                holds = self._holds(table.variables[variable])
                if holds.all():
                    found = self.guard(high)
                elif not holds.any():
                    found = self.guard(low)
                else:
                    found = np.where(holds, self.guard(high), self.guard(low))
            self._guards[guard] = found
        return found

    def _holds(self, variable: Condition | OpaqueCondition) -> NDArray[np.bool_]:
        if isinstance(variable, Condition):
            return self._condition(variable)
        if variable.name == ANY:
            (lanes,) = variable.operands
            assert isinstance(lanes, Lanes)
            waves = np.asarray(self.values["lane"]).reshape(-1, LANES) if self.size % LANES == 0 else None
            if waves is not None and (waves == np.arange(LANES)).all():
                return np.repeat(self.guard(lanes.guard).reshape(-1, LANES).any(axis=1), LANES)
        raise OpaqueLetterError(variable.name)

    def _condition(self, condition: Condition) -> NDArray[np.bool_]:
        if condition.kind in ("true", "false"):
            return np.full(self.size, condition.kind == "true")
        if condition.kind in ("and", "or"):
            parts = [self._condition(part) for part in condition.parts if isinstance(part, Condition)]
            join = np.logical_and if condition.kind == "and" else np.logical_or
            return np.asarray(join.reduce(parts))
        values = self.total(condition.polynomials()[0].terms)
        compared = {"nonnegative": values >= 0, "zero": values == 0, "nonzero": values != 0}[condition.kind]
        return np.asarray(compared).astype(bool)

"""Lifted formulas as SymPy expressions, and the domain that their letters range over."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr

from layoutalg.codegen.gfx9.lifting.formula_numbers import OpaqueLetterError
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, NEVER
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.domain import Domain, Variable
from layoutalg.index import BitAnd, BitXor, FloorDiv, Min, Select, ShiftLeft
from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import Polynomial

__all__ = ["Expressions"]


class Expressions:
    """The expressions of one kernel. What is no formula is refused: :class:`OpaqueLetterError`."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._letters: dict[int, Any] = {}
        self._variables: dict[str, Variable] = {}

    def of(self, polynomial: Polynomial) -> Expr:
        """A polynomial as a SymPy expression."""
        return sympy.Add(*(self._product(list(m), coefficient) for m, coefficient in polynomial))

    def _product(self, letters: list[int], coefficient: int) -> Expr:
        """A monomial; a part of a size comes as the size where the coefficient has the rest."""
        factors = []
        for letter in letters:
            times = self.words.form.atoms[letter].multiple_of
            if times > 1 and coefficient % times == 0:
                coefficient //= times
                factors.append(self._named(letter).symbol)
            else:
                factors.append(self._letter(letter))
        return sympy.Mul(sympy.Integer(coefficient), *factors)

    def _letter(self, letter: int) -> Any:
        if letter not in self._letters:
            self._letters[letter] = self._made(letter)
        return self._letters[letter]

    def _made(self, letter: int) -> Any:
        words, atom = self.words, self.words.form.atoms[letter]
        if letter in words.truths:
            holds = self.truth(words.truths[letter])
            return Select.unchecked(holds, sympy.Integer(1), sympy.Integer(0))
        if letter in words.opaque:
            raise OpaqueLetterError(words.opaque[letter].name)
        if atom.kind in ("axis", "parameter"):
            size = self._named(letter)
            whole = size.symbol
            return (
                whole if atom.multiple_of == 1 else FloorDiv.unchecked(whole, sympy.Integer(atom.multiple_of))
            )
        if atom.kind == "select":
            condition, first, second = atom.operands
            return Select.unchecked(self._condition(condition), self.of(first), self.of(second))
        parts = [self.of(part) for part in atom.operands if isinstance(part, Polynomial)]
        match atom.kind:
            case "floor":
                return FloorDiv.unchecked(*parts)
            case "min":
                return Min.unchecked(*parts)
            case "power_of_two":
                return ShiftLeft.unchecked(sympy.Integer(1), *parts)
            case "xor" | "and":
                kind = BitXor if atom.kind == "xor" else BitAnd
                found = parts[0]
                for part in parts[1:]:
                    found = kind.unchecked(found, part)
                return found
        raise OpaqueLetterError(atom.kind)

    def _named(self, letter: int) -> Variable:
        """An axis or a parameter, of which the letter is a part; noted."""
        atom, domain = self.words.form.atoms[letter], self.words.form.domain
        (name,) = atom.operands
        if name in domain.names:
            variable = domain.variable(name)
        else:
            lower, upper = (None if end is None else self.of(end) for end in (atom.lower, atom.upper))
            assert atom.symbol is not None
            end = None if upper is None else upper + 1
            variable = Variable(atom.symbol, lower, end)
        self._variables[name] = variable
        return variable

    def domain(self, *expressions: Any) -> Domain:
        """What the letters of expressions can be: ends, and the facts that are known of sizes."""
        known = self.words.form.domain
        axes = [v for v in self._variables.values() if v.name not in known.names]
        whole = Domain((*known.axes, *axes, *known.parameters), known.facts)
        return whole.about(*expressions)

    def truth(self, guard: int) -> Any:
        """A guard as a SymPy condition."""
        if guard in (ALWAYS, NEVER):
            return sympy.true if guard == ALWAYS else sympy.false
        condition = self.words.guards.condition(guard)
        if condition is None:
            raise OpaqueLetterError("condition")
        return self._condition(condition)

    def _condition(self, condition: Condition) -> Any:
        if condition.is_decided:
            return sympy.true if condition.kind == "true" else sympy.false
        if condition.kind in ("and", "or"):
            parts = [self._condition(part) for part in condition.parts if isinstance(part, Condition)]
            return (sympy.And if condition.kind == "and" else sympy.Or)(*parts)
        value = self.of(condition.polynomials()[0])
        match condition.kind:
            case "nonnegative":
                return sympy.Ge(value, 0, evaluate=False)
            case "zero":
                return sympy.Eq(value, 0, evaluate=False)
        return sympy.Ne(value, 0, evaluate=False)

"""Questions that facts and ranges leave open, asked of the provers: does one guard hold wherever another does?

Formulas become SymPy expressions over a domain that says what each letter can be. An answer of "no" means
that it was not shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Expr

from layoutalg.claim import Claim, Comparison
from layoutalg.codegen.gfx9.lifting.formula_numbers import OpaqueLetterError
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, NEVER
from layoutalg.codegen.gfx9.lifting.replacement import Rebuilt
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.domain import Domain, Variable
from layoutalg.index import BitAnd, BitXor, FloorDiv, Min, Select, ShiftLeft
from layoutalg.proofs.limits import Limits
from layoutalg.proofs.members.by_normal_form import prove_by_normal_form
from layoutalg.proofs.members.by_solver import prove_with_z3_integers
from layoutalg.rules.condition import Condition
from layoutalg.rules.polynomial import Polynomial

__all__ = ["ProverQuestions"]

LIMITS = Limits(z3=1_000_000)
MEMBERS = (prove_by_normal_form, prove_with_z3_integers)  # a claim that nothing is a counterexample


class ProverQuestions:
    """Questions about the formulas of one kernel; answers are kept."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._letters: dict[int, Any] = {}
        self._answers: dict[tuple[int, int], bool] = {}
        self._variables: dict[str, Variable] = {}

    def implied(self, inside: int, guard: int) -> bool:
        """Whether a guard holds wherever ``inside`` does."""
        guards = self.words.guards
        if guards.implies(inside, guard):
            return True
        guard = guards.given(guard, inside)
        about = self._about(inside, guard)
        return self._answered(about, guard) or (about != inside and self._answered(inside, guard))

    def _answered(self, inside: int, guard: int) -> bool:
        key = inside, guard
        if key not in self._answers:
            self._answers[key] = self._by_facts(*key) or self._asked(*key)
        return self._answers[key]

    def _about(self, inside: int, guard: int) -> int:
        """What a guard says in one breath and of nothing but what another one speaks of.

        Less is assumed, and questions that differ in nothing else are one question.
        """
        words, guards, found = self.words, self.words.guards, ALWAYS
        bases = words.bases_of_guard(guard)
        for number, value in guards.literals(inside):
            variable = guards.variables[number]
            holds = guards.of(variable)
            if words.bases_of_guard(holds) <= bases:
                found = guards.both(found, holds if value else guards.opposite(holds))
        return found

    def _by_facts(self, inside: int, guard: int) -> bool:
        """Whether every comparison of the guard follows from what ``inside`` says."""
        with self.words.under(inside):
            return all(map(self._is_shown, _parts(self.words.guards.condition(guard))))

    def _is_shown(self, condition: Condition | None) -> bool:
        if condition is None or condition.kind not in ("nonnegative", "true"):
            return False
        if condition.kind == "true":
            return True
        return self.words.ranges.is_shown(Rebuilt(self.words).of(condition.polynomials()[0]))

    def _asked(self, inside: int, guard: int) -> bool:
        try:
            given, wanted = self._truth(inside), self._truth(guard)
        except OpaqueLetterError:
            return False
        domain = self._domain(given, wanted)
        never = Comparison(sympy.Integer(0), "==", sympy.Integer(1))
        claim = Claim("holds", "guard", domain, (never,), (given, sympy.Not(wanted)))
        return any(member(claim, LIMITS) for member in MEMBERS)

    # --- formulas as expressions

    def expression(self, polynomial: Polynomial) -> Expr:
        """A polynomial as a SymPy expression."""
        return sympy.Add(*(self._product(list(m), coefficient) for m, coefficient in polynomial))

    def _product(self, letters: list[int], coefficient: int) -> Expr:
        """A monomial; a letter that is a part of a size comes as the size where the coefficient has the rest."""
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
            holds = self._truth(words.truths[letter])
            return Select.unchecked(holds, sympy.Integer(1), sympy.Integer(0))
        if letter in words.opaque:
            raise OpaqueLetterError(words.opaque[letter].name)
        if atom.kind in ("axis", "parameter"):
            size = self._named(letter)
            whole = size.symbol
            return whole if atom.multiple_of == 1 else FloorDiv.unchecked(whole, sympy.Integer(atom.multiple_of))
        if atom.kind == "select":
            condition, first, second = atom.operands
            return Select.unchecked(self._condition(condition), self.expression(first), self.expression(second))
        parts = [self.expression(part) for part in atom.operands if isinstance(part, Polynomial)]
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
            lower, upper = (None if end is None else self.expression(end) for end in (atom.lower, atom.upper))
            assert atom.symbol is not None
            end = None if upper is None else upper + 1
            variable = Variable(atom.symbol, lower, end)
        self._variables[name] = variable
        return variable

    def _domain(self, *expressions: Any) -> Domain:
        """What the letters of expressions can be: ends, and the facts that are known of sizes."""
        known = self.words.form.domain
        axes = [v for v in self._variables.values() if v.name not in known.names]
        whole = Domain((*known.axes, *axes, *known.parameters), known.facts)
        return whole.about(*expressions)

    def _truth(self, guard: int) -> Any:
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
        value = self.expression(condition.polynomials()[0])
        match condition.kind:
            case "nonnegative":
                return sympy.Ge(value, 0, evaluate=False)
            case "zero":
                return sympy.Eq(value, 0, evaluate=False)
        return sympy.Ne(value, 0, evaluate=False)


def _parts(condition: Condition | None) -> Iterator[Condition | None]:
    """The comparisons that all have to hold."""
    if condition is None or condition.kind != "and":
        yield condition
        return
    for part in condition.parts:
        assert isinstance(part, Condition)
        yield from _parts(part)

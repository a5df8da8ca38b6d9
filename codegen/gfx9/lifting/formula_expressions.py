"""Lifted formulas as SymPy expressions, and the domain that their letters range over."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr

from layoutalg.codegen.gfx9.lifting.formula_numbers import OpaqueLetterError
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, NEVER
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.domain import Domain, Variable
from layoutalg.index import Select
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.rules.atoms import Atom
from layoutalg.rules.condition import Condition
from layoutalg.rules.extract import Extraction
from layoutalg.rules.polynomial import Polynomial
from layoutalg.term import Term, interpret_term

__all__ = ["Expressions"]


class Expressions:
    """The expressions of one kernel. What is no formula is refused: :class:`OpaqueLetterError`."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._extraction = Extraction(words.form, budget=0)  # the first way of writing it
        self._names: dict[str, Any] = {}
        self._variables: dict[str, Variable] = {}

    def of(self, polynomial: Polynomial) -> Expr:
        """A polynomial as a SymPy expression."""
        found: Expr = self._interpreted(self._extraction.term(polynomial))
        return found

    def truth(self, guard: int) -> Any:
        """A guard as a SymPy condition."""
        if guard in (ALWAYS, NEVER):
            return sympy.true if guard == ALWAYS else sympy.false
        condition = self.words.guards.condition(guard)
        if condition is None:
            raise OpaqueLetterError("condition")
        return self.condition(condition)

    def condition(self, condition: Condition) -> Any:
        """A condition as a SymPy condition."""
        return self._interpreted(self._extraction.condition(condition))

    def _interpreted(self, term: Term) -> Any:
        return interpret_term(term, SYMBOLIC, self._named)

    def _named(self, name: str) -> Any:
        """What a name stands for; refused where an axis and a size share it: neither is meant for sure."""
        if all(self.words.form.atoms.find(kind, (name,)) is not None for kind in ("axis", "parameter")):
            raise OpaqueLetterError(name)
        if name not in self._names:
            self._names[name] = self._made(name)
        return self._names[name]

    def _made(self, name: str) -> Any:
        """The symbol of a name, noted as a variable; of a truth the selection that it is."""
        words, atoms = self.words, self.words.form.atoms
        if name in words.form.domain.names:
            self._variables[name] = words.form.domain.variable(name)
            return self._variables[name].symbol
        found = (atoms.find(kind, (name,)) for kind in ("axis", "parameter"))
        number = next(one.as_letter for one in found if one is not None)
        assert number is not None
        if number in words.truths:
            holds = self.truth(words.truths[number])
            return Select.unchecked(holds, sympy.Integer(1), sympy.Integer(0))
        if number in words.opaque:
            raise OpaqueLetterError(words.opaque[number].name)
        self._variables[name] = self._variable(atoms[number])
        return self._variables[name].symbol

    def _variable(self, atom: Atom) -> Variable:
        """A letter that the domain does not declare, such as the turns of a loop, with its ends."""
        lower, upper = (None if end is None else self.of(end) for end in (atom.lower, atom.upper))
        assert atom.symbol is not None
        return Variable(atom.symbol, lower, None if upper is None else upper + 1)

    def domain(self, *expressions: Any) -> Domain:
        """What the letters of expressions can be: ends, and the facts that are known of sizes."""
        known = self.words.form.domain
        axes = [v for v in self._variables.values() if v.name not in known.names]
        return Domain((*known.axes, *axes, *known.parameters), known.facts).about(*expressions)

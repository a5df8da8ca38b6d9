"""Questions that facts and ranges leave open, asked of the provers: does a guard hold where another does.

Formulas become SymPy expressions over a domain that says what each letter can be. An answer of "no" means
that it was not shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Protocol

import sympy

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.gfx9.lifting.formula_expressions import Expressions
from layoutalg.codegen.gfx9.lifting.formula_numbers import OpaqueLetterError
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS, ANY, NEVER, Lanes, OpaqueCondition
from layoutalg.codegen.gfx9.lifting.replacement import Rebuilt
from layoutalg.codegen.gfx9.lifting.without_lanes import without_lanes
from layoutalg.codegen.gfx9.lifting.word_formulas import Words
from layoutalg.domain.probes import has_point
from layoutalg.errors import LayoutError, NoPointError
from layoutalg.rules.condition import Condition
from layoutalg.verdict import Verdict

__all__ = ["Prove", "ProverQuestions"]

MEMBERS = "few points", "z3 integers", "normal form"  # whether nothing is left; what takes longest is last


class Prove(Protocol):
    """A prover of claims; ``members``: which of its ways to decide are tried."""

    def __call__(self, claim: Claim, /, *, members: Sequence[str] = ..., shrinks: bool = ...) -> Verdict: ...


class ProverQuestions:
    """Questions about the formulas of one kernel; answers are kept.

    ``prove``: a prover of claims; without one nothing is shown beyond ranges and facts.
    """

    def __init__(self, words: Words, prove: Prove | None) -> None:
        self.words = words
        self.prove = prove
        self.expressions = Expressions(words)
        self._answers: dict[tuple[int, int], bool] = {}
        self._asked_before: dict[tuple[Condition, ...], bool] = {}

    def implied(self, inside: int, guard: int) -> bool:
        """Whether a guard holds wherever ``inside`` does."""
        guards = self.words.guards
        if guards.implies(inside, guard):
            return True
        guard = self._of_this_lane(self._without_implied(guards.given(guard, inside), inside))
        about = self._about(inside, guard)
        return self._answered(about, guard) or (about != inside and self._answered(inside, guard))

    def is_never(self, guard: int) -> bool:
        """Whether a guard says that no lane is there of which one is, or is shown to hold nowhere.

        What a wave goes past with no lane in it, no lane uses later: registers that were not set there.
        """
        guards, inside = self.words.guards, ALWAYS
        for number, value in guards.literals(guard):
            alone = guards.of(guards.variables[number])
            inside = guards.both(inside, alone if value else guards.opposite(alone))
        for number in guards.support(guard):
            variable = guards.variables[number]
            if not isinstance(variable, OpaqueCondition) or variable.name != ANY:
                continue
            if self._is_one(inside, variable):
                guard = guards.given(guard, guards.of(variable))
        return self.implied(guard, NEVER)

    def _without_implied(self, guard: int, inside: int) -> int:
        """The guard without what laws say of it inside: that some lane is there, where this one is.

        Laws speak of comparisons as they stand; those of the guard that numbers show are taken with them.
        """
        guards, given = self.words.guards, inside
        literals = [(number, value, guards.variables[number]) for number, value in guards.literals(guard)]
        if not any(isinstance(variable, OpaqueCondition) for *_, variable in literals):
            return guard
        for number, value, variable in sorted(literals, key=lambda one: isinstance(one[2], OpaqueCondition)):
            holds = guards.of(variable) if value else guards.opposite(guards.of(variable))
            if isinstance(variable, OpaqueCondition):
                is_shown = value and variable.name == ANY and self._is_one(given, variable)
            else:
                is_shown = self._by_facts(inside, holds)
            if is_shown or guards.implies(inside, holds):
                inside, guard = guards.both(inside, holds), guards.with_variable(guard, number, value)
        return guard

    def _of_this_lane(self, guard: int) -> int:
        """A guard that is no wider: that this lane is one of those of which it asks for some lane."""
        guards = self.words.guards
        for number in guards.support(guard):
            variable = guards.variables[number]
            if not isinstance(variable, OpaqueCondition) or variable.name != ANY:
                continue
            lanes = [one.guard for one in variable.operands if isinstance(one, Lanes)]
            if len(lanes) == len(variable.operands):
                some, none = (guards.with_variable(guard, number, value) for value in (True, False))
                guard = guards.chosen(reduce(guards.both, lanes), some, guards.both(some, none))
        return guard

    def _is_one(self, inside: int, some: OpaqueCondition) -> bool:
        """Whether a lane that is inside is one of those of which some must be there."""
        return all(isinstance(one, Lanes) and self.implied(inside, one.guard) for one in some.operands)

    def _answered(self, inside: int, guard: int) -> bool:
        key = inside, guard
        if key not in self._answers:
            self._answers[key] = self._by_facts(*key) or self._asked(*key)
        return self._answers[key]

    def _about(self, inside: int, guard: int) -> int:
        """The comparisons that always hold inside, of nothing but what the guard speaks of.

        Less is assumed so, and questions that differ in nothing else are one question.
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
        if condition is None or condition.kind not in ("nonnegative", "zero", "nonzero", "true"):
            return False
        if condition.kind == "true":
            return True
        number, is_shown = Rebuilt(self.words).of(condition.polynomials()[0]), self.words.ranges.is_shown
        match condition.kind:
            case "zero":
                return is_shown(number) and is_shown(-number)
            case "nonzero":
                return is_shown(number.plus(-1)) or is_shown((-number).plus(-1))
        return is_shown(number)

    def _asked(self, inside: int, guard: int) -> bool:
        if self.prove is None:
            return False
        given, wanted = map(self.words.guards.condition, (inside, guard))
        if given is None or wanted is None:
            return False
        if self._is_seen_to_fail(inside, given, wanted):
            return False
        question = given, wanted
        broader, _ = without_lanes(self.words.ranges, *question)
        if broader not in self._asked_before:
            self._asked_before[broader] = self._always(*broader)
        return self._asked_before[broader] or (broader != question and self._always(*question))

    def _is_seen_to_fail(self, inside: int, given: Condition, wanted: Condition) -> bool:
        """Whether more is wanted at a point that is chosen for what is given: most questions end so."""
        bounds = self.words.form.bounds
        with self.words.under(inside):
            return bounds.falsifier.holds((given, wanted.negated()), bounds.facts)

    def _always(self, given: Condition, wanted: Condition) -> bool:
        """Whether ``wanted`` holds wherever ``given`` does."""
        assert self.prove is not None
        try:
            when = self.expressions.condition(given), sympy.Not(self.expressions.condition(wanted))
        except OpaqueLetterError:
            return False
        never = Comparison(sympy.Integer(0), "==", sympy.Integer(1))
        domain = self.expressions.domain(*when)
        bare = IndexMap(domain, ())  # has points; whether any are left is what is asked
        claim = Claim("holds", "guard", domain, (never,), when, map=bare)
        try:
            if has_point(claim.domain, when):
                return False
            return bool(self.prove(claim, members=MEMBERS, shrinks=False))
        except NoPointError:  # nothing is a counterexample
            return True
        except LayoutError:  # too large a claim
            return False


def _parts(condition: Condition | None) -> Iterator[Condition | None]:
    """The comparisons that all have to hold."""
    if condition is None or condition.kind != "and":
        yield condition
        return
    for part in condition.parts:
        assert isinstance(part, Condition)
        yield from _parts(part)

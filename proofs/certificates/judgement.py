"""One solver's judgement of a claim and the steps that are said to prove it.

A step is used only after the row it is an instance of was proved, and its premise. Comparisons are
judged one by one, and together if one of them is left open: first what the steps leave of them with
products taken as unknowns, then with products, then without the steps, over integers and over words.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from layoutalg.domain.points import contains
from layoutalg.errors import LayoutError
from layoutalg.proofs.members.by_solver import point_of
from layoutalg.proofs.smt.integers import integer_text, linear_text
from layoutalg.proofs.smt.problem import Problem
from layoutalg.proofs.smt.solvers import SOLVERS, Solver
from layoutalg.proofs.smt.words import word_text
from layoutalg.proofs.theorems.theorem import row_question
from layoutalg.rules.table import RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from layoutalg.claim import Claim
    from layoutalg.proofs.limits import Limits
    from layoutalg.rules.explained_step import ExplainedStep

__all__ = ["Judgement"]

THEOREM = 10  # times the work allowed for a question about the claim


@dataclass(frozen=True, eq=False)
class Judgement:
    """A claim, the steps of its proof, and the solver that is to judge both."""

    claim: Claim
    steps: list[ExplainedStep]
    solver: Solver
    limits: Limits

    def answer(self) -> str:
        """``confirmed ...`` and how, ``denied`` for a point at which the claim fails, or why neither."""
        if not self.solver.is_installed:
            return "not installed"
        ways: dict[str, None] = {}
        for comparison in self.claim.then:
            found = self._part(replace(self.claim, then=(comparison,)))
            if not found.startswith("confirmed"):
                is_left_open = found == "gave up" and len(self.claim.then) > 1
                return self._part(self.claim) if is_left_open else found
            ways[found.removeprefix("confirmed ")] = None
        return f"confirmed {' and '.join(ways) or 'as it says nothing'}"

    @property
    def _work(self) -> int:
        return self.limits.as_json()[self.solver.name]

    @cached_property
    def _shown(self) -> tuple[ExplainedStep, ...]:
        found: tuple[ExplainedStep, ...] = ()
        for step in self.steps:
            if self._is_shown(step, found):
                found = (*found, step)
        return found

    def _is_shown(self, step: ExplainedStep, shown: tuple[ExplainedStep, ...]) -> bool:
        if not _is_theorem(step.rule, self.solver.name, THEOREM * self._work):
            return False
        try:
            premise = Problem.of_premise(self.claim, step, shown)
        except LayoutError:
            return False
        texts = (linear_text, integer_text)
        return any(self.solver.ask(text(premise), self._work).verdict == "unsat" for text in texts)

    def _part(self, part: Claim) -> str:
        for name, keeps_meaning, question in self._ways(part):
            try:
                answer = self.solver.ask(question(), self._work)
            except LayoutError:
                continue
            if answer.verdict == "unsat":
                return f"confirmed {name}"
            if answer.verdict == "sat" and keeps_meaning:
                return "denied" if _fails_at(part, answer.model) else "gave up"
        return "gave up"

    def _ways(self, part: Claim) -> Iterator[tuple[str, bool, Callable[[], str]]]:
        """Names of questions, whether a model of one is a model of the claim, and how they are asked."""
        if self.steps:
            others = [step for step in self.steps if step not in self._shown]
            yield "from its steps", False, lambda: linear_text(Problem.of_claim(part, others, self._shown))
            yield (
                "from its steps and products",
                True,
                lambda: integer_text(Problem.of_claim(part, (), self._shown)),
            )
            yield "with its steps", True, lambda: integer_text(Problem.of_claim(part, self.steps))
        yield "directly", True, lambda: integer_text(Problem.of_claim(part))
        yield "over words", True, lambda: word_text(Problem.of_claim(part))


@cache
def _is_theorem(name: str, solver: str, work: int) -> bool:
    rule = next(rule for rule in RULES if rule.name == name)
    return SOLVERS[solver].ask(row_question(rule), work).verdict == "unsat"


def _fails_at(claim: Claim, model: Mapping[str, int]) -> bool:
    point = point_of(claim, model)
    try:
        return contains(claim.domain, point) and not claim.holds(point)
    except LayoutError:
        return False

"""A claim as a question to a solver: assumptions, and a goal whose negation must have no model.

The goal includes that everything in the claim is defined, so what is proved is also well-formed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from layoutalg.errors import LayoutError
from layoutalg.index import Entry
from layoutalg.index.node import conjuncts
from layoutalg.proofs.smt.formula import Formula, all_of
from layoutalg.proofs.smt.purification import Purified
from layoutalg.proofs.smt.replay import Replayed
from layoutalg.rules.polynomial import Polynomial
from layoutalg.term import interpret_term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.claim import Claim
    from layoutalg.rules.explained_step import ExplainedStep

__all__ = ["Problem"]


@dataclass(frozen=True)
class Problem:
    """``goal`` holds wherever ``assumptions`` and ``lemmas`` do: that is the question."""

    values: Purified
    assumptions: tuple[Formula, ...]
    goal: Formula
    lemmas: tuple[Formula, ...] = ()

    @classmethod
    def of_claim(
        cls, claim: Claim, steps: Sequence[ExplainedStep] = (), shown: Sequence[ExplainedStep] = ()
    ) -> Problem:
        """The question a claim asks; ``steps`` are rewrites a solver may use where their premise holds.

        The steps in ``shown`` are known to hold wherever ``claim.when`` does, and are carried out. Refused:
        claims with a witness, which ask whether something exists.
        """
        if claim.witness is not None:
            msg = "the claim asks for a witness"
            raise LayoutError(msg)
        values, given = _premises(claim, shown)
        defined = len(values.needed)
        lemmas = tuple(_lemma(values, step) for step in steps)
        then = [_compared(values, c.left, c.op, c.right) for c in claim.then]
        consequence = all_of(*values.needed[defined:], *then)
        goal = all_of(*values.needed[:defined], all_of(*given).implies(consequence))
        return cls(values, tuple(values.ranges), goal, lemmas)

    @classmethod
    def of_premise(cls, claim: Claim, step: ExplainedStep, shown: Sequence[ExplainedStep] = ()) -> Problem:
        """Whether a rewrite may be used wherever the claim says something."""
        values, given = _premises(claim, shown)
        return cls(values, (*values.ranges, *given), _applicable(values, step))

    def is_shown_by_intervals(self) -> bool:
        """Whether ranges and congruences alone show the goal."""
        return self.values.decided(self.goal) is True


def _premises(claim: Claim, shown: Sequence[ExplainedStep]) -> tuple[Purified, list[Formula]]:
    """The atoms of a claim and its conditions, read before any step that rests on them is used."""
    values = Replayed(claim.domain) if shown else Purified(claim.domain)
    given: list[Formula] = []
    for condition in _guards_first(claim.when):
        given.append(values.in_branch(all_of(*given), partial(values.of, condition)))
    if isinstance(values, Replayed):
        for step in shown:
            values.use(step)
        asked = len(values.needed)
        given += values.ends_of(claim.domain)  # the same ends and conditions, as the steps write them
        given += [values.of(condition) for condition in claim.when]
        given += values.concluded
        del values.needed[asked:]  # asked for above
    return values, given


def _guards_first(when: Sequence[Any]) -> list[Any]:
    """The parts of conditions, within each those that read no table first: they may guard the others."""
    parts: list[Any] = []
    for condition in when:
        parts += sorted(conjuncts(condition), key=lambda part: part.has(Entry))
    return parts


def _compared(values: Purified, left: Any, op: str, right: Any) -> Formula:
    one, other = values.of(left), values.of(right)
    return {"==": values.equal, "<=": values.less_equal, "<": values.less}[op](one, other)


def _applicable(values: Purified, step: ExplainedStep) -> Formula:
    """That both sides are defined and the premise holds."""
    start = len(values.needed)
    premise = [_value(values, term) for term in (step.before_term, step.after_term, *step.premise_terms)][2:]
    found = all_of(*values.needed[start:], *premise)
    del values.needed[start:]
    return found


def _equation(values: Purified, step: ExplainedStep) -> Formula:
    start = len(values.needed)
    equation = Formula.equal(_value(values, step.before_term), _value(values, step.after_term))
    del values.needed[start:]
    return equation


def _lemma(values: Purified, step: ExplainedStep) -> Formula:
    """A rewrite as a statement that is true of all integers."""
    return _applicable(values, step).implies(_equation(values, step))


def _value(values: Purified, term: Any) -> Any:
    found: Polynomial | Formula = interpret_term(term, values, values.symbol)
    return found

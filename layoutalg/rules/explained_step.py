"""Steps of a simplification in words: which rule, what it was used on, and why it was allowed.

>>> from layoutalg.domain import Domain
>>> from layoutalg.index import FloorDiv
>>> from layoutalg.rules.normal_form import NormalForm
>>> domain = Domain.of({"x": 420})
>>> form = NormalForm(domain)
>>> _ = form.of(FloorDiv(28 * domain["x"] + 5, 28))
>>> for step in explained(form):
...     print(step)
div_of_small: 5 // 28 = 0, as 0 <= 5 and 5 < 28
div_of_multiple_plus: (28*x + 5) // 28 = x + 5 // 28
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from layoutalg.rules.extract import BUDGET, Extraction
from layoutalg.term import Term
from layoutalg.term.parse import parse_term

if TYPE_CHECKING:
    from collections.abc import Iterable

    from layoutalg.rules.normal_form import NormalForm
    from layoutalg.rules.rule import Step

__all__ = ["ExplainedStep", "explained"]


@dataclass(frozen=True)
class ExplainedStep:
    """One use of a rule; ``before`` and ``after`` are equal on the domain because ``premise`` holds there.

    ``letters`` says what each letter of the rule stood for.
    """

    rule: str
    before: str
    after: str
    premise: str = ""
    letters: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    @cached_property
    def before_term(self) -> Term:
        return parse_term(self.before)

    @cached_property
    def after_term(self) -> Term:
        return parse_term(self.after)

    @cached_property
    def premise_terms(self) -> tuple[Term, ...]:
        return tuple(parse_term(part) for part in self.premise.split(" and ") if part)

    def __str__(self) -> str:
        return f"{self.rule}: {self.before} = {self.after}" + (f", as {self.premise}" if self.premise else "")


def explained(
    form: NormalForm, steps: Iterable[Step] | None = None, budget: int = BUDGET
) -> list[ExplainedStep]:
    """The steps of a normal form in the order in which they ended, each once; or the steps that are given.

    A budget of 0 takes the first way of writing each step instead of the cheapest.
    """
    extraction = Extraction(form, budget=budget)
    found: dict[ExplainedStep, None] = {}
    for step in tuple(form.steps if steps is None else steps):  # writing the letters may add more
        letters = {name: extraction.term(value) for name, value in step.bindings.items()}
        before, after, premises = step.rule.instantiated(letters)
        premise = " and ".join(map(str, premises))
        meanings = tuple((name, str(term)) for name, term in sorted(letters.items()))
        found[ExplainedStep(step.rule.name, str(before), str(after), premise, meanings)] = None
    return list(found)

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

from dataclasses import dataclass
from typing import TYPE_CHECKING

from layoutalg.as_terms import TERMS
from layoutalg.rules.extract import Extraction
from layoutalg.term import run

if TYPE_CHECKING:
    from layoutalg.rules.normal_form import NormalForm

__all__ = ["ExplainedStep", "explained"]


@dataclass(frozen=True)
class ExplainedStep:
    """One use of a rule; ``before`` and ``after`` are equal on the domain because ``premise`` holds there."""

    rule: str
    before: str
    after: str
    premise: str = ""

    def __str__(self) -> str:
        return f"{self.rule}: {self.before} = {self.after}" + (f", as {self.premise}" if self.premise else "")


def explained(form: NormalForm) -> list[ExplainedStep]:
    """The steps of a normal form in the order in which they ended, each once."""
    extraction = Extraction(form)
    found: dict[ExplainedStep, None] = {}
    for step in form.steps:
        letters = {name: extraction.term(value) for name, value in step.bindings.items()}
        rule = step.rule
        before, after, *premise = (
            str(run(term, TERMS, letters.__getitem__))
            for term in (rule.before_term, rule.after_term, *rule.when_terms)
        )
        found[ExplainedStep(rule.name, before, after, " and ".join(premise))] = None
    return list(found)

"""Rewrite steps as a certificate writes them: each must be an instance of a row of the rule table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layoutalg.errors import LayoutError
from layoutalg.reading.near_names import no_such
from layoutalg.rules.explained_step import ExplainedStep
from layoutalg.rules.table import RULES
from layoutalg.term.parse import parse_term

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["json_of_step", "step_of"]

_ROWS = {rule.name: rule for rule in RULES}


def json_of_step(step: ExplainedStep) -> dict[str, Any]:
    """The row's name, what its letters stand for, and the three texts."""
    return {
        "rule": step.rule,
        "letters": dict(step.letters),
        "before": step.before,
        "after": step.after,
        "premise": step.premise,
    }


def step_of(content: Mapping[str, Any]) -> ExplainedStep:
    """The step; refused if its texts are not what the row gives for its letters.

    >>> step_of({"rule": "and_with_itself", "letters": {"n": "x"}, "before": "x & x", "after": "y",
    ...          "premise": ""})
    Traceback (most recent call last):
        ...
    layoutalg.errors.LayoutError: a step is no instance of and_with_itself: wanted after 'x', got 'y'
    """
    rule = _ROWS.get(content["rule"])
    if rule is None:
        raise no_such("rule", str(content["rule"]), _ROWS)
    letters = {name: parse_term(text, syntax="python") for name, text in content["letters"].items()}
    missing = sorted(rule.letters - set(letters))
    if missing:
        msg = f"a step of {rule.name} does not say what {missing[0]} stands for"
        raise LayoutError(msg)
    before, after, premises = rule.instantiated(letters)
    wanted = {"before": str(before), "after": str(after), "premise": " and ".join(map(str, premises))}
    for part, text in wanted.items():
        if content[part] != text:
            msg = f"a step is no instance of {rule.name}: wanted {part} {text!r}, got {content[part]!r}"
            raise LayoutError(msg)
    return ExplainedStep(rule.name, **wanted, letters=tuple(sorted(content["letters"].items())))

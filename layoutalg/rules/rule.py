"""Rewrite rules as rows: a statement, its premise, and an untrusted finder.

``div_of_multiple_plus`` says ``(d*q + r) // d == q + r // d`` for every q, r and every d > 0. Its
finder looks at a quotient and proposes d, q and r. The engine puts the proposal into the left side,
requires that this is the very quotient, requires the premise, and only then takes the right side. A
wrong finder can miss a rewrite, never make a wrong one; the rows themselves are proved by Z3.

>>> rule = Rule("div_of_multiple_plus", "(d*q + r) // d", "q + r // d")
>>> sorted(rule.letters)
['d', 'q', 'r']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from layoutalg.term import Interpretation, Term, interpret_term
from layoutalg.term.as_terms import TERMS
from layoutalg.term.parse import parse_term

if TYPE_CHECKING:
    from layoutalg.rules.normal_form import NormalForm
    from layoutalg.rules.polynomial import Polynomial

__all__ = ["Bindings", "Finder", "Rule", "Step"]

Bindings = Mapping[str, "Polynomial"]
Finder = Callable[["NormalForm", "Polynomial", "Polynomial"], Iterator[Bindings]]


def _finds_nothing(form: NormalForm, left: Polynomial, right: Polynomial) -> Iterator[Bindings]:
    del form, left, right
    return iter(())


@dataclass(frozen=True)
class Rule:
    """``before`` may become ``after`` wherever ``when`` holds; all three are text in Python's syntax.

    Letters stand for integers for which ``before`` is defined: divisors are positive, operands of
    bit operations and shifts are not negative. ``shrinks`` names an operand that gets smaller where
    neither the operations nor the letters get fewer: ``(before, after)``.
    """

    name: str
    before: str
    after: str
    when: str = ""
    find: Finder = field(default=_finds_nothing, compare=False, repr=False)
    shrinks: tuple[str, str] | None = None

    @cached_property
    def before_term(self) -> Term:
        return parse_term(self.before)

    @cached_property
    def after_term(self) -> Term:
        return parse_term(self.after)

    @cached_property
    def when_terms(self) -> tuple[Term, ...]:
        """The comparisons of the premise."""
        return tuple(parse_term(part) for part in self.when.split(" and ") if part)

    @cached_property
    def letters(self) -> frozenset[str]:
        """The names the statement is about."""
        return frozenset(part.args[0] for part in self.before_term.walk() if part.op == "symbol")

    def instantiated(self, letters: Mapping[str, Term]) -> tuple[Term, Term, tuple[Term, ...]]:
        """Both sides and the premises with terms for letters.

        >>> rule = Rule("div_of_multiple_plus", "(d*q + r) // d", "q + r // d")
        >>> before, after, _ = rule.instantiated({name: parse_term(name + "1") for name in "dqr"})
        >>> print(before, "=", after)
        (d1*q1 + r1) // d1 = q1 + r1 // d1
        """
        before, after, *premises = (
            interpret_term(term, TERMS, letters.__getitem__)
            for term in (self.before_term, self.after_term, *self.when_terms)
        )
        return before, after, tuple(premises)

    def apply(self, form: NormalForm, operands: tuple[Polynomial, ...], bindings: Bindings) -> Any:
        """The right side for these letters, or None if they do not fit or the premise is not shown."""
        before = Interpretation(form, bindings.__getitem__)
        for part, operand in zip(self.before_term.parts, operands, strict=True):
            if before.value(part) != operand:
                return None
        if not self.premise_holds(form, bindings):
            return None
        return form.trusted(self.after_term, bindings)

    def premise_holds(self, form: NormalForm, bindings: Bindings) -> bool:
        """Whether the premise is shown for these letters."""
        shown = form.bounds.is_nonnegative
        return all(not gap if op == "==" else shown(gap) for op, gap in self.gaps(form, bindings))

    def gaps(self, form: NormalForm, bindings: Bindings) -> Iterator[tuple[str, Polynomial]]:
        """What must not be negative for a comparison of the premise, or must be zero where it is ``==``."""
        premise = Interpretation(form, bindings.__getitem__)
        for term in self.when_terms:
            left, right = map(premise.value, term.args)
            yield term.op, (right - left).plus(-1) if term.op == "<" else right - left


@dataclass(frozen=True)
class Step:
    """One use of a rule: what its letters stood for."""

    rule: Rule
    bindings: Bindings

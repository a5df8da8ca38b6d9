"""Rows of the rule table as theorems about all integers; rows with bit operations about machine words.

A rewrite step is an instance of a row: checking the row once, and the instance by substitution, is easier
than proving every instance anew.

>>> from layoutalg.proofs.smt.solvers import Z3
>>> from layoutalg.rules.table import RULES
>>> Z3.ask(row_question(RULES[0])).verdict
'unsat'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy
from sympy import Symbol

from layoutalg.domain import Domain, Variable
from layoutalg.proofs.smt.formula import Formula, all_of
from layoutalg.proofs.smt.integers import integer_text
from layoutalg.proofs.smt.problem import Problem
from layoutalg.proofs.smt.purification import Purified
from layoutalg.proofs.smt.words import word_text
from layoutalg.rules.polynomial import ZERO, Polynomial
from layoutalg.term import interpret_term

if TYPE_CHECKING:
    from layoutalg.rules.rule import Rule

__all__ = ["is_over_words", "row_question"]

BIT_OPERATIONS = {"^", "&", "|", "<<", ">>"}
LARGEST, LONGEST_SHIFT = 1 << 10, 7  # of letters in words; shifts are called k or w


def row_question(rule: Rule) -> str:
    """The SMT-LIB 2 question that is unsatisfiable if the row holds wherever its premise does."""
    terms = (rule.before_term, rule.after_term, *rule.when_terms)
    in_words = is_over_words(rule)
    values = Purified(_letters(rule, bounded=in_words))
    found: list[Any] = [interpret_term(term, values, values.symbol) for term in terms]
    before, after, *when = found
    assumptions: tuple[Formula, ...] = (*values.ranges, *values.needed, *when)
    problem = Problem(values, assumptions, Formula.equal(before, after), _gaps(values))
    return word_text(problem) if in_words else integer_text(problem)


def is_over_words(rule: Rule) -> bool:
    """Whether a row has bit operations, and is proved for letters of ten bits and shifts below eight."""
    terms = (rule.before_term, rule.after_term, *rule.when_terms)
    return bool(BIT_OPERATIONS & {part.op for term in terms for part in term.walk()})


def _letters(rule: Rule, *, bounded: bool) -> Domain:
    terms = (rule.before_term, rule.after_term, *rule.when_terms)
    names = sorted({part.args[0] for term in terms for part in term.walk() if part.op == "symbol"})
    variables = []
    for name in names:
        most = LONGEST_SHIFT if name in ("k", "w") else LARGEST
        low, high = (sympy.Integer(0), sympy.Integer(most + 1)) if bounded else (None, None)
        variables.append(Variable(Symbol(name, integer=True), low, high, is_parameter=True))
    return Domain(tuple(variables))


def _gaps(values: Purified) -> tuple[Formula, ...]:
    """What a reader of the proof would point out: quotients that differ, differ by a divisor or more."""
    quotients = [(n, x.operands[1]) for n, x in enumerate(values.atoms) if x.kind == "quotient"]
    shifts = [Polynomial.letter(n) for n, x in enumerate(values.atoms) if x.kind == "parameter"]
    found = []
    for one, divisor in quotients:
        for other, _ in quotients:
            for shift in (*shifts, ZERO) if one != other else ():
                gap = Polynomial.letter(one) - Polynomial.letter(other) - shift
                applies = all_of(Formula.nonnegative(divisor.plus(-1)), Formula.nonnegative(gap.plus(-1)))
                found.append(applies.implies(Formula.at_least(divisor * gap, divisor)))
    return tuple(found)

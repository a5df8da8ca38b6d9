"""Text while it is being read: the words of it, and what stands between operators.

An operand is a term, perhaps under a denominator.

SymPy writes ``floor(a/4 + b/8)``; the fraction has no meaning of its own until ``floor`` closes over it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from layoutalg.term.term import Term
from layoutalg.term.tokens import ParseError, Token

__all__ = ["JOINS", "ONE", "Operand", "Syntax", "Words", "added", "multiplied", "total"]

Syntax = Literal["python", "c", "sympy"]
ONE = Term.integer(1)
JOINS = {"&": "and", "|": "or"}  # of conditions, in SymPy's spelling


class Operand(NamedTuple):
    """A term under a denominator (1 but under SymPy's ``/``), or a condition."""

    term: Term
    denominator: Term = ONE
    is_condition: bool = False


def multiplied(left: Operand, right: Operand) -> Operand:
    """The product."""
    product = Term.product(left.term, right.term)
    if left.denominator is ONE and right.denominator is ONE:
        return Operand(product)
    return Operand(product, Term.product(left.denominator, right.denominator))


def added(left: Operand, right: Operand, op: str) -> Operand:
    """The sum or difference over a common denominator."""
    sign = Term.integer(-1 if op == "-" else 1)
    if left.denominator == right.denominator:
        return Operand(Term.sum(left.term, Term.product(sign, right.term)), left.denominator)
    one, other = left.denominator.as_integer, right.denominator.as_integer
    if one is not None and other is not None:
        common = math.lcm(one, other)
        scales, below = (common // one, common // other), Term.integer(common)
        factors = (Term.integer(scales[0]), Term.integer(scales[1]))
    else:
        factors = (right.denominator, left.denominator)
        below = Term.product(left.denominator, right.denominator)
    first, second = Term.product(factors[0], left.term), Term.product(sign, factors[1], right.term)
    return Operand(Term.sum(first, second), below)


def total(parts: Sequence[tuple[str, Operand]]) -> Operand:
    """All of them added up, each with its sign; none of them has a denominator."""
    minus = Term.integer(-1)
    return Operand(Term.sum(*(o.term if op == "+" else Term.product(minus, o.term) for op, o in parts)))


def _flag(term: Term) -> Term | None:
    """A name, or names under ``&`` and ``|``, read as a condition: SymPy prints flags that way."""
    if term.op == "symbol":
        return Term("!=", (term, Term.integer(0)))
    sides = [_flag(part) for part in term.args] if term.op in JOINS else [None]
    return Term(JOINS[term.op], tuple(sides)) if all(sides) else None


class Words:
    """The words of a text and a place among them: looking, stepping on, refusing."""

    def __init__(self, text: str, words: list[Token], syntax: Syntax) -> None:
        self.text = text
        self.words = words
        self.syntax = syntax
        self.at = 0

    @property
    def word(self) -> Token:
        return self.words[self.at]

    def fail(self, problem: str, token: Token | None = None, *, hint: str = "") -> Any:
        raise ParseError(problem, self.text, (token or self.word).position, hint=hint)

    def take(self, *texts: str) -> Token | None:
        word = self.words[self.at]
        if word.text in texts:  # of operators and names alone
            self.at += 1
            return word
        return None

    def expect(self, text: str, opened: Token | None = None) -> None:
        """Step over a mark; ``opened`` is the parenthesis that is not closed without it."""
        if not self.take(text):
            found = repr(self.word.text) if self.word.text else "the end"
            wanted = "',' or ')'" if text == "," and opened else repr(text)
            hint = ""
            if opened and self.word.kind == "end":
                hint = f"the ( of column {self._column(opened)} is not closed"
            self.fail(f"wanted {wanted}, found {found}", hint=hint)

    def _column(self, token: Token) -> int:
        return token.position - self.text.rfind("\n", 0, token.position)

    def number(self, operand: Operand, token: Token) -> Operand:
        """The operand, which may be a fraction but no condition."""
        if operand.is_condition:
            hint = "select(x < 4, 1, 0) is 1 where x < 4 holds"
            self.fail("wanted an integer, found a condition", token, hint=hint)
        return operand

    def integer(self, operand: Operand, token: Token) -> Term:
        term, denominator, _ = self.number(operand, token)
        return term if denominator == ONE else Term("exact", (term, denominator))

    def flag(self, operand: Operand) -> Term | None:
        """The condition that SymPy means by a name, if that is what this is."""
        return _flag(operand.term) if self.syntax == "sympy" and operand.denominator == ONE else None

    def condition(self, operand: Operand, token: Token) -> Term:
        if operand.is_condition:
            return operand.term
        return self.flag(operand) or self.fail("wanted a condition such as x < 4", token)

"""Operands joined by one operator over and over: sums, bits and connectives, comparisons.

Each chain becomes one flat sum or a tree of a few levels, however long it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.term.balance import balanced
from layoutalg.term.operand import ONE, Operand, added, total
from layoutalg.term.term import Term
from layoutalg.term.tokens import Token

if TYPE_CHECKING:
    from layoutalg.term.grammar import Parser

__all__ = ["COMPARISONS", "chain_from", "comparison_from", "sum_from"]

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def sum_from(parser: Parser, left: Operand, start: Token, strength: int) -> Operand:
    """Summands, added up together: one by one a long sum would be rebuilt for each."""
    parts: list[tuple[str, Operand]] = [("+", left)]
    starts = [start]
    while token := parser.take("+", "-"):
        starts.append(parser.word)
        parts.append((token.text, parser.level(strength + 1)))
    for (_, operand), place in zip(parts, starts, strict=True):
        if operand.is_condition:
            parser.integer(operand, place)
    if all(operand.denominator == ONE for _, operand in parts):
        return total(parts)
    found = left
    for op, operand in parts[1:]:
        found = added(found, operand, op)
    return found


def chain_from(parser: Parser, left: Operand, start: Token, strength: int) -> Operand:
    """Operands of one operator that may be joined in any order; long chains are joined in pairs."""
    operands, starts, token = [left], [start], parser.word
    while parser.strengths.get(parser.word.text) == strength and parser.word.kind != "end":
        parser.at += 1
        starts.append(parser.word)
        operands.append(parser.level(strength + 1))

    def joined(a: tuple[Operand, Token], b: tuple[Operand, Token]) -> tuple[Operand, Token]:
        return parser.combined(token, a[0], a[1], b[0], b[1]), a[1]

    return balanced(joined, list(zip(operands, starts, strict=True)))[0]


def comparison_from(parser: Parser, left: Operand, start: Token, strength: int) -> Operand:
    """``a <= b < c`` holds where both comparisons do, as in Python."""
    found: list[Term] = []
    while token := parser.take(*COMPARISONS):
        right_start = parser.word
        right = parser.level(strength + 1)
        sides = [parser.integer(left, start), parser.integer(right, right_start)]
        op = token.text
        if op in (">", ">="):
            op = {">": "<", ">=": "<="}[op]
            sides.reverse()
        found.append(Term(op, tuple(sides)))
        left, start = right, right_start
    if not found:
        return left
    return Operand(balanced(lambda a, b: Term("and", (a, b)), found), is_condition=True)

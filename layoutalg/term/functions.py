"""The functions an index expression may call when it is written as text."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from layoutalg.term.balance import balanced
from layoutalg.term.operand import ONE, Operand, Words
from layoutalg.term.term import Term
from layoutalg.term.tokens import Token

ALWAYS = Term("==", (Term.integer(0), Term.integer(0)))

__all__ = ["FUNCTIONS", "Arguments"]

Arguments = list[tuple[Any, Token]]


def _count(words: Words, word: Token, arguments: Arguments, wanted: int) -> None:
    if len(arguments) != wanted:
        words.fail(f"{word.text} takes {wanted} arguments, got {len(arguments)}", word)


def _floor(words: Words, word: Token, arguments: Arguments) -> Operand:
    _count(words, word, arguments, 1)
    (operand, start) = arguments[0]
    if operand.denominator == ONE:
        return Operand(words.integer(operand, start))
    number = operand.term
    if word.text == "ceiling":
        number = Term.sum(number, operand.denominator, Term.integer(-1))
    return Operand(Term("//", (number, operand.denominator)))


def _binary(op: str) -> Callable[[Words, Token, Arguments], Operand]:
    def build(words: Words, word: Token, arguments: Arguments) -> Operand:
        if len(arguments) < 2:
            words.fail(f"{word.text} takes 2 arguments, got {len(arguments)}", word)
        terms = [words.integer(operand, start) for operand, start in arguments]
        if op == "%":
            return Operand(reduce(lambda a, b: Term(op, (a, b)), terms))
        return Operand(balanced(lambda a, b: Term(op, (a, b)), terms))

    return build


def _ceiling_division(words: Words, word: Token, arguments: Arguments) -> Operand:
    """``cdiv(n, d)``, the quotient rounded up; ``round_up(n, d)``, the multiple of d from n on."""
    _count(words, word, arguments, 2)
    number, divisor = (words.integer(operand, start) for operand, start in arguments)
    quotient = Term("//", (Term.sum(number, divisor, Term.integer(-1)), divisor))
    return Operand(Term.product(quotient, divisor) if word.text == "round_up" else quotient)


def _sum_before(words: Words, word: Token, arguments: Arguments) -> Operand:
    """``sum_before(rows, e)``: the sum of the entries of a table of counts before one."""
    _count(words, word, arguments, 2)
    (table, start), (index, place) = arguments
    if table.term.op != "symbol":
        words.fail("sum_before: wanted the name of a table of counts", start)
    name = Term.symbol(f"{table.term.args[0]}.before")
    return Operand(Term("entry", (name, words.integer(index, place))))


def _run_of(words: Words, word: Token, arguments: Arguments) -> Operand:
    """``run_of(cu, y)``: where a table that never falls passes a value."""
    _count(words, word, arguments, 2)
    (table, start), (value, place) = arguments
    if table.term.op != "symbol":
        words.fail("run_of: wanted the name of a table", start)
    return Operand(Term("run_of", (table.term, words.integer(value, place))))


def _relation(op: str, *, swapped: bool = False) -> Callable[[Words, Token, Arguments], Operand]:
    """A comparison as SymPy prints it: ``Eq(a, b)``."""

    def build(words: Words, word: Token, arguments: Arguments) -> Operand:
        _count(words, word, arguments, 2)
        sides = tuple(words.integer(operand, start) for operand, start in arguments)
        return Operand(Term(op, sides[::-1] if swapped else sides), is_condition=True)

    return build


def _select(words: Words, word: Token, arguments: Arguments) -> Operand:
    _count(words, word, arguments, 3)
    condition = words.condition(*arguments[0])
    branches = [words.integer(operand, start) for operand, start in arguments[1:]]
    return Operand(Term("select", (condition, *branches)))


def _piecewise(words: Words, word: Token, arguments: Arguments) -> Operand:
    conditions = [condition for (_, condition), _ in arguments]
    rest = [ALWAYS, *(Term("not", (condition,)) for condition in conditions[:-1])]
    rest += [condition.args[0] for condition in conditions[:-1] if condition.op == "not"]
    opposite = {"==": "!=", "!=": "=="}
    rest += [Term(opposite[c.op], c.args) for c in conditions[:-1] if c.op in opposite]
    if not conditions or conditions[-1] not in rest:
        words.fail("wanted (value, True) as the last case of Piecewise", word)
    result = arguments[-1][0][0]
    for (value, condition), _ in reversed(arguments[:-1]):
        result = Term("select", (condition, value, result))
    return Operand(result)


FUNCTIONS: dict[str, Callable[[Words, Token, Arguments], Operand]] = {
    "floor": _floor,
    "ceiling": _floor,
    "cdiv": _ceiling_division,
    "round_up": _ceiling_division,
    "run_of": _run_of,
    "sum_before": _sum_before,
    "min": _binary("min"),
    "max": _binary("max"),
    "Min": _binary("min"),
    "Max": _binary("max"),
    "Mod": _binary("%"),
    "xor": _binary("^"),
    "Eq": _relation("=="),
    "Ne": _relation("!="),
    "Lt": _relation("<"),
    "Le": _relation("<="),
    "Gt": _relation("<", swapped=True),
    "Ge": _relation("<=", swapped=True),
    "select": _select,
    "Piecewise": _piecewise,
}

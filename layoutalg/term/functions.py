"""The functions an index expression may call when it is written as text."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from layoutalg.term.balance import balanced
from layoutalg.term.operand import ONE, Operand, Words
from layoutalg.term.rounding import quotient, remainder
from layoutalg.term.term import Term
from layoutalg.term.tokens import Token

ALWAYS = Term("==", (Term.integer(0), Term.integer(0)))

__all__ = ["FUNCTIONS", "Arguments"]

BITS_OF: dict[str, Callable[[int], int]] = {
    "clz": lambda number: 32 - number.bit_length(),
    "ctz": lambda number: (number & -number).bit_length() - 1 if number else 32,
    "ffs": lambda number: (number & -number).bit_length(),
    "popc": int.bit_count,
    "popcount": int.bit_count,
}

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


def _rounded(take: Callable[..., Term], *, truncates: bool) -> Callable[..., Operand]:
    """A division whose name says how it rounds."""

    def build(words: Words, word: Token, arguments: Arguments) -> Operand:
        _count(words, word, arguments, 2)
        number, divisor = (words.integer(operand, start) for operand, start in arguments)
        return Operand(take(number, divisor, truncates=truncates))

    return build


def _of_bits(words: Words, word: Token, arguments: Arguments) -> Operand:
    """``clz(64)`` and the like: places of bits in a number of 32 bits, counted as HIP's functions do."""
    _count(words, word, arguments, 1)
    (operand, start) = arguments[0]
    number = words.integer(operand, start).as_integer
    if number is None or not 0 <= number < 1 << 32:
        hint = "of a size that stays open: give it as a size of its own, such as log2_tile"
        words.fail(f"{word.text}: wanted a number from 0 to 2**32 - 1", start, hint=hint)
    assert number is not None
    return Operand(Term.integer(BITS_OF[word.text.strip("_").removeprefix("builtin_")](number)))


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
    "floordiv": _rounded(quotient, truncates=False),
    "floormod": _rounded(remainder, truncates=False),
    "truncdiv": _rounded(quotient, truncates=True),
    "truncmod": _rounded(remainder, truncates=True),
    "trunc_div": _rounded(quotient, truncates=True),
    "trunc_mod": _rounded(remainder, truncates=True),
    **{
        before + name: _of_bits
        for before, names in (
            ("", ("clz", "ctz", "ffs")),
            ("__", ("clz", "ffs", "popc")),
            ("__builtin_", BITS_OF),
        )
        for name in names
    },
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

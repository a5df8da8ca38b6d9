"""Index expressions written as text, in Python's, C's or SymPy's syntax.

>>> from layoutalg.domain import Domain
>>> domain = Domain.of({"row": 64, "col": 64})
>>> parse("row*64 + (col ^ (row % 8) * 8)", domain)
64*row + (col ^ 8*(row % 8))
>>> parse("row / 8 * 8 + (col >= 32 ? 1 : 0)", domain, syntax="c")
8*(row // 8) + select(32 <= col, 1, 0)
>>> parse("8*floor(row/8) + Mod(col, 8)", domain)
8*(row // 8) + col % 8
>>> parse("row // ", domain)
Traceback (most recent call last):
    ...
layoutalg.tokens.ParseError: wanted a number, a name or (, found the end
  row //
         ^
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from layoutalg.arithmetic import SYMBOLIC
from layoutalg.term import Term, run
from layoutalg.tokens import ParseError, Token, tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from sympy import Expr, Symbol

    from layoutalg.domain import Domain

__all__ = ["Syntax", "parse", "parse_index", "parse_term"]

Syntax = Literal["python", "c", "sympy"]

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_BIT_LEVELS = (("|",), ("^",), ("&",))
_ARITHMETIC_LEVELS = (("<<", ">>"), ("+", "-"), ("*", "/", "//", "%"))
ONE = Term.integer(1)


def parse(text: str, domain: Domain, *, syntax: Syntax | None = None) -> Any:
    """The SymPy expression (or condition) a text stands for, defined everywhere on the domain.

    The syntaxes differ in ``/`` (integer division in C, a fraction under ``floor`` in SymPy, refused
    in Python) and in C's ``&``, ``^``, ``|``, which bind weaker than comparisons. Unless stated, the
    syntax is judged by the words that only one of them has.
    """
    term = parse_term(text, syntax=syntax)
    expression = run(term, SYMBOLIC, lambda name: domain[name])
    domain.check(expression)
    return expression


def parse_index(text: str, symbols: Mapping[str, Symbol]) -> Expr:
    """The expression a text stands for over given symbols, before any domain is known."""
    parser = _Parser(text, None)
    term = parser.whole()
    for token in parser.words:
        if token.kind == "name" and token.text not in symbols and token.text not in _FUNCTIONS:
            known = ", ".join(symbols) or "none"
            msg = f"{token.text} is not declared: known are {known}"
            raise ParseError(msg, text, token.position)
    result: Expr = run(term, SYMBOLIC, symbols.__getitem__)
    return result


def parse_term(text: str, *, syntax: Syntax | None = None) -> Term:
    """The term a text stands for, exactly as written."""
    return _Parser(text, syntax).whole()


def _guess(words: list[Token]) -> Syntax:
    texts = {word.text for word in words}
    if texts & {"floor", "ceiling", "Mod", "Piecewise", "Max", "Min", "xor"}:
        return "sympy"
    if texts & {"&&", "||", "?", "!"} or ("/" in texts and "//" not in texts):
        return "c"
    return "python"


@dataclass(frozen=True)
class _Operand:
    """A term under a denominator (1 but under SymPy's ``/``), or a condition."""

    term: Term
    denominator: Term = ONE
    is_condition: bool = False


class _Parser:
    def __init__(self, text: str, syntax: Syntax | None) -> None:
        self.text = text
        self.words = list(tokens(text))
        self.syntax = syntax or _guess(self.words)
        self.at = 0
        comparisons = (_COMPARISONS,)
        self.levels: tuple[tuple[str, ...], ...] = (
            (*_BIT_LEVELS, *comparisons, *_ARITHMETIC_LEVELS)
            if self.syntax == "c"
            else (*comparisons, *_BIT_LEVELS, *_ARITHMETIC_LEVELS)
        )

    @property
    def word(self) -> Token:
        return self.words[self.at]

    def whole(self) -> Term:
        found = self.choice()
        if self.word.kind != "end":
            self.fail(f"wanted an operator, found {self.word.text!r}")
        return found.term if found.is_condition else self.integer(found, self.words[0])

    def fail(self, problem: str, token: Token | None = None) -> Any:
        raise ParseError(problem, self.text, (token or self.word).position)

    def take(self, *texts: str) -> Token | None:
        word = self.word
        if word.kind != "number" and word.text in texts and word.kind != "end":
            self.at += 1
            return word
        return None

    def expect(self, text: str) -> None:
        if not self.take(text):
            found = repr(self.word.text) if self.word.text else "the end"
            self.fail(f"wanted {text!r}, found {found}")

    def integer(self, operand: _Operand, token: Token) -> Term:
        if operand.is_condition:
            self.fail("wanted an integer, found a condition", token)
        if operand.denominator != ONE:
            self.fail("a fraction is no index: put it under floor or ceiling", token)
        return operand.term

    def condition(self, operand: _Operand, token: Token) -> Term:
        if not operand.is_condition:
            self.fail("wanted a condition such as x < 4", token)
        return operand.term

    def choice(self) -> _Operand:
        """``c ? a : b`` and ``a if c else b``, the loosest operators."""
        start = self.word
        first = self.either()
        if self.take("?"):
            condition = self.condition(first, start)
            if_true = self.integer(self.choice(), self.word)
            self.expect(":")
            return _Operand(Term("select", (condition, if_true, self.integer(self.choice(), self.word))))
        if self.take("if"):
            condition_start = self.word
            condition = self.condition(self.either(), condition_start)
            self.expect("else")
            otherwise = self.integer(self.choice(), self.word)
            return _Operand(Term("select", (condition, self.integer(first, start), otherwise)))
        return first

    def either(self) -> _Operand:
        return self.joined("or", ("||", "or"), self.both)

    def both(self) -> _Operand:
        return self.joined("and", ("&&", "and"), self.negated)

    def joined(self, op: str, words: tuple[str, ...], below: Callable[[], _Operand]) -> _Operand:
        start = self.word
        left = below()
        while self.take(*words):
            right_start = self.word
            right = self.condition(below(), right_start)
            left = _Operand(Term(op, (self.condition(left, start), right)), is_condition=True)
        return left

    def negated(self) -> _Operand:
        if self.take("not"):
            start = self.word
            return _Operand(Term("not", (self.condition(self.negated(), start),)), is_condition=True)
        return self.level(0)

    def level(self, depth: int) -> _Operand:
        if depth == len(self.levels):
            return self.signed()
        operators = self.levels[depth]
        start = self.word
        left = self.level(depth + 1)
        if operators is _COMPARISONS:
            return self.comparison(left, start, depth)
        while token := self.take(*operators):
            right_start = self.word
            right = self.level(depth + 1)
            left = self.combined(token, left, start, right, right_start)
        return left

    def comparison(self, left: _Operand, start: Token, depth: int) -> _Operand:
        """``a <= b < c`` holds where both comparisons do, as in Python."""
        result: Term | None = None
        while token := self.take(*_COMPARISONS):
            right_start = self.word
            right = self.level(depth + 1)
            sides = [self.integer(left, start), self.integer(right, right_start)]
            op = token.text
            if op in (">", ">="):
                op = {">": "<", ">=": "<="}[op]
                sides.reverse()
            found = Term(op, tuple(sides))
            result = found if result is None else Term("and", (result, found))
            left, start = right, right_start
        return left if result is None else _Operand(result, is_condition=True)

    def combined(
        self, token: Token, left: _Operand, start: Token, right: _Operand, right_start: Token
    ) -> _Operand:
        op = token.text
        if op in ("&", "|") and left.is_condition:
            joined = Term({"&": "and", "|": "or"}[op], (left.term, self.condition(right, right_start)))
            return _Operand(joined, is_condition=True)
        if op == "/":
            return self.divided(token, left, right)
        if op in ("+", "-", "*"):
            for operand, place in ((left, start), (right, right_start)):
                if operand.is_condition:
                    self.integer(operand, place)
            return _multiplied(left, right) if op == "*" else _added(left, right, op)
        return _Operand(Term(op, (self.integer(left, start), self.integer(right, right_start))))

    def divided(self, token: Token, left: _Operand, right: _Operand) -> _Operand:
        if self.syntax == "python":
            self.fail("/ is not an integer division: write // (or state syntax='c')", token)
        if self.syntax == "c":
            return _Operand(Term("//", (self.integer(left, token), self.integer(right, token))))
        below = Term.product(left.denominator, self.integer(right, token))
        return _Operand(left.term, below)

    def signed(self) -> _Operand:
        if self.take("-"):
            operand = self.signed()
            return _Operand(Term.product(Term.integer(-1), operand.term), operand.denominator)
        if self.take("+"):
            return self.signed()
        if self.take("!", "~"):
            start = self.word
            return _Operand(Term("not", (self.condition(self.signed(), start),)), is_condition=True)
        return self.power()

    def power(self) -> _Operand:
        start = self.word
        base = self.atom()
        if not self.take("**"):
            return base
        exponent = self.word
        if exponent.kind != "number" or int(exponent.text, 0) > 8:
            self.fail("wanted a small number as exponent")
        self.at += 1
        return _Operand(Term.product(*[self.integer(base, start)] * int(exponent.text, 0)))

    def atom(self) -> _Operand:
        word = self.word
        if word.kind == "number":
            self.at += 1
            return _Operand(Term.integer(int(word.text, 0)))
        if word.kind == "name" and word.text not in ("if", "else", "and", "or", "not"):
            self.at += 1
            return self.named(word)
        if self.take("("):
            inner = self.choice()
            self.expect(")")
            return inner
        found = repr(word.text) if word.text else "the end"
        return self.fail(f"wanted a number, a name or (, found {found}")  # type: ignore[no-any-return]

    def named(self, word: Token) -> _Operand:
        if word.text in ("True", "true", "False", "false"):
            is_true = word.text.lower() == "true"
            return _Operand(Term("==", (Term.integer(0), Term.integer(int(not is_true)))), is_condition=True)
        if self.word.text != "(" or self.word.kind != "operator":
            return _Operand(Term.symbol(word.text))
        handler = _FUNCTIONS.get(word.text)
        if handler is None:
            self.fail(f"there is no function {word.text}: known are {', '.join(_FUNCTIONS)}", word)
            raise AssertionError
        self.expect("(")
        arguments = []
        while not self.take(")"):
            if arguments:
                self.expect(",")
            start = self.word
            arguments.append((self.pair() if word.text == "Piecewise" else self.choice(), start))
        return handler(self, word, arguments)

    def pair(self) -> Any:
        self.expect("(")
        start = self.word
        value = self.integer(self.choice(), start)
        self.expect(",")
        start = self.word
        condition = self.condition(self.choice(), start)
        self.expect(")")
        return value, condition


def _multiplied(left: _Operand, right: _Operand) -> _Operand:
    below = Term.product(left.denominator, right.denominator)
    return _Operand(Term.product(left.term, right.term), below)


def _added(left: _Operand, right: _Operand, op: str) -> _Operand:
    sign = Term.integer(-1 if op == "-" else 1)
    if left.denominator == right.denominator:
        return _Operand(Term.sum(left.term, Term.product(sign, right.term)), left.denominator)
    one, other = left.denominator.as_integer, right.denominator.as_integer
    if one is not None and other is not None:
        common = math.lcm(one, other)
        scales, below = (common // one, common // other), Term.integer(common)
        factors = (Term.integer(scales[0]), Term.integer(scales[1]))
    else:
        factors = (right.denominator, left.denominator)
        below = Term.product(left.denominator, right.denominator)
    first, second = Term.product(factors[0], left.term), Term.product(sign, factors[1], right.term)
    return _Operand(Term.sum(first, second), below)


Arguments = list[tuple[Any, Token]]


def _count(parser: _Parser, word: Token, arguments: Arguments, wanted: int) -> None:
    if len(arguments) != wanted:
        parser.fail(f"{word.text} takes {wanted} arguments, got {len(arguments)}", word)


def _floor(parser: _Parser, word: Token, arguments: Arguments) -> _Operand:
    _count(parser, word, arguments, 1)
    (operand, start) = arguments[0]
    if operand.denominator == ONE:
        return _Operand(parser.integer(operand, start))
    number = operand.term
    if word.text == "ceiling":
        number = Term.sum(number, operand.denominator, Term.integer(-1))
    return _Operand(Term("//", (number, operand.denominator)))


def _binary(op: str) -> Callable[[_Parser, Token, Arguments], _Operand]:
    def build(parser: _Parser, word: Token, arguments: Arguments) -> _Operand:
        if len(arguments) < 2:
            parser.fail(f"{word.text} takes 2 arguments, got {len(arguments)}", word)
        terms = [parser.integer(operand, start) for operand, start in arguments]
        result = terms[0]
        for term in terms[1:]:
            result = Term(op, (result, term))
        return _Operand(result)

    return build


def _select(parser: _Parser, word: Token, arguments: Arguments) -> _Operand:
    _count(parser, word, arguments, 3)
    condition = parser.condition(*arguments[0])
    branches = [parser.integer(operand, start) for operand, start in arguments[1:]]
    return _Operand(Term("select", (condition, *branches)))


def _piecewise(parser: _Parser, word: Token, arguments: Arguments) -> _Operand:
    always = Term("==", (Term.integer(0), Term.integer(0)))
    if not arguments or arguments[-1][0][1] != always:
        parser.fail("wanted (value, True) as the last case of Piecewise", word)
    result = arguments[-1][0][0]
    for (value, condition), _ in reversed(arguments[:-1]):
        result = Term("select", (condition, value, result))
    return _Operand(result)


_FUNCTIONS: dict[str, Callable[[_Parser, Token, Arguments], _Operand]] = {
    "floor": _floor,
    "ceiling": _floor,
    "min": _binary("min"),
    "max": _binary("max"),
    "Min": _binary("min"),
    "Max": _binary("max"),
    "Mod": _binary("%"),
    "xor": _binary("^"),
    "select": _select,
    "Piecewise": _piecewise,
}

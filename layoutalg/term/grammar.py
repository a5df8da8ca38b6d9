"""The grammar of index expressions as text: recursive descent, operators by how strongly they bind.

Operands joined by one operator over and over become one flat sum or a tree of a few levels, however many.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from layoutalg.reading.input_limits import BITS, NESTING, OPERATIONS, SHIFT, excerpt
from layoutalg.reading.near_names import no_such
from layoutalg.term.balance import balanced
from layoutalg.term.functions import FUNCTIONS, Arguments
from layoutalg.term.operand import JOINS, ONE, Operand, Syntax, Words, added, multiplied, total
from layoutalg.term.rounding import quotient, remainder
from layoutalg.term.term import Term
from layoutalg.term.tokens import Token, number_of, tokens

__all__ = ["Parser", "Syntax"]

MINUS_ONE = Term.integer(-1)
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_BITS = (("|",), ("^",), ("&",))
_CHAINED = tuple(sign for (sign,) in _BITS)
_SIGNS = ("-", "+", "!", "~", "not")
_ARITHMETIC = (("<<", ">>"), ("+", "-"), ("*", "/", "//", "%"))


def _strengths(*levels: tuple[str, ...]) -> dict[str, int]:
    """How strongly each operator binds, from the loosest level on."""
    return {operator: strength for strength, level in enumerate(levels) for operator in level}


_CONNECTIVES = {"or": "or", "||": "or", "and": "and", "&&": "and"}
_LOOSEST = (("or", "||"), ("and", "&&"))
_STRENGTHS = _strengths(*_LOOSEST, COMPARISONS, *_BITS, *_ARITHMETIC)
_C_STRENGTHS = _strengths(*_LOOSEST, *_BITS, COMPARISONS, *_ARITHMETIC)


def _guess(words: list[Token]) -> Syntax:
    texts = {word.text for word in words}
    if texts & {"floor", "ceiling", "Mod", "Piecewise", "Max", "Min", "xor"}:
        return "sympy"
    if texts & {"&&", "||", "?", "!", "/"}:
        return "c"
    return "python"


class Parser(Words):
    """Reads one text from left to right; ``conditions`` are the names that stand for conditions."""

    def __init__(self, text: str, syntax: Syntax | None, conditions: Collection[str] = ()) -> None:
        words = list(tokens(text))
        super().__init__(text, words, syntax or _guess(words))
        self.is_mixed = syntax is None and {"/", "//"} <= {word.text for word in words}
        self.depth = 0  # of choices and signs inside each other, which need no parentheses
        self.strengths = _C_STRENGTHS if self.syntax == "c" else _STRENGTHS
        self.conditions = conditions

    def whole(self) -> Term:
        found = self.choice()
        if self.word.kind != "end":
            is_closing = self.word.text == ")"
            hint = "no ( before it is open" if is_closing else ""
            self.fail(f"wanted an operator or the end, found {self.word.text!r}", hint=hint)
        return found.term if found.is_condition else self.integer(found, self.words[0])

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """One level down."""
        self.depth += 1
        if self.depth > NESTING.most:
            NESTING.check(self.depth, excerpt(self.text, self.word.position))
        yield
        self.depth -= 1

    def choice(self) -> Operand:
        """``c ? a : b`` and ``a if c else b``, the loosest operators."""
        with self.deeper():
            return self._choice()

    def _choice(self) -> Operand:
        start = self.word
        first = self.level(0)
        if self.take("?"):
            condition = self.condition(first, start)
            if_true = self.integer(self.choice(), self.word)
            self.expect(":")
            return Operand(Term("select", (condition, if_true, self.integer(self.choice(), self.word))))
        if self.take("if"):
            condition_start = self.word
            condition = self.condition(self.level(0), condition_start)
            self.expect("else")
            otherwise = self.integer(self.choice(), self.word)
            return Operand(Term("select", (condition, self.integer(first, start), otherwise)))
        return first

    def level(self, loosest: int) -> Operand:
        """Operands joined by operators that bind at least as strongly as ``loosest``."""
        start = self.word
        left = self.signed()
        while True:
            token = self.word
            strength = self.strengths.get(token.text)
            if strength is None or strength < loosest:
                return left
            if token.text in COMPARISONS:
                left = self._comparison(left, start, strength)
                continue
            if token.text in ("+", "-"):
                left = self._sum(left, start, strength)
                continue
            if token.text in _CHAINED or token.text in _CONNECTIVES:
                left = self._chain(left, start, strength)
                continue
            self.at += 1
            right_start = self.word
            left = self.combined(token, left, start, self.level(strength + 1), right_start)

    def _sum(self, left: Operand, start: Token, strength: int) -> Operand:
        """Summands, added up together: one by one a long sum would be rebuilt for each."""
        parts: list[tuple[str, Operand]] = [("+", left)]
        starts = [start]
        while token := self.take("+", "-"):
            starts.append(self.word)
            parts.append((token.text, self.level(strength + 1)))
        for (_, operand), place in zip(parts, starts, strict=True):
            self.number(operand, place)
        if all(operand.denominator == ONE for _, operand in parts):
            return total(parts)
        found = left
        for op, operand in parts[1:]:
            found = added(found, operand, op)
        return found

    def _chain(self, left: Operand, start: Token, strength: int) -> Operand:
        """Operands of one operator that may be joined in any order; long chains are joined in pairs."""
        operands, starts, token = [left], [start], self.word
        while self.strengths.get(self.word.text) == strength and self.word.kind != "end":
            self.at += 1
            starts.append(self.word)
            operands.append(self.level(strength + 1))

        def joined(a: tuple[Operand, Token], b: tuple[Operand, Token]) -> tuple[Operand, Token]:
            return self.combined(token, a[0], a[1], b[0], b[1]), a[1]

        return balanced(joined, list(zip(operands, starts, strict=True)))[0]

    def _comparison(self, left: Operand, start: Token, strength: int) -> Operand:
        """``a <= b < c`` holds where both comparisons do, as in Python."""
        found: list[Term] = []
        while token := self.take(*COMPARISONS):
            right_start = self.word
            right = self.level(strength + 1)
            sides = [self.integer(left, start), self.integer(right, right_start)]
            op = token.text
            if op in (">", ">="):
                op = {">": "<", ">=": "<="}[op]
                sides.reverse()
            found.append(Term(op, tuple(sides)))
            left, start = right, right_start
        if not found:
            return left
        return Operand(balanced(lambda a, b: Term("and", (a, b)), found), is_condition=True)

    def combined(
        self, token: Token, left: Operand, start: Token, right: Operand, right_start: Token
    ) -> Operand:
        op = token.text
        if op in _CONNECTIVES:
            sides = self.condition(left, start), self.condition(right, right_start)
            return Operand(Term(_CONNECTIVES[op], sides), is_condition=True)
        flags = self.syntax == "sympy" and right.is_condition
        if op in JOINS and (left.is_condition or flags):
            sides = self.condition(left, start), self.condition(right, right_start)
            return Operand(Term(JOINS[op], sides), is_condition=True)
        if op == "/":
            return self.divided(token, self.number(left, start), self.number(right, right_start))
        if op in ("//", "%"):
            return self.rounded(token, self.integer(left, start), self.integer(right, right_start))
        if op in ("<<", ">>") and (count := right.term.as_integer) is not None:
            SHIFT.check(count, excerpt(self.text, token.position))
        if op == "*":
            return multiplied(self.number(left, start), self.number(right, right_start))
        return Operand(Term(op, (self.integer(left, start), self.integer(right, right_start))))

    def divided(self, token: Token, left: Operand, right: Operand) -> Operand:
        if self.syntax == "python":
            self.fail("/ is not an integer division: write // (or state syntax='c')", token)
        if self.syntax == "c":
            return Operand(quotient(self.integer(left, token), self.integer(right, token), truncates=True))
        if right.term.as_integer == 0:
            self.fail("wanted a divisor other than 0", token)
        below = Term.product(left.denominator, self.integer(right, token))
        return Operand(left.term, below)

    def rounded(self, token: Token, number: Term, divisor: Term) -> Operand:
        """``//`` rounds down in every syntax, ``%`` as the syntax has it."""
        if token.text == "//":
            return Operand(quotient(number, divisor))
        if self.is_mixed:
            hint = "write floormod(a, b) or truncmod(a, b), or state the syntax"
            self.fail("% beside both / and //: does it leave what rounds down?", token, hint=hint)
        return Operand(remainder(number, divisor, truncates=self.syntax == "c"))

    def signed(self) -> Operand:
        if self.word.kind != "number" and self.word.text in _SIGNS:
            with self.deeper():
                return self._signed()
        return self.power()

    def _signed(self) -> Operand:
        if sign := self.take("-", "+", "!", "~"):
            start = self.word
            return self._with_sign(sign.text, self.signed(), start)
        self.take("not")
        start = self.word
        weaker = self.level(len(_LOOSEST))
        return Operand(Term("not", (self.condition(weaker, start),)), is_condition=True)

    def _with_sign(self, sign: str, operand: Operand, start: Token) -> Operand:
        """``~`` of a condition negates it, as NumPy and SymPy mean it; to C it is a number, 0 or 1."""
        if sign in "-+":
            number = self.number(operand, start)
            term = number.term if sign == "+" else Term.product(MINUS_ONE, number.term)
            return Operand(term, number.denominator)
        if sign == "~" and not operand.is_condition and not self.flag(operand):
            return Operand(Term.sum(Term.product(MINUS_ONE, self.integer(operand, start)), MINUS_ONE))
        if sign == "~" and self.syntax == "c":
            self.fail("~ of a condition, which C takes for 0 or 1, is never 0", start, hint="! negates it")
        return Operand(Term("not", (self.condition(operand, start),)), is_condition=True)

    def power(self) -> Operand:
        start = self.word
        base = self.atom()
        if not self.take("**"):
            return base
        exponent = self.word
        most = 64 if base.term.op == "integer" else 8
        if exponent.kind != "number" or (count := number_of(exponent, self.text)) > most:
            return self.fail("wanted a small number as exponent")
        self.at += 1
        factor = self.integer(base, start)
        BITS.check((factor.as_integer or 0).bit_length() * count, excerpt(self.text, start.position))
        OPERATIONS.check(len(factor.parts) * count, excerpt(self.text, start.position))
        return Operand(Term.product(*[factor] * count))

    def atom(self) -> Operand:
        word = self.word
        if word.kind == "number":
            self.at += 1
            return Operand(Term.integer(number_of(word, self.text)))
        if word.kind == "name" and word.text not in ("if", "else", "and", "or", "not"):
            self.at += 1
            return self.named(word)
        if opened := self.take("("):
            inner = self.choice()
            self.expect(")", opened)
            return inner
        found = repr(word.text) if word.text else "the end"
        return self.fail(f"wanted a number, a name or (, found {found}")

    def named(self, word: Token) -> Operand:
        if word.text in ("True", "true", "False", "false"):
            is_true = word.text.lower() == "true"
            return Operand(Term("==", (Term.integer(0), Term.integer(int(not is_true)))), is_condition=True)
        if self.word.text == "[":
            return self.entry(word)
        if self.word.text != "(" or self.word.kind != "operator":
            return Operand(Term.symbol(word.text), is_condition=word.text in self.conditions)
        handler = FUNCTIONS.get(word.text)
        if handler is None:
            error = no_such("function", word.text, FUNCTIONS)
            return self.fail(error.message, word, hint=error.hint)
        opened = self.word
        self.expect("(")
        arguments: Arguments = []
        while not self.take(")"):
            if arguments:
                self.expect(",", opened)
            start = self.word
            arguments.append((self._case() if word.text == "Piecewise" else self.choice(), start))
        return handler(self, word, arguments)

    def entry(self, word: Token) -> Operand:
        """A table at an index: ``page[b, i]``, or as C spells it ``page[b][i]``."""
        index: list[Term] = []
        while opened := self.take("["):
            while True:
                start = self.word
                index.append(self.integer(self.choice(), start))
                if not self.take(","):
                    break
            self.expect("]", opened)
        return Operand(Term("entry", (Term.symbol(word.text), *index)))

    def _case(self) -> Any:
        """A case of Piecewise: the value and its condition."""
        self.expect("(")
        start = self.word
        value = self.integer(self.choice(), start)
        self.expect(",")
        start = self.word
        condition = self.condition(self.choice(), start)
        self.expect(")")
        return value, condition

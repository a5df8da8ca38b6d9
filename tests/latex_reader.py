r"""LaTeX of index expressions read back as Python text: the formulas of pages mean what the expressions do.

>>> python_of(r"2 x + \left\lfloor \frac{x - 1}{4} \right\rfloor")
'(2 * x) + ((x - 1) // (4))'
"""

from __future__ import annotations

import re

__all__ = ["python_of"]

TOKENS = re.compile(
    r"\\left\\lfloor|\\right\\rfloor|\\left\(|\\right\)|\\begin\{cases\}|\\end\{cases\}|\\text\{[^}]*\}"
    r"|\\mathbin\{(?:\\&|\|)\}|\\[a-zA-Z]+|\\\\|\d+|[a-zA-Z](?:_\{[^}]*\}|_\d+)?|\S"
)
INFIX = {r"\bmod": "%", r"\oplus": "^", r"\mathbin{\&}": "&", r"\mathbin{|}": "|", r"\ll": "<<", r"\gg": ">>"}
RELATIONS = {"<": "<", ">": ">", r"\leq": "<=", r"\geq": ">=", "=": "==", r"\neq": "!="}


def python_of(latex):
    """Python text with the meaning of a formula."""
    reader = _Reader(TOKENS.findall(latex))
    found = reader.sum()
    assert reader.at == len(reader.words), reader.words[reader.at :]
    return found


class _Reader:
    def __init__(self, words):
        self.words, self.at = words, 0

    @property
    def word(self):
        return self.words[self.at] if self.at < len(self.words) else ""

    def take(self, *texts):
        if self.word in texts:
            self.at += 1
            return self.words[self.at - 1]
        return None

    def expect(self, text):
        assert self.take(text), (text, self.words[self.at :])

    def sum(self):
        text = f"-{self.product()}" if self.take("-") else self.product()
        while sign := self.take("+", "-"):
            text += f" {sign} {self.product()}"
        return text

    def product(self):
        factors = [self.power()]
        while self.word and (self.word[0].isalnum() or self.word in STARTS):
            factors.append(self.power())
        return factors[0] if len(factors) == 1 else f"({' * '.join(factors)})"

    def power(self):
        base = self.factor()
        if self.take("^"):
            base = f"({base})**{self.group()}"
        return base

    def group(self):
        if not self.take("{"):
            self.at += 1
            return self.words[self.at - 1]
        inner = self.sum()
        self.expect("}")
        return inner

    def factor(self):
        word = self.words[self.at]
        self.at += 1
        if word == r"\left\lfloor":
            self.expect(r"\frac")
            found = f"(({self.group()}) // ({self.group()}))"
            self.expect(r"\right\rfloor")
            return found
        if word == r"\left(":
            found = self.condition()
            if op := self.take(*INFIX):
                found = f"({found}) {INFIX[op]} ({self.condition()})"
            self.expect(r"\right)")
            return f"({found})"
        if word in (r"\min", r"\max"):
            self.expect(r"\left(")
            parts = [self.sum()]
            while self.take(","):
                parts.append(self.sum())
            self.expect(r"\right)")
            return f"{word[1:]}({', '.join(parts)})"
        if word == r"\begin{cases}":
            return self.cases()
        if word == "{":
            self.at -= 1
            return self.group()
        assert word[0].isalnum(), (word, self.words[self.at :])
        return word.replace("_{", "").replace("}", "").replace("_", "")

    def cases(self):
        first = self.sum()
        self.expect("&")
        self.at += 1  # if
        condition = self.condition()
        self.expect(r"\\")
        second = self.sum()
        self.expect("&")
        self.at += 1  # otherwise
        self.expect(r"\end{cases}")
        return f"select({condition}, {first}, {second})"

    def condition(self):
        parts = [self.relation()]
        while op := self.take(r"\wedge", r"\vee"):
            parts += ["and" if op == r"\wedge" else "or", self.relation()]
        return " ".join(parts)

    def relation(self):
        if self.take(r"\neg"):
            return f"not ({self.relation()})"
        left = self.sum()
        op = self.take(*RELATIONS)
        return f"({left}) {RELATIONS[op]} ({self.sum()})" if op else left


STARTS = (r"\left(", r"\left\lfloor", r"\min", r"\max", r"\begin{cases}", "{")

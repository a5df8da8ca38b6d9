"""Tokens of preprocessed C++ text, and which bracket closes which.

>>> source = Source.of("x.hpp", "f(a[1], b);")
>>> source.tokens
['f', '(', 'a', '[', '1', ']', ',', 'b', ')', ';']
>>> source.closing(1), source.place(8)
(8, 'x.hpp:1:10')
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Self

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.reading.input_limits import CK_BRACKETS

__all__ = ["Source"]

_TOKEN = re.compile(
    r"[A-Za-z_]\w*|0[xXbB][0-9a-fA-F']+[uUlLzZ]*|\d[\d.']*(?:[eE][+-]?\d+)?\w*|\.\d+\w*"
    r'|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\''
    r"|\.\.\.|<<=|::|->|\+\+|--|&&|\|\||[-+*/%&|^!=<>]=|<<|\S"
)
_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = frozenset(_OPEN.values())


@dataclass(eq=False)
class Source:
    """One file: its name under the root, its preprocessed text, its tokens and the offsets where they start.

    ``macros`` are those that are defined at its end. Tokens are named by their position in ``tokens``.
    """

    name: str
    text: str
    tokens: list[str] = field(repr=False)
    starts: list[int] = field(repr=False)
    macros: dict[str, str] = field(default_factory=dict, repr=False)
    _closing: dict[int, int] = field(default_factory=dict, repr=False)
    _lines: list[int] = field(default_factory=list, repr=False)

    @classmethod
    def of(cls, name: str, text: str, macros: dict[str, str] | None = None) -> Self:
        """A source of preprocessed text."""
        found = list(_TOKEN.finditer(text))
        tokens = [match.group() for match in found]
        return cls(name, text, tokens, [match.start() for match in found], macros or {})

    def closing(self, at: int) -> int:
        """The position of the bracket that closes this one; ``NotUnderstoodError`` without it."""
        if not self._closing:
            self._match()
        if at not in self._closing:
            what = self.tokens[at] if at < len(self.tokens) else "the end"
            raise NotUnderstoodError(f"{what} is never closed", self.place(at))
        return self._closing[at]

    def _match(self) -> None:
        stack: list[int] = []
        tokens = self.tokens
        for i, token in enumerate(tokens):
            if token in _OPEN:
                stack.append(i)
                CK_BRACKETS.check(len(stack), self.place(i))
            elif token in _CLOSE and stack and _OPEN[tokens[stack[-1]]] == token:
                self._closing[stack.pop()] = i
        self._closing.setdefault(-1, -1)

    def place(self, at: int) -> str:
        """``file:line:column`` of a token, both counted from 1."""
        if not self.starts:
            return self.name
        if not self._lines:
            self._lines = [-1, *(i for i, c in enumerate(self.text) if c == "\n")]
        offset = self.starts[min(at, len(self.starts) - 1)]
        line = bisect_right(self._lines, offset - 1)
        return f"{self.name}:{line}:{offset - self._lines[line - 1]}"

    def line(self, at: int) -> int:
        """The line of a token, counted from 1."""
        return int(self.place(at).rsplit(":", 2)[1])

    def span(self, begin: int, end: int) -> str:
        """The text from one token up to, but without, another; on one line."""
        if begin >= end or begin >= len(self.starts):
            return ""
        last = min(end, len(self.starts)) - 1
        return " ".join(self.text[self.starts[begin] : self.starts[last] + len(self.tokens[last])].split())

"""Stepping over brackets, template brackets too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.cpp_tokens import Source

if TYPE_CHECKING:
    from layoutalg.ck.cpp.declarations import Declaration

__all__ = ["BracketReader"]


class BracketReader:
    """A place in the tokens of a file that moves over whole brackets."""

    def __init__(self, source: Source, at: int, end: int) -> None:
        self.source = source
        self.tokens = source.tokens
        self.at = at
        self.end = end

    def peek(self, ahead: int = 0) -> str:
        """The token there, or "" behind the end."""
        return self.tokens[self.at + ahead] if self.at + ahead < self.end else ""

    def skipped(self) -> Declaration | None:
        """Step over a declaration that is not read."""
        while self.at < self.end and self.peek() not in {";", "{"}:
            self.at = self.source.closing(self.at) + 1 if self.peek() in {"(", "["} else self.at + 1
        if self.peek() == "{":
            self.at = self.source.closing(self.at)
        self.at += 1
        return None

    def angles(self, at: int) -> int:
        """The token behind the template brackets that open here."""
        depth, tokens, starts = 0, self.tokens, self.source.starts
        while at < self.end:
            token = tokens[at]
            if token in {"(", "[", "{"}:
                at = self.source.closing(at)
            elif token == "<":
                before = tokens[at - 1]
                close = starts[at - 1] + len(before) == starts[at]
                depth += depth == 0 or before == "template" or (close and before[-1:].isidentifier())
            elif token == ">":
                depth -= 1
                if depth == 0:
                    return at + 1
            elif token == ";":
                break
            at += 1
        raise NotUnderstoodError("< is never closed", self.source.place(min(at, len(tokens) - 1)))

    def over(self) -> int:
        """The token behind this one, or behind the parenthesis that opens here."""
        return self.source.closing(self.at) + 1 if self.peek() in {"(", "["} else self.at + 1

    def opens_angles(self) -> bool:
        """Whether template arguments open here: ``<`` right behind a name."""
        before, starts = self.tokens[self.at - 1], self.source.starts
        touches = starts[self.at - 1] + len(before) == starts[self.at]
        return self.peek() == "<" and touches and before.isidentifier()

    def over_any(self) -> int:
        """The token behind this one, or behind the bracket of any kind that opens here."""
        return self.source.closing(self.at) + 1 if self.peek() in {"(", "[", "{"} else self.at + 1

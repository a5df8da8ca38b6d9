"""A position in the tokens of a file, which parsers and the scanner move forward."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.cpp_tokens import Source
from layoutalg.ck.cpp.syntax import Node

__all__ = ["BUILTIN", "LEVELS", "MACRO_WORDS", "SKIPPED", "Reader"]

Kind = TypeVar("Kind", bound=Node)
LEVELS = {"||": 1, "or": 1, "&&": 2, "and": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7}
LEVELS |= {"<=": 7, ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}
BUILTIN = frozenset(
    [
        "void",
        "bool",
        "char",
        "char8_t",
        "char16_t",
        "char32_t",
        "wchar_t",
        "short",
        "int",
        "long",
        "unsigned",
        "signed",
        "float",
        "double",
        "auto",
        "_Float16",
        "__bf16",
    ]
)
SKIPPED = frozenset(
    [
        "typename",
        "const",
        "volatile",
        "constexpr",
        "struct",
        "class",
        "template",
        "inline",
        "static",
        "mutable",
    ]
)
MACRO_WORDS = frozenset(
    [
        "CK_TILE_HOST",
        "CK_TILE_DEVICE",
        "CK_TILE_HOST_DEVICE",
        "CK_TILE_DEVICE_EXTERN",
        "CK_TILE_HOST_DEVICE_EXTERN",
        "CK_TILE_LDS_ADDR",
        "CK_TILE_GLOBAL_ADDR",
        "CK_TILE_GENERIC_ADDR",
        "CK_TILE_BUF_RES_ADDR",
        "__device__",
        "__host__",
        "__forceinline__",
        "__global__",
        "CK_CONSTANT_ADDRESS_SPACE",
        "__restrict__",
    ]
)


class Reader:
    """A position ``at`` in the tokens of a file, up to ``end``."""

    def __init__(self, source: Source, at: int = 0, end: int | None = None) -> None:
        self.source = source
        self.tokens = source.tokens
        self.at = at
        self.end = len(source.tokens) if end is None else end
        self.comparisons: set[int] = set()  # each < that was found to open no template arguments

    def peek(self, ahead: int = 0) -> str:
        """The token here or so many ahead, or "" behind the end."""
        at = self.at + ahead
        return self.tokens[at] if at < self.end else ""

    def accept(self, token: str) -> bool:
        """Step over the token if it stands here; whether it does."""
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.accept(token):
            self.fail(f"wanted {token}")

    def fail(self, wanted: str) -> NoReturn:
        raise NotUnderstoodError(f"{wanted}, found {self.peek() or 'the end'}", self.source.place(self.at))

    def node(self, kind: type[Kind], *parts: Any, at: int | None = None) -> Kind:
        """A node with its parts, placed at a token or else at the current one."""
        return kind(self.source, self.at if at is None else at, *parts)

    def is_name(self, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return (token[:1].isalpha() or token[:1] == "_") and token not in SKIPPED

    def touches_next(self, at: int) -> bool:
        """Whether nothing stands between the token at a position and the next one."""
        starts = self.source.starts
        return at + 1 < self.end and starts[at] + len(self.tokens[at]) == starts[at + 1]

    # brackets

    def skip_statement(self) -> None:
        """Step over a statement or a declaration without reading it, to behind its semicolon or block."""
        while self.at < self.end and self.peek() not in {";", "{"}:
            self.at = self.over()
        if self.peek() == "{":
            self.at = self.source.closing(self.at)
        self.at += 1

    def angles(self, at: int) -> int:
        """The position behind the template arguments whose ``<`` stands at a position."""
        depth, tokens = 0, self.tokens
        while at < self.end:
            token = tokens[at]
            if token in {"(", "[", "{"}:
                at = self.source.closing(at)
            elif token == "<":
                before = tokens[at - 1]
                touches = self.touches_next(at - 1)
                depth += depth == 0 or before == "template" or (touches and before[-1:].isidentifier())
            elif token == ">":
                depth -= 1
                if depth == 0:
                    return at + 1
            elif token == ";":
                break
            at += 1
        raise NotUnderstoodError("< is never closed", self.source.place(min(at, len(tokens) - 1)))

    def over(self) -> int:
        """The position behind this token, or behind the ``(...)`` or ``[...]`` that opens here."""
        return self.source.closing(self.at) + 1 if self.peek() in {"(", "["} else self.at + 1

    def opens_angles(self) -> bool:
        """Whether template arguments open here: ``<`` right behind a name."""
        at = self.at - 1
        return self.peek() == "<" and self.tokens[at].isidentifier() and self.touches_next(at)

    def over_any(self) -> int:
        """The position behind this token, or behind the bracket of any kind that opens here."""
        return self.source.closing(self.at) + 1 if self.peek() in {"(", "[", "{"} else self.at + 1

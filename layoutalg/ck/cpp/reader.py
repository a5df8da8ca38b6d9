"""A place in the tokens of a file: looking ahead, stepping on, and refusing."""

from __future__ import annotations

from typing import Any, NoReturn

from layoutalg.ck.cpp.cpp_errors import NotUnderstoodError
from layoutalg.ck.cpp.cpp_tokens import Source
from layoutalg.ck.cpp.syntax import Node

__all__ = ["BUILTIN", "LEVELS", "MACRO_WORDS", "SKIPPED", "Reader"]

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
    """A place in the tokens of a file."""

    def __init__(self, source: Source, at: int = 0, end: int | None = None) -> None:
        self.source = source
        self.tokens = source.tokens
        self.at = at
        self.end = len(source.tokens) if end is None else end
        self.comparisons: set[int] = set()  # each < that was found to open no template arguments

    def peek(self, ahead: int = 0) -> str:
        """The token there, or "" behind the end."""
        at = self.at + ahead
        return self.tokens[at] if at < self.end else ""

    def accept(self, token: str) -> bool:
        """Step over the token if it stands here."""
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.accept(token):
            self.fail(f"wanted {token}")

    def fail(self, wanted: str) -> NoReturn:
        raise NotUnderstoodError(f"{wanted}, found {self.peek() or 'the end'}", self.source.place(self.at))

    def node(self, kind: str, *parts: Any, at: int | None = None) -> Node:
        return Node(kind, parts, self.source, self.at if at is None else at)

    def is_name(self, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return (token[:1].isalpha() or token[:1] == "_") and token not in SKIPPED

"""Conditions of ``#if``: integers, macros, ``defined``; names that nobody defined count as 0, as in C++.

>>> holds("defined(__gfx9__) && VERSION >= 0x0A", {"__gfx9__": "1", "VERSION": "12"})
True
"""

from __future__ import annotations

import re

__all__ = ["holds"]

_TOKEN = re.compile(r"0[xX][0-9a-fA-F]+|\d+|\w+|&&|\|\||[=!<>]=|<<|>>|[-+*/%()!<>&|^~?:]")
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("||", "or"),
    ("&&", "and"),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
DEEPEST = 20


def holds(text: str, macros: dict[str, str]) -> bool:
    """Whether the condition is true."""
    return _Condition(text, macros, 0).value() != 0


class _Condition:
    def __init__(self, text: str, macros: dict[str, str], depth: int) -> None:
        self.tokens = _TOKEN.findall(text)
        self.macros = macros
        self.depth = depth
        self.at = 0

    def value(self) -> int:
        return self._binary(0) if self.tokens else 0

    def _next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _binary(self, level: int) -> int:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._peek() in _LEVELS[level]:
            operator = self._next()
            left = _apply(operator, left, self._binary(level + 1))
        return left

    def _unary(self) -> int:
        token = self._next()
        if token in {"!", "not"}:
            return int(not self._unary())
        if token == "-":
            return -self._unary()
        if token == "(":
            inner = self._binary(0)
            self._next()
            return inner
        if token == "defined":
            name = self._next()
            if name == "(":
                name = self._next()
                self._next()
            return int(name in self.macros)
        if token[:1].isdigit():
            return int(token, 0) if token[:2].lower() == "0x" else int(token)
        return self._macro(token)

    def _macro(self, name: str) -> int:
        if self._peek() == "(":  # a function-like query such as __has_builtin(...)
            while self._next() not in {")", ""}:
                pass
            return 0
        text = self.macros.get(name, "")
        return _Condition(text, self.macros, self.depth + 1).value() if self.depth < DEEPEST else 0


def _apply(operator: str, left: int, right: int) -> int:
    match operator:
        case "||" | "or":
            return int(bool(left or right))
        case "&&" | "and":
            return int(bool(left and right))
        case "==" | "!=":
            return int((left == right) == (operator == "=="))
        case "<" | ">":
            return int(left < right if operator == "<" else left > right)
        case "<=" | ">=":
            return int(left <= right if operator == "<=" else left >= right)
        case "+" | "-":
            return left + right if operator == "+" else left - right
        case "*":
            return left * right
        case "&" | "|" | "^":
            return left & right if operator == "&" else left | right if operator == "|" else left ^ right
        case "<<" | ">>":
            return left << min(right, 64) if operator == "<<" else left >> min(right, 64)
        case _:
            return 0 if right == 0 else left // right if operator == "/" else left % right

"""Conditions of ``#if``: integers, macros, ``defined``; names that nobody defined count as 0, as in C++.

>>> holds("defined(__gfx9__) && VERSION >= 0x0A", {"__gfx9__": "1", "VERSION": "12"})
True
"""

from __future__ import annotations

import re

from layoutalg.input_limits import CK_BRACKETS, CK_CONDITION, CK_MACROS, DIGITS

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


def holds(text: str, macros: dict[str, str]) -> bool:
    """Whether the condition is true."""
    return _Condition(text, macros, 0, {}).value() != 0


class _Condition:
    def __init__(self, text: str, macros: dict[str, str], depth: int, known: dict[str, int]) -> None:
        self.tokens = _TOKEN.findall(text)
        self.macros = macros
        self.depth = depth
        self.known = known  # the values of macros that were read through
        self.nested = 0
        self.at = 0
        CK_CONDITION.check(len(self.tokens), "#if")

    def value(self) -> int:
        return self._binary(0) if self.tokens else 0

    def _next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ""

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _binary(self, level: int) -> int:
        if level == len(_LEVELS):
            self.nested += 1
            CK_BRACKETS.check(self.nested, "#if")
            value = self._unary()
            self.nested -= 1
            return value
        left = self._binary(level + 1)
        while self._peek() in _LEVELS[level]:
            operator = self._next()
            left = _apply(operator, left, self._binary(level + 1))
        return left

    def _unary(self) -> int:
        token = self._next()
        if token in {"!", "not", "-"}:
            self.nested += 1
            CK_BRACKETS.check(self.nested, "#if")
            value = self._unary()
            self.nested -= 1
            return -value if token == "-" else int(not value)
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
            DIGITS.check(len(token), "#if")
            return int(token, 0) if token[:2].lower() == "0x" else int(token)
        return self._macro(token)

    def _macro(self, name: str) -> int:
        if self._peek() == "(":  # a function-like query such as __has_builtin(...)
            while self._next() not in {")", ""}:
                pass
            return 0
        if name not in self.known:
            text = self.macros.get(name, "")
            if not text:
                return 0
            CK_MACROS.check(self.depth + 1, f"#if {name}")
            self.known[name] = 0  # inside of itself a name is not read through
            self.known[name] = _Condition(text, self.macros, self.depth + 1, self.known).value()
        return self.known[name]


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

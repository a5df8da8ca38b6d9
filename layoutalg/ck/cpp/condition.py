"""Conditions of ``#if``: integers, macros, ``defined``; names that nobody defined count as 0, as in C++.

All numbers have 64 bits, with a sign or, by the suffix ``u``, without one.

>>> holds("defined(__gfx9__) && VERSION >= 0x0A", {"__gfx9__": "1", "VERSION": "12"})
True
>>> holds("-1 > 0u && VERSION == 201703L", {"VERSION": "201703L"})
True
"""

from __future__ import annotations

import re

from layoutalg.ck.cpp.integer_types import arithmetic, common, fits, integer, kind_of, negated
from layoutalg.ck.cpp.literals import number
from layoutalg.reading.limits import CK_BRACKETS, CK_CONDITION, CK_MACROS, DIGITS

__all__ = ["holds"]

_TOKEN = re.compile(r"\d(?:'?\w)*|\w+|&&|\|\||[=!<>]=|<<|>>|[-+*/%()!<>&|^~?:]")
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
        return self._choice() if self.tokens else _wide(0)

    def _choice(self) -> int:
        condition = self._binary(0)
        if self._peek() != "?":
            return condition
        self.nested += 1
        CK_BRACKETS.check(self.nested, "#if")
        self._next()
        yes = self._choice()
        self._next()
        no = self._choice()
        self.nested -= 1
        kind = common(kind_of(yes), kind_of(no))
        return integer(kind, yes if condition else no)

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
        if token in {"!", "not", "-", "+", "~"}:
            self.nested += 1
            CK_BRACKETS.check(self.nested, "#if")
            value = self._unary()
            self.nested -= 1
            return _wide(not value) if token in {"!", "not"} else _signed(token, value)
        if token == "(":
            inner = self._choice()
            self._next()
            return inner
        if token == "defined":
            name = self._next()
            if name == "(":
                name = self._next()
                self._next()
            return _wide(name in self.macros)
        if token[:1].isdigit():
            DIGITS.check(len(token), "#if")
            return _literal(token)
        return _wide(token == "true") if token in {"true", "false"} else self._macro(token)

    def _macro(self, name: str) -> int:
        if self._peek() == "(":  # a function-like query such as __has_builtin(...)
            while self._next() not in {")", ""}:
                pass
            return _wide(0)
        if name not in self.known:
            text = self.macros.get(name, "")
            if not text:
                return _wide(0)
            CK_MACROS.check(self.depth + 1, f"#if {name}")
            self.known[name] = _wide(0)  # inside of itself a name is not read through
            self.known[name] = _Condition(text, self.macros, self.depth + 1, self.known).value()
        return self.known[name]


def _wide(value: int) -> int:
    """A number with a sign."""
    return integer("long", value)


def _signed(sign: str, value: int) -> int:
    try:
        return negated(sign, value)
    except OverflowError:
        return _wide(0)


def _literal(token: str) -> int:
    """A number; 0 for what is none, such as one with a point."""
    try:
        _, value = number(token)
    except ValueError:
        return _wide(0)
    whole = value if isinstance(value, int) else 0
    is_unsigned = "u" in token.lower() or not fits("long", whole)
    return integer("unsigned long" if is_unsigned else "long", whole)


def _apply(operator: str, left: int, right: int) -> int:
    """``left operator right``; 0 where C++ has no value, as it may stand behind ``&&``."""
    if operator in {"||", "or"}:
        return _wide(bool(left or right))
    if operator in {"&&", "and"}:
        return _wide(bool(left and right))
    try:
        found = arithmetic(operator, left, right)
    except (ArithmeticError, ValueError):
        return _wide(0)
    return _wide(found) if isinstance(found, bool) else found

"""Words of an index expression written as text: numbers, names, operators, with their places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from layoutalg.errors import LayoutError
from layoutalg.reading.caret import caret_block
from layoutalg.reading.input_limits import DIGITS, EXPRESSION, NESTING, WORDS, excerpt

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ParseError", "Token", "number_of", "tokens"]

_PATTERN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>0[xX][0-9a-fA-F]+|\d+)(?P<suffix>[uUlL]*)(?![\w.])"
    r"|(?P<name>[A-Za-z_$][\w$]*(?:\.[A-Za-z_]\w*)*'*)"
    r"|(?P<operator>\*\*|//|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%^&|~!<>?:(),\[\]])"
)
_OPENING, _CLOSING = ("(", "["), (")", "]")
_FRACTION = re.compile(r"\d*\.\d+|\d+\.(?!\w)")


class ParseError(LayoutError):
    """Text that is not an index expression; the message shows the place.

    >>> import layoutalg as la
    >>> la.parse("x + * 3", la.Domain.of({"x": 4}))
    Traceback (most recent call last):
        ...
    layoutalg.term.tokens.ParseError: wanted a number, a name or (, found '*'
      x + * 3
          ^
    """

    def __init__(self, problem: str, text: str, position: int, *, hint: str = "") -> None:
        self.problem = problem
        self.position = position
        super().__init__(f"{problem}\n{caret_block(text, position)}", hint=hint)
        self.text_line = text.count("\n", 0, position)


class Token(NamedTuple):
    """One word: ``kind`` is number, name, operator or end; ``position`` counts from 0."""

    kind: str
    text: str
    position: int


def tokens(text: str) -> Iterator[Token]:
    """The words of the text, with an ``end`` after the last.

    Refused: a text above the limits of :mod:`layoutalg.reading.input_limits`, before anything is read of it.

    >>> [token.text for token in tokens("row*ld + (col ^ 8u)")]
    ['row', '*', 'ld', '+', '(', 'col', '^', '8', ')', '']
    """
    EXPRESSION.check(len(text), "an expression")
    found = list(_words(text))
    WORDS.check(len(found), "an expression")
    depth = 0
    for token in found:
        if token.text in _OPENING:
            depth += 1
            if depth > NESTING.most:
                NESTING.check(depth, excerpt(text, token.position))
        elif token.text in _CLOSING:
            depth -= 1
    return iter(found)


def number_of(token: Token, text: str) -> int:
    """What a number says; refused where it is too long, or has zeros before it, which are octal in C.

    >>> number_of(Token("number", "0x1f", 0), "0x1f")
    31
    """
    spelled = token.text
    if len(spelled) > DIGITS.most:
        DIGITS.check(len(spelled), excerpt(text, token.position))
    if spelled[:1] == "0" and spelled.strip("0") and spelled[1:2] not in "xX":
        msg = f"{spelled} begins with 0: octal in C, refused by Python"
        raise ParseError(f"{msg}; write {spelled.lstrip('0')} or 0x...", text, token.position)
    return int(spelled, 0)


def _unread(text: str, position: int) -> ParseError:
    """The error about what is no word of an expression."""
    if found := _FRACTION.match(text, position):
        return ParseError(
            f"wanted an integer, found {found[0]}", text, position, hint="a // b divides integers"
        )
    if text[position] == "=":
        return ParseError("cannot read '='", text, position, hint="compare with ==")
    return ParseError(f"cannot read {text[position]!r}", text, position)


def _words(text: str) -> Iterator[Token]:
    position = 0
    for match in _PATTERN.finditer(text):
        start, end = match.span()
        if start != position:
            break
        kind = match.lastgroup
        if kind in ("number", "suffix"):
            yield Token("number", match["number"], position)
        elif kind != "space":
            yield Token(str(kind), match[0], position)
        position = end
    if position < len(text):
        raise _unread(text, position)
    yield Token("end", "", len(text))

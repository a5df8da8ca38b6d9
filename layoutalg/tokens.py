"""Words of an index expression written as text: numbers, names, operators, with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from layoutalg.errors import LayoutError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ParseError", "Token", "tokens"]

_PATTERN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>0[xX][0-9a-fA-F]+|\d+)(?P<suffix>[uUlL]*)(?![\w.])"
    r"|(?P<name>[A-Za-z_$][\w$]*(?:\.[A-Za-z_]\w*)*'*)"
    r"|(?P<operator>\*\*|//|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%^&|~!<>?:(),])"
)


class ParseError(LayoutError):
    """Text that is not an index expression; the message shows the place."""

    def __init__(self, problem: str, text: str, position: int) -> None:
        self.problem = problem
        self.position = position
        line_start = text.rfind("\n", 0, position) + 1
        line = text[line_start:].split("\n", 1)[0]
        super().__init__(f"{problem}\n  {line}\n  {' ' * (position - line_start)}^")


@dataclass(frozen=True, slots=True)
class Token:
    """One word: ``kind`` is number, name, operator or end; ``position`` counts from 0."""

    kind: str
    text: str
    position: int


def tokens(text: str) -> Iterator[Token]:
    """The words of the text, with an ``end`` after the last.

    >>> [token.text for token in tokens("row*ld + (col ^ 8u)")]
    ['row', '*', 'ld', '+', '(', 'col', '^', '8', ')', '']
    """
    position = 0
    for match in _PATTERN.finditer(text):
        if match.start() != position:
            break
        kind = str(match.lastgroup)
        if kind == "suffix":
            kind = "number"
        if kind != "space":
            yield Token(kind, match["number"] if kind == "number" else match[0], position)
        position = match.end()
    if position < len(text):
        msg = f"cannot read {text[position]!r}"
        raise ParseError(msg, text, position)
    yield Token("end", "", len(text))

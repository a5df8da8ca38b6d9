r"""Where the keys of a TOML text stand: the standard reader says what they hold, but not on which line.

>>> lines = lines_of('[layout.a]\nstages = [\n  [{ lower = [0] }],\n]\n')
>>> lines[("layout", "a")], lines[("layout", "a", "stages", 0, 0, "lower")]
(1, 3)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

__all__ = ["Path", "extents_of", "line_of", "line_within", "lines_of"]

Path: TypeAlias = tuple[str | int, ...]
TEXT = -1  # the path below that of a text of several lines: where its first line stands

_TOKEN = re.compile(
    r'(?P<text>"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\')'
    r"|(?P<comment>\#[^\n]*)|(?P<newline>\n)|(?P<mark>[\[\]{}=,.])|(?P<word>[^\s\[\]{}=,.#]+)|(?P<space>\s)",
    re.DOTALL,
)


def line_within(lines: dict[Path, int], path: Path, text_line: int) -> int:
    r"""The line of the file on which a line (from 0) of the text at a path stands.

    >>> text = 'a = "x"\nb = \'\'\'\nfirst\nsecond\'\'\'\n'
    >>> line_within(lines_of(text), ("a",), 0), line_within(lines_of(text), ("b",), 1)
    (1, 4)
    """
    begin = lines.get((*path, TEXT))
    return line_of(lines, path) if begin is None else begin + text_line


def line_of(lines: dict[Path, int], path: Path) -> int:
    """The line of a path, or of what contains it."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def lines_of(text: str) -> dict[Path, int]:
    """The line (from 1) on which every key and every element of a list stands; for valid TOML only."""
    return _Reader(text).lines


def extents_of(text: str) -> Iterator[tuple[int, int, int]]:
    """For every bracket and word the line, how many brackets are open, and how many digits it has.

    >>> list(extents_of("a = [[12]]"))[-3:]
    [(1, 2, 2), (1, 1, 0), (1, 0, 0)]
    """
    line, depth = 1, 0
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "mark" and match[0] in "[]{}":
            depth = max(0, depth + (1 if match[0] in "[{" else -1))
            yield line, depth, 0
        elif match.lastgroup == "word":
            is_number = match[0].lstrip("+-")[:1].isdigit()
            yield line, depth, len(match[0]) if is_number else 0
        line += match[0].count("\n")


class _Reader:
    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self.tokens: list[tuple[str, str, int]] = []
        line = 1
        for match in _TOKEN.finditer(text):
            kind = str(match.lastgroup)
            if kind not in ("comment", "space"):
                self.tokens.append((kind, match[0], line))
            line += match[0].count("\n")
        self.place = 0
        self.tables: dict[Path, int] = {}
        prefix: Path = ()
        while self.place < len(self.tokens):
            if self._at("newline"):
                self.place += 1
            elif self._mark("["):
                prefix = self._header()
            else:
                self._pair(prefix)

    def _at(self, kind: str) -> bool:
        return self.place < len(self.tokens) and self.tokens[self.place][0] == kind

    def _mark(self, mark: str) -> bool:
        return self.place < len(self.tokens) and self.tokens[self.place][:2] == ("mark", mark)

    def _header(self) -> Path:
        line = self.tokens[self.place][2]
        self.place += 1
        of_list = self._mark("[")
        self.place += of_list
        path = self._key()
        self.place += 1 + of_list
        if of_list:
            number = self.tables.get(path, -1) + 1
            self.tables[path] = number
            path = (*path, number)
        self.lines.setdefault(path, line)
        return path

    def _key(self) -> Path:
        parts: list[str] = []
        while True:
            kind, text, _ = self.tokens[self.place]
            parts.append(text[1:-1] if kind == "text" else text)
            self.place += 1
            if not self._mark("."):
                return tuple(parts)
            self.place += 1

    def _pair(self, prefix: Path) -> None:
        line = self.tokens[self.place][2]
        path = (*prefix, *self._key())
        self.lines[path] = line
        self.place += 1
        self._value(path)

    def _value(self, path: Path) -> None:
        if self._mark("["):
            self._list(path)
        elif self._mark("{"):
            self._inline_table(path)
        else:
            self._text(path)
            while self.place < len(self.tokens) and not self._ends_value():
                self.place += 1

    def _text(self, path: Path) -> None:
        """Note where a text of several lines begins: behind the quotes, or on the next line."""
        kind, text, line = self.tokens[self.place]
        if kind == "text" and text[:3] in ('"""', "'''") and "\\\n" not in text[3:].removeprefix("\\"):
            self.lines[(*path, TEXT)] = line + (text[3:].lstrip("\\").replace("\r", "")[:1] == "\n")

    def _ends_value(self) -> bool:
        kind, text, _ = self.tokens[self.place]
        return kind == "newline" or (kind == "mark" and text in ",]}")

    def _list(self, path: Path) -> None:
        self.place += 1
        number = 0
        while not self._mark("]"):
            if self._at("newline") or self._mark(","):
                self.place += 1
                continue
            self.lines[(*path, number)] = self.tokens[self.place][2]
            self._value((*path, number))
            number += 1
        self.place += 1

    def _inline_table(self, path: Path) -> None:
        self.place += 1
        while not self._mark("}"):
            if self._at("newline") or self._mark(","):
                self.place += 1
            else:
                self._pair(path)
        self.place += 1

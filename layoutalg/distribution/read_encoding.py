"""Encodings as C++ spells them, read in source and in compiler messages.

>>> text = '''error: in instantiation of ck_tile::tile_distribution_encoding<ck_tile::sequence<>,
... ck_tile::tuple<ck_tile::sequence<32>, ck_tile::sequence<2, 4>>, ck_tile::tuple<ck_tile::sequence<2, 1>>,
... ck_tile::tuple<ck_tile::sequence<0, 0>>, ck_tile::sequence<2>, ck_tile::sequence<1>>'''
>>> encoding = read_encoding(text)
>>> encoding.x_lengths, encoding.p_lengths
((32, 8), (64,))
>>> print(encoding)
tile_distribution_encoding<sequence<>, tuple<sequence<32>, sequence<2, 4>>, tuple<sequence<2, 1>>, \
tuple<sequence<0, 0>>, sequence<2>, sequence<1>>
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from layoutalg.distribution.encoding import TileDistributionEncoding
from layoutalg.errors import LayoutError
from layoutalg.length import sizes

__all__ = ["read_encoding", "read_encodings"]

NAME = "tile_distribution_encoding"
_START = re.compile(rf"\b{NAME}\s*<")
_PARAMETERS = re.compile(r"\s*(?:typename\s+)?\w+\s*(?:,[\s\w,]*(?:\.\.\.)?)?\s*>")
_WORD = re.compile(r"\s*(?:(?:::\s*)?(?:[A-Za-z_]\w*\s*::\s*)*([A-Za-z_]\w*)|(\d+)[uUlL]*|(\S))")
ELIDED = "clang leaves out equal template arguments; compile with -fno-elide-type"


def read_encoding(text: str) -> TileDistributionEncoding:
    """The one encoding in a text; names of lengths become symbols (positive integers).

    >>> read_encoding(
    ...     "tile_distribution_encoding<sequence<1>, tuple<sequence<M0, M1*M2>>, tuple<sequence<1>>,"
    ...     " tuple<sequence<1>>, sequence<1>, sequence<0>>{}"
    ... ).x_lengths
    (M0*M1*M2,)
    """
    found = read_encodings(text)
    if len(set(found)) != 1:
        msg = f"wanted one {NAME}<...>, found {len(set(found)) or 'none'}"
        raise LayoutError(msg, hint="read_encodings(...) gives all of them" if found else "")
    return found[0]


def read_encodings(text: str) -> tuple[TileDistributionEncoding, ...]:
    """All encodings in a text, such as a compiler's message, in their order.

    Where the name stands with template parameters, as in a declaration, there is none to read.
    """
    if not isinstance(text, str):
        raise LayoutError(f"read_encodings: wanted text, got {text!r}")
    starts = (match for match in _START.finditer(text) if not _PARAMETERS.match(text, match.end()))
    return tuple(_Reader(text, match.end() - 1).encoding() for match in starts)


class _Reader:
    """Template arguments from a place in a text on."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position

    def encoding(self) -> TileDistributionEncoding:
        self._take("<")
        rs = self._sequence()
        rest = []
        for part in (self._tuple, self._tuple, self._tuple, self._sequence, self._sequence):
            self._take(",")
            rest.append(part())
        self._take(">")
        hs, p_major, p_minor, y_major, y_minor = rest
        return TileDistributionEncoding(rs, hs, p_major, p_minor, y_major, y_minor)

    def _tuple(self) -> tuple[Any, ...]:
        return self._list("tuple", self._sequence)

    def _sequence(self) -> tuple[Any, ...]:
        return self._list("sequence", self._number)

    def _list(self, name: str, item: Any) -> tuple[Any, ...]:
        self._take(name)
        self._take("<")
        found: list[Any] = []
        while self._peek() != ">":
            if found:
                self._take(",")
            found.append(item())
        self._take(">")
        return tuple(found)

    def _number(self) -> Any:
        """A product of numbers and names."""
        value: Any = self._factor()
        while self._peek() == "*":
            self._take("*")
            value = value * self._factor()
        return value

    def _factor(self) -> Any:
        match = self._match()
        if match[2]:
            self.position = match.end()
            return int(match[2])
        if match[1]:
            self.position = match.end()
            return sizes(match[1])
        return self._refuse("a number or the name of a length")

    def _peek(self) -> str:
        match = self._match()
        return match[1] or match[2] or match[3]

    def _match(self) -> re.Match[str]:
        match = _WORD.match(self.text, self.position)
        if match is None:
            self._refuse("more template arguments")
        return match

    def _take(self, wanted: str) -> None:
        match = self._match()
        if wanted not in (match[1], match[3]):
            self._refuse(wanted)
        self.position = match.end()

    def _refuse(self, wanted: str) -> NoReturn:
        begin = max(0, self.position - 60)
        near = " ".join(self.text[begin : self.position + 40].split())
        place = len(" ".join(self.text[begin : self.position].split()))
        msg = f"{NAME}: wanted {wanted}\n  {near}\n  {' ' * place}^"
        hint = ELIDED if "[...]" in self.text or "(no argument)" in self.text else ""
        raise LayoutError(msg, hint=hint)

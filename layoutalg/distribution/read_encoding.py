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
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from layoutalg.distribution.encoding import EncodingError, TileDistributionEncoding
from layoutalg.distribution.template_words import TemplateWords
from layoutalg.errors import LayoutError
from layoutalg.length import sizes
from layoutalg.reading.near_names import meant, near_names
from layoutalg.reading.spelled_integer import spelled_integer

__all__ = ["read_encoding", "read_encodings"]

NAME = "tile_distribution_encoding"
_START = re.compile(rf"\b{NAME}\s*<")
_PARAMETERS = re.compile(r"\s*(?:typename\s+)?\w+\s*(?:,[\s\w,]*(?:\.\.\.)?)?\s*>")
_LITERAL = re.compile(r"(0[xX][0-9a-fA-F]+|0|[1-9]\d*)[uUlLzZ]*")
ELIDED = "clang leaves out equal template arguments; compile with -fno-elide-type"


class _Argument(NamedTuple):
    """One of the six: its name in errors, and whether it is a tuple of sequences, and of lengths."""

    title: str
    is_tuple: bool
    is_length: bool


ARGUMENTS = (
    _Argument("the first argument (the lengths Rs)", is_tuple=False, is_length=True),
    _Argument("the second argument (the lengths Hs)", is_tuple=True, is_length=True),
    _Argument("the third argument (the majors of Ps)", is_tuple=True, is_length=False),
    _Argument("the fourth argument (the minors of Ps)", is_tuple=True, is_length=False),
    _Argument("the fifth argument (the majors of Ys)", is_tuple=False, is_length=False),
    _Argument("the sixth argument (the minors of Ys)", is_tuple=False, is_length=False),
)


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
        raise LayoutError(msg, hint="read_encodings(...) gives all of them" if found else _misspelt(text))
    return found[0]


def read_encodings(text: str) -> tuple[TileDistributionEncoding, ...]:
    """All encodings in a text, such as a compiler's message, in their order.

    Where the name stands with template parameters, as in a declaration, there is none to read.
    """
    if not isinstance(text, str):
        raise LayoutError(f"read_encodings: wanted text, got {text!r}")
    starts = (match for match in _START.finditer(text) if not _PARAMETERS.match(text, match.end()))
    return tuple(_Reader(text, match.end() - 1).encoding() for match in starts)


def _misspelt(text: str) -> str:
    near = near_names(NAME, (match[1] for match in re.finditer(r"(\w+)\s*<", text)))
    return f"did you mean {NAME} where {near[0]} stands?" if near else ""


class _Reader:
    """The six template arguments from a place in a text on."""

    def __init__(self, text: str, position: int) -> None:
        self.words = TemplateWords(text, position, NAME)
        self.open: list[str] = []  # whose brackets are not closed yet
        self.places: dict[tuple[int, ...], int] = {}

    def encoding(self) -> TileDistributionEncoding:
        self._open(NAME)
        values = [self._argument(number) for number in range(len(ARGUMENTS))]
        if not self._close():
            last = f"'>' after {ARGUMENTS[-1].title}"
            self._fail(last, f"{NAME} has {len(ARGUMENTS)} arguments" if self.words.word.text == "," else "")
        try:
            return TileDistributionEncoding(*values)
        except EncodingError as error:
            problem = error.message.removeprefix(f"{NAME}: ")
            self.words.refuse(problem, self.places.get(error.at, self.places[error.at[:1]]), error.hint)

    def _argument(self, number: int) -> Any:
        argument = ARGUMENTS[number]
        if number and not self.words.take(","):
            self._fail(f"',' after {ARGUMENTS[number - 1].title}", self._missing(number))
        self.places[number,] = self.words.word.position
        return self._tuple(number) if argument.is_tuple else self._sequence((number,), argument.title)

    def _missing(self, number: int) -> str:
        if self.words.word.text != ">":
            return ""
        missing = " and ".join(one.title for one in ARGUMENTS[number : number + 2])
        return f"{NAME} has {len(ARGUMENTS)} arguments: {missing} {'is' if number == 5 else 'are'} missing"

    def _tuple(self, number: int) -> tuple[Any, ...]:
        title = ARGUMENTS[number].title

        def sequence(place: int) -> tuple[Any, ...]:
            return self._sequence((number, place), f"sequence {place} of {title}")

        return self._list("tuple", title, sequence)

    def _sequence(self, path: tuple[int, ...], title: str) -> tuple[Any, ...]:
        def number(place: int) -> Any:
            self.places[*path, place] = self.words.word.position
            return self._product(is_length=ARGUMENTS[path[0]].is_length)

        self.places[path] = self.words.word.position
        return self._list("sequence", title, number)

    def _list(self, name: str, title: str, item: Callable[[int], Any]) -> tuple[Any, ...]:
        if not self.words.take(name):
            self._fail(f"{name}<...> for {title}", self._instead_of(name))
        self._open(name)
        found: list[Any] = []
        while not self._close():
            if found and not self.words.take(","):
                self._fail(f"',' or '>' after entry {len(found) - 1} of {title}")
            found.append(item(len(found)))
        return tuple(found)

    def _instead_of(self, name: str) -> str:
        """What may have happened where another word stands for ``sequence`` or ``tuple``."""
        written = self.words.word
        if (written.text, name) == ("tuple", "sequence"):
            return "is a '>' missing before it?"
        if (written.text, name) == ("sequence", "tuple"):
            return "a tuple<...> around the sequences, one for each dimension"
        return meant(written.text, [name]) if written.kind == "name" else ""

    def _product(self, *, is_length: bool) -> Any:
        """A product of numbers and names; names stand for lengths alone."""
        value = self._factor(is_length=is_length)
        while self.words.take("*"):
            value = value * self._factor(is_length=is_length)
        return value

    def _factor(self, *, is_length: bool) -> Any:
        word = self.words.word
        wanted = "a length (a number >= 1 or a name)" if is_length else "the number of a dimension (>= 0)"
        if word.kind == "name" and is_length:
            return sizes(self.words.step().text)
        literal = _LITERAL.fullmatch(word.text) if word.kind == "number" else None
        value = spelled_integer(literal[1], NAME, may_be_hexadecimal=True) if literal else None
        if value is None or value < is_length:
            self._fail(wanted)
        self.words.step()
        return value

    def _open(self, name: str) -> None:
        if not self.words.take("<"):
            self._fail(f"'<' after {name}")
        self.open.append(name)

    def _close(self) -> bool:
        if not self.words.take(">"):
            return False
        self.open.pop()
        return True

    def _fail(self, wanted: str, hint: str = "") -> NoReturn:
        text = self.words.text
        if "[...]" in text or "(no argument)" in text:
            hint = ELIDED
        elif self.words.word.kind == "end":
            hint = f"not closed: the '<' of {' and of '.join(self.open)}"
        self.words.fail(wanted, hint=hint)

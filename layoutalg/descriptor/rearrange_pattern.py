"""Patterns such as ``(m1 m2) k -> m1 (m2 k)``: both sides as dimensions made of names.

A dimension is a name, or several names in parentheses, the last one fastest; ``1`` and ``()`` are a dimension
of length 1, and ``...`` stands for all dimensions that are not named.

>>> pattern = read_pattern("(m1 m2) k -> m1 (m2 k)")
>>> pattern.left, pattern.right
((('m1', 'm2'), ('k',)), (('m1',), ('m2', 'k')))
>>> read_pattern("m k -> k n")
Traceback (most recent call last):
    ...
layoutalg.descriptor.rearrange_pattern.PatternError: rearrange: n stands on the right side only
  m k -> k n
           ^ (the names on the left are m, k)
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from layoutalg.errors import LayoutError

__all__ = ["Pattern", "PatternError", "Side", "nearest", "read_pattern"]

Side = tuple[tuple[str, ...], ...]  # for each dimension the names it is made of, slowest first
REST = "..."
MERGED = "(...)"  # the same in parentheses: all dimensions that are not named, within one
_WORD = re.compile(r"\s+|->|\.\.\.|\w+|.", re.DOTALL)


class PatternError(LayoutError):
    """A pattern that cannot be followed; the message shows the place.

    >>> print(PatternError("rearrange: wanted a name", "m k -> @", 7).message)
    rearrange: wanted a name
      m k -> @
             ^
    """

    def __init__(self, problem: str, text: str, position: int, *, hint: str = "") -> None:
        self.problem = problem
        self.position = position
        shown = re.sub(r"\s", " ", text)
        super().__init__(f"{problem}\n  {shown}\n  {' ' * position}^", hint=hint)


@dataclass(frozen=True)
class Pattern:
    """Both sides of a pattern, and where their parts stand in its text.

    ``names``: for each side, where every name stands in the text; ``places``: for each side, where every
    dimension begins, and at last where the side ends.
    """

    text: str
    left: Side
    right: Side
    names: tuple[dict[str, int], dict[str, int]]
    places: tuple[tuple[int, ...], tuple[int, ...]]

    def spread(self, rank: int) -> Pattern:
        """The pattern for a number of dimensions: ``...`` becomes names of its own, and all are counted."""
        has_rest = (REST,) in self.left
        others = rank - (len(self.left) - has_rest)
        if others < 0 or (others and not has_rest):
            self._refuse_rank(rank)
        if not has_rest:
            return self
        named = tuple(f"{REST}{i}" for i in range(others))
        at = self.left.index((REST,))
        left = (*self.left[:at], *((name,) for name in named), *self.left[at + 1 :])
        place = self.places[0]
        places = (*place[:at], *(place[at] for _ in named), *place[at + 1 :])
        positions = dict.fromkeys(named, place[at])
        return replace(
            self,
            left=left,
            right=tuple(_spread(self.right, named)),
            names=(self.names[0] | positions, self.names[1]),
            places=(places, self.places[1]),
        )

    def refuse(self, problem: str, position: int, hint: str = "") -> NoReturn:
        """Raise an error at a place of the text."""
        raise PatternError(f"rearrange: {problem}", self.text, position, hint=hint)

    def _refuse_rank(self, rank: int) -> NoReturn:
        has_rest = (REST,) in self.left
        wanted = f"{len(self.left) - has_rest}{' or more' if has_rest else ''}"
        problem = f"the left side is made for {wanted} dimensions, there are {rank}"
        hint = "name each of them once; ... stands for all others"
        self.refuse(problem, self.places[0][min(rank, len(self.left))], hint)


def _spread(side: Side, named: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    for names in side:
        if names == (REST,):
            yield from ((name,) for name in named)
        else:
            yield tuple(part for name in names for part in (named if name == MERGED else (name,)))


def nearest(name: str, known: Sequence[str]) -> str:
    """A hint: the known name that was probably meant, else all of them."""
    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}?" if close else f"the names on the left are {', '.join(known) or 'none'}"


def read_pattern(text: str) -> Pattern:
    """The pattern a text spells; refused where its sides do not have the same names.

    >>> read_pattern("b ... -> ... b").right
    (('...',), ('b',))
    """
    if not isinstance(text, str):
        raise LayoutError(f"rearrange: wanted a pattern such as '(m1 m2) k -> m1 (m2 k)', got {text!r}")
    arrows = [match.start() for match in re.finditer("->", text)]
    if len(arrows) != 1:
        hint = "the dimensions there are -> the dimensions wanted"
        position = arrows[1] if arrows else len(text)
        raise PatternError(f"rearrange: wanted one ->, found {len(arrows)}", text, position, hint=hint)
    sides = [_Side(text, 0, arrows[0]), _Side(text, arrows[0] + 2, len(text))]
    left, right = sides
    found = Pattern(
        text,
        tuple(left.dimensions),
        tuple(right.dimensions),
        (left.names, right.names),
        ((*left.places, arrows[0]), (*right.places, len(text))),
    )
    _check_names(found)
    return found


def _check_names(pattern: Pattern) -> None:
    left, right = pattern.names
    for name, position in right.items():
        if name not in left:
            pattern.refuse(f"{name} stands on the right side only", position, nearest(name, list(left)))
    for name, position in left.items():
        if name not in right:
            hint = "every dimension is kept; hold one at an index with a freeze transform"
            pattern.refuse(f"{name} stands on the left side only", position, hint)
    if REST in left and (REST,) not in pattern.left:
        pattern.refuse("... in parentheses on the left", left[REST], "its dimensions cannot be told apart")


class _Side:
    """One side as it is read: dimensions, where they begin, and where each name stands."""

    def __init__(self, text: str, begin: int, end: int) -> None:
        self.text = text
        self.dimensions: list[tuple[str, ...]] = []
        self.places: list[int] = []
        self.names: dict[str, int] = {}
        self.group: list[str] | None = None
        for match in _WORD.finditer(text, begin, end):
            if not match[0].isspace():
                self._take(match[0], match.start())
        if self.group is not None:
            self._refuse("this parenthesis is never closed", self.places[-1], "put a ) after its last name")

    def _take(self, word: str, position: int) -> None:
        if word == "(":
            if self.group is not None:
                self._refuse("a group within a group", position, "write its names side by side")
            self.group = []
            self.places.append(position)
        elif word == ")":
            if self.group is None:
                self._refuse("this parenthesis was never opened", position, "put a ( before the first name")
            self.dimensions.append(tuple(self.group))
            self.group = None
        else:
            self._put(self._name(word, position), position)

    def _put(self, names: tuple[str, ...], position: int) -> None:
        if self.group is not None:
            self.group += (MERGED if name == REST else name for name in names)
        else:
            self.dimensions.append(names)
            self.places.append(position)

    def _name(self, word: str, position: int) -> tuple[str, ...]:
        """The word as names: one, or for ``1`` none."""
        if word == "1":
            return ()
        if word.isdecimal():
            hint = "give it a name and its length: rearrange('(a b) -> a b', b=4)"
            self._refuse(f"wanted a name, got the number {word}", position, hint)
        is_name = word.isidentifier() and not word.startswith("_") and not word.endswith("_")
        if word != REST and not is_name:
            is_dots = not word.strip(".")
            hint = "write three dots" if is_dots else "names are letters, digits and inner underscores"
            self._refuse(f"wanted a name, got {word!r}", position, hint)
        if word in self.names:
            self._refuse(f"{word} stands twice on this side", position, "give each its own name")
        self.names[word] = position
        return (word,)

    def _refuse(self, problem: str, position: int, hint: str) -> NoReturn:
        raise PatternError(f"rearrange: {problem}", self.text, position, hint=hint)

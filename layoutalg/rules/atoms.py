"""What the letters of polynomials stand for: axes, parameters, and operations left as they are.

A table of letters belongs to one domain and one computation; equal operations share a letter, and
a letter's operands only use letters with smaller numbers.

>>> atoms = Atoms()
>>> x = atoms.letter(Atom("axis", ("x",), upper=Polynomial.constant(63)))
>>> x, atoms[0].kind
(Polynomial({(0,): 1}), 'axis')
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from layoutalg.rules.polynomial import Polynomial

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sympy import Symbol

__all__ = ["Atom", "Atoms", "NewQuotientError"]


@dataclass(frozen=True, slots=True)
class Atom:
    """One letter: its kind and what it is made of.

    ``lower`` and ``upper`` are ends that hold at every point of the domain, both included, written
    in smaller letters; None where unknown. ``cases`` are polynomials of which the letter always
    equals one, ``more_uppers`` further upper ends. ``is_uniform``: fixed while a kernel runs.
    """

    kind: str
    operands: tuple[Any, ...]
    lower: Polynomial | None = None
    upper: Polynomial | None = None
    is_uniform: bool = False
    symbol: Symbol | None = None
    multiple_of: int = 1
    cases: tuple[Polynomial, ...] = ()
    more_uppers: tuple[Polynomial, ...] = ()


class NewQuotientError(Exception):
    """A quotient that is no letter yet, where none is to be made."""


class Atoms:
    """The letters of one computation, numbered in the order in which they are first met."""

    def __init__(self) -> None:
        self.has_all_quotients = False
        self._atoms: list[Atom] = []
        self._numbers: dict[tuple[str, tuple[Any, ...]], int] = {}
        self._by_kind: dict[str, set[int]] = {}

    def copy(self) -> Atoms:
        """The same letters in a table of their own."""
        found = Atoms()
        found._atoms, found._numbers = self._atoms.copy(), self._numbers.copy()
        found._by_kind = {kind: letters.copy() for kind, letters in self._by_kind.items()}
        return found

    @contextmanager
    def no_new_quotients(self) -> Iterator[None]:
        """Inside the block, a quotient that is no letter yet raises :class:`NewQuotientError`."""
        outer, self.has_all_quotients = self.has_all_quotients, True
        try:
            yield
        finally:
            self.has_all_quotients = outer

    def __getitem__(self, letter: int) -> Atom:
        return self._atoms[letter]

    def __len__(self) -> int:
        return len(self._atoms)

    def find(self, kind: str, operands: tuple[Any, ...]) -> Polynomial | None:
        """The letter of an operation met before, or None."""
        number = self._numbers.get((kind, operands))
        return None if number is None else Polynomial.letter(number)

    def letter(self, atom: Atom) -> Polynomial:
        """The letter of an operation; equal operations share one."""
        key = (atom.kind, atom.operands)
        if key not in self._numbers:
            self._numbers[key] = len(self._atoms)
            self._by_kind.setdefault(atom.kind, set()).add(len(self._atoms))
            self._atoms.append(atom)
        return Polynomial.letter(self._numbers[key])

    def set_ends(self, letter: int, *, lower: Polynomial | None, upper: Polynomial | None) -> None:
        """Give a letter other ends, before anything was concluded from the old ones."""
        self._atoms[letter] = replace(self._atoms[letter], lower=lower, upper=upper)

    def is_uniform(self, polynomial: Polynomial) -> bool:
        """Whether the polynomial is fixed while a kernel runs."""
        return all(self._atoms[letter].is_uniform for letter in polynomial.letters)

    def all_of_kind(self, kind: str) -> list[int]:
        """The letters of one kind that there are, in ascending order."""
        return sorted(self._by_kind.get(kind, ()))

    def of_kind(self, kind: str, polynomial: Polynomial) -> list[int]:
        """The letters of one kind that occur, in ascending order."""
        known = self._by_kind.get(kind)
        return sorted(known & polynomial.letters) if known else []

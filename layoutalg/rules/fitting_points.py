"""Points that are looked for where given facts hold: each letter's range is what they leave of it.

A few points of the whole domain seldom meet ten facts together, such as the limits of three matrices and
where a loop and a guard leave off; what is false is then searched for in vain, and long.

>>> from layoutalg.domain import Domain
>>> from layoutalg.rules.normal_form import NormalForm
>>> form = NormalForm(Domain.of({"turn": 1000}, {"K": (1, None)}))
>>> K, turn = form.symbol("K"), form.symbol("turn")
>>> facts = (K - turn.scaled(128).plus(257), turn.scaled(128).plus(300) - K)
>>> points = FittingPoints(form.atoms, facts)
>>> points.refute(K - turn.scaled(256), facts), points.refute(K - turn.scaled(128), facts)
(True, False)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.rules.polynomial import Polynomial
from layoutalg.rules.tried_points import BLOCK, SCATTER, WIDTHS, TriedPoints

if TYPE_CHECKING:
    from collections.abc import Mapping

    from layoutalg.rules.atoms import Atoms

__all__ = ["FittingPoints"]

NONE: Mapping[int, tuple[int, int]] = {}


class FittingPoints(TriedPoints):
    """Points at which most of the facts hold, where that is decided letter by letter."""

    def __init__(
        self, atoms: Atoms, facts: tuple[Polynomial, ...], residues: Mapping[int, tuple[int, int]] = NONE
    ) -> None:
        super().__init__(atoms)
        self.residues = dict(residues)
        self._limits: dict[int, list[tuple[Polynomial, Polynomial]]] = {}
        for fact in facts:
            self._note(fact)

    def _note(self, fact: Polynomial) -> None:
        """``factor * letter + rest >= 0`` is a limit of the latest letter, if it is in nothing else."""
        letter = max(self._all_letters(fact), default=None)
        factor = None if letter is None else fact.coefficient(letter)
        if letter is None or not factor:
            return
        rest = fact.without(letter)
        if letter not in self._all_letters(rest) | self._all_letters(factor):
            self._limits.setdefault(letter, []).append((factor, rest))

    def _chosen(self, letter: int, point: int, lower: int | None, upper: int | None) -> int | None:
        """An end of what the facts leave, or something near the lower one."""
        for factor, rest in self._limits.get(letter, ()):
            times, left = self._at(factor, point), self._at(rest, point)
            if times is None or left is None:
                return None
            if times > 0:
                least = -(left // times)
                lower = least if lower is None else max(lower, least)
            elif times < 0:
                most = left // -times
                upper = most if upper is None else min(upper, most)
        scattered = (letter * BLOCK + point) * SCATTER >> 7
        width = WIDTHS[(point + (scattered >> 9)) % len(WIDTHS)]
        lower, upper = self._closed(lower, upper, width)
        if upper < lower:
            return None
        within = lower + scattered % min(upper - lower + 1, width)
        return self._in_residue(letter, (lower, within, upper, within)[scattered >> 16 & 3], lower, upper)

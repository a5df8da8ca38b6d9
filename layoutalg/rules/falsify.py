"""What is negative at a point needs no search: most polynomials that ranges do not show to be >= 0 are.

Ranges try hard to show that a polynomial is never negative, and a handful of points tells that it is.
Points can only spare a search, never prove.

>>> from layoutalg.rules.atoms import Atom, Atoms
>>> from layoutalg.rules.polynomial import ZERO, Polynomial
>>> atoms = Atoms()
>>> x = atoms.letter(Atom("axis", ("x",), lower=ZERO, upper=Polynomial.constant(63)))
>>> falsifier = Falsifier(atoms)
>>> falsifier.refute(x.plus(-1), ()), falsifier.refute(x.plus(1), ())
(True, False)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.rules.fitting_points import FittingPoints
from layoutalg.rules.tried_points import TriedPoints

if TYPE_CHECKING:
    from layoutalg.rules.atoms import Atoms
    from layoutalg.rules.condition import Condition
    from layoutalg.rules.polynomial import Polynomial

__all__ = ["Falsifier"]

Facts = tuple["Polynomial", ...]


class Falsifier:
    """Points anywhere in the domain, and such as are chosen for the facts that are assumed.

    A search may leave some of these facts out: what they are chosen for holds there all the same.
    """

    def __init__(self, atoms: Atoms) -> None:
        self.anywhere = TriedPoints(atoms)
        self._fitting: dict[Facts, FittingPoints] = {}
        self._assumed: Facts = ()

    def anew(self) -> Falsifier:
        """The same residues and facts, nothing worked out yet."""
        found = Falsifier(self.anywhere.atoms)
        found.anywhere, found._assumed = self.anywhere.anew(), self._assumed
        return found

    def copy(self, atoms: Atoms) -> Falsifier:
        """The same points over a copy of the table."""
        found = Falsifier(atoms)
        found.anywhere, found._assumed = self.anywhere.copy(atoms), self._assumed
        return found

    def assume(self, facts: Facts) -> None:
        """Replace the facts that points are chosen for."""
        self._assumed = facts

    def refute(self, polynomial: Polynomial, facts: Facts) -> bool:
        """Whether the polynomial is negative where these facts hold, all or some of the assumed."""
        if self.anywhere.refute(polynomial, facts):
            return True
        return bool(self._assumed) and self._chosen().refute(polynomial, self._assumed)

    def holds(self, conditions: tuple[Condition, ...], facts: Facts) -> bool:
        """Whether all of the conditions hold where these facts do, all or some of the assumed."""
        if self.anywhere.holds(conditions, facts):
            return True
        return bool(self._assumed) and self._chosen().holds(conditions, self._assumed)

    def _chosen(self) -> FittingPoints:
        found = self._fitting.get(self._assumed)
        if found is None:
            atoms, residues = self.anywhere.atoms, self.anywhere.residues
            found = self._fitting[self._assumed] = FittingPoints(atoms, self._assumed, residues)
        return found

"""A second look at what was simplified: both forms at a few points, always the same ones.

>>> from layoutalg.domain import Domain
>>> from layoutalg.term.parse import parse_term
>>> look = SecondLook(Domain.of({"x": 64}), assume_defined=False)
>>> look.require_same(parse_term("x // 8 * 8 + x % 8"), parse_term("x"))
>>> look.require_same(parse_term("x // 8"), parse_term("x // 4"))
Traceback (most recent call last):
    ...
layoutalg.errors.InternalError: simplify turns x // 8 into x // 4: 7 and 15 at x=63; please report it ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.domain.probes import probes
from layoutalg.errors import InternalError
from layoutalg.index.pointwise import Pointwise
from layoutalg.term.interpretation import Interpretation

if TYPE_CHECKING:
    from layoutalg.domain import Domain
    from layoutalg.index.pointwise import Values
    from layoutalg.term import Term

__all__ = ["SecondLook"]


class SecondLook(Interpretation):
    """Values of terms at the probes of a domain, each term worked out once.

    With ``assume_defined`` a point at which anything in a term is not defined says nothing.
    """

    on: Pointwise

    def __init__(self, domain: Domain, *, assume_defined: bool) -> None:
        self.domain = domain
        self.assume_defined = assume_defined
        self.points = probes(domain)
        super().__init__(Pointwise(self.points.count, self.points.values), self.points.values.__getitem__)
        self._unsaid: dict[Term, tuple[set[int], set[int]]] = {}

    def require_same(self, given: Term, found: Term) -> None:
        """Refuse a form that differs from what was given at one of the points."""
        if found is given:
            return
        self.on.beyond, self.on.undefined = set(), set()
        before, after = self.value(given), self.value(found)
        unsaid = self.on.beyond | self.on.undefined if self.assume_defined else self.on.beyond
        for point, (wanted, got) in enumerate(zip(before, after, strict=True)):
            if wanted is not None and wanted != got and point not in unsaid:
                msg = f"simplify turns {given} into {found}: {wanted} and {got} at {self.points.told(point)}"
                raise InternalError(f"{msg}; please report it with the domain: {self.domain}")

    def value(self, term: Term) -> Values:
        """The values of a term; the points at which it has none are added to those of the arithmetic."""
        if not term.parts:
            return super().value(term)
        beyond, undefined = self.on.beyond, self.on.undefined
        if term not in self.seen:
            self.on.beyond, self.on.undefined = set(), set()
            self.seen[term] = self.compute(term)
            if self.on.beyond or self.on.undefined:
                self._unsaid[term] = self.on.beyond, self.on.undefined
            self.on.beyond, self.on.undefined = beyond, undefined
        if term in self._unsaid:
            more_beyond, more_undefined = self._unsaid[term]
            beyond |= more_beyond
            undefined |= more_undefined
        found: Values = self.seen[term]
        return found

    def in_branch(self) -> Interpretation:
        """The same: both branches are worked out at all points."""
        return self

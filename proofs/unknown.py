"""What is known of a claim that nobody could decide: where it is stuck, what would decide it, where it holds.

Facts that people leave out are tried one by one: a size that is a multiple of another or of a tile, one that
is not below another. What suffices is told; whether it is true is for the reader to say.

>>> from layoutalg.domain import Domain
>>> from layoutalg.properties import memory_bounds_map
>>> from layoutalg.claim import IndexMap
>>> domain = Domain.of({"m": "M", "k": "K"}, {"M": (1, None), "K": (1, None), "lda": (1, None)})
>>> rows = IndexMap(domain, (domain["m"] * domain["lda"] + domain["k"],))
>>> told = about_unknown(memory_bounds_map(rows, domain["M"] * domain["lda"], "rows"))
>>> told.deciding
('K <= lda',)
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sympy

from layoutalg.domain.probes import has_point
from layoutalg.errors import LayoutError
from layoutalg.index import FloorMod
from layoutalg.index.node import parts
from layoutalg.proofs.limits import NOT_MINE
from layoutalg.proofs.members.by_cut import prove_by_cut
from layoutalg.proofs.members.by_digits import prove_by_digits
from layoutalg.proofs.members.by_instances import refute_by_instance
from layoutalg.proofs.members.by_inverse import shown_by_rules
from layoutalg.proofs.members.by_normal_form import prove_by_normal_form
from layoutalg.verdict import Proved, Unknown

if TYPE_CHECKING:
    from layoutalg.claim import Claim

__all__ = ["AboutUnknown", "about_unknown"]

CHEAP = (prove_by_normal_form, prove_by_digits, prove_by_cut, shown_by_rules)
TRIED = 60  # facts
TOLD = 3
SECONDS = 3.0  # after which no more facts are tried
LARGE = 1024  # the largest number of a claim that is tried as a step


@dataclass(frozen=True)
class AboutUnknown:
    """Comparisons that are not shown, facts of which one suffices, and in words the sizes that were tried."""

    stuck: tuple[str, ...]
    deciding: tuple[str, ...]
    held: str

    @property
    def lines(self) -> tuple[str, ...]:
        """What there is to tell, a line each."""
        found = [f"stuck at: {text}" for text in self.stuck[:TOLD]]
        if self.deciding:
            found.append(f"would be proved with one of the facts: {', '.join(self.deciding)}")
        return (*found, self.held) if self.held else tuple(found)


def about_unknown(claim: Claim) -> AboutUnknown:
    """What can be told of an undecided claim."""
    stuck: tuple[str, ...] = ()
    if claim.kind == "comparisons":
        stuck = tuple(str(c) for c in claim.then if not _is_shown(replace(claim, then=(c,))))
    deciding: list[str] = []
    end = time.monotonic() + SECONDS
    for fact in itertools.islice(_facts(claim), TRIED):
        if len(deciding) < TOLD and time.monotonic() < end and _is_shown_with(claim, fact):
            deciding.append(str(fact))
    found = refute_by_instance(claim)
    tried = found.reason if isinstance(found, Unknown) and found.reason != NOT_MINE else ""
    tried = tried.removeprefix("no refutation among ")
    held = f"it holds for {tried} that were tried whole" if tried and not tried.startswith("0 ") else ""
    return AboutUnknown(stuck, tuple(deciding), held)


def _facts(claim: Claim) -> Iterator[Any]:
    """Facts people leave out, those about fewer sizes first."""
    about = claim.map.domain if claim.map is not None else claim.domain
    sizes = [parameter.symbol for parameter in about.parameters]
    numbers = {int(n) for n in parts(*_expressions(claim)) if n.is_Integer and 1 < n <= LARGE}
    for size, number in itertools.product(sizes, sorted(numbers, reverse=True)):
        yield sympy.Eq(FloorMod.unchecked(size, sympy.Integer(number)), 0, evaluate=False)
    for one, other in itertools.permutations(sizes, 2):
        yield sympy.Le(one, other)
    for one, other in itertools.permutations(sizes, 2):
        yield sympy.Eq(FloorMod.unchecked(one, other), 0, evaluate=False)


def _expressions(claim: Claim) -> list[Any]:
    outputs = () if claim.map is None else claim.map.outputs
    return [*outputs, *claim.when, *(side for c in claim.then for side in (c.left, c.right))]


def _is_shown_with(claim: Claim, fact: Any) -> bool:
    index_map = claim.map
    if index_map is not None:
        index_map = replace(index_map, domain=index_map.domain.where(fact))
    domain = claim.domain.where(fact)
    try:
        return has_point(domain) and _is_shown(replace(claim, domain=domain, map=index_map))
    except LayoutError:
        return False


def _is_shown(claim: Claim) -> bool:
    return any(isinstance(member(claim), Proved) for member in CHEAP)

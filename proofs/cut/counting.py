"""Onto by counting: a one-to-one map between finite sets of equal size reaches every place.

A renaming of blocks to accelerator dies, a table without equal entries that is as long as its range: how one
gets back has no simple formula, and none is needed.

>>> from layoutalg.claim import IndexMap
>>> from layoutalg.domain import Domain
>>> from layoutalg.index import FloorDiv, FloorMod
>>> from layoutalg.properties import covers_map
>>> domain = Domain.of({"b": "8*P"}, {"P": (1, None)})
>>> b, P = domain["b"], domain["P"]
>>> dies = IndexMap(domain, (FloorMod(b, 8) * P + FloorDiv(b, 8),))
>>> for claim in claims_of_counting(covers_map(dies, (8 * P,), "blocks")):
...     print(claim.name, claim.then[-1])
as many 8*P == 8*P
in bounds P*(b % 8) + b // 8 < 8*P
one-to-one b == b'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sympy import Integer, prod

from layoutalg.claim import Claim, Comparison
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.properties.one_to_one import one_to_one_map

if TYPE_CHECKING:
    from sympy import Expr

__all__ = ["Counting", "claims_of_counting"]


@dataclass(frozen=True)
class Counting:
    """A map from a box to a box of as many places."""


def claims_of_counting(claim: Claim) -> tuple[Claim, ...]:
    """That both sides have as many points, that the map stays within its targets and is one-to-one."""
    if claim.witness is None or claim.map is None:
        raise LayoutError("only a claim that a map covers is shown by counting")
    index_map, domain = claim.map, claim.map.domain
    axes = {axis.symbol for axis in domain.axes}
    if index_map.when or any(fact.free_symbols & axes for fact in domain.facts):
        raise LayoutError("conditions leave an unknown number of indices")
    lengths = [_length(claim, axis.name) for axis in domain.axes]
    if any(length.free_symbols & axes for length in lengths):
        raise LayoutError("the ends of an axis depend on another")
    targets = [target.upper or Integer(0) for target in claim.domain.axes[: len(index_map.outputs)]]
    within = tuple(
        comparison
        for output, target in zip(index_map.outputs, targets, strict=True)
        for comparison in (Comparison(Integer(0), "<=", output), Comparison(output, "<", target))
    )
    sizes = Domain(domain.parameters, domain.facts)
    no_less = tuple(Comparison(Integer(0), "<=", length) for length in lengths)
    as_many = (*no_less, Comparison(prod(lengths), "==", prod(targets)))
    return (
        Claim("as many", claim.subject, sizes, as_many),
        Claim("in bounds", claim.subject, domain, within),
        one_to_one_map(index_map, claim.subject),
    )


def _length(claim: Claim, name: str) -> Expr:
    assert claim.map is not None
    axis = claim.map.domain.variable(name)
    if axis.lower is None or axis.upper is None or axis.multiple_of > 1:
        raise LayoutError(f"{name} has no plain length")
    return axis.upper - axis.lower

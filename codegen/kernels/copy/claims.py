"""What must hold of a copy before its text is handed out.

Every run belongs to one thread, and the runs go through every index once. Loads and stores are in bounds, of
whole aligned vectors whose elements are padding together or not at all; where all are padding, nothing is
loaded. Each place of the target is written once, with the element of the same index.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.codegen.kernels.copy.plan import CopyPlan, RunAccesses
from layoutalg.codegen.kernels.exact_move import is_padding, writes_what_was_read
from layoutalg.descriptor import TensorDescriptor
from layoutalg.domain import Domain
from layoutalg.properties import (
    covers,
    covers_map,
    fits_index_type,
    fits_integer,
    logical_bounds,
    memory_bounds,
    one_to_one,
    one_to_one_map,
    vector_access,
)

__all__ = ["claims_of"]


def claims_of(plan: CopyPlan) -> tuple[Claim, ...]:
    """The claims of a copy."""
    found = [*_places(plan), one_to_one(plan.packed_view, "elements"), covers(plan.packed_view, "elements")]
    sides = [("loads", plan.source_view, plan.loads), ("stores", plan.target_view, plan.stores)]
    if not plan.is_read:
        sides = sides[1:]
        found.append(is_padding((plan.source_view.validity,), plan.source_view.domain, "loads"))
    for word, view, width in sides:
        found += [memory_bounds(view, word), logical_bounds(view, word)]
        found += vector_access(view, 1, width, word)
        found += [fits_index_type(view, subject=word), _sums(view, plan.held, word)]
    found += [one_to_one(plan.target, "target"), covers(plan.target, "target"), _same_index(plan)]
    return tuple(found) if plan.is_guarded else tuple(map(_without_condition, found))


def _places(plan: CopyPlan) -> Iterator[Claim]:
    """The threads' runs, by workgroup and thread."""
    domain = Domain.of({"block": plan.blocks, "thread": plan.threads})
    place = plan.threads * domain["block"] + domain["thread"]
    is_there = (sympy.Lt(place, plan.places, evaluate=False),) if plan.is_cut else ()
    reached = IndexMap(domain, (place,), is_there)
    yield one_to_one_map(reached, "places")
    yield covers_map(reached, (sympy.Integer(plan.places),), "places")
    within = (Comparison(place, "<", sympy.Integer(plan.places)),)
    yield Claim("in bounds", "places", domain, within, is_there)
    yield fits_integer((place,), domain, "int32", "places")


def _sums(view: TensorDescriptor, held: int, word: str) -> Claim:
    """The parts of the simplified offsets fit 32 bits: they differ from those that the transforms add up."""
    accesses = RunAccesses(view)
    parts = dict.fromkeys(part for element in range(held) for part in accesses.sums(element))
    return fits_integer(tuple(parts), accesses.domain, "int32", f"{word}, as written")


def _same_index(plan: CopyPlan) -> Claim:
    """At every place and element of a run the index written is the index read."""
    sides = ((plan.source, plan.source_view), (plan.target, plan.target_view))
    read, written = (_index(tensor, view, plan.packed_view.index) for tensor, view in sides)
    return writes_what_was_read(read, written, plan.packed_view.domain)


def _index(tensor: TensorDescriptor, view: TensorDescriptor, at: tuple[Symbol, ...]) -> list[Any]:
    hidden = view.hidden_expressions(at)
    return [hidden[i] for i in tensor.top_dimension_hidden_ids]


def _without_condition(claim: Claim) -> Claim:
    """The claim of a kernel that accesses memory whether or not an element is there."""
    if claim.name not in {"in memory bounds", "in bounds"}:
        return claim
    return Claim(claim.name, claim.subject, claim.domain, claim.then)

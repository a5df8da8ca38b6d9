"""Proofs about chains by their links: a chain is one-to-one if every transform is, within its lengths.

Read from the bottom up: if two indices meet at the bottom, then a transform that is one-to-one has equal
upper indices, and so on to the top. What a link needs is a lemma's condition (see ``lemmas``); that no
index leaves the lengths for which the lemma holds is the claim of logical bounds.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
>>> from layoutalg.properties import one_to_one
>>> cube = make_naive_tensor_descriptor_packed((8, 8, 8))
>>> prove_by_composition(one_to_one(cube.xor(0, 1).xor(1, 2).xor(2, 0)))
proved by composition
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layoutalg.claim import Claim, Comparison
from layoutalg.descriptor.chain import TransformChain
from layoutalg.errors import LayoutError
from layoutalg.index.node import as_expression
from layoutalg.proofs.limits import LIMITS, NOT_MINE, Limits
from layoutalg.proofs.members.by_digits import prove_by_digits
from layoutalg.proofs.members.by_normal_form import prove_by_normal_form
from layoutalg.proofs.theorems.lemmas import alone
from layoutalg.properties import logical_bounds, one_to_one
from layoutalg.transforms import (
    Freeze,
    Insert,
    LeftPad,
    Merge,
    Modulo,
    Offset,
    Pad,
    PassThrough,
    Replicate,
    RightPad,
    Slice,
    Transform,
    Unmerge,
    Vectorize,
    Xor,
)
from layoutalg.verdict import Proved, Unknown, Verdict

if TYPE_CHECKING:
    from layoutalg.domain import Domain

__all__ = ["prove_by_composition"]

ALWAYS = (PassThrough, Pad, LeftPad, RightPad, Slice, Offset, Merge, Unmerge, Vectorize, Freeze)


def prove_by_composition(claim: Claim, limits: Limits = LIMITS) -> Verdict:
    """Proved where every transform of a chain is one-to-one by its lemma, else unknown."""
    del limits
    chain = None if claim.map is None else claim.map.chain
    if claim.name != "one-to-one" or not isinstance(chain, TransformChain):
        return Unknown(NOT_MINE)
    for transform in dict.fromkeys(chain.transforms):
        if not _is_one_to_one(transform, chain.parameters):
            return Unknown(f"no lemma says that {transform} is one-to-one")
    inside = logical_bounds(chain, claim.subject)  # type: ignore[arg-type]
    if not prove_by_normal_form(inside):
        return Unknown("an index may leave the lengths for which the lemmas hold")
    return Proved("composition", {"lemmas": sorted({f"{t.kind} is one-to-one" for t in chain.transforms})})


def _is_one_to_one(transform: Transform, parameters: Domain) -> bool:
    if isinstance(transform, ALWAYS):
        return True
    if isinstance(transform, Xor):
        return transform.inverse() is not None
    if isinstance(transform, Insert | Replicate):
        return all(length == 1 for length in transform.upper_lengths)
    try:
        if isinstance(transform, Modulo):
            return _holds(transform.upper_lengths[0], "<=", transform.modulus, parameters)
        return bool(prove_by_digits(one_to_one(alone(transform, parameters))))
    except LayoutError:
        return False


def _holds(left: Any, op: Any, right: Any, parameters: Domain) -> bool:
    comparison = Comparison(as_expression(left), op, as_expression(right))
    return bool(prove_by_normal_form(Claim("condition", "lemma", parameters, (comparison,))))

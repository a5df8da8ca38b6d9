"""Same map: two descriptors or adaptors send every index to the same place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.errors import LengthError
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.length import differ
from layoutalg.properties.in_bounds import validity_of

if TYPE_CHECKING:
    from layoutalg.descriptor.adaptor import TensorAdaptor

__all__ = ["same_map"]


def same_map(left: TensorAdaptor, right: TensorAdaptor, subject: str = "two maps") -> Claim:
    """Equal bottom indices at every index that both vouch for.

    Refused: maps of different rank or of lengths known to differ.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> packed = make_naive_tensor_descriptor_packed((4, 8))
    >>> print(same_map(packed.merge(0, 1), make_naive_tensor_descriptor_packed((32,))))
    same map: two maps: for all 0 <= i0 < 32: 8*(i0 // 8) + i0 % 8 == i0
    """
    if left.rank != right.rank:
        msg = f"same map: the ranks differ: {left.rank} and {right.rank}"
        raise LengthError(msg)
    for dimension, pair in enumerate(zip(left.lengths, right.lengths, strict=True)):
        if differ(*pair):
            msg = f"same map: the lengths of dimension {dimension} differ: {pair[0]} and {pair[1]}"
            raise LengthError(msg)
    if len(left.bottom_dimension_hidden_ids) != len(right.bottom_dimension_hidden_ids):
        counts = f"{len(left.bottom_dimension_hidden_ids)} and {len(right.bottom_dimension_hidden_ids)}"
        msg = f"same map: the numbers of dimensions below differ: {counts}"
        raise LengthError(msg)
    index = left.index
    sides = (left.hidden_index(index, SYMBOLIC), right.hidden_index(index, SYMBOLIC))
    bottoms = left.bottom_dimension_hidden_ids, right.bottom_dimension_hidden_ids
    outputs = tuple(
        Comparison(sides[0][one], "==", sides[1][other]) for one, other in zip(*bottoms, strict=True)
    )
    lengths = tuple(
        Comparison(as_expression(one), "==", as_expression(other))
        for one, other in zip(left.lengths, right.lengths, strict=True)
        if differ(one, other) is None
    )
    domain = left.domain.joined(right.parameters)
    when = (*validity_of(left, index), *validity_of(right, index))
    index_map = IndexMap(domain, tuple(comparison.left for comparison in outputs), when)
    then = (*lengths, *outputs)
    return Claim("same map", subject, domain, then, when, map=index_map)

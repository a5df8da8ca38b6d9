"""Same map: two descriptors or adaptors send every index to the same place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.errors import LengthError
from layoutalg.index.node import as_expression
from layoutalg.length import differ
from layoutalg.properties.arguments import adaptor_of

if TYPE_CHECKING:
    from layoutalg.descriptor.adaptor import TensorAdaptor
    from layoutalg.layout import Layout

__all__ = ["same_map"]


def same_map(left: TensorAdaptor | Layout, right: TensorAdaptor | Layout, subject: str = "two maps") -> Claim:
    """Equal bottom indices at every index that both vouch for.

    Refused: maps of different rank or of lengths known to differ.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> packed = make_naive_tensor_descriptor_packed((4, 8))
    >>> print(same_map(packed.merge(0, 1), make_naive_tensor_descriptor_packed((32,))))
    same map: two maps: for all 0 <= i0 < 32: 8*(i0 // 8) + i0 % 8 == i0
    """
    left, right = adaptor_of(left, "same map"), adaptor_of(right, "same map")
    if left.rank != right.rank:
        msg = f"same map: the ranks differ: {left.rank} and {right.rank}"
        raise LengthError(msg)
    for dimension, pair in enumerate(zip(left.lengths, right.lengths, strict=True)):
        if differ(*pair):
            msg = f"same map: the lengths of dimension {dimension} differ: {pair[0]} and {pair[1]}"
            raise LengthError(msg)
    one = left.index_map()
    other = right.index_map(IndexMap(one.domain, left.index))
    if len(one.outputs) != len(other.outputs):
        msg = f"same map: the numbers of dimensions below differ: {len(one.outputs)} and {len(other.outputs)}"
        raise LengthError(msg)
    outputs = tuple(Comparison(a, "==", b) for a, b in zip(one.outputs, other.outputs, strict=True))
    lengths = tuple(
        Comparison(as_expression(mine), "==", as_expression(its))
        for mine, its in zip(left.lengths, right.lengths, strict=True)
        if differ(mine, its) is None
    )
    index_map = IndexMap(other.domain, one.outputs, (*one.when, *other.when))
    return Claim("same map", subject, other.domain, (*lengths, *outputs), index_map.when, map=index_map)

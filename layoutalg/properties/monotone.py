"""Monotone: along a dimension, offsets only grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.properties.arguments import axis_of, descriptor_of, map_axis_of, map_of, one_output

if TYPE_CHECKING:
    from sympy import Symbol

    from layoutalg.descriptor import TensorDescriptor
    from layoutalg.layout import Layout

__all__ = ["monotone", "monotone_map"]


def monotone(
    descriptor: TensorDescriptor | Layout | IndexMap, dimension: int | str, subject: str = "descriptor"
) -> Claim:
    """The next index along a dimension never has a smaller offset, where both are valid.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
    >>> print(monotone(make_naive_tensor_descriptor((4, 8), (8, 1)), 1))
    monotone: descriptor: for all 0 <= i0 < 4, 0 <= i1 < 8: if i1 + 1 < 8, then 8*i0 + i1 <= 8*i0 + i1 + 1
    """
    if isinstance(descriptor, IndexMap):
        return monotone_map(descriptor, map_axis_of(descriptor, dimension, "monotone"), subject)
    descriptor = descriptor_of(descriptor, "monotone")
    return monotone_map(descriptor.index_map(), axis_of(descriptor, dimension, "monotone"), subject)


def monotone_map(index_map: IndexMap, axis: Symbol, subject: str) -> Claim:
    """The claim for any map with one output."""
    offset = one_output(map_of(index_map, "monotone"), "monotone")
    variable = index_map.domain.variable(axis)
    step, inside = variable.multiple_of, variable.upper
    following = {axis: axis + step}
    within = () if inside is None else (axis + step < inside,)
    when = (*within, *index_map.when, *(condition.xreplace(following) for condition in index_map.when))
    grows = Comparison(offset, "<=", offset.xreplace(following))
    return Claim("monotone", subject, index_map.domain, (grows,), when, map=index_map)

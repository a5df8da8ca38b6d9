"""In bounds: of memory, and of every dimension on the way there. Two claims, kept apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy
from sympy import Expr

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.index.node import as_expression

if TYPE_CHECKING:
    from layoutalg.descriptor import TensorDescriptor
    from layoutalg.descriptor.adaptor import TensorAdaptor

__all__ = ["logical_bounds", "memory_bounds"]


def memory_bounds(descriptor: TensorDescriptor, subject: str = "descriptor") -> Claim:
    """Every valid index has its offset in ``0 <= offset < element_space_size``.

    A descriptor that starts at an offset of its own counts from there.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
    >>> print(memory_bounds(make_naive_tensor_descriptor((3, 4), (8, 1))))
    in memory bounds: descriptor: for all 0 <= i0 < 3, 0 <= i1 < 4: 0 <= 8*i0 + i1 and 8*i0 + i1 < 20
    """
    found = descriptor.index_map()
    start, end = descriptor.base_offset, as_expression(descriptor.element_space_size)
    return within(found, start, start + end, "in memory bounds", subject)


def within(index_map: IndexMap, start: Expr, end: Expr, name: str, subject: str) -> Claim:
    """The one output of a map stays in ``start <= output < end`` wherever the map is valid."""
    (offset,) = index_map.outputs
    then = (Comparison(start, "<=", offset), Comparison(offset, "<", end))
    return Claim(name, subject, index_map.domain, then, index_map.when, map=index_map)


def logical_bounds(adaptor: TensorAdaptor, subject: str = "adaptor") -> Claim:
    """Every valid index stays within the length of every dimension it passes.

    Memory bounds do not imply it: an index may leave its row and still hit the buffer.
    """
    found, lengths = adaptor.hidden_map(), adaptor.hidden_lengths
    then = []
    for dimension, (index, length) in enumerate(zip(found.outputs, lengths, strict=True)):
        if length is None or dimension in adaptor.top_dimension_hidden_ids:
            continue
        then += [Comparison(sympy.Integer(0), "<=", index), Comparison(index, "<", length)]
    return Claim("in logical bounds", subject, found.domain, tuple(then), found.when, map=adaptor.index_map())

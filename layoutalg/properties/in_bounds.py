"""In bounds: of memory, and of every dimension on the way there. Two claims, kept apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.descriptor import TensorDescriptor
from layoutalg.index.node import as_expression
from layoutalg.properties.arguments import adaptor_of, descriptor_of, map_of

if TYPE_CHECKING:
    from layoutalg.descriptor.adaptor import TensorAdaptor
    from layoutalg.layout import Layout

__all__ = ["logical_bounds", "memory_bounds", "memory_bounds_map", "within"]


def within(index: Iterable[Any], lengths: Iterable[Any], start: Any = 0) -> tuple[Comparison, ...]:
    """``start <= i < start + length`` for each index and its length."""
    return tuple(
        comparison
        for i, length in zip(index, lengths, strict=True)
        for comparison in (Comparison(start, "<=", i), Comparison(i, "<", as_expression(start + length)))
    )


def memory_bounds_map(index_map: IndexMap, space: Any, subject: str, start: Any = 0) -> Claim:
    """Every offset that a map gives lies in ``start <= offset < start + space``.

    >>> from layoutalg.domain import Domain
    >>> domain = Domain.of({"x": 8})
    >>> print(memory_bounds_map(IndexMap(domain, (2 * domain["x"],)), 15, "2*x"))
    in memory bounds: 2*x: for all 0 <= x < 8: 0 <= 2*x and 2*x < 15
    """
    bounds = within(map_of(index_map, "in memory bounds").outputs, (space,), start)
    return Claim("in memory bounds", subject, index_map.domain, bounds, index_map.when, map=index_map)


def memory_bounds(descriptor: TensorDescriptor | Layout, subject: str = "descriptor") -> Claim:
    """Every valid index has its offset in ``0 <= offset < element_space_size``.

    A descriptor that starts at an offset of its own counts from there.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
    >>> print(memory_bounds(make_naive_tensor_descriptor((3, 4), (8, 1))))
    in memory bounds: descriptor: for all 0 <= i0 < 3, 0 <= i1 < 4: 0 <= 8*i0 + i1 and 8*i0 + i1 < 20
    """
    descriptor = descriptor_of(descriptor, "in memory bounds")
    space = as_expression(descriptor.element_space_size)
    return memory_bounds_map(descriptor.index_map(), space, subject, descriptor.base_offset)


def logical_bounds(adaptor: TensorAdaptor | Layout, subject: str = "adaptor") -> Claim:
    """Every valid index stays within the length of every dimension it passes.

    Memory bounds do not imply it: an index may leave its row and still hit the buffer. Memory that begins at
    an offset of its own is counted from there.

    >>> import layoutalg as la
    >>> la.prove(la.logical_bounds(la.make_naive_tensor_descriptor_packed((4, 8)).merge(0, 1)))
    proved by normal form
    """
    adaptor = adaptor_of(adaptor, "in logical bounds")
    found, lengths = adaptor.hidden_map(), adaptor.hidden_lengths
    memory = adaptor.bottom_dimension_hidden_ids if isinstance(adaptor, TensorDescriptor) else ()
    start = adaptor.base_offset if isinstance(adaptor, TensorDescriptor) else 0
    then: list[Comparison] = []
    for dimension, (index, length) in enumerate(zip(found.outputs, lengths, strict=True)):
        if length is None or dimension in adaptor.top_dimension_hidden_ids:
            continue
        then += within((index,), (length,), start if dimension in memory else 0)
    bottom = tuple(found.outputs[i] for i in adaptor.bottom_dimension_hidden_ids)
    index_map = IndexMap(found.domain, bottom, found.when, adaptor)
    return Claim("in logical bounds", subject, found.domain, tuple(then), found.when, map=index_map)

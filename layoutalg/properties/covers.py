"""Covers: every element of a range is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy
from sympy import Symbol

from layoutalg.claim import Claim, Comparison, IndexMap
from layoutalg.domain import Domain, Variable
from layoutalg.errors import LayoutError, LengthError
from layoutalg.index.node import as_expression
from layoutalg.properties.arguments import adaptor_of, descriptor_of, map_of

if TYPE_CHECKING:
    from layoutalg.descriptor import TensorDescriptor
    from layoutalg.descriptor.adaptor import TensorAdaptor
    from layoutalg.layout import Layout

__all__ = ["covers", "covers_adaptor", "covers_map"]


def covers(descriptor: TensorDescriptor | Layout, subject: str = "descriptor") -> Claim:
    """Every offset of the element space belongs to some valid index (the map is onto).

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
    >>> print(covers(make_naive_tensor_descriptor((4,), (2,))))
    covers: descriptor: for all 0 <= y0 < 7: there are 0 <= i0 < 4 with 2*i0 == y0
    """
    descriptor = descriptor_of(descriptor, "covers")
    space = as_expression(descriptor.element_space_size)
    if space.is_positive is False:
        msg = f"covers: the memory of {subject} has {space} elements as CK counts it (strides are negative)"
        raise LayoutError(msg, hint="covers_map takes the map and how many elements are meant")
    found = descriptor.index_map()
    from_start = found.outputs[0] - descriptor.base_offset
    return covers_map(IndexMap(found.domain, (from_start,), found.when), (space,), subject)


def covers_adaptor(adaptor: TensorAdaptor | Layout, subject: str = "adaptor") -> Claim:
    """Every bottom index within the bottom lengths belongs to some valid top index."""
    adaptor = adaptor_of(adaptor, "covers")
    return covers_map(adaptor.index_map(), tuple(map(as_expression, adaptor.bottom_lengths)), subject)


def covers_map(index_map: IndexMap, lengths: tuple[sympy.Expr, ...], subject: str) -> Claim:
    """The claim for any map: every output tuple below ``lengths`` is the output of some point."""
    index_map = map_of(index_map, "covers")
    if len(lengths) != len(index_map.outputs):
        msg = f"covers: wanted a length for each of {len(index_map.outputs)} outputs, got {len(lengths)}"
        raise LengthError(msg)
    lengths = tuple(map(as_expression, lengths))
    domain = index_map.domain
    taken = {variable.name for variable in domain.variables}
    letter = next(x for x in "yzt" if not any(f"{x}{i}" in taken for i in range(len(lengths))))
    targets = [Symbol(f"{letter}{i}", integer=True, nonnegative=True) for i in range(len(lengths))]
    axes = tuple(
        Variable(target, sympy.Integer(0), length) for target, length in zip(targets, lengths, strict=True)
    )
    reached = tuple(
        Comparison(output, "==", target) for output, target in zip(index_map.outputs, targets, strict=True)
    )
    sizes = {parameter.symbol for parameter in domain.parameters}
    return Claim(
        "covers",
        subject,
        Domain(axes + domain.parameters, tuple(f for f in domain.facts if f.free_symbols <= sizes)),
        reached,
        index_map.when,
        witness=Domain(domain.axes),
        map=index_map,
    )

"""Strides of a descriptor, where it has any: one number a dimension that the offset is the sum of.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
>>> rows = make_naive_tensor_descriptor((8, 6), (6, 1))
>>> strides_of(rows.unmerge(0, (2, 4)))
(24, 6, 1)
>>> strides_of(rows.merge(0, 1).merge(0))
(1,)
>>> strides_of(rows.pad(0, 0, 8))
Traceback (most recent call last):
    ...
layoutalg.errors.LayoutError: no strides: some indices are padding
"""

from __future__ import annotations

import sympy

from layoutalg.descriptor import TensorDescriptor
from layoutalg.errors import LayoutError
from layoutalg.length import Length
from layoutalg.transforms import Embed

__all__ = ["strides_of"]


def strides_of(descriptor: TensorDescriptor) -> tuple[Length, ...]:
    """The strides; refused, with the reason, where the offset is no such sum."""
    first = descriptor.transforms[0]
    if len(descriptor.transforms) == 1 and isinstance(first, Embed):
        by_id = dict(zip(descriptor.upper_dimension_hidden_idss[0], first.coefficients, strict=True))
        return tuple(by_id[i] for i in descriptor.top_dimension_hidden_ids)
    if descriptor.validity != sympy.true:
        raise LayoutError("no strides: some indices are padding")
    rest = sympy.expand(descriptor.offset)
    found = []
    for symbol in descriptor.index:
        step = rest.coeff(symbol, 1)
        if step.free_symbols & set(descriptor.index):
            raise LayoutError(f"no strides: the offset has {step * symbol}")
        found.append(int(step) if step.is_Integer else step)
        rest = sympy.expand(rest - step * symbol)
    if rest.free_symbols & set(descriptor.index):
        raise LayoutError(f"no strides: the offset has {rest}", hint="see of_descriptor(...)")
    if rest != 0:
        raise LayoutError(f"no strides: the first index has offset {rest}, not 0")
    return tuple(found)

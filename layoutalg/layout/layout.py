"""Nested layouts: a nested shape over a descriptor, CK wrapper's ``Layout`` and CuTe's in one.

``(4,(2,4)):(2,(1,8))`` has 4 rows and 2 times 4 columns; an index may be as nested as the shape or less:
one integer counts through a nested part with its first leaf fastest.

>>> layout = make_layout((4, (2, 4)), (2, (1, 8)))
>>> layout
(4,(2,4)):(2,(1,8))
>>> layout(1, (1, 2)), layout(1, 5), layout(21)
(19, 19, 19)
>>> layout.descriptor().offset
2*i0 + i1 + 6*(i1 // 2)

Sources: CK, ``include/ck/wrapper/layout.hpp``; CuTe, "Layout Algebra".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sympy import Expr

from layoutalg.c_integers import C_INTEGERS
from layoutalg.descriptor import TensorDescriptor
from layoutalg.errors import LengthError
from layoutalg.layout.nest import (
    Nest,
    as_lengths,
    as_strides,
    column_major_strides,
    congruent,
    depth,
    flatten,
    nest_text,
    nested_as,
    part,
    total,
)
from layoutalg.length import Length
from layoutalg.make_descriptor import make_naive_tensor_descriptor
from layoutalg.symbolic import SYMBOLIC
from layoutalg.transforms import Freeze, Merge, MergeVariant, PassThrough, Transform

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from layoutalg.arithmetic import Arithmetic

__all__ = ["Layout", "make_layout"]


@dataclass(frozen=True, repr=False)
class Layout:
    """A nested ``shape``, and a descriptor with one dimension for each of its leaves."""

    shape: Nest
    unrolled_descriptor: TensorDescriptor

    def __post_init__(self) -> None:
        leaves = flatten(self.shape)
        if len(leaves) != self.unrolled_descriptor.rank:
            msg = f"Layout: shape {nest_text(self.shape)} has {len(leaves)} leaves,"
            raise LengthError(f"{msg} the descriptor {self.unrolled_descriptor.rank} dimensions")

    @property
    def rank(self) -> int:
        """The number of top-level modes; 1 for a shape that is one length."""
        return len(self.shape) if isinstance(self.shape, tuple) else 1

    @property
    def depth(self) -> int:
        """How deep the shape is nested."""
        return depth(self.shape)

    @property
    def size(self) -> Length:
        """The number of indices."""
        return total(self.shape)

    @property
    def element_space_size(self) -> Length:
        """How many elements the memory must hold, as the descriptor says."""
        return self.unrolled_descriptor.element_space_size

    @property
    def stride(self) -> Nest:
        """Strides nested as the shape; refused for layouts that have none (padded, swizzled, ...)."""
        from layoutalg.layout.strides import strides_of  # noqa: PLC0415  it asks the rules

        return nested_as(strides_of(self.unrolled_descriptor), self.shape)

    @property
    def cosize(self) -> Length:
        """One more than the offset of the last index: CuTe's ``cosize``."""
        steps = zip(flatten(self.shape), flatten(self.stride), strict=True)
        return 1 + sum((leaf - 1) * step for leaf, step in steps)

    def __call__(self, *index: Any) -> Any:
        """The offset of an index of integers, arrays or symbols, nested as the shape or less."""
        given = index[0] if len(index) == 1 else index
        if isinstance(given, list):
            given = tuple(given)
        if isinstance(given, tuple) and len(given) == 1 and self.rank != 1:
            (given,) = given
        symbolic = any(isinstance(leaf, Expr) for leaf in flatten(given))
        on: Arithmetic[Any] = SYMBOLIC if symbolic else C_INTEGERS
        leaves = self.unrolled_index(given, on)
        offset = self.unrolled_descriptor.hidden_index(leaves, on)[0]
        return offset.item() if isinstance(offset, np.generic) else offset

    def unrolled_index(self, index: Nest, on: Arithmetic[Any]) -> tuple[Any, ...]:
        """The index of every leaf, in any arithmetic."""
        return tuple(_unrolled(index, self.shape, on))

    def mode(self, *places: int) -> Layout:
        """The layout of one mode (or of a mode of a mode), the others held at 0: CK's ``get``.

        >>> make_layout((4, (2, 4)), (2, (1, 8))).mode(1)
        (2,4):(1,8)
        """
        inner, leaf = self.shape, 0
        for level, place in enumerate(places):
            found = part(inner, (place,), f"get<{', '.join(map(str, places[: level + 1]))}>")
            leaf += len(flatten(inner[:place])) if isinstance(inner, tuple) else 0
            inner = found
        kept = range(leaf, leaf + len(flatten(inner)))
        lengths = self.unrolled_descriptor.lengths
        transforms = [PassThrough(n) if i in kept else Freeze(0) for i, n in enumerate(lengths)]
        upper = [(i - leaf,) if i in kept else () for i in range(len(lengths))]
        below = [(i,) for i in range(len(lengths))]
        return Layout(inner, self.unrolled_descriptor.transform(transforms, below, upper))

    @property
    def modes(self) -> tuple[Layout, ...]:
        """The layouts of the top-level modes."""
        return tuple(map(self.mode, range(self.rank)))

    def descriptor(
        self, profile: Nest | None = None, variant: MergeVariant = MergeVariant.V1_CARRY_CHECK
    ) -> TensorDescriptor:
        """The layout as a descriptor with a dimension for each leaf of ``profile``.

        Left out, the profile is one dimension for each mode. CK merges nested modes without carry checks
        where lengths are known when compiled, by magic numbers where they are not: ``variant``.
        """
        wanted = (0,) * self.rank if profile is None else profile
        if len(flatten(wanted)) == 1:
            return self.descriptor_1d(variant)
        groups = _groups(wanted, self.shape)
        transforms: list[Transform] = []
        lower: list[tuple[int, ...]] = []
        first = 0
        for group in groups:
            leaves = flatten(group)
            ids = tuple(range(first, first + len(leaves)))
            nested = isinstance(group, tuple)
            transforms.append(Merge(leaves[::-1], variant) if nested else PassThrough(leaves[0]))
            lower.append(ids[::-1])
            first += len(leaves)
        return self.unrolled_descriptor.transform(transforms, lower, [(i,) for i in range(len(groups))])

    def descriptor_1d(self, variant: MergeVariant = MergeVariant.V1_CARRY_CHECK) -> TensorDescriptor:
        """The layout as a descriptor of one dimension, the first leaf fastest."""
        leaves = flatten(self.shape)
        below = tuple(range(len(leaves)))[::-1]
        return self.unrolled_descriptor.transform([Merge(leaves[::-1], variant)], [below], [(0,)])

    def bind(self, values: Mapping[Any, int]) -> Layout:
        """The layout with numbers in place of symbols."""
        bound = self.unrolled_descriptor.bind(values)
        return Layout(nested_as(bound.lengths, self.shape), bound)

    def __repr__(self) -> str:
        from layoutalg.layout.strides import strides_text  # noqa: PLC0415  it asks the rules

        return f"{nest_text(self.shape)}:{strides_text(self)}"


def make_layout(shape: Any, strides: Any = None) -> Layout:
    """The layout of a shape and strides; without strides packed, the first leaf fastest (column-major).

    >>> make_layout((4, (2, 4)))
    (4,(2,4)):(1,(4,8))
    """
    found = as_lengths(shape, "make_layout: shape")
    steps = column_major_strides(found) if strides is None else as_strides(strides, "make_layout: strides")
    if not congruent(found, steps):
        msg = f"make_layout: shape {nest_text(found)} and strides {nest_text(steps)} are not nested alike"
        raise LengthError(msg)
    return Layout(found, make_naive_tensor_descriptor(flatten(found), flatten(steps)))


def _unrolled(index: Nest, shape: Nest, on: Arithmetic[Any]) -> Sequence[Any]:
    """Leaves of an index; an integer for a nested part counts its first leaf fastest."""
    if isinstance(index, list):
        index = tuple(index)
    if isinstance(index, tuple):
        inner = shape if isinstance(shape, tuple) else (shape,)
        if len(index) != len(inner):
            msg = f"index {nest_text(index)} does not fit shape {nest_text(shape)}"
            raise LengthError(msg, hint="an index has one component, or as many as the shape at each level")
        return [leaf for i, s in zip(index, inner, strict=True) for leaf in _unrolled(i, s, on)]
    lengths = flatten(shape)
    if len(lengths) == 1:
        return [index]
    return Merge(lengths[::-1]).lower((index,), on)[::-1] if lengths else []


def _groups(profile: Nest, shape: Nest) -> list[Nest]:
    """The part of the shape that each leaf of the profile indexes."""
    if not isinstance(profile, tuple):
        return [shape]
    inner = shape if isinstance(shape, tuple) else (shape,)
    if len(profile) != len(inner):
        msg = f"profile {nest_text(profile)} does not fit shape {nest_text(shape)}"
        raise LengthError(msg)
    return [group for p, s in zip(profile, inner, strict=True) for group in _groups(p, s)]

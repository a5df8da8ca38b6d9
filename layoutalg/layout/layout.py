"""Nested layouts: a nested shape over a descriptor, CK wrapper's ``Layout`` and CuTe's in one.

``(4,(2,4)):(2,(1,8))`` has 4 rows and 2 times 4 columns; an index may be as nested as the shape or less:
one integer counts through a nested part with its first leaf fastest.

>>> layout = make_layout((4, (2, 4)), (2, (1, 8)))
>>> layout
(4,(2,4)):(2,(1,8))
>>> layout(1, (1, 2)), layout(1, 5), layout(21)
(19, 19, 19)
>>> layout.as_descriptor().offset
2*i0 + i1 + 6*(i1 // 2)

Sources: CK, ``include/ck/wrapper/layout.hpp``; CuTe, "Layout Algebra".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np
from sympy import Expr, Integer, Symbol

from layoutalg.descriptor import TensorDescriptor
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.display import Displayed
from layoutalg.errors import LayoutError, LengthError
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.index.node import as_expression
from layoutalg.index.symbolic import SYMBOLIC
from layoutalg.layout.nest import (
    Nest,
    as_lengths,
    as_strides,
    as_tuples,
    column_major_strides,
    congruent,
    depth,
    flatten,
    mapped,
    nest_text,
    nested_as,
    part,
    total,
)
from layoutalg.layout.strides import strides_of
from layoutalg.length import Length, differ, length, stride
from layoutalg.reading.near_attributes import NearAttributes
from layoutalg.reading.signature_note import noted
from layoutalg.transforms import Embed, Freeze, Merge, MergeVariant, PassThrough, Transform

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from layoutalg.index.arithmetic import Arithmetic

    IntegerNest: TypeAlias = int | tuple["IntegerNest", ...]

__all__ = ["Layout", "as_layout", "make_layout"]


@dataclass(frozen=True, repr=False)
class Layout(NearAttributes, Displayed):
    """A nested ``shape``, and a descriptor with one dimension for each of its leaves.

    >>> import layoutalg as la
    >>> layout = la.make_layout((4, (2, 4)), (2, (1, 8)))
    >>> layout, layout(3, (1, 2)), layout.size
    ((4,(2,4)):(2,(1,8)), 23, 32)
    """

    shape: Nest
    unrolled_descriptor: TensorDescriptor

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", as_lengths(self.shape, "Layout: shape"))
        if not isinstance(self.unrolled_descriptor, TensorDescriptor):
            raise LengthError(f"Layout: wanted a descriptor, got a {type(self.unrolled_descriptor).__name__}")
        leaves, below = flatten(self.shape), self.unrolled_descriptor.lengths
        if len(leaves) != len(below) or any(map(differ, leaves, below)):
            found = f"{nest_text(self.shape)} does not fit a descriptor of lengths {nest_text(below)}"
            raise LengthError(f"Layout: shape {found}")

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
        return nested_as(strides_of(self.unrolled_descriptor), self.shape)

    @property
    def cosize(self) -> Length:
        """How many elements the offsets span, the lowest and the highest included: CuTe's ``cosize``.

        >>> make_layout((4, 2), (2, 8)).cosize, make_layout(4, -1).cosize
        (15, 4)
        """
        return _span(flatten(self.shape), flatten(self.stride))

    @overload
    def __call__(self, *index: IntegerNest) -> int: ...
    @overload
    def __call__(self, *index: Any) -> Any: ...
    def __call__(self, *index: Any) -> Any:
        """The offset of an index of integers, arrays or symbols, nested as the shape or less."""
        given = as_tuples(index[0] if len(index) == 1 else index)
        if isinstance(given, tuple) and len(given) == 1 and self.rank != 1:
            (given,) = given
        given = mapped(_component, given)
        symbols = self.unrolled_descriptor.free_symbols or any(isinstance(i, Expr) for i in flatten(given))
        if symbols and any(isinstance(i, np.ndarray) for i in flatten(given)):
            raise LengthError("index: wanted symbols or arrays, got both", hint="give symbols values first")
        on: Arithmetic[Any] = SYMBOLIC if symbols else C_INTEGERS
        leaves = self.unrolled_index(mapped(as_expression, given) if symbols else given, on)
        offset = self.unrolled_descriptor.interpret_hidden_index(leaves, on)[0]
        return int(offset) if isinstance(offset, np.integer | Integer) else offset

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
        plain = self._plain_strides
        if plain is not None:
            return make_layout(inner, nested_as(plain[leaf : kept.stop], inner))
        lengths = self.unrolled_descriptor.lengths
        transforms = [PassThrough(n) if i in kept else Freeze(0) for i, n in enumerate(lengths)]
        upper = [(i - leaf,) if i in kept else () for i in range(len(lengths))]
        below = [(i,) for i in range(len(lengths))]
        return Layout(inner, self.unrolled_descriptor.transform(transforms, below, upper))

    @property
    def _plain_strides(self) -> tuple[Length, ...] | None:
        """The strides of a layout that ``make_layout`` made."""
        base = self.unrolled_descriptor
        steps = base.transforms[0].coefficients if isinstance(base.transforms[0], Embed) else ()
        is_plain = len(steps) == base.rank and base == _strided(base.lengths, steps)
        return steps if is_plain else None

    @property
    def modes(self) -> tuple[Layout, ...]:
        return tuple(map(self.mode, range(self.rank)))

    def as_descriptor(
        self, profile: Nest | None = None, variant: MergeVariant = MergeVariant.V1_CARRY_CHECK
    ) -> TensorDescriptor:
        """The layout as a descriptor with a dimension for each leaf of ``profile``.

        Left out, the profile is one dimension for each mode. CK merges nested modes without carry checks
        where lengths are known when compiled, by magic numbers where they are not: ``variant``.
        """
        wanted = (0,) * self.rank if profile is None else as_tuples(profile)
        if len(flatten(wanted)) == 1:
            return self.as_descriptor_1d(variant)
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

    def as_descriptor_1d(self, variant: MergeVariant = MergeVariant.V1_CARRY_CHECK) -> TensorDescriptor:
        """The layout as a descriptor of one dimension, the first leaf fastest."""
        leaves = flatten(self.shape)
        below = tuple(range(len(leaves)))[::-1]
        return self.unrolled_descriptor.transform([Merge(leaves[::-1], variant)], [below], [(0,)])

    def bind(self, values: Mapping[str, int] | Mapping[Symbol, int]) -> Layout:
        """The layout with numbers in place of symbols."""
        bound = self.unrolled_descriptor.bind(values)
        return Layout(nested_as(bound.lengths, self.shape), bound)

    def __repr__(self) -> str:
        try:
            strides = nest_text(self.stride)
        except LayoutError:
            strides = f"[{self.unrolled_descriptor.offset}]"
        return f"{nest_text(self.shape)}:{strides}"


@noted
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
    return Layout(found, _strided(flatten(found), flatten(steps)))


def _strided(lengths: Sequence[Length], steps: Sequence[Length]) -> TensorDescriptor:
    """CK's descriptor; with negative strides, by which CK counts memory down, what the offsets span."""
    made = make_naive_tensor_descriptor(lengths, steps)
    if any(as_expression(step).is_negative for step in steps):
        return replace(made, element_space_size=_span(lengths, steps))
    return made


def _span(lengths: Sequence[Length], steps: Sequence[Length]) -> Length:
    """The highest offset less the lowest, plus one."""
    sizes = (-step if as_expression(step).is_negative else step for step in steps)
    return 1 + sum((length - 1) * size for length, size in zip(lengths, sizes, strict=True))


def as_layout(value: Any, where: str) -> Layout:
    """A layout itself; of a length the layout ``n:1``."""
    if isinstance(value, Layout):
        return value
    if isinstance(value, int | np.integer | Expr):
        return make_layout(length(value, where), 1)
    raise LengthError(f"{where}: wanted a layout or a length, got {value!r}")


def _component(value: Any) -> Any:
    """One component of an index: arrays as 64-bit integers, everything else as integers or symbols."""
    if isinstance(value, np.ndarray) and value.ndim and np.issubdtype(value.dtype, np.integer):
        return value.astype(np.int64)
    return stride(value, "index")


def _unrolled(index: Nest, shape: Nest, on: Arithmetic[Any]) -> Sequence[Any]:
    """Leaves of an index; an integer for a nested part counts its first leaf fastest."""
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

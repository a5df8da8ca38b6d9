"""Swizzles: offsets with some of their bits xored by others, CuTe's ``Swizzle<bits, base, shift>``.

::

    offset  ...  Y Y Y  ...  Z Z Z  b b b b       bits = 3, base = 4, shift = distance of Y from Z
                 Y Y Y  ...  Z^Y    b b b b

>>> from layoutalg.layout.layout import make_layout
>>> swizzled = Swizzle(3, 0, 3)(make_layout((8, 8), (8, 1)))
>>> swizzled
(8,8):[8*i0 + (i0 ^ i1)]
>>> swizzled(2, 1), Swizzle(3, 0, 3).swizzled(17)
(19, 19)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from layoutalg.descriptor import TensorDescriptor
from layoutalg.errors import LayoutError
from layoutalg.index import FloorDiv
from layoutalg.index.arithmetic import Arithmetic
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.layout.layout import Layout, as_layout
from layoutalg.length import Length, Lengths
from layoutalg.transforms import Transform, VectorHint

__all__ = ["Swizzle", "SwizzleOffset"]


@dataclass(frozen=True)
class Swizzle:
    """Bits ``base .. base + bits`` of an offset xored with those ``shift`` higher (lower if negative)."""

    bits: int
    base: int
    shift: int

    def __post_init__(self) -> None:
        for name in ("bits", "base"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                msg = f"Swizzle: {name}: wanted a number >= 0, got {value!r}"
                raise LayoutError(msg)
        if not isinstance(self.shift, int) or abs(self.shift) < self.bits:
            msg = f"Swizzle: shift: wanted at least {self.bits} either way, got {self.shift!r}"
            raise LayoutError(msg, hint="nearer, the bits would be xored with themselves")

    @property
    def mask(self) -> int:
        """The bits that are read."""
        return ((1 << self.bits) - 1) << (self.base + max(0, self.shift))

    def swizzled(self, offset: Any, on: Arithmetic[Any] = C_INTEGERS) -> Any:
        """Where an offset goes, in any arithmetic; twice is back again."""
        read = on.bit_and(offset, on.integer(self.mask))
        distance = on.integer(abs(self.shift))
        moved = on.shift_right(read, distance) if self.shift >= 0 else on.shift_left(read, distance)
        return on.bit_xor(offset, moved)

    def __call__(self, layout: Layout | Length) -> Layout:
        """The layout with its offsets swizzled."""
        layout = as_layout(layout, "Swizzle")
        return Layout(layout.shape, _on_offset(layout.unrolled_descriptor, self))

    def __str__(self) -> str:
        return f"Sw<{self.bits},{self.base},{self.shift}>"


@dataclass(frozen=True)
class SwizzleOffset(Transform):
    """A swizzle as the transform next to memory. It keeps the element space, rounded up to whole swizzles."""

    up_length: Length
    swizzle: Swizzle
    kind: ClassVar[str] = "swizzle"

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return (self.up_length,)

    @property
    def upper_lengths(self) -> Lengths:
        return (self.up_length,)

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        return (self.swizzle.swizzled(upper[0], on),)

    def inverse(self) -> SwizzleOffset:
        return self

    def upper_vectors(self, lower: Sequence[VectorHint]) -> tuple[VectorHint, ...]:
        """Neighbours stay together up to the lowest bit that is changed."""
        (hint,) = lower
        return (VectorHint(min(hint.length, 1 << self.swizzle.base), hint.stride),)


def _whole(space: Any, period: int) -> Any:
    return FloorDiv.unchecked(space + period - 1, period) * period


def _on_offset(descriptor: TensorDescriptor, swizzle: Swizzle) -> TensorDescriptor:
    """The descriptor with one more hidden dimension between its offset and memory."""

    def pushed(ids: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(i + 1 for i in ids)

    space = descriptor.element_space_size
    period = 1 << (swizzle.base + swizzle.bits + abs(swizzle.shift))
    whole = -(-space // period) * period if isinstance(space, int) else _whole(space, period)
    return replace(
        descriptor,
        transforms=(SwizzleOffset(whole, swizzle), *descriptor.transforms),
        lower_dimension_hidden_idss=((0,), *map(pushed, descriptor.lower_dimension_hidden_idss)),
        upper_dimension_hidden_idss=((1,), *map(pushed, descriptor.upper_dimension_hidden_idss)),
        bottom_dimension_hidden_ids=(0,),
        top_dimension_hidden_ids=pushed(descriptor.top_dimension_hidden_ids),
        element_space_size=whole,
        guaranteed_vectors=(),
    )

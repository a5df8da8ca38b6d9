"""A contiguous part of one dimension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from layoutalg.errors import LengthError
from layoutalg.length import Length, Lengths, length
from layoutalg.reading.signature_note import noted
from layoutalg.transforms.transform import Transform

if TYPE_CHECKING:
    from layoutalg.index.arithmetic import Arithmetic

__all__ = ["Slice", "make_slice_transform"]


@dataclass(frozen=True)
class Slice(Transform):
    """``lower = upper + slice_begin`` for ``slice_end - slice_begin`` indices.

    >>> Slice(12, 2, 7).upper_lengths
    (5,)
    """

    low_length: Length
    slice_begin: Length
    slice_end: Length
    kind: ClassVar[str] = "slice"

    def __post_init__(self) -> None:
        for name, at_least in (("low_length", 1), ("slice_begin", 0), ("slice_end", 1)):
            value = length(getattr(self, name), f"slice: {name}", at_least=at_least)
            object.__setattr__(self, name, value)
        begin, end, low = self.slice_begin, self.slice_end, self.low_length
        if isinstance(begin, int) and isinstance(end, int) and begin >= end:
            msg = f"slice: wanted slice_begin < slice_end, got {begin} and {end}"
            raise LengthError(msg)
        if isinstance(end, int) and isinstance(low, int) and end > low:
            msg = f"slice: wanted slice_end <= low_length = {low}, got {end}"
            raise LengthError(msg)

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return (self.low_length,)

    @property
    def upper_lengths(self) -> Lengths:
        return (self.slice_end - self.slice_begin,)

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        (index,) = upper
        return (on.add(index, on.lift(self.slice_begin)),)

    def inverse(self) -> None:
        return None


@noted
def make_slice_transform(low_length: Length, slice_begin: Length, slice_end: Length) -> Slice:
    """The indices ``slice_begin`` to ``slice_end - 1`` of one dimension.

    >>> import layoutalg as la
    >>> la.make_slice_transform(8, 2, 6).index_map()
    IndexMap(domain=Domain: 0 <= i0 < 4, outputs=(i0 + 2,), when=())
    """
    return Slice(low_length, slice_begin, slice_end)

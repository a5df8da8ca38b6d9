"""A dimension that starts somewhere else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from layoutalg.length import Length, Lengths, length, stride
from layoutalg.reading.signature_note import noted
from layoutalg.transforms.transform import Transform

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.index.arithmetic import Arithmetic

__all__ = ["Offset", "make_offset_transform"]


@dataclass(frozen=True)
class Offset(Transform):
    """``lower = upper + offset_length``; the upper length is the lower one, nothing is cut off.

    >>> from layoutalg.index.c_integers import C_INTEGERS
    >>> Offset(32, 100).lower((5,), C_INTEGERS)
    (105,)
    """

    low_length: Length
    offset_length: Length
    kind: ClassVar[str] = "offset"

    def __post_init__(self) -> None:
        object.__setattr__(self, "low_length", length(self.low_length, "offset: low_length"))
        offset = stride(self.offset_length, "offset: offset_length")
        object.__setattr__(self, "offset_length", offset)

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return (self.low_length,)

    @property
    def upper_lengths(self) -> Lengths:
        return (self.low_length,)

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        (index,) = upper
        return (on.add(index, on.lift(self.offset_length)),)

    def inverse(self) -> Offset:
        return Offset(self.low_length, -self.offset_length)


@noted
def make_offset_transform(low_length: Length, offset_length: Length) -> Offset:
    """One dimension that starts somewhere else.

    >>> import layoutalg as la
    >>> la.make_offset_transform(8, 100).index_map().outputs
    (i0 + 100,)
    """
    return Offset(low_length, offset_length)

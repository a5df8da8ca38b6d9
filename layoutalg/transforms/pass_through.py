"""The identity on one dimension."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from layoutalg.length import Length, Lengths, length
from layoutalg.reading.signature_note import noted
from layoutalg.transforms.transform import Transform, VectorHint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.index.arithmetic import Arithmetic

__all__ = ["PassThrough", "make_pass_through_transform"]


@dataclass(frozen=True)
class PassThrough(Transform):
    """The lower index is the upper index.

    >>> PassThrough(128).upper_lengths
    (128,)
    """

    low_length: Length
    kind: ClassVar[str] = "pass_through"

    def __post_init__(self) -> None:
        object.__setattr__(self, "low_length", length(self.low_length, "pass_through: low_length"))

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return (self.low_length,)

    @property
    def upper_lengths(self) -> Lengths:
        return (self.low_length,)

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        del on
        return tuple(upper)

    def inverse(self) -> PassThrough:
        return self

    def upper_vectors(self, lower: Sequence[VectorHint]) -> tuple[VectorHint, ...]:
        return tuple(lower)


@noted
def make_pass_through_transform(low_length: Length) -> PassThrough:
    """The identity on one dimension.

    >>> import layoutalg as la
    >>> la.make_pass_through_transform(8).index_map().outputs
    (i0,)
    """
    return PassThrough(low_length)

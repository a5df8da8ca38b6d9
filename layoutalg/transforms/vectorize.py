"""A dimension counted in vectors (old CK)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from layoutalg.length import Length, Lengths, length
from layoutalg.transforms.transform import Transform

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.index.arithmetic import Arithmetic

__all__ = ["Vectorize"]


@dataclass(frozen=True)
class Vectorize(Transform):
    """``lower = upper * vector_size``: each upper index is the start of a vector.

    >>> from layoutalg.index.c_integers import C_INTEGERS
    >>> Vectorize(4, 16).lower((3,), C_INTEGERS)
    (12,)
    """

    vector_size: Length
    up_length: Length
    kind: ClassVar[str] = "vectorize"

    def __post_init__(self) -> None:
        object.__setattr__(self, "vector_size", length(self.vector_size, "vectorize: vector_size"))
        object.__setattr__(self, "up_length", length(self.up_length, "vectorize: up_length"))

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return (None,)

    @property
    def upper_lengths(self) -> Lengths:
        return (self.up_length,)

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        (index,) = upper
        return (on.mul(index, on.lift(self.vector_size)),)

    def inverse(self) -> None:
        return None

"""Strides: the map at the bottom of a tensor with explicit strides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from layoutalg.errors import LengthError
from layoutalg.length import Length, Lengths, lengths, sequence, stride
from layoutalg.reading.signature_note import noted
from layoutalg.transforms.transform import Transform

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.index.arithmetic import Arithmetic

__all__ = ["Embed", "make_embed_transform"]


@dataclass(frozen=True)
class Embed(Transform):
    """``lower = sum(upper[i] * coefficients[i])``; coefficients may be zero or negative.

    >>> from layoutalg.index.c_integers import C_INTEGERS
    >>> Embed((3, 4), (8, 1)).lower((1, 2), C_INTEGERS)
    (10,)
    """

    up_lengths: Lengths
    coefficients: Lengths
    kind: ClassVar[str] = "embed"

    def __post_init__(self) -> None:
        up_lengths = lengths(self.up_lengths, "embed: up_lengths")
        given = sequence(self.coefficients, "embed: coefficients")
        coefficients = tuple(stride(value, f"embed: coefficients[{i}]") for i, value in enumerate(given))
        if len(up_lengths) != len(coefficients):
            msg = f"embed: wanted one coefficient for each of {len(up_lengths)} lengths"
            msg += f", got {len(coefficients)}"
            raise LengthError(msg)
        object.__setattr__(self, "up_lengths", up_lengths)
        object.__setattr__(self, "coefficients", coefficients)

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return (None,)

    @property
    def upper_lengths(self) -> Lengths:
        return self.up_lengths

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        pairs = zip(upper, self.coefficients, strict=True)
        return (on.total([on.mul(index, on.lift(stride)) for index, stride in pairs]),)

    def inverse(self) -> None:
        return None


@noted
def make_embed_transform(up_lengths: Sequence[Length], coefficients: Sequence[Length]) -> Embed:
    """Strides: one lower dimension from several upper ones.

    >>> import layoutalg as la
    >>> la.make_embed_transform((4, 8), (10, 1)).index_map().outputs
    (10*i0 + i1,)
    """
    strides = tuple(sequence(coefficients, "embed: coefficients"))
    return Embed(lengths(up_lengths, "embed: up_lengths"), strides)

"""The swizzle: columns permuted by a bit pattern that depends on the row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from layoutalg.errors import LengthError
from layoutalg.length import Length, Lengths, lengths
from layoutalg.reading.signature_note import noted
from layoutalg.transforms.transform import Transform, VectorHint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.index.arithmetic import Arithmetic

__all__ = ["Xor", "make_xor_transform", "make_xor_with_modulo_transform"]


@dataclass(frozen=True)
class Xor(Transform):
    """``lower = (row, column ^ (row % column_length))``, or ``column ^ row`` without the modulo.

    A permutation of the columns only if their number is a power of two: with 6 columns, row 2
    sends column 5 to column 7, which does not exist. CK does not check this.

    >>> from layoutalg.index.c_integers import C_INTEGERS
    >>> Xor((64, 8)).lower((11, 5), C_INTEGERS)
    (11, 6)
    """

    low_lengths: Lengths
    with_modulo: bool = True
    kind: ClassVar[str] = "xor"

    def __post_init__(self) -> None:
        object.__setattr__(self, "low_lengths", lengths(self.low_lengths, "xor: low_lengths"))
        if len(self.low_lengths) != 2:
            msg = f"xor: low_lengths: wanted two lengths, row and column, got {len(self.low_lengths)}"
            raise LengthError(msg)
        if not isinstance(self.with_modulo, bool):
            msg = f"xor: with_modulo: wanted True or False, got {self.with_modulo!r}"
            raise LengthError(msg)

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return self.low_lengths

    @property
    def upper_lengths(self) -> Lengths:
        return self.low_lengths

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        row, column = upper
        mask = on.remainder(row, on.lift(self.low_lengths[1])) if self.with_modulo else row
        return row, on.bit_xor(column, mask)

    def inverse(self) -> Xor | None:
        """The swizzle itself where it is a permutation of its columns."""
        columns = self.low_lengths[1]
        is_power_of_two = isinstance(columns, int) and columns & (columns - 1) == 0
        return self if is_power_of_two and self.with_modulo else None

    def upper_vectors(self, lower: Sequence[VectorHint]) -> tuple[VectorHint, ...]:
        return tuple(lower)


@noted
def make_xor_transform(low_lengths: Sequence[Length]) -> Xor:
    """CK Tile's swizzle: the column xor the row modulo the number of columns.

    >>> import layoutalg as la
    >>> la.make_xor_transform((8, 8)).index_map().outputs
    (i0, i1 ^ i0 % 8)
    """
    return Xor(lengths(low_lengths, "xor: low_lengths"), with_modulo=True)


@noted
def make_xor_with_modulo_transform(low_lengths: Sequence[Length]) -> Xor:
    """Old CK's name for CK Tile's xor.

    >>> import layoutalg as la
    >>> la.make_xor_with_modulo_transform((8, 6)).index_map().outputs
    (i0, i1 ^ i0 % 6)
    """
    return Xor(lengths(low_lengths, "xor: low_lengths"), with_modulo=True)

"""Many lower dimensions seen as one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

from layoutalg.errors import LengthError
from layoutalg.length import Length, Lengths, lengths, product
from layoutalg.transforms.transform import Transform, VectorHint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.index.arithmetic import Arithmetic
    from layoutalg.transforms.unmerge import Unmerge

__all__ = ["Merge", "MergeVariant"]


class MergeVariant(StrEnum):
    """How CK computes a merge. The meaning is one; the range and the generated code are not."""

    V1_CARRY_CHECK = "merge_v1_carry_check"
    V2_MAGIC_DIVISION = "merge_v2_magic_division"
    V2R2_MAGIC_DIVISION = "merge_v2r2_magic_division"
    V3_DIVISION_MOD = "merge_v3_division_mod"
    V4_NO_CARRY = "merge_v4_no_carry"

    @property
    def uses_magic_division(self) -> bool:
        """Whether the upper index must lie in 0 .. 2**31 - 1 for the result to be defined."""
        return "magic" in self.value


@dataclass(frozen=True)
class Merge(Transform):
    """The upper index counts the lower dimensions in row-major order, the last one fastest.

    The first lower index is not reduced: an upper index past the end gives a first lower index
    past its end, as in CK.

    >>> from layoutalg.index.c_integers import C_INTEGERS
    >>> Merge((2, 3, 4)).lower((17,), C_INTEGERS)
    (1, 1, 1)
    """

    low_lengths: Lengths
    variant: MergeVariant = MergeVariant.V2_MAGIC_DIVISION
    kind: ClassVar[str] = "merge"

    def __post_init__(self) -> None:
        object.__setattr__(self, "low_lengths", lengths(self.low_lengths, "merge: low_lengths"))
        if not self.low_lengths:
            msg = "merge: low_lengths: wanted one length or more, got none"
            raise LengthError(msg)
        try:
            object.__setattr__(self, "variant", MergeVariant(self.variant))
        except ValueError:
            known = ", ".join(MergeVariant)
            msg = f"merge: variant: wanted one of {known}; got {self.variant!r}"
            raise LengthError(msg) from None

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return self.low_lengths

    @property
    def upper_lengths(self) -> Lengths:
        return (product(self.low_lengths),)

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        (rest,) = upper
        digits = []
        for low_length in reversed(self.low_lengths[1:]):
            base = on.lift(low_length)
            digits.append(on.remainder(rest, base))
            rest = on.quotient(rest, base)
        return (rest, *reversed(digits))

    def inverse(self) -> Unmerge:
        from layoutalg.transforms.unmerge import Unmerge  # noqa: PLC0415  each is the other's inverse

        return Unmerge(self.low_lengths)

    def upper_vectors(self, lower: Sequence[VectorHint]) -> tuple[VectorHint, ...]:
        return (lower[-1],)

    def __str__(self) -> str:
        return f"{self.variant}(low_lengths=({', '.join(map(str, self.low_lengths))}))"

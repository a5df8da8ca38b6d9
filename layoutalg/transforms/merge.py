"""Many lower dimensions seen as one, and one seen as many: each is the other's inverse."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

from layoutalg.errors import LengthError
from layoutalg.length import Length, Lengths, differ, lengths, product
from layoutalg.reading.near_names import not_one_of
from layoutalg.reading.signature_note import noted
from layoutalg.transforms.transform import UNCHECKED, UNKNOWN, Transform, VectorHint

if TYPE_CHECKING:
    from layoutalg.index.arithmetic import Arithmetic

__all__ = [
    "Merge",
    "MergeVariant",
    "Unmerge",
    "make_merge_transform",
    "make_merge_transform_v1_carry_check",
    "make_merge_transform_v2_magic_division",
    "make_merge_transform_v2r2_magic_division",
    "make_merge_transform_v3_division_mod",
    "make_merge_transform_v4_no_carry",
    "make_unmerge_transform",
]


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
            error = not_one_of("one", self.variant, MergeVariant, where="merge: variant", kind=LengthError)
            raise error from None

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
        return Unmerge(self.low_lengths)

    def upper_vectors(self, lower: Sequence[VectorHint]) -> tuple[VectorHint, ...]:
        return (lower[-1],)

    def __str__(self) -> str:
        return f"{self.variant}(low_lengths=({', '.join(map(str, self.low_lengths))}))"


@dataclass(frozen=True)
class Unmerge(Transform):
    """The lower index is the upper index flattened in row-major order, the last one fastest.

    ``use_24bit`` multiplies with CK's 24-bit instruction: every operand, and the sum so far, is cut to its
    low 24 bits, of an index as of a step, so that a coordinate moved by a negative step goes astray.

    >>> from layoutalg.index.c_integers import C_INTEGERS
    >>> Unmerge((4, 64)).lower((1, 3), C_INTEGERS)
    (67,)
    >>> Unmerge((2, 2, 4), use_24bit=True).moved((-1, 0, 0), (0, 0, 0), (8,), C_INTEGERS)
    (16777216,)
    """

    up_lengths: Lengths
    use_24bit: bool = False
    kind: ClassVar[str] = "unmerge"

    def __post_init__(self) -> None:
        object.__setattr__(self, "up_lengths", lengths(self.up_lengths, "unmerge: up_lengths"))
        if not isinstance(self.use_24bit, bool):
            msg = f"unmerge: use_24bit: wanted True or False, got {self.use_24bit!r}"
            raise LengthError(msg)

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return (product(self.up_lengths),)

    @property
    def upper_lengths(self) -> Lengths:
        return self.up_lengths

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        return (self._flattened(upper, on),)

    def moved(
        self, step: Sequence[Any], upper: Sequence[Any], lower: Sequence[Any], on: Arithmetic[Any]
    ) -> tuple[Any, ...]:
        if not self.use_24bit:
            return self.lower(upper, on)
        return (on.add(lower[0], _as_int32(self._flattened(step, on), on)),)

    def cut_to_24_bits(self, upper: Sequence[Any], on: Arithmetic[Any]) -> list[Any]:
        """What ``use_24bit`` cuts on the way: the operands, and the sum so far where another one follows.

        A single upper index is not multiplied, and not cut.
        """
        if len(upper) < 2:
            return []
        *sums, _ = self._running_sums(upper, on, lambda value: value)
        return [*upper[:-1], *sums, *(on.lift(scale) for scale in self._scales()[:-1])]

    def _scales(self) -> list[Length]:
        """How much one step of each upper index is worth."""
        scales: list[Length] = []
        scale: Length = 1
        for up_length in reversed(self.up_lengths):
            scales.append(scale)
            scale = scale * up_length
        return scales[::-1]

    def _flattened(self, upper: Sequence[Any], on: Arithmetic[Any]) -> Any:
        if self.use_24bit and upper:
            *_, found = self._running_sums(upper, on, lambda value: _low_24_bits(value, on))
            return found
        return on.total([on.mul(i, on.lift(s)) for i, s in zip(upper, self._scales(), strict=True)])

    def _running_sums(
        self, upper: Sequence[Any], on: Arithmetic[Any], cut: Callable[[Any], Any]
    ) -> Iterator[Any]:
        """The sum as CK forms it, from the last index on, before and after each other index is added."""
        running = upper[-1]
        yield running
        for index, scale in zip(upper[:-1], self._scales()[:-1], strict=True):
            running = on.add(cut(running), on.mul(cut(index), cut(on.lift(scale))))
            yield running

    def fit(self, lengths: Sequence[Length | None]) -> None:
        """Refuse a lower dimension of another size; sizes that symbols leave open may be equal."""
        (given,) = lengths
        size = product(self.up_lengths)
        if given is not None and differ(size, given):
            msg = f"{self}: the product of the upper lengths is {size}, the dimension's length {given}"
            raise LengthError(msg, hint=UNCHECKED)

    def inverse(self) -> Merge | None:
        return Merge(self.up_lengths) if self.up_lengths else None

    def upper_vectors(self, lower: Sequence[VectorHint]) -> tuple[VectorHint, ...]:
        if not self.up_lengths:
            return ()
        (hint,) = lower
        last = self.up_lengths[-1]
        known = hint.length != UNKNOWN and isinstance(last, int)
        length = math.gcd(hint.length, int(last)) if known else UNKNOWN
        unknown = (VectorHint(),) * (len(self.up_lengths) - 1)
        return (*unknown, VectorHint(length, hint.stride))


def _low_24_bits(value: Any, on: Arithmetic[Any]) -> Any:
    return on.bit_and(value, on.integer(0xFFFFFF))


def _as_int32(value: Any, on: Arithmetic[Any]) -> Any:
    """The value as CK's ``index_t`` holds it: a product of two 24-bit numbers may wrap."""
    half = on.integer(2**31)
    return on.subtract(on.bit_and(on.add(value, half), on.integer(2**32 - 1)), half)


@noted
def make_merge_transform(low_lengths: Sequence[Length]) -> Merge:
    """Several lower dimensions as one, the last one fastest.

    >>> import layoutalg as la
    >>> la.make_merge_transform((4, 8)).index_map().outputs
    (i0 // 8, i0 % 8)
    """
    return Merge(lengths(low_lengths, "merge: low_lengths"), MergeVariant.V2_MAGIC_DIVISION)


@noted
def make_merge_transform_v1_carry_check(low_lengths: Sequence[Length]) -> Merge:
    """The merge that moves by carrying from digit to digit (old CK).

    >>> import layoutalg as la
    >>> la.make_merge_transform_v1_carry_check((4, 8)).index_map().outputs
    (i0 // 8, i0 % 8)
    """
    return Merge(lengths(low_lengths, "merge: low_lengths"), MergeVariant.V1_CARRY_CHECK)


@noted
def make_merge_transform_v2_magic_division(low_lengths: Sequence[Length]) -> Merge:
    """The merge that divides by magic numbers, for upper indices of 31 bits.

    >>> import layoutalg as la
    >>> la.make_merge_transform_v2_magic_division((4, 8)).index_map().outputs
    (i0 // 8, i0 % 8)
    """
    return Merge(lengths(low_lengths, "merge: low_lengths"), MergeVariant.V2_MAGIC_DIVISION)


@noted
def make_merge_transform_v2r2_magic_division(low_lengths: Sequence[Length]) -> Merge:
    """The merge that divides by magic numbers of scanned lengths (old CK).

    >>> import layoutalg as la
    >>> la.make_merge_transform_v2r2_magic_division((4, 8)).index_map().outputs
    (i0 // 8, i0 % 8)
    """
    return Merge(lengths(low_lengths, "merge: low_lengths"), MergeVariant.V2R2_MAGIC_DIVISION)


@noted
def make_merge_transform_v3_division_mod(low_lengths: Sequence[Length]) -> Merge:
    """The merge that uses the processor's division.

    >>> import layoutalg as la
    >>> la.make_merge_transform_v3_division_mod((4, 8)).index_map().outputs
    (i0 // 8, i0 % 8)
    """
    return Merge(lengths(low_lengths, "merge: low_lengths"), MergeVariant.V3_DIVISION_MOD)


@noted
def make_merge_transform_v4_no_carry(low_lengths: Sequence[Length]) -> Merge:
    """The merge of the CK blog: division and remainder by scanned lengths, moved like v3.

    >>> import layoutalg as la
    >>> la.make_merge_transform_v4_no_carry((4, 8)).index_map().outputs
    (i0 // 8, i0 % 8)
    """
    return Merge(lengths(low_lengths, "merge: low_lengths"), MergeVariant.V4_NO_CARRY)


@noted
def make_unmerge_transform(
    up_lengths: Sequence[Length],
    use_24bit: bool = False,
) -> Unmerge:
    """One lower dimension as several, the last one fastest.

    >>> import layoutalg as la
    >>> la.make_unmerge_transform((4, 8)).index_map().outputs
    (8*i0 + i1,)
    """
    return Unmerge(lengths(up_lengths, "unmerge: up_lengths"), use_24bit)

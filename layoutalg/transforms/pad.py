"""Padding: a longer upper dimension, of which only a part maps to real elements.

CK names three. They are one map, ``lower = upper - left_pad``, and differ in the ends they watch:
``pad`` watches both, ``left_pad`` the lower and ``right_pad`` the upper end only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from layoutalg.errors import LengthError
from layoutalg.length import Length, Lengths, length
from layoutalg.reading.signature_note import noted
from layoutalg.transforms.transform import Transform, VectorHint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.index.arithmetic import Arithmetic

__all__ = [
    "LeftPad",
    "Pad",
    "RightPad",
    "make_left_pad_transform",
    "make_pad_transform",
    "make_right_pad_transform",
]


class _Padding(Transform):
    """``lower = upper - left``; what the three pads share."""

    low_length: Length
    skip_is_valid_check: bool

    @property
    def left(self) -> Length:
        return 0

    @property
    def right(self) -> Length:
        return 0

    def _check(self) -> None:
        low = length(self.low_length, f"{self.kind}: low_length")
        object.__setattr__(self, "low_length", low)
        for name in ("left_pad", "right_pad"):
            if hasattr(self, name):
                pad = length(getattr(self, name), f"{self.kind}: {name}", at_least=0)
                object.__setattr__(self, name, pad)
        if not isinstance(self.skip_is_valid_check, bool):
            msg = f"{self.kind}: skip_is_valid_check: wanted True or False"
            msg += f", got {self.skip_is_valid_check!r}"
            raise LengthError(msg)

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return (self.low_length,)

    @property
    def upper_lengths(self) -> Lengths:
        return (self.left + self.low_length + self.right,)

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        (index,) = upper
        return (on.subtract(index, on.lift(self.left)),)

    def is_valid(self, upper: Sequence[Any], on: Arithmetic[Any]) -> Any:
        if self.skip_is_valid_check:
            return on.truth(True)  # noqa: FBT003
        return self._watched(upper[0], on)

    def _watched(self, index: Any, on: Arithmetic[Any]) -> Any:
        raise NotImplementedError

    def inverse(self) -> None:
        return None


@dataclass(frozen=True)
class Pad(_Padding):
    """Elements before and after: valid where ``left_pad <= upper < left_pad + low_length``.

    >>> Pad(14, 1, 1).upper_lengths
    (16,)
    """

    low_length: Length
    left_pad: Length
    right_pad: Length
    skip_is_valid_check: bool = False
    kind: ClassVar[str] = "pad"

    def __post_init__(self) -> None:
        self._check()

    @property
    def left(self) -> Length:
        return self.left_pad

    @property
    def right(self) -> Length:
        return self.right_pad

    def _watched(self, index: Any, on: Arithmetic[Any]) -> Any:
        above = on.less_equal(on.lift(self.left_pad), index)
        return on.both(above, on.less(index, on.lift(self.left_pad + self.low_length)))


@dataclass(frozen=True)
class LeftPad(_Padding):
    """Elements before: valid where ``upper >= left_pad``, however large.

    >>> LeftPad(14, 2).upper_lengths
    (16,)
    """

    low_length: Length
    left_pad: Length
    skip_is_valid_check: bool = False
    kind: ClassVar[str] = "left_pad"

    def __post_init__(self) -> None:
        self._check()

    @property
    def left(self) -> Length:
        return self.left_pad

    def _watched(self, index: Any, on: Arithmetic[Any]) -> Any:
        return on.less_equal(on.lift(self.left_pad), index)

    def upper_vectors(self, lower: Sequence[VectorHint]) -> tuple[VectorHint, ...]:
        return tuple(lower)


@dataclass(frozen=True)
class RightPad(_Padding):
    """Elements after: valid where ``upper < low_length``, however negative.

    >>> RightPad(14, 2).upper_lengths
    (16,)
    """

    low_length: Length
    right_pad: Length
    skip_is_valid_check: bool = False
    kind: ClassVar[str] = "right_pad"

    def __post_init__(self) -> None:
        self._check()

    @property
    def right(self) -> Length:
        return self.right_pad

    def _watched(self, index: Any, on: Arithmetic[Any]) -> Any:
        return on.less(index, on.lift(self.low_length))

    def upper_vectors(self, lower: Sequence[VectorHint]) -> tuple[VectorHint, ...]:
        return tuple(lower)


@noted
def make_pad_transform(
    low_length: Length,
    left_pad: Length,
    right_pad: Length,
    skip_is_valid_check: bool = False,
) -> Pad:
    """Elements before and after one dimension.

    >>> import layoutalg as la
    >>> la.make_pad_transform(8, 1, 2).index_map()
    IndexMap(domain=Domain: 0 <= i0 < 11, outputs=(i0 - 1,), when=((1 <= i0) & (i0 < 9),))
    """
    return Pad(low_length, left_pad, right_pad, skip_is_valid_check)


@noted
def make_left_pad_transform(
    low_length: Length,
    left_pad: Length,
    skip_is_valid_check: bool = False,
) -> LeftPad:
    """Elements before one dimension.

    >>> import layoutalg as la
    >>> la.make_left_pad_transform(8, 2).index_map().outputs
    (i0 - 2,)
    """
    return LeftPad(low_length, left_pad, skip_is_valid_check)


@noted
def make_right_pad_transform(
    low_length: Length,
    right_pad: Length,
    skip_is_valid_check: bool = False,
) -> RightPad:
    """Elements after one dimension.

    >>> import layoutalg as la
    >>> la.make_right_pad_transform(8, 2).index_map().when
    (i0 < 8,)
    """
    return RightPad(low_length, right_pad, skip_is_valid_check)

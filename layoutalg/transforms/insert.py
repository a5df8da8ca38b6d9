"""Upper dimensions that lead nowhere: every index along them reads the same element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from layoutalg.length import Length, Lengths, length, lengths
from layoutalg.reading.signature_note import noted
from layoutalg.transforms.transform import Transform

if TYPE_CHECKING:
    from collections.abc import Sequence

    from layoutalg.index.arithmetic import Arithmetic

__all__ = ["Insert", "Replicate", "make_insert_transform", "make_replicate_transform"]


class _Dangling(Transform):
    """No lower dimension: what ``insert`` and ``replicate`` share."""

    @property
    def lower_lengths(self) -> tuple[Length | None, ...]:
        return ()

    def lower(self, upper: Sequence[Any], on: Arithmetic[Any]) -> tuple[Any, ...]:
        del upper, on
        return ()

    def inverse(self) -> None:
        return None


@dataclass(frozen=True)
class Insert(_Dangling):
    """One upper dimension without a lower one.

    >>> Insert(4).upper_lengths
    (4,)
    """

    up_length: Length
    kind: ClassVar[str] = "insert"

    def __post_init__(self) -> None:
        object.__setattr__(self, "up_length", length(self.up_length, "insert: up_length"))

    @property
    def upper_lengths(self) -> Lengths:
        return (self.up_length,)


@dataclass(frozen=True)
class Replicate(_Dangling):
    """Several upper dimensions without a lower one: a broadcast.

    >>> Replicate((4, 8)).upper_lengths
    (4, 8)
    """

    up_lengths: Lengths
    kind: ClassVar[str] = "replicate"

    def __post_init__(self) -> None:
        object.__setattr__(self, "up_lengths", lengths(self.up_lengths, "replicate: up_lengths"))

    @property
    def upper_lengths(self) -> Lengths:
        return self.up_lengths


@noted
def make_insert_transform(up_length: Length) -> Insert:
    """An upper dimension that leads nowhere.

    >>> import layoutalg as la
    >>> la.make_naive_tensor_descriptor_packed((8,)).transform(
    ...     [la.make_insert_transform(4), la.make_pass_through_transform(8)], [(), (0,)], [(0,), (1,)]
    ... ).offset
    i1
    """
    return Insert(up_length)


@noted
def make_replicate_transform(up_lengths: Sequence[Length]) -> Replicate:
    """Several upper dimensions that lead nowhere: a broadcast.

    >>> import layoutalg as la
    >>> la.make_replicate_transform((4,)).upper_lengths
    (4,)
    """
    return Replicate(lengths(up_lengths, "replicate: up_lengths"))

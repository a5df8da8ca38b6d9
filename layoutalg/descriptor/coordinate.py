"""Coordinates: an index together with its value at every hidden dimension, and how it moves.

>>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
>>> rows = make_naive_tensor_descriptor_packed((256, 128)).unmerge(0, (4, 64))
>>> coordinate = make_tensor_coordinate(rows, (1, 3, 2))
>>> coordinate.hidden_index
(8578, 67, 2, 1, 3, 2)
>>> move_tensor_coordinate(coordinate, (0, 1, 0)).offset
8706
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from layoutalg.descriptor.adaptor import TensorAdaptor
from layoutalg.display import Displayed
from layoutalg.errors import LengthError, of_kind
from layoutalg.index.c_integers import C_INTEGERS
from layoutalg.length import integer, sequence
from layoutalg.reading.near_attributes import NearAttributes
from layoutalg.reading.signature_note import noted

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["TensorCoordinate", "make_tensor_coordinate", "move_tensor_coordinate"]


@dataclass(frozen=True)
class TensorCoordinate(NearAttributes, Displayed):
    """A point of an adaptor or descriptor: ``hidden_index`` holds its value at every hidden id.

    >>> import layoutalg as la
    >>> rows = la.make_naive_tensor_descriptor_packed((256, 128)).unmerge(0, (4, 64))
    >>> at = la.make_tensor_coordinate(rows, (1, 3, 2))
    >>> at.offset, at.hidden_index, at.moved((0, 1, 0)).offset
    (8578, (8578, 67, 2, 1, 3, 2), 8706)
    """

    adaptor: TensorAdaptor
    hidden_index: tuple[int, ...]

    @property
    def index(self) -> tuple[int, ...]:
        """The top index."""
        return tuple(self.hidden_index[i] for i in self.adaptor.top_dimension_hidden_ids)

    @property
    def bottom_index(self) -> tuple[int, ...]:
        return tuple(self.hidden_index[i] for i in self.adaptor.bottom_dimension_hidden_ids)

    @property
    def offset(self) -> int:
        """The memory offset in elements (the first bottom component)."""
        return self.bottom_index[0]

    @property
    def is_valid(self) -> bool:
        """Whether every pad vouches for the point, judged by the values the coordinate holds."""
        valid = True
        for transform, _, up in self.adaptor.links:
            upper = [self.hidden_index[i] for i in up]
            valid = valid and bool(transform.is_valid(upper, C_INTEGERS))
        return valid

    @property
    def is_in_range(self) -> bool:
        """Whether every component of the top index lies within its length."""
        return bool(self.adaptor.is_index_in_range(self.index))

    def moved(self, step: Sequence[int]) -> TensorCoordinate:
        """The coordinate after a step of the top index, updated transform by transform as CK does."""
        tops = self.adaptor.top_dimension_hidden_ids
        step = tuple(integer(part, "step") for part in sequence(step, "step"))
        if len(step) != len(tops):
            msg = f"step: wanted {len(tops)} components, got {len(step)}: {tuple(step)}"
            raise LengthError(msg)
        hidden = dict(enumerate(self.hidden_index))
        steps = dict(zip(tops, step, strict=True))
        hidden |= {i: hidden[i] + steps[i] for i in tops}
        for transform, low, up in reversed(self.adaptor.links):
            before = [hidden[i] for i in low]
            after = transform.moved(
                [steps.get(i, 0) for i in up], [hidden[i] for i in up], before, C_INTEGERS
            )
            for i, old, new in zip(low, before, after, strict=True):
                hidden[i], steps[i] = int(new), int(new) - old
        return replace(self, hidden_index=tuple(hidden[i] for i in range(len(hidden))))


@noted
def make_tensor_coordinate(
    adaptor: TensorAdaptor, index: Sequence[Any], *, allow_out_of_range: bool = False
) -> TensorCoordinate:
    """The coordinate of a top index of integers within the lengths.

    CK checks no length: ``allow_out_of_range`` computes what it computes for an index outside, too.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> rows = make_naive_tensor_descriptor_packed((4, 8))
    >>> make_tensor_coordinate(rows, (1, 9), allow_out_of_range=True).offset
    17
    >>> make_tensor_coordinate(rows, (1, 9))
    Traceback (most recent call last):
        ...
    layoutalg.errors.LengthError: make_tensor_coordinate: index (1, 9) lies outside the lengths (4, 8) \
(allow_out_of_range=True computes what CK does)
    """
    if not isinstance(adaptor, TensorAdaptor):
        msg = f"make_tensor_coordinate: wanted an adaptor or a descriptor, got a {type(adaptor).__name__}"
        raise LengthError(msg)
    hidden = adaptor.calculate_hidden_index(index)
    found = TensorCoordinate(adaptor, tuple(int(value) for value in hidden))
    if not allow_out_of_range and not found.is_in_range:
        lengths = ", ".join(map(str, adaptor.lengths))
        msg = f"make_tensor_coordinate: index {found.index} lies outside the lengths ({lengths})"
        raise LengthError(msg, hint="allow_out_of_range=True computes what CK does")
    return found


@noted
def move_tensor_coordinate(coordinate: TensorCoordinate, step: Sequence[int]) -> TensorCoordinate:
    """The coordinate moved by a step of its top index.

    >>> from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor_packed
    >>> start = make_tensor_coordinate(make_naive_tensor_descriptor_packed((4, 8)), (1, 2))
    >>> move_tensor_coordinate(start, (1, -2)).index, move_tensor_coordinate(start, (1, -2)).offset
    ((2, 0), 16)
    """
    of_kind(coordinate, TensorCoordinate, "move_tensor_coordinate", "a coordinate")
    return coordinate.moved(step)

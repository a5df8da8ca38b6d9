"""Slices of one dimension, as CK's wrapper counts them: a negative end counts the last element in.

``slice_(1, 3)`` are elements 1 and 2; ``slice_(1, -1)`` is everything from 1 on, ``slice_(-2)`` all but
the last. Python's own ``1:-1`` leaves the last one out; that is why the two are kept apart.

>>> slice_(1, 3).bounds(8), slice_(1, -1).bounds(8), slice_(-2).bounds(8), slice_().bounds(8)
((1, 3), (1, 8), (0, 7), (0, 8))

CK's documentation says of ``slice(to)`` that "from is equal to 1"; its source says 0, and so does this.

Source: CK, ``include/ck/wrapper/utils/tensor_utils.hpp``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from layoutalg.errors import LengthError
from layoutalg.length import Length, stride

__all__ = ["DimSlice", "as_dim_slice", "slice_"]

TO_THE_END = -1


@dataclass(frozen=True)
class DimSlice:
    """From ``begin`` up to ``end``, which is left out; a negative end counts from behind, -1 for all."""

    begin: Length
    end: Length

    def bounds(self, length: Length) -> tuple[Length, Length]:
        """Begin and end for a dimension of this length; refused where nothing or too much is left."""
        begin, end = stride(self.begin, "slice: from"), stride(self.end, "slice: to")
        if isinstance(end, int) and end < 0:
            end = length + end + 1
        if all(isinstance(value, int) for value in (begin, end, length)) and not 0 <= begin < end <= length:
            msg = f"slice({self.begin}, {self.end}): wanted 0 <= from < to <= {length}, got {begin} and {end}"
            raise LengthError(msg)
        return begin, end


def slice_(*bounds: Length) -> DimSlice:
    """CK's ``slice()``, ``slice(to)`` and ``slice(from, to)``."""
    if len(bounds) > 2:
        msg = f"slice: wanted from and to, got {len(bounds)} numbers"
        raise LengthError(msg)
    begin, end = {0: (0, TO_THE_END), 1: (0, *bounds), 2: bounds}[len(bounds)]
    return DimSlice(begin, end)


def as_dim_slice(value: Any) -> Any:
    """Python's ``a:b`` as a slice, its end in Python's meaning; anything else as it is."""
    if not isinstance(value, slice):
        return value
    if value.step not in {None, 1}:
        msg = f"slice: wanted a step of 1, got {value.step}"
        raise LengthError(msg)
    begin = 0 if value.start is None else value.start
    end = TO_THE_END if value.stop is None else value.stop
    if value.stop is not None and isinstance(end, int) and end < 0:
        end -= 1
    return DimSlice(begin, end)

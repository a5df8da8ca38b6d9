"""Arrays as they lie in memory: packed, or with rows that begin a leading dimension apart.

What lies between rows belongs to nobody: it is filled with bytes that make no good number, and must hold them
after a launch.

>>> memory = laid_out(np.float32([[1, 2], [3, 4]]), 3)
>>> memory, rows_in(memory, (2, 2), 3)[1], changed_between_rows(memory, (2, 2), 3)
(array([ 1.,  2., nan,  3.,  4.], dtype=float32), array([3., 4.], dtype=float32), 0)
"""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["changed_between_rows", "laid_out", "rows_in"]

FILLER = 0xFF  # in each byte: not a number, or a number that sums show


def laid_out(array: NDArray[Any], leading: int | None) -> NDArray[Any]:
    """The memory that holds an array, up to its last element; a packed array itself."""
    if leading is None:
        return np.ascontiguousarray(array)
    rows = array.size // array.shape[-1]
    memory = np.full(((rows - 1) * leading + array.shape[-1]) * array.itemsize, FILLER, np.uint8)
    found: NDArray[Any] = memory.view(array.dtype)
    rows_in(found, array.shape, leading)[...] = array
    return found


def rows_in(memory: NDArray[Any], shape: tuple[int, ...], leading: int | None) -> NDArray[Any]:
    """A view of the array that lies in memory."""
    if leading is None:
        return memory.reshape(shape)
    steps = [1, *itertools.accumulate(shape[-2:0:-1], operator.mul, initial=leading)][: len(shape)]
    return np.lib.stride_tricks.as_strided(
        memory, shape, [step * memory.itemsize for step in reversed(steps)]
    )


def changed_between_rows(memory: NDArray[Any], shape: tuple[int, ...], leading: int | None) -> int:
    """How many bytes between rows hold something else now."""
    if leading is None:
        return 0
    found = memory.copy()
    rows_in(found.view(f"V{found.itemsize}"), shape, leading)[...] = np.void(bytes([FILLER]) * found.itemsize)
    return int((found.view(np.uint8) != FILLER).sum())

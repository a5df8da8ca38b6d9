"""Arrays as they lie in memory: packed, or with rows and matrices that begin some steps apart.

What lies between rows, or between the matrices of a batch, belongs to nobody: it is filled with bytes that
make no good number, and must hold them after a launch.

>>> memory = laid_out(np.float32([[1, 2], [3, 4]]), (3, 1))
>>> memory, rows_in(memory, (2, 2), (3, 1))[1], changed_between_rows(memory, (2, 2), (3, 1))
(array([ 1.,  2., nan,  3.,  4.], dtype=float32), array([3., 4.], dtype=float32), 0)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["as_memory_has_it", "changed_between_rows", "laid_out", "rows_in"]

FILLER = 0xFF  # in each byte: not a number, or a number that sums show
Steps = tuple[int, ...] | None  # elements from one index to the next along each dimension; None: packed


def laid_out(array: NDArray[Any], steps: Steps) -> NDArray[Any]:
    """The memory that holds an array, up to its last element; a packed array itself."""
    if steps is None:
        return np.ascontiguousarray(array)
    last = sum((length - 1) * step for length, step in zip(array.shape, steps, strict=True))
    memory = np.full((last + 1) * array.itemsize, FILLER, np.uint8)
    found: NDArray[Any] = memory.view(array.dtype)
    rows_in(found, array.shape, steps)[...] = array
    return found


def rows_in(memory: NDArray[Any], shape: tuple[int, ...], steps: Steps) -> NDArray[Any]:
    """A view of the array that lies in memory."""
    if steps is None:
        return memory.reshape(shape)
    return np.lib.stride_tricks.as_strided(memory, shape, [step * memory.itemsize for step in steps])


def as_memory_has_it(array: NDArray[Any], steps: Steps) -> NDArray[Any]:
    """An array after it was laid out: elements that share a place are all one of them.

    >>> as_memory_has_it(np.arange(4).reshape(2, 2), (0, 1))
    array([[2, 3],
           [2, 3]])
    """
    if steps is None or not _may_overlap(array.shape, steps):
        return array
    return np.array(rows_in(laid_out(array, steps), array.shape, steps))


def _may_overlap(shape: tuple[int, ...], steps: tuple[int, ...]) -> bool:
    """Whether a step is shorter than what lies below it."""
    below = 1
    for length, step in zip(reversed(shape), reversed(steps), strict=True):
        if length > 1 and step < below:
            return True
        below += (length - 1) * step
    return False


def changed_between_rows(memory: NDArray[Any], shape: tuple[int, ...], steps: Steps) -> int:
    """How many bytes between rows hold something else now."""
    if steps is None:
        return 0
    found = memory.copy()
    rows_in(found.view(f"V{found.itemsize}"), shape, steps)[...] = np.void(bytes([FILLER]) * found.itemsize)
    return int((found.view(np.uint8) != FILLER).sum())

"""The oracle of GEMMs: A and B of a launch as NumPy multiplies them; and sizes that a kernel admits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numpy.typing import NDArray

from layoutalg.codegen.executors import Launch
from layoutalg.codegen.kernels.gemm import GemmConfig
from layoutalg.data_type import to_numbers

__all__ = ["operands", "product", "rounded_up"]


def operands(config: GemmConfig, task: Launch) -> tuple[NDArray[Any], NDArray[Any]]:
    """The numbers of A as M x K and of B as K x N, of all products of a batch."""
    a, b = (to_numbers(task.inputs[name], config.kind) for name in "ab")
    return (
        a if config.is_k_first("M") else a.swapaxes(-1, -2),
        b.swapaxes(-1, -2) if config.is_k_first("N") else b,
    )


def product(config: GemmConfig, task: Launch) -> NDArray[Any]:
    """A times B."""
    a, b = operands(config, task)
    found: NDArray[Any] = a @ b
    return found


def rounded_up(lengths: Iterable[int], parts: Iterable[int]) -> tuple[int, ...]:
    """Each length, or the next multiple of its part.

    >>> rounded_up((65, 72), (8, 8))
    (72, 72)
    """
    return tuple(-(-length // part) * part for length, part in zip(lengths, parts, strict=True))

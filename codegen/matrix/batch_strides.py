"""Batch strides for a run: matrices with padding between them, of each array another amount.

>>> from layoutalg.codegen.kernels.gemm import configured, gemm
>>> kernel = gemm(configured("xor", is_batched=True))
>>> found = with_batch_strides(kernel, {"M": 256, "N": 128, "K": 64, "batch_count": 2})
>>> [found[name] for name in batch_stride_names(kernel)]
[16392, 8208, 32780]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.index.evaluate import evaluate

__all__ = ["batch_stride_names", "with_batch_strides"]


def batch_stride_names(kernel: Kernel) -> tuple[str, ...]:
    """The sizes of a kernel that say how far apart the matrices of a batch begin."""
    return tuple(dict.fromkeys(str(array.batch_stride) for array in _batched(kernel)))


def with_batch_strides(kernel: Kernel, sizes: Mapping[str, Any]) -> dict[str, Any]:
    """The sizes, and each batch stride without one: the matrix, then 1, 2, ... of what it is a multiple of.

    So they differ from each other even where matrices are of one size, and one in the place of another shows.
    """
    found = dict(sizes)
    multiples = {parameter.name: parameter.multiple_of for parameter in kernel.domain.parameters}
    for number, name in enumerate(batch_stride_names(kernel), start=1):
        array = next(one for one in _batched(kernel) if str(one.batch_stride) == name)
        of_one = replace(array, lengths=array.lengths[1:], batch_stride=None)
        space = int(evaluate(of_one.space, found))
        found.setdefault(name, (-(-space // multiples[name]) + number) * multiples[name])
    return found


def _batched(kernel: Kernel) -> list[ArrayArgument]:
    every = [one for one in kernel.arguments if isinstance(one, ArrayArgument)]
    return [one for one in every if one.batch_stride is not None]

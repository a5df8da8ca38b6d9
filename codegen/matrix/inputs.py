"""Inputs to check a kernel with: small integers, whose sums are exact, or random numbers.

>>> import numpy as np
>>> from layoutalg.data_type import DataType
>>> random = np.random.default_rng(0)
>>> numbers_of(DataType.named("f16"), (2, 4), "integers", random)
array([[ 2.,  1.,  0., -2.],
       [-1., -3., -3., -3.]], dtype=float16)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.executors.rows_in_memory import as_memory_has_it
from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.data_type import DataType, from_numbers
from layoutalg.reading.near_names import not_one_of

__all__ = ["LARGEST", "STYLES", "inputs_of", "numbers_of"]

STYLES = ("integers", "random")
LARGEST = 3  # products of two such, summed by the thousand, are exact in every accumulator


def inputs_of(
    kernel: Kernel, sizes: Mapping[str, Any], style: str = "integers", seed: int = 0
) -> dict[str, NDArray[Any]]:
    """An array for each input of a kernel; the same ones for the same seed.

    Where matrices of a batch share memory, they are what that holds.
    """
    if style not in STYLES:
        raise not_one_of("inputs", style, STYLES)
    kernel.check_sizes(sizes)
    random = np.random.default_rng(seed)
    return {
        argument.name: as_memory_has_it(
            numbers_of(argument.element, kernel.shape_of(argument, sizes), style, random),
            kernel.steps_of(argument, sizes),
        )
        for argument in kernel.arguments
        if isinstance(argument, ArrayArgument) and not argument.is_output
    }


def numbers_of(
    kind: DataType, shape: tuple[int, ...], style: str, random: np.random.Generator
) -> NDArray[Any]:
    """An array of a type: integers from -3 to 3, or normally distributed where the type is no integer."""
    shape = (*shape[:-1], kind.numbers(shape[-1])) if shape else shape
    if kind.coding is not None and kind.coding.coding == "exponent":  # powers of two, near one
        return from_numbers(2.0 ** random.integers(-2, LARGEST, shape), kind)
    is_integer = kind.coding is None and kind.packs is None and not kind.numpy.startswith("float")
    if style == "integers" or is_integer:
        lowest = 0 if is_integer and kind.numpy.startswith("u") else -LARGEST
        return from_numbers(random.integers(lowest, LARGEST + 1, shape), kind)
    return from_numbers(random.standard_normal(shape), kind)

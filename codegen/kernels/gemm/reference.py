"""What a GEMM must give, computed by NumPy in 64 bits, and how far rounding may lead from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.kernel import Result
from layoutalg.codegen.kernels.gemm.config import GemmConfig, accumulator
from layoutalg.data_type import to_numbers

__all__ = ["GemmReference"]

ROUNDING = {"f64": 2.0**-53, "f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}  # half a unit; integers: none
SMALLEST = {"f16": 2.0**-25}  # half of the smallest number
LEAST_KEPT = 2.0**-126  # products below it may be dropped by an instruction


@dataclass(frozen=True)
class GemmReference:
    """A times B for the types and layouts of a configuration."""

    config: GemmConfig

    def __call__(self, inputs: Mapping[str, NDArray[Any]]) -> Result:
        """The numbers of ``c``; allowed are a rounding a step of the sum, and one of the result.

        Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 3.1: ``|error| <= k u |A| |B|``.
        """
        a, b = (
            numbers if self.config.is_k_first(rows) else numbers.T
            for rows, name in (("M", "a"), ("N", "b"))
            for numbers in (to_numbers(inputs[name], self.config.kind),)
        )
        wanted = a @ b.T
        step = ROUNDING.get(accumulator(self.config.kind.name), 0.0)
        if not step:
            return Result({"c": wanted}, {"c": np.zeros(wanted.shape)})
        terms = a.shape[1]
        summed = (terms + 1) * step * (np.abs(a) @ np.abs(b).T) + terms * LEAST_KEPT
        last = ROUNDING.get(self.config.output, 0.0) * (np.abs(wanted) + summed)
        return Result({"c": wanted}, {"c": summed + last + SMALLEST.get(self.config.output, 0.0)})

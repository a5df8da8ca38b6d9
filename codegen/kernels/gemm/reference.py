"""What a GEMM must give, computed by NumPy in 64 bits, and how far rounding may lead from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.kernel import Result
from layoutalg.codegen.kernels.gemm.approximate import Approximate
from layoutalg.codegen.kernels.gemm.block_scales import SCALE
from layoutalg.codegen.kernels.gemm.builtins import accumulator
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.epilogue import ARRAYS, Epilogue
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem
from layoutalg.data_type import DataType, to_numbers
from layoutalg.index.evaluate import evaluate
from layoutalg.mma.cdna4 import SCALE_BLOCK

__all__ = ["ROUNDING", "GemmReference", "as_stored", "becoming"]

ROUNDING = {"f64": 2.0**-53, "f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}  # half a unit; integers: none
BEYOND = {"f32": 2.0**128, "f16": 2.0**16, "bf16": 2.0**128}  # the number that would follow the largest one
SMALLEST = {"f16": 2.0**-25}  # half of the smallest number
OF_EACH = frozenset({"a", "b", "d"})  # inputs of which every product of a batch has its own
LEAST_KEPT = 2.0**-126  # products below it may be dropped by an instruction


@dataclass(frozen=True)
class GemmReference:
    """A times B for the types and layouts of a configuration."""

    config: GemmConfig

    def __call__(self, inputs: Mapping[str, NDArray[Any]]) -> Result:
        """The numbers of ``c``, and of ``e`` if there is one, of a batch those of all products.

        Vectors and factors of an epilogue are those of all products.
        """
        if not self.config.is_batched:
            return self._of_one(inputs)
        found = [
            self._of_one({name: array[i] if name in OF_EACH else array for name, array in inputs.items()})
            for i in range(len(inputs["a"]))
        ]
        return Result(
            {name: np.stack([one.numbers[name] for one in found]) for name in found[0].numbers},
            {name: np.stack([one.allowed[name] for one in found]) for name in found[0].allowed},
        )

    def _of_one(self, inputs: Mapping[str, NDArray[Any]]) -> Result:
        """Those of one product.

        Allowed are a rounding a step of the sum, and one of the result.

        Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 3.1: ``|error| <= k u |A| |B|``.
        """
        a, b = (
            self._by_rows(inputs[name], inputs.get(f"{name}_scales"), rows)
            for rows, name in (("M", "a"), ("N", "b"))
        )
        parts = zip(*(np.split(x, self._part_ends(x.shape[1]), axis=1) for x in (a, b)), strict=True)
        products = [self._product(*part) for part in parts]
        together = np.concatenate if self.config.parts_of_c > 1 else partial(np.sum, axis=0)
        wanted, allowed = (together(rows) for rows in zip(*products, strict=True))
        made = {"c": (wanted, allowed)}
        if not self.config.becomes.is_plain:
            product = Approximate(wanted, allowed, self._step)
            made = dict(becoming(self.config.becomes, product, inputs, self.config.result))
        stored = {
            name: as_stored(*found, self.config.result, is_exact=not self._step)
            for name, found in made.items()
        }
        return Result(
            {n: number for n, (number, _) in stored.items()}, {n: e for n, (_, e) in stored.items()}
        )

    def _by_rows(self, patterns: NDArray[Any], scales: NDArray[Any] | None, rows: str) -> NDArray[np.float64]:
        """The numbers of A or B, rows by K; where several share bytes they share them along K."""
        by_rows = patterns if self.config.is_k_first(rows) else patterns.T
        numbers = to_numbers(by_rows, self.config.kind)
        if scales is None:
            return numbers
        return numbers * np.repeat(to_numbers(scales, SCALE), SCALE_BLOCK, axis=1)

    def _part_ends(self, length: int) -> list[int]:
        """Where along K the parts end but for the last: each of as many whole tiles as the others."""
        kind = self.config.kind
        part = evaluate(GemmProblem(self.config).part_of_k, {"K": kind.holding(length)})
        each = kind.numbers(int(part))
        return [min(length, each * part) for part in range(1, self.config.split_k)]

    @property
    def _step(self) -> float:
        """The rounding of one step of a sum; 0 for integers."""
        return ROUNDING.get(accumulator(self.config.kind.name), 0.0)

    def _product(self, a: NDArray[Any], b: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        wanted = a @ b.T
        if not self._step:
            return wanted, np.zeros(wanted.shape)
        terms = a.shape[1]
        return wanted, (terms + 1) * self._step * (np.abs(a) @ np.abs(b).T) + terms * LEAST_KEPT


def becoming(
    epilogue: Epilogue, made: Approximate, inputs: Mapping[str, NDArray[Any]], kind: DataType
) -> Iterator[tuple[str, tuple[NDArray[Any], NDArray[Any]]]]:
    """What an epilogue makes of a product for each output, each step rounded; ``kind``: of its arrays."""
    values = {"c": made}
    for name in epilogue.arrays:
        numbers = to_numbers(inputs[name], kind)
        numbers = numbers[:, None] if ARRAYS[name] == "m" else numbers
        values[name] = Approximate(numbers, np.zeros(numbers.shape), made.unit)
    for name in epilogue.scalars:
        values[name] = Approximate(np.asarray(float(inputs[name])), np.zeros(()), made.unit)
    for output in epilogue.outputs:
        found = epilogue.of(values, output)
        yield output, (found.number, found.error)


def as_stored(
    wanted: NDArray[Any], allowed: NDArray[Any], kind: DataType, *, is_exact: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Numbers as a type has them: what is larger than any is infinite; integers are as they are."""
    if not is_exact:
        unit = ROUNDING.get(kind.name, 0.0)
        allowed = allowed + unit * (np.abs(wanted) + allowed) + SMALLEST.get(kind.name, 0.0)
        beyond = np.abs(wanted) >= BEYOND.get(kind.name, np.inf) * (1 - unit / 2)
        wanted = np.where(beyond, np.copysign(np.inf, wanted), wanted)
    return wanted, allowed

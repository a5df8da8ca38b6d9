"""A trial: a compiled kernel run once on an executor and held against its own reference."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.executors import Executor, Launch, RunResult
from layoutalg.codegen.executors.run_file import save_run
from layoutalg.codegen.kernel import ArrayArgument, Result
from layoutalg.codegen.matrix.comparison import Agreement, agreements
from layoutalg.data_type import from_numbers, to_numbers

__all__ = ["Trial", "sampled_workgroups", "save_trial", "try_kernel"]


@dataclass(frozen=True)
class Trial:
    """What came of a run; ``found`` is empty if nothing was compared."""

    task: Launch
    result: RunResult
    found: Mapping[str, Agreement]

    @property
    def is_good(self) -> bool:
        return all(agreement.is_good for agreement in self.found.values())


def try_kernel(task: Launch, executor: Executor, wanted: Result | None = None) -> Trial:
    """Run, and compare with ``wanted`` if it is given."""
    result = executor.run(task)
    if wanted is None:
        return Trial(task, result, {})
    return Trial(task, result, agreements(task, result.outputs, wanted=wanted, written=result.written))


def sampled_workgroups(grid: tuple[int, ...], count: int) -> list[int]:
    """This many workgroups of a grid, spread evenly, the first and the last among them.

    >>> sampled_workgroups((32, 13), 4)
    [0, 138, 277, 415]
    """
    last = math.prod(grid) - 1
    return sorted({round(last * i / max(count - 1, 1)) for i in range(count)})


def save_trial(folder: Path, task: Launch, wanted: Result) -> Path:
    """Write all it takes to repeat a launch elsewhere; returns the path of its ``run.json``.

    What is expected is kept as the outputs' type has it, and that rounding is allowed besides.
    """
    kinds = {a.name: a.element for a in task.kernel.arguments if isinstance(a, ArrayArgument)}
    expected: dict[str, NDArray[Any]] = {}
    allowed: dict[str, NDArray[Any]] = {}
    for name, numbers in wanted.numbers.items():
        expected[name] = from_numbers(numbers, kinds[name])
        rounding = np.abs(to_numbers(expected[name], kinds[name]) - numbers)
        allowed[name] = np.broadcast_to(wanted.allowed[name] + rounding, numbers.shape)
    return save_run(folder, task, expected, allowed=allowed)

"""A compiled kernel run on an executor, and compared with its own reference."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from layoutalg.codegen.executors import Executor, Launch, RunResult
from layoutalg.codegen.kernel import Result
from layoutalg.codegen.matrix.comparison import OutputComparison, compare_outputs

__all__ = ["KernelRun", "run_kernel", "sampled_workgroups"]


@dataclass(frozen=True)
class KernelRun:
    """What came of a run; ``found`` is empty if nothing was compared."""

    task: Launch
    result: RunResult
    found: Mapping[str, OutputComparison]

    @property
    def is_good(self) -> bool:
        return all(comparison.is_good for comparison in self.found.values())


def run_kernel(task: Launch, executor: Executor, wanted: Result | None = None) -> KernelRun:
    """Run, and compare with ``wanted`` if it is given."""
    result = executor.run(task)
    if wanted is None:
        return KernelRun(task, result, {})
    found = compare_outputs(task, result.outputs, wanted=wanted, written=result.written)
    return KernelRun(task, result, found)


def sampled_workgroups(grid: tuple[int, ...], count: int) -> list[int]:
    """This many workgroups of a grid, spread evenly, the first and the last among them.

    >>> sampled_workgroups((32, 13), 4)
    [0, 138, 277, 415]
    """
    last = math.prod(grid) - 1
    return sorted({round(last * i / max(count - 1, 1)) for i in range(count)})

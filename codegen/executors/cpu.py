"""The executor that needs no GPU: it executes the gfx9 code object instruction by instruction."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.executors.claimed_stores import claimed_stores
from layoutalg.codegen.executors.executor import Launch, RunResult
from layoutalg.codegen.gfx9.device_memory import WORD
from layoutalg.codegen.gfx9.executable import executable
from layoutalg.codegen.gfx9.launch import ArrayValue, Dispatch, PreparedLaunch
from layoutalg.codegen.kernel import ArrayArgument, ExecutionFaultError, ScalarArgument
from layoutalg.errors import LayoutError

__all__ = ["CpuExecutor", "prepared_task"]

TARGETS = ("gfx908", "gfx90a", "gfx942", "gfx950")


class CpuExecutor:
    """Executes gfx9 code, in compiled C or instruction by instruction in NumPy, and checks every access.

    ``workgroups``: which of a launch are run, by number (x fastest); all if left out. ``native``: whether in
    C; if left out, where that is faster and there is code for all instructions. Both find the same.
    """

    def __init__(self, workgroups: Sequence[int] | None = None, *, native: bool | None = None) -> None:
        self.workgroups = workgroups
        self.native = native

    @property
    def device(self) -> str:
        return "CPU, executing the compiled gfx9 code"

    @property
    def driver(self) -> str:
        """Nothing stands between the code object and its execution."""
        return "none"

    def run(self, task: Launch) -> RunResult:
        """Run the kernel once.

        Refused: a target that is not gfx9, a workgroup that is not in the launch. A fault inside the kernel,
        or an output element that no thread wrote, raises :class:`ExecutionFaultError`.
        """
        memory = task.memory()
        made = prepared_task(task, memory, self.workgroups)
        chosen = made.dispatch.workgroups
        made = replace(made, dispatch=replace(made.dispatch, native=self.native))
        start = time.perf_counter()
        report = made.run()
        seconds = time.perf_counter() - start
        outputs, marked = task.outputs_in(memory), _marked(task, report.written)
        for output in (argument for argument in task.arrays if argument.is_output):
            missing = _missing(task, output, report.written[output.name], made.dispatch.ids.tolist())
            if missing:
                msg = f"{task.kernel.name}: {missing} elements of {output.name} were never written"
                raise ExecutionFaultError(msg)
        counters = {"workgroups": report.workgroups, "waves": report.waves}
        counters |= (
            {"instructions": sum(report.executed.values())} | dict(report.work) | dict(report.executed)
        )
        written = {} if chosen is None else marked
        return RunResult(outputs, self.device, seconds, counters, written, report.trace)


def prepared_task(
    task: Launch, memory: Mapping[str, NDArray[Any]], workgroups: Sequence[int] | None = None
) -> PreparedLaunch:
    """A launch as the CPU runs it, on memory that it changes; ``workgroups``: which, all if left out."""
    compiled, kernel = task.compiled, task.kernel
    if compiled.target.name not in TARGETS:
        msg = f"the CPU executes {', '.join(TARGETS)}, not {compiled.target.name}"
        raise LayoutError(msg)
    chosen = None if workgroups is None else _chosen(task, workgroups)
    values = [_value(task, memory, argument) for argument in kernel.arguments]
    code = executable(compiled.code_object, kernel.name, compiled.assembly or None)
    dispatch = Dispatch(
        task.grid, kernel.block, kernel.dynamic_lds, chosen, lds_alignment=kernel.lds_alignment
    )
    resources = compiled.resources
    return PreparedLaunch(code, values, resources.arguments, resources, dispatch, compiled.code_object)


def _value(
    task: Launch, memory: Mapping[str, NDArray[Any]], argument: ArrayArgument | ScalarArgument
) -> ArrayValue | int:
    """What is passed for an argument."""
    if not isinstance(argument, ArrayArgument):
        return argument.bits(task.sizes[argument.name])
    array = memory[argument.name]
    alignment = min(WORD, argument.element.bytes) if argument.begins_anywhere else WORD
    return ArrayValue(
        argument.name,
        array,
        is_output=argument.is_output,
        is_initialised=argument.is_added_to,
        alignment=alignment,
    )


def _marked(task: Launch, written: Mapping[str, NDArray[np.bool_]]) -> dict[str, NDArray[np.bool_]]:
    """Which elements of each output were written; refused if any between its rows was."""
    found = {}
    for argument in task.arrays:
        if not argument.is_output:
            continue
        marks = task.array_in(argument, written[argument.name])
        beyond = int(written[argument.name].sum()) - int(marks.sum())
        if beyond:
            msg = f"{task.kernel.name}: {beyond} elements between rows of {argument.name} were written"
            raise ExecutionFaultError(msg)
        found[argument.name] = marks
    return found


def _missing(task: Launch, output: ArrayArgument, written: NDArray[np.bool_], chosen: Sequence[int]) -> int:
    """How many elements of an output were not written that ``chosen`` workgroups must write.

    All workgroups write all; of some it is known what they store where the kernel claims its accesses.
    """
    if len(chosen) == math.prod(task.grid):
        return int((~task.array_in(output, written)).sum())
    stored = claimed_stores(task.kernel, task.sizes, output, written.size, chosen)
    return int((stored & ~written.reshape(-1)).sum())


def _chosen(task: Launch, workgroups: Sequence[int]) -> list[int]:
    total, chosen = math.prod(task.grid), sorted(set(workgroups))
    if not chosen or chosen[0] < 0 or chosen[-1] >= total:
        msg = f"{task.kernel.name}: wanted workgroups of 0 to {total - 1}, got {list(workgroups)}"
        raise LayoutError(msg)
    adds = any(argument.is_added_to for argument in task.arrays)
    return _with_all_parts(task.grid, chosen) if adds else chosen


def _with_all_parts(grid: tuple[int, ...], chosen: Sequence[int]) -> list[int]:
    """With all workgroups that differ in the last of three dimensions: they add to the same elements.

    >>> _with_all_parts((2, 3, 4), [1, 7])
    [1, 7, 13, 19]
    """
    if len(grid) < 3:
        return list(chosen)
    of_part = math.prod(grid[:2])
    return sorted({one % of_part + part * of_part for one in chosen for part in range(grid[2])})

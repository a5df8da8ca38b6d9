"""What every executor does: run one compiled kernel on given arrays and report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.compile import Compiled
from layoutalg.codegen.executors.rows_in_memory import (
    as_memory_has_it,
    changed_between_rows,
    laid_out,
    rows_in,
)
from layoutalg.codegen.kernel import ArrayArgument, ExecutionFaultError, Kernel
from layoutalg.errors import LayoutError

__all__ = ["Executor", "Launch", "RunResult"]


@dataclass(frozen=True)
class Launch:
    """A compiled kernel with sizes and inputs by name; refused where they do not fit its arguments.

    ``code``: None for an executor that compiles the kernel's text itself.
    """

    kernel: Kernel
    code: Compiled | None
    sizes: Mapping[str, Any]
    inputs: Mapping[str, NDArray[Any]]

    def __post_init__(self) -> None:
        self.kernel.check_sizes(self.sizes)
        for scalar in self.kernel.scalars:
            if scalar.name not in self.sizes:
                msg = f"{self.kernel.name}: no value for the argument {scalar.name}"
                raise LayoutError(msg)
        for argument in self.arrays:
            if not argument.is_output:
                self._check_input(argument)

    @property
    def compiled(self) -> Compiled:
        """The code; refused where there is none."""
        if self.code is None:
            raise LayoutError(f"{self.kernel.name}: wanted a launch of compiled code, got one of text alone")
        return self.code

    def _check_input(self, argument: ArrayArgument) -> None:
        if argument.name not in self.inputs:
            msg = f"{self.kernel.name}: no array for the argument {argument.name}"
            raise LayoutError(msg)
        array = self.inputs[argument.name]
        shape = self.kernel.shape_of(argument, self.sizes)
        if array.shape != shape or array.dtype != argument.element.numpy:
            msg = f"{self.kernel.name}: {argument.name}: wanted {argument.element.numpy} {shape},"
            raise LayoutError(f"{msg} got {array.dtype} {array.shape}")
        there = as_memory_has_it(array, self.kernel.steps_of(argument, self.sizes))
        if there is not array and there.tobytes() != array.tobytes():
            msg = f"{self.kernel.name}: {argument.name}: matrices of the batch share memory and differ there"
            raise LayoutError(msg, hint="a batch stride of 0 is for one matrix that all products share")

    @property
    def given(self) -> dict[str, NDArray[Any]]:
        """Inputs by name, and numbers passed by value as arrays without dimensions."""
        scalars = (scalar.name for scalar in self.kernel.scalars)
        return {**self.inputs, **{name: np.array(self.sizes[name]) for name in scalars}}

    @property
    def grid(self) -> tuple[int, ...]:
        return self.kernel.grid_for(self.sizes)

    @property
    def arrays(self) -> tuple[ArrayArgument, ...]:
        """The arguments that are buffers."""
        return tuple(argument for argument in self.kernel.arguments if isinstance(argument, ArrayArgument))

    def empty_outputs(self) -> dict[str, NDArray[Any]]:
        """A zeroed array for each output."""
        return {
            argument.name: np.zeros(self.kernel.shape_of(argument, self.sizes), argument.element.numpy)
            for argument in self.arrays
            if argument.is_output
        }

    def memory(self) -> dict[str, NDArray[Any]]:
        """What each buffer holds before the launch: inputs, and zeroed outputs."""
        content = {**self.inputs, **self.empty_outputs()}
        return {a.name: laid_out(content[a.name], self.kernel.steps_of(a, self.sizes)) for a in self.arrays}

    def array_in(self, argument: ArrayArgument, memory: NDArray[Any]) -> NDArray[Any]:
        """The array that a buffer holds."""
        shape = self.kernel.shape_of(argument, self.sizes)
        return rows_in(memory, shape, self.kernel.steps_of(argument, self.sizes))

    def outputs_in(self, memory: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """The outputs after the launch; refused where what lies between their rows was changed."""
        found = {}
        for argument in self.arrays:
            if not argument.is_output:
                continue
            content = memory[argument.name]
            array = self.array_in(argument, content)
            changed = changed_between_rows(content, array.shape, self.kernel.steps_of(argument, self.sizes))
            if changed:
                msg = f"{self.kernel.name}: {changed} bytes between rows of {argument.name} were overwritten"
                raise ExecutionFaultError(msg)
            found[argument.name] = array
        return found


@dataclass(frozen=True)
class RunResult:
    """The outputs by name, where the kernel ran, and what was counted there.

    ``written``: which elements of the outputs were, if only some workgroups ran; ``trace``: the spans of
    instructions that the first wave went through, if that is known.
    """

    outputs: Mapping[str, NDArray[Any]]
    device: str
    seconds: float
    counters: Mapping[str, int] = field(default_factory=dict)
    written: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    trace: tuple[tuple[int, int], ...] = ()


class Executor(Protocol):
    """Runs launches on one kind of device."""

    @property
    def device(self) -> str:
        """The device in words."""
        ...

    def run(self, task: Launch) -> RunResult:
        """Run the kernel once; inputs are not changed."""
        ...

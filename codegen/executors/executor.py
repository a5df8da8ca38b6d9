"""What every executor does: run one compiled kernel on given arrays and report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.compile import Compiled
from layoutalg.codegen.kernel import ArrayArgument, Kernel
from layoutalg.errors import LayoutError

__all__ = ["Executor", "Launch", "RunResult"]


@dataclass(frozen=True)
class Launch:
    """A compiled kernel with sizes and inputs by name; refused where they do not fit its arguments."""

    kernel: Kernel
    compiled: Compiled
    sizes: Mapping[str, Any]
    inputs: Mapping[str, NDArray[Any]]

    def __post_init__(self) -> None:
        self.kernel.check_sizes(self.sizes)
        for scalar in self.kernel.scalars:
            if scalar.name not in self.sizes:
                msg = f"{self.kernel.name}: no value for the argument {scalar.name}"
                raise LayoutError(msg)
        for argument in self.kernel.arguments:
            if isinstance(argument, ArrayArgument) and not argument.is_output:
                self._check_input(argument)

    def _check_input(self, argument: ArrayArgument) -> None:
        if argument.name not in self.inputs:
            msg = f"{self.kernel.name}: no array for the argument {argument.name}"
            raise LayoutError(msg)
        array = self.inputs[argument.name]
        shape = self.kernel.shape_of(argument, self.sizes)
        if array.shape != shape or array.dtype != argument.element.numpy:
            msg = f"{self.kernel.name}: {argument.name}: wanted {argument.element.numpy} {shape},"
            raise LayoutError(f"{msg} got {array.dtype} {array.shape}")

    @property
    def given(self) -> dict[str, NDArray[Any]]:
        """Inputs by name, and numbers passed by value as arrays without dimensions."""
        scalars = (a.name for a in self.kernel.arguments if not isinstance(a, ArrayArgument))
        return {**self.inputs, **{name: np.array(self.sizes[name]) for name in scalars}}

    @property
    def grid(self) -> tuple[int, ...]:
        return self.kernel.grid_for(self.sizes)

    def empty_outputs(self) -> dict[str, NDArray[Any]]:
        """A zeroed array for each output."""
        return {
            argument.name: np.zeros(self.kernel.shape_of(argument, self.sizes), argument.element.numpy)
            for argument in self.kernel.arguments
            if isinstance(argument, ArrayArgument) and argument.is_output
        }


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

"""The executor that needs no GPU: the compiler's gfx9 assembly, instruction by instruction."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from layoutalg.codegen.executors.executor import RunResult
from layoutalg.codegen.gfx9.assembly import parse_assembly
from layoutalg.codegen.gfx9.fault import ExecutionFaultError
from layoutalg.codegen.gfx9.launch import ArrayValue, launch
from layoutalg.codegen.kernel import ArrayArgument
from layoutalg.errors import LayoutError

if TYPE_CHECKING:
    from layoutalg.codegen.executors.executor import Launch

__all__ = ["CpuExecutor"]

TARGETS = ("gfx908", "gfx90a", "gfx942", "gfx950")


class CpuExecutor:
    """Executes gfx9 code in NumPy and checks every access on the way."""

    @property
    def device(self) -> str:
        return "CPU, executing the compiled gfx9 assembly"

    def run(self, task: Launch) -> RunResult:
        """Run the kernel once.

        Refused: a target that is not gfx9. A fault inside the kernel, or an output element that
        no thread wrote, raises :class:`ExecutionFaultError`.
        """
        compiled = task.compiled
        if compiled.target.name not in TARGETS:
            msg = f"the CPU executes {', '.join(TARGETS)}, not {compiled.target.name}"
            raise LayoutError(msg)
        outputs = task.empty_outputs()
        arguments: list[ArrayValue | int] = []
        for argument in task.kernel.arguments:
            if not isinstance(argument, ArrayArgument):
                arguments.append(task.sizes[argument.name])
            elif argument.is_output:
                arguments.append(ArrayValue(argument.name, outputs[argument.name], is_output=True))
            else:
                array = np.ascontiguousarray(task.inputs[argument.name])
                arguments.append(ArrayValue(argument.name, array, is_output=False))
        start = time.perf_counter()
        report = launch(
            parse_assembly(compiled.assembly),
            arguments,
            compiled.resources.arguments,
            task.grid,
            task.kernel.block,
            compiled.resources.argument_bytes,
        )
        seconds = time.perf_counter() - start
        for name, missing in report.unwritten.items():
            if missing:
                msg = f"{task.kernel.name}: {missing} elements of {name} were never written"
                raise ExecutionFaultError(msg)
        counters = {"waves": report.waves, "instructions": sum(report.executed.values())}
        counters |= dict(report.work) | dict(report.executed)
        return RunResult(outputs, self.device, seconds, counters)

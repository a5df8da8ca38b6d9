"""The executor on NVIDIA GPUs, through ``cupy``: the same source in CUDA's dialect, compiled by NVRTC.

Guard bytes lie before and after every buffer; a kernel that changes one of them, or an input, is faulty. What
is timed are further launches, after the one whose outputs are returned.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.executors.cuda_source import cuda_source
from layoutalg.codegen.executors.executor import Launch, RunResult
from layoutalg.codegen.executors.guard_bytes import GUARD_BYTES, checked_outputs, guarded, unguarded
from layoutalg.codegen.kernel import ArrayArgument, ExecutionFaultError, Kernel
from layoutalg.errors import ToolError
from layoutalg.extras import install_command

__all__ = ["CudaExecutor"]

INSTALL = f"{install_command('cuda')}, on a machine with NVIDIA's driver and a GPU"
OPTIONS = ("--std=c++17",)


class CudaExecutor:
    """Compiles and runs kernels on one NVIDIA GPU; the median of ``repeats`` timed launches is reported."""

    def __init__(self, device: int = 0, *, repeats: int = 10) -> None:
        self._cupy, self._repeats = _load(), repeats
        runtime = self._cupy.cuda.runtime
        try:
            count = runtime.getDeviceCount()
        except runtime.CUDARuntimeError as error:
            raise ToolError(f"no NVIDIA GPU can be used: {error}", hint=INSTALL) from None
        if device >= count:
            raise ToolError(f"wanted NVIDIA GPU {device}, there are {count}", hint=INSTALL)
        self._cupy.cuda.Device(device).use()
        properties = runtime.getDeviceProperties(device)
        self.target = f"sm_{properties['major']}{properties['minor']}"
        name = properties["name"]
        self.name = name.decode() if isinstance(name, bytes) else str(name)

    @property
    def device(self) -> str:
        return f"{self.name} ({self.target})"

    @property
    def driver(self) -> str:
        """The versions of CUDA's driver and runtime, as they give them."""
        runtime = self._cupy.cuda.runtime
        return f"CUDA driver {runtime.driverGetVersion()}, runtime {runtime.runtimeGetVersion()}"

    @property
    def compiler(self) -> str:
        """What it compiles kernels with: no code for AMD GPUs is asked for."""
        return "NVRTC {}.{}".format(*self._cupy.cuda.nvrtc.getVersion())

    def function(self, kernel: Kernel) -> Any:
        """The kernel as a function ``f(grid, block, arguments)``, compiled for this GPU.

        Refused: kernels with AMD-only parts. What NVRTC says becomes one error.
        """
        source = cuda_source(kernel.text)
        try:
            module = self._cupy.RawModule(code=source, backend="nvrtc", options=OPTIONS)
            return module.get_function(kernel.name)
        except self._cupy.cuda.compiler.CompileException as error:
            raise ToolError(f"{kernel.name}: NVRTC: {error}") from None

    def run(self, task: Launch) -> RunResult:
        """Run the kernel once, then time it; what the launch was compiled to is not used.

        A launch that fails, guard bytes or inputs that changed raise :class:`ExecutionFaultError`.
        """
        kernel, function = task.kernel, self.function(task.kernel)
        arrays = task.memory()
        whole = {key: self._cupy.asarray(guarded(array)) for key, array in arrays.items()}
        arguments = _arguments(task, {key: buffer[GUARD_BYTES:] for key, buffer in whole.items()})
        grid, block = (tuple([*shape, 1, 1][:3]) for shape in (task.grid, kernel.block))

        def launch() -> None:
            function(grid, block, arguments, shared_mem=kernel.dynamic_lds)

        with self._faults(kernel.name):
            launch()
            self._cupy.cuda.runtime.deviceSynchronize()
            found = {key: self._content(kernel.name, key, whole[key], arrays[key]) for key in arrays}
            seconds = self._time(launch)
        return RunResult(checked_outputs(task, arrays, found), self.device, seconds)

    @contextmanager
    def _faults(self, name: str) -> Iterator[None]:
        """CUDA's errors during a launch, as faults of the kernel."""
        cuda = self._cupy.cuda
        try:
            yield
        except (cuda.runtime.CUDARuntimeError, cuda.driver.CUDADriverError) as error:
            raise ExecutionFaultError(f"{name}: {error}") from None

    def _content(self, kernel: str, key: str, buffer: Any, like: NDArray[Any]) -> NDArray[Any]:
        """A buffer's content, once its guards are found whole."""
        host = np.asarray(self._cupy.asnumpy(buffer))
        return unguarded(kernel, key, host, like)

    def _time(self, launch: Any) -> float:
        """The median time of a launch in seconds, between two events."""
        cuda, times = self._cupy.cuda, []
        for _ in range(self._repeats):
            start, stop = cuda.Event(), cuda.Event()
            start.record()
            launch()
            stop.record()
            stop.synchronize()
            times.append(cuda.get_elapsed_time(start, stop) / 1000)
        return statistics.median(times)


def _arguments(task: Launch, places: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments of a call: buffers, and numbers of the width that the kernel declares."""
    found: list[Any] = []
    for argument in task.kernel.arguments:
        if isinstance(argument, ArrayArgument):
            found.append(places[argument.name])
        else:
            found.append(np.dtype(argument.kind.numpy).type(task.sizes[argument.name]))
    return tuple(found)


def _load() -> Any:
    try:
        import cupy  # noqa: PLC0415  only this executor needs it
    except ImportError:
        raise ToolError("running on an NVIDIA GPU needs the package cupy", hint=INSTALL) from None
    return cupy

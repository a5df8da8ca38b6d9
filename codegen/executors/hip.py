"""The executor on AMD GPUs, through ``hip-python``: it loads the code object that was compiled.

Guard bytes lie before and after every buffer; a kernel that changes one of them, or an input, is faulty.
What is timed are further launches, after the one whose outputs are returned.
"""

from __future__ import annotations

import ctypes
import statistics
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.executors.executor import Launch, RunResult
from layoutalg.codegen.executors.guard_bytes import GUARD_BYTES, checked_outputs, guarded, unguarded
from layoutalg.codegen.kernel import ArrayArgument, ExecutionFaultError
from layoutalg.errors import ToolError
from layoutalg.extras import install_command

__all__ = ["HipExecutor"]

HIDDEN = "hidden_"  # arguments that the runtime fills in
INSTALL = f"{install_command('hip')}, on a machine with ROCm's driver and an AMD GPU"


class HipExecutor:
    """Runs kernels on one AMD GPU; ``repeats`` launches are timed, their median is reported."""

    def __init__(self, device: int = 0, *, repeats: int = 10) -> None:
        self._hip, self._repeats = _load(), repeats
        try:
            count = self._call("hipGetDeviceCount")
        except RuntimeError as error:  # what hip-python raises where ROCm's library is missing
            raise ToolError(f"no AMD GPU can be used: {error}", hint=INSTALL) from None
        if device >= count:
            raise ToolError(f"wanted AMD GPU {device}, there are {count}", hint=INSTALL)
        self._call("hipSetDevice", device)
        properties = self._properties(device)
        self.target = _text(properties.gcnArchName).split(":")[0]
        self.name = _text(properties.name)
        self.units = int(properties.multiProcessorCount)

    @property
    def device(self) -> str:
        return f"{self.name} ({self.target})"

    @property
    def driver(self) -> str:
        """The versions of HIP's driver and runtime, as they give them."""
        return f"HIP driver {self._call('hipDriverGetVersion')}, runtime {self._call('hipRuntimeGetVersion')}"

    def _properties(self, device: int) -> Any:
        """What the device is; wheels for ROCm 6 and 7 fill a structure that they are given."""
        try:
            return self._call("hipGetDeviceProperties", device)
        except TypeError:
            found = self._hip.hipDeviceProp_t()
            self._call("hipGetDeviceProperties", found, device)
            return found

    def run(self, task: Launch) -> RunResult:
        """Run the kernel once, then time it.

        Refused: code for another GPU. A launch that fails, guard bytes or inputs that changed raise
        :class:`ExecutionFaultError`.
        """
        compiled, name = task.compiled, task.kernel.name
        if compiled.target.name != self.target:
            msg = f"{name} is compiled for {compiled.target.name}, the device is {self.device}"
            raise ToolError(msg, hint=f"compile it for {self.target}")
        arrays = task.memory()
        with self._buffers(arrays) as buffers, self._function(compiled.code_object, name) as function:
            places = {key: int(buffer) + GUARD_BYTES for key, buffer in buffers.items()}
            block = _argument_block(task, places)
            try:
                self._launch(task, function, block)
                self._call("hipDeviceSynchronize")
            except ToolError as error:
                raise ExecutionFaultError(f"{name}: {error.message}") from None
            found = {key: self._content(name, key, buffers[key], arrays[key]) for key in arrays}
            outputs = checked_outputs(task, arrays, found)
            seconds = self._time(task, function, block)
        return RunResult(outputs, self.device, seconds)

    def _launch(self, task: Launch, function: Any, block: bytes) -> None:
        grid, threads = [*task.grid, 1, 1][:3], [*task.kernel.block, 1, 1][:3]
        packed = _as_structure(block)
        self._call(
            "hipModuleLaunchKernel", function, *grid, *threads, task.kernel.dynamic_lds, None, None, (packed,)
        )

    def _time(self, task: Launch, function: Any, block: bytes) -> float:
        """The median time of a launch in seconds, between two events."""
        start, stop = self._call("hipEventCreate"), self._call("hipEventCreate")
        times = []
        for _ in range(self._repeats):
            self._call("hipEventRecord", start, None)
            self._launch(task, function, block)
            self._call("hipEventRecord", stop, None)
            self._call("hipEventSynchronize", stop)
            times.append(self._call("hipEventElapsedTime", start, stop) / 1000)
        for event in (start, stop):
            self._call("hipEventDestroy", event)
        return statistics.median(times)

    @contextmanager
    def _buffers(self, arrays: dict[str, NDArray[Any]]) -> Iterator[dict[str, Any]]:
        """Memory on the device for each array, with its content between guards."""
        made: dict[str, Any] = {}
        try:
            for key, array in arrays.items():
                host = guarded(array)
                made[key] = self._call("hipMalloc", host.nbytes)
                kind = self._hip.hipMemcpyKind.hipMemcpyHostToDevice
                self._call("hipMemcpy", made[key], host, host.nbytes, kind)
            yield made
        finally:
            for buffer in made.values():
                self._hip.hipFree(buffer)  # an error here would hide the one that led here

    @contextmanager
    def _function(self, code_object: bytes, name: str) -> Iterator[Any]:
        module = self._call("hipModuleLoadData", code_object)
        try:
            yield self._call("hipModuleGetFunction", module, name.encode())
        finally:
            self._hip.hipModuleUnload(module)

    def _content(self, kernel: str, key: str, buffer: Any, like: NDArray[Any]) -> NDArray[Any]:
        """A buffer's content, once its guards are found whole."""
        host = np.empty(like.nbytes + 2 * GUARD_BYTES, np.uint8)
        self._call("hipMemcpy", host, buffer, host.nbytes, self._hip.hipMemcpyKind.hipMemcpyDeviceToHost)
        return unguarded(kernel, key, host, like)

    def _call(self, function: str, *arguments: Any) -> Any:
        """Call HIP; what it gives besides its status is the result."""
        status, *found = getattr(self._hip, function)(*arguments)
        if status != self._hip.hipError_t.hipSuccess:
            raise ToolError(f"{function}: {getattr(status, 'name', status)}")
        return found[0] if found else None


def _load() -> Any:
    try:
        from hip import hip  # noqa: PLC0415  only this executor needs it
    except ImportError:
        raise ToolError("running on an AMD GPU needs the package hip-python", hint=INSTALL) from None
    return hip


def _text(found: str | bytes) -> str:
    return found.decode() if isinstance(found, bytes) else found


def _as_structure(block: bytes) -> ctypes.Structure:
    """One argument whose bytes are the whole argument block: hip-python passes structures as they are."""

    class ArgumentBlock(ctypes.Structure):
        _fields_ = (("content", ctypes.c_ubyte * len(block)),)

    return ArgumentBlock.from_buffer_copy(block)


def _argument_block(task: Launch, addresses: Mapping[str, int]) -> bytes:
    """The bytes of a launch's arguments, each where the code object says; ``addresses``: of the arrays."""
    places = [place for place in task.compiled.resources.arguments if not place.kind.startswith(HIDDEN)]
    if len(places) != len(task.kernel.arguments):
        msg = f"{task.kernel.name}: the code object has {len(places)} arguments,"
        raise ToolError(f"{msg} the kernel {len(task.kernel.arguments)}")
    block = bytearray(max((place.offset + place.size for place in places), default=0))
    for argument, place in zip(task.kernel.arguments, places, strict=True):
        if isinstance(argument, ArrayArgument):
            number = addresses[argument.name]
        else:
            number = argument.bits(task.sizes[argument.name])
        block[place.offset : place.offset + place.size] = number.to_bytes(place.size, "little")
    return bytes(block)

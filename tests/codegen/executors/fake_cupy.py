"""A stand-in for cupy: memory is NumPy's, a launch is a Python function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np


class CUDARuntimeError(RuntimeError):
    pass


class CUDADriverError(RuntimeError):
    pass


class CompileException(Exception):  # noqa: N818  cupy's name
    pass


class Event:
    def record(self) -> None: ...

    def synchronize(self) -> None: ...


class Device:
    def __init__(self, number: int) -> None:
        self.number = number

    def use(self) -> None: ...


@dataclass
class FakeCupy:
    """``launched`` does what the kernel would; what it was asked for is kept."""

    launched: Callable[..., None]
    devices: int = 1
    asked: dict[str, Any] = field(default_factory=dict)

    asarray = staticmethod(np.array)
    asnumpy = staticmethod(np.array)

    @property
    def cuda(self) -> SimpleNamespace:
        runtime = SimpleNamespace(
            CUDARuntimeError=CUDARuntimeError,
            getDeviceCount=self.count,
            getDeviceProperties=lambda _: {"major": 9, "minor": 0, "name": b"NVIDIA H200"},
            deviceSynchronize=lambda: None,
            driverGetVersion=lambda: 13000,
            runtimeGetVersion=lambda: 12090,
        )
        return SimpleNamespace(
            runtime=runtime,
            nvrtc=SimpleNamespace(getVersion=lambda: (12, 9)),
            driver=SimpleNamespace(CUDADriverError=CUDADriverError),
            compiler=SimpleNamespace(CompileException=CompileException),
            Device=Device,
            Event=Event,
            get_elapsed_time=lambda *_: 2.0,
        )

    def count(self) -> int:
        if self.devices < 0:
            raise CUDARuntimeError("cudaErrorInsufficientDriver")
        return self.devices

    def RawModule(self, code: str, backend: str, options: tuple[str, ...]) -> SimpleNamespace:  # noqa: N802
        self.asked |= {"code": code, "backend": backend, "options": options}
        if "error" in code:
            raise CompileException("kernel.cu(3): error")
        return SimpleNamespace(get_function=self.function)

    def function(self, name: str) -> Callable[..., None]:
        self.asked["name"] = name

        def call(grid: Any, block: Any, arguments: Any, shared_mem: int = 0) -> None:
            self.asked |= {"grid": grid, "block": block, "shared_mem": shared_mem, "arguments": arguments}
            self.launched(*arguments)

        return call

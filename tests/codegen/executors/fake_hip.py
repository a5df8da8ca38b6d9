"""HIP as ``hip-python`` gives it, without a GPU: memory of the host, launches executed by the CPU's machine.

It knows of a launch only what a driver knows: the code object, the grid and the bytes of the arguments. Where
the arguments lie it reads from the code object; a pointer is good for whatever lies there.
"""
# ruff: noqa: ARG002, N801, N802, N815  HIP's own names and signatures

from __future__ import annotations

import ctypes
import enum
from types import SimpleNamespace
from typing import Any

import numpy as np

from layoutalg.codegen.compile.code_object import read_code_object
from layoutalg.codegen.gfx9.assembly import parse_assembly
from layoutalg.codegen.gfx9.launch import ArrayValue, Dispatch, launch

FIRST_ADDRESS = 0x7F12_3400_0000


class hipError_t(enum.IntEnum):
    hipSuccess = 0
    hipErrorInvalidValue = 1
    hipErrorNoDevice = 100
    hipErrorIllegalAddress = 700


class hipMemcpyKind(enum.IntEnum):
    hipMemcpyHostToDevice = 1
    hipMemcpyDeviceToHost = 2


class DeviceArray:
    """A pointer, as ``hipMalloc`` gives it."""

    def __init__(self, address: int) -> None:
        self.address = address

    def __int__(self) -> int:
        return self.address


class FakeHip:
    """One device. ``assembly`` is what its code objects hold, ``outputs`` which arguments are written."""

    hipError_t = hipError_t
    hipMemcpyKind = hipMemcpyKind

    def __init__(
        self, assembly: str = "", outputs: tuple[int, ...] = (), arch: str = "gfx942:sramecc+:xnack-"
    ):
        self.assembly, self.outputs, self.arch = assembly, outputs, arch
        self.memory: dict[int, np.ndarray[Any, Any]] = {}
        self.calls: list[str] = []
        self.launches: list[bytes] = []
        self.devices = 1
        self.after_launch: Any = lambda memory: None
        self.launch_status = hipError_t.hipSuccess

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("hip") and name[3].isupper() and name != "hipMemcpyKind":
            object.__getattribute__(self, "calls").append(name)
        return object.__getattribute__(self, name)

    def hipGetDeviceCount(self):
        return (hipError_t.hipSuccess if self.devices else hipError_t.hipErrorNoDevice, self.devices)

    def hipSetDevice(self, device):
        return (hipError_t.hipSuccess,)

    @property
    def properties(self):
        return {"name": b"AMD Instinct MI300X", "gcnArchName": self.arch, "multiProcessorCount": 304}

    def hipGetDeviceProperties(self, device):
        return (hipError_t.hipSuccess, SimpleNamespace(**self.properties))

    def hipDriverGetVersion(self):
        return (hipError_t.hipSuccess, 60342134)

    def hipRuntimeGetVersion(self):
        return (hipError_t.hipSuccess, 60342134)

    def hipMalloc(self, size):
        address = FIRST_ADDRESS + sum(-(-len(held) // 256) * 256 + 256 for held in self.memory.values())
        self.memory[address] = np.zeros(size, np.uint8)
        return (hipError_t.hipSuccess, DeviceArray(address))

    def hipFree(self, pointer):
        del self.memory[int(pointer)]
        return (hipError_t.hipSuccess,)

    def hipMemcpy(self, target, source, size, kind):
        if kind == hipMemcpyKind.hipMemcpyHostToDevice:
            self.memory[int(target)][:size] = source[:size]
        else:
            target[:size] = self.memory[int(source)][:size]
        return (hipError_t.hipSuccess,)

    def hipModuleLoadData(self, image):
        assert isinstance(image, bytes)
        return (hipError_t.hipSuccess, image)

    def hipModuleUnload(self, module):
        return (hipError_t.hipSuccess,)

    def hipModuleGetFunction(self, module, name):
        (kernel,) = [k for k in read_code_object(module) if k.name == name.decode()]
        return (hipError_t.hipSuccess, kernel)

    def hipModuleLaunchKernel(self, kernel, *rest):
        *shape, dynamic_lds, stream, parameters, extra = rest
        assert (len(shape), dynamic_lds, stream, parameters) == (6, 0, None, None)
        block = packed(extra)
        self.launches.append(block)
        if self.launch_status is not hipError_t.hipSuccess:
            return (self.launch_status,)
        places = [place for place in kernel.arguments if not place.kind.startswith("hidden_")]
        values: list[ArrayValue | int] = []
        for number, place in enumerate(places):
            value = int.from_bytes(block[place.offset : place.offset + place.size], "little")
            if place.kind == "global_buffer":
                values.append(ArrayValue(f"argument {number}", self._at(value), number in self.outputs))
            else:
                values.append(value)
        assembly = parse_assembly(self.assembly)
        dispatch = Dispatch(shape[:3], shape[3:])
        launch(assembly, values, kernel.arguments, kernel.argument_bytes, dispatch)
        self.after_launch(self.memory)
        return (hipError_t.hipSuccess,)

    def _at(self, address: int) -> np.ndarray[Any, Any]:
        """Memory from an address to the end of what was allocated there."""
        for start, held in self.memory.items():
            if start <= address < start + len(held):
                return held[address - start :]
        raise AssertionError(f"nothing lies at {address:#x}")

    def hipDeviceSynchronize(self):
        return (hipError_t.hipSuccess,)

    def hipEventCreate(self):
        return (hipError_t.hipSuccess, object())

    def hipEventDestroy(self, event):
        return (hipError_t.hipSuccess,)

    def hipEventRecord(self, event, stream):
        return (hipError_t.hipSuccess,)

    def hipEventSynchronize(self, event):
        return (hipError_t.hipSuccess,)

    def hipEventElapsedTime(self, start, stop):
        return (hipError_t.hipSuccess, 0.25)


def packed(extra) -> bytes:
    """The bytes hip-python makes of a tuple: each ctypes value at a multiple of its size, at most of 8."""
    block = b""
    for entry in extra:
        assert isinstance(entry, ctypes._SimpleCData | ctypes.Structure)
        size = ctypes.sizeof(entry)
        step = min(size, 8)
        block = block.ljust(-(-len(block) // step) * step, b"\0") + bytes(entry)
    return block

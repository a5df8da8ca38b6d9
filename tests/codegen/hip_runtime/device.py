"""The device at the other end of ``libamdhip64.so``: it checks every launch and executes it on the CPU.

Processes that load the library connect to it; memory is theirs and is mapped here as well, so that a kernel
runs in the memory that its pointers point at, at those addresses, from the bytes of its argument block.
"""

from __future__ import annotations

import hashlib
import math
import os
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.compile.code_object import KernelResources
from layoutalg.codegen.compile.loaded_object import load_object
from layoutalg.codegen.gfx9.device_memory import Buffer, GlobalMemory
from layoutalg.codegen.gfx9.executable import executable
from layoutalg.codegen.gfx9.kernel_arguments import argument_block, explicit_places
from layoutalg.codegen.gfx9.launch import Dispatch, run_in_memory
from layoutalg.errors import LayoutError, ToolError
from tests.codegen.hip_runtime.argument_blocks import complaints, numbers_in
from tests.codegen.hip_runtime.library import library

__all__ = ["Device", "LaunchSeen", "device_in"]

NOT_FOUND, LAUNCH_FAILURE = 500, 719


@dataclass(frozen=True)
class LaunchSeen:
    """A launch as the device was told of it, and whether it was executed: repeats are not."""

    kernel: KernelResources
    grid: tuple[int, ...]
    block: tuple[int, ...]
    dynamic_lds: int
    arguments: bytes
    is_executed: bool

    @property
    def numbers(self) -> list[int]:
        return numbers_in(self.kernel, self.arguments)


@dataclass
class Device:
    """One GPU; ``faults`` are what it found wrong, of kernels and of launches."""

    target: str
    name: str
    units: int
    folder: Path
    launches: list[LaunchSeen] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    freed: int = 0
    allocated: int = 0
    lock: Any = field(default_factory=threading.Lock)

    @property
    def socket(self) -> Path:
        return self.folder / "s"

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to find the library and the device."""
        place = str(library().parent)
        return {
            **os.environ,
            "LD_LIBRARY_PATH": os.pathsep.join([place, os.environ.get("LD_LIBRARY_PATH", "")]).rstrip(":"),
            "LAYOUTALG_HIP_DEVICE": str(self.socket),
            "LAYOUTALG_HIP_MEMORY": str(self.folder),
        }


@contextmanager
def device_in(folder: Path) -> Iterator[Device]:
    """A device that answers as long as the block lasts."""
    device = Device("gfx942", "AMD Instinct MI300X", 304, folder)

    class Connection(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            process = Process(device)
            for line in self.rfile:
                with device.lock:
                    answer = process.answer(line.decode().rstrip("\n"))
                self.wfile.write(f"{answer}\n".encode())

    class Server(socketserver.ThreadingUnixStreamServer):
        daemon_threads = True

    with Server(str(device.socket), Connection) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield device
        finally:
            server.shutdown()


class Process:
    """What one process has on the device: memory and code objects."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.memory: dict[int, NDArray[np.uint8]] = {}
        self.code: dict[int, bytes] = {}
        self.last: tuple[Any, ...] = ()

    def answer(self, request: str) -> str:
        """The line that answers a request."""
        word, *rest = request.split(" ")
        try:
            found = getattr(self, f"on_{word}")(*rest)
        except (LayoutError, ToolError, AssertionError) as error:
            self.device.faults.append(str(error))
            return f"error {LAUNCH_FAILURE}"
        return found if isinstance(found, str) else "ok "

    def on_device(self) -> str:
        return f"ok {self.device.target}:sramecc+:xnack- {self.device.units} {self.device.name}"

    def on_malloc(self, address: str, size: str, path: str) -> None:
        self.memory[int(address)] = np.memmap(path, np.uint8, "r+", shape=(int(size),))
        self.device.allocated += 1

    def on_free(self, address: str) -> None:
        del self.memory[int(address)]
        self.device.freed += 1

    def on_module(self, path: str) -> str:
        number = len(self.code)
        self.code[number] = Path(path).read_bytes()
        return f"ok {number}"

    def on_unload(self, number: str) -> None:
        self.code[int(number)] = b""

    def on_function(self, number: str, name: str) -> str:
        loaded = load_object(self.code[int(number)])
        if loaded.target != self.device.target or name not in {kernel.name for kernel in loaded.kernels}:
            return f"error {NOT_FOUND}"
        places = explicit_places(loaded.kernel(name).arguments)
        return "ok " + " ".join(f"{place.offset}:{place.size}" for place in places)

    def on_launch(self, number: str, name: str, *rest: str) -> None:
        *shape, lds = map(int, rest[:7])
        block = bytes.fromhex(rest[7])
        code = self.code[int(number)]
        kernel = load_object(code).kernel(name)
        sizes = {start: len(held) for start, held in self.memory.items()}
        wrong = complaints(kernel, block, sizes, math.prod(shape[3:]))
        assert not wrong, "; ".join(wrong)
        same = (code, name, rest, self._content())
        is_new = same != self.last
        if is_new:
            self._execute(code, kernel, Dispatch(shape[:3], shape[3:], lds), block)
        self.last = (code, name, rest, self._content())
        seen = LaunchSeen(kernel, tuple(shape[:3]), tuple(shape[3:]), lds, block, is_new)
        self.device.launches.append(seen)

    def _execute(self, code: bytes, kernel: KernelResources, dispatch: Dispatch, block: bytes) -> None:
        memory = GlobalMemory()
        for start, held in self.memory.items():
            marks = np.ones(len(held), dtype=bool)
            # An allocation knows no kernel: of alignment it wants what the hardware does, which is none.
            memory.place(Buffer(f"the allocation at {start:#x}", start, held, marks, True, True, alignment=1))
        numbers = numbers_in(kernel, block)
        content = argument_block(numbers, kernel.arguments, kernel.argument_bytes, dispatch.extents)
        run_in_memory(executable(code, kernel.name), memory, content, dispatch)

    def _content(self) -> bytes:
        """A digest of all memory."""
        whole = hashlib.sha256()
        for start in sorted(self.memory):
            whole.update(self.memory[start].tobytes())
        return whole.digest()

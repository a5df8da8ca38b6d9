"""What the machine in C finds when it goes on behind a fault: its records, read.

Each thread of a run has a sanitizer of C of its own (``findings.h``), which lives as long as the launch;
what two of them saw of one buffer is compared at the end.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.device_memory import GlobalMemory
from layoutalg.codegen.gfx9.global_transfer import memory_grain
from layoutalg.codegen.gfx9.native.native_fault import NativeFault
from layoutalg.codegen.gfx9.native.record import NotNativeError, names_of

__all__ = ["CHECKS", "FOUND", "HOW", "SPACES", "NativeSanitizer"]

_CHECKS = names_of("OUT_OF_BOUNDS", "findings.h")
CHECKS = {name: number for name, number in _CHECKS.items() if name != "checks"}
SPACES = {number: name for name, number in names_of("NOWHERE", "findings.h").items()}
HOW = {number: name for name, number in names_of("READS", "parties.h").items()}
FOUND = np.dtype(
    [
        *((name, "i8") for name in ("check", "instruction", "other", "group", "wave", "lane")),
        *((name, "i8") for name in ("other_group", "other_wave", "other_lane")),
        *((name, "i8") for name in ("space", "size", "count", "next", "how", "loaded", "queue", "met")),
        *((name, "u8") for name in ("address", "lanes")),
    ]
)
POINTER = ctypes.c_void_p
MOST_INSTRUCTIONS = 1 << 20  # for which wave.h has room in what it keeps of an access
WRITES_BACK = ("gfx942", "gfx950")  # whose L2 caches are not one: LLVM, AMDGPU Memory Model gfx942


@dataclass
class NativeSanitizer:
    """Which checks are made, and what they found: a row of ``FOUND`` each.

    ``stopped``: what the run could not go on behind.
    """

    checks: Collection[str] = tuple(CHECKS)
    found: NDArray[Any] = field(default_factory=lambda: np.zeros(0, FOUND))
    stopped: NativeFault | None = None

    def __post_init__(self) -> None:
        self._threads: dict[int, Any] = {}
        self._machine: Any = None
        self._program: Any = None

    def numbers(self, assembly: Assembly, memory: GlobalMemory) -> tuple[int, int, int, int]:
        """What C is told: checks as bits, bytes of memory watched together, and two truths.

        Whether a release must write caches back, and whether a compiler made the code.
        """
        if len(assembly.instructions) >= MOST_INSTRUCTIONS:
            msg = f"the sanitizer has room for {MOST_INSTRUCTIONS - 1} instructions"
            raise NotNativeError(msg)
        bits = sum(1 << CHECKS[name] for name in self.checks)
        is_compiled = assembly.loaded is not None and assembly.loaded.is_compiled
        writes_back = assembly.target in WRITES_BACK
        grain = min([memory_grain(assembly.instructions), *(b.alignment for b in memory.buffers)])
        return bits, grain, int(writes_back), int(is_compiled)

    def of_thread(self, thread: int, machine: Any, program: Any) -> Any:
        """The sanitizer of C that a thread of a run uses."""
        self._machine, self._program = machine, program
        if thread not in self._threads:
            machine.new_sanitizer.restype = POINTER
            machine.findings_of.restype = machine.finding_bytes.restype = ctypes.c_int64
            assert machine.finding_bytes() == FOUND.itemsize, "findings.h and FOUND describe one record"
            self._threads[thread] = POINTER(machine.new_sanitizer(program))
        return self._threads[thread]

    def finish(self) -> None:
        """Compare what threads saw of one buffer, read what was found, and give back what C holds."""
        if not self._threads:
            return
        first, *others = (self._threads[number] for number in sorted(self._threads))
        for other in others:
            self._machine.meet_sanitizer(self._program, first, other)
        rows = POINTER()
        count = self._machine.findings_of(first, ctypes.byref(rows))
        size = count * FOUND.itemsize
        if count:
            self.found = np.frombuffer(ctypes.string_at(rows.value, size), FOUND)  # type: ignore[arg-type]
        for one in self._threads.values():
            self._machine.free_sanitizer(self._program, one)
        self._threads = {}

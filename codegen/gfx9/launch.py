"""Launching a kernel: arguments into memory, workgroups on the machine that is fastest."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.compile.code_object import KernelArgument, KernelResources
from layoutalg.codegen.compile.loaded_object import relocated
from layoutalg.codegen.gfx9.assembly import IMAGE_BASE, Assembly
from layoutalg.codegen.gfx9.device_memory import MAX_ALIGNMENT, WORD, Buffer, GlobalMemory
from layoutalg.codegen.gfx9.issue_timing import work_of
from layoutalg.codegen.gfx9.kernel_arguments import argument_block
from layoutalg.codegen.gfx9.machine import Machine
from layoutalg.codegen.gfx9.native.native_machine import NativeMachine
from layoutalg.codegen.gfx9.native.native_sanitizer import NativeSanitizer
from layoutalg.codegen.gfx9.native.run_native import run_native
from layoutalg.codegen.gfx9.wave_start import WaveStart
from layoutalg.codegen.gfx9.workgroups import Workgroups, run_in_python
from layoutalg.errors import LayoutError
from layoutalg.machine.target import Target

__all__ = [
    "CHECKS",
    "ArrayValue",
    "Dispatch",
    "LaunchReport",
    "PreparedLaunch",
    "launch",
    "run_in_memory",
    "started",
]

MOST_SCRATCH = 131_056  # bytes of a lane: 8191 units of 256 words a wave (LLVM, getMaxWaveScratchSize)
MOST_THREADS = 1024  # of a workgroup: 16 waves
MOST_GRID = (
    2**32 - 1
)  # threads along an axis of a dispatch packet (HSA runtime, hsa_kernel_dispatch_packet_t)
MOST_GROUPS = 1 << 24  # that are run: some hours of this machine
CHECKS = ("races", "waits")  # of waves in the LDS, and for registers that are still being loaded


@dataclass
class ArrayValue:
    """A buffer argument; an output's content counts as not set, unless ``is_initialised``.

    ``alignment``: bytes to which accesses are held (``Buffer``).
    """

    name: str
    array: NDArray[Any]
    is_output: bool
    is_initialised: bool = False
    alignment: int = WORD


@dataclass(frozen=True)
class LaunchReport:
    """What a launch did: workgroups and waves run, instructions executed (counted once a wave).

    ``unwritten``: how many elements of each output hold no value, since they were not written; ``written``:
    which elements were.
    ``work``: instructions of each class and cycles of matrix instructions (``issue_timing``), accesses to
    memory with their bank conflicts and segments (``access_counts``). ``trace``: where the first wave went.
    ``times`` and ``costs``: how often each instruction was executed and what its accesses cost (the latter of
    a run in C alone); ``buffers``: name, address and bytes of all memory that there was.
    """

    workgroups: int
    waves: int
    executed: Counter[str]
    unwritten: dict[str, int]
    written: dict[str, NDArray[np.bool_]]
    work: Counter[str]
    trace: tuple[tuple[int, int], ...]
    times: Sequence[int]
    costs: Mapping[int, Counter[str]]
    buffers: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class Dispatch:
    """How a kernel is started: ``grid`` workgroups of ``block`` threads, 1 to 3 lengths each.

    ``dynamic_lds``: bytes of LDS beyond those the kernel itself asks for; ``lds_alignment``: bytes to which
    accesses of the LDS are held, if they are no shorter; ``workgroups``: the numbers of
    those that are run (x fastest), all if left out; ``native``: whether in compiled C; if left out, where
    that is faster and has code for all instructions. ``unchecked``: which of ``CHECKS`` are left out.
    ``sanitizer``: what collects faults instead of ending the run; then it is C that runs.
    """

    grid: Sequence[int]
    block: Sequence[int]
    dynamic_lds: int = 0
    workgroups: Sequence[int] | None = None
    native: bool | None = None
    unchecked: Collection[str] = ()
    sanitizer: NativeSanitizer | None = None
    lds_alignment: int = MAX_ALIGNMENT

    @property
    def shape(self) -> tuple[int, int, int]:
        x, y, z = [*self.grid, 1, 1][:3]
        return x, y, z

    @property
    def threads(self) -> tuple[int, int, int]:
        x, y, z = [*self.block, 1, 1][:3]
        return x, y, z

    @property
    def extents(self) -> tuple[list[int], list[int], int]:
        """What hidden arguments say of it: workgroups and threads along three axes, bytes of dynamic LDS."""
        return [*self.shape], [*self.threads], self.dynamic_lds

    @property
    def ids(self) -> NDArray[np.int64]:
        """The numbers of the workgroups that are run."""
        every = np.arange(math.prod(self.shape)) if self.workgroups is None else self.workgroups
        return np.array(every, dtype=np.int64)


@dataclass(frozen=True)
class PreparedLaunch:
    """All that a launch consists of: code, what is passed and where it lies, and how it is started.

    ``resources`` names the kernel; ``code_object`` is where the code came from.
    """

    assembly: Assembly
    values: Sequence[ArrayValue | int]
    places: Sequence[KernelArgument]
    resources: KernelResources
    dispatch: Dispatch
    code_object: bytes

    def run(self, sanitizer: NativeSanitizer | None = None) -> LaunchReport:
        """Run it; arrays that are outputs are changed in place."""
        dispatch = self.dispatch if sanitizer is None else replace(self.dispatch, sanitizer=sanitizer)
        return launch(self.assembly, self.values, self.places, self.resources.argument_bytes, dispatch)


def launch(
    assembly: Assembly,
    arguments: Sequence[ArrayValue | int],
    places: Sequence[KernelArgument],
    argument_bytes: int,
    dispatch: Dispatch,
) -> LaunchReport:
    """Run a kernel.

    ``arguments``: arrays, changed in place where they are outputs, and integers; ``places``: where each lies
    in the argument block of ``argument_bytes``.
    """
    memory = GlobalMemory()
    numbers, outputs = _numbers(memory, arguments)
    content = argument_block(numbers, places, argument_bytes, dispatch.extents)
    work, machine = run_in_memory(assembly, memory, content, dispatch)
    written = {v.name: np.asarray(b.is_set.reshape(*v.array.shape, -1).all(axis=-1)) for v, b in outputs}
    unwritten = {v.name: 0 if b.is_full else int((~written[v.name]).sum()) for v, b in outputs}
    executed = machine.executed
    times = machine.times.tolist()
    counted = work_of(zip(assembly.instructions, times, strict=False), assembly.target)
    counted.update(machine.counts.totals)
    groups, trace = len(work.ids), tuple(machine.trace)
    buffers = tuple((one.name, one.address, len(one.content)) for one in memory.buffers)
    return LaunchReport(
        groups, groups * work.start.waves, executed, unwritten, written, counted, trace,
        times, machine.costs, buffers,
    )  # fmt: skip


def run_in_memory(
    assembly: Assembly, memory: GlobalMemory, block: NDArray[np.uint8], dispatch: Dispatch
) -> tuple[Workgroups, NativeMachine | Machine]:
    """Run a kernel with this argument block in memory that holds what its pointers point at."""
    begin = started(assembly, memory, block, dispatch)
    work = Workgroups(assembly, dispatch.ids, begin, frozenset(dispatch.unchecked))
    machine = run_native(work, wanted=dispatch.native, sanitizer=dispatch.sanitizer) or run_in_python(work)
    return work, machine


def started(
    assembly: Assembly, memory: GlobalMemory, block: NDArray[np.uint8], dispatch: Dispatch
) -> WaveStart:
    """How the waves of a launch begin, once its code and its argument block are in memory, too."""
    _require_possible(assembly, dispatch)
    _load_image(memory, assembly)
    kernargs = memory.add("arguments", block, is_set=True, is_writable=False)
    return WaveStart(
        assembly, dispatch.shape, dispatch.threads, memory, kernargs,
        dispatch.dynamic_lds, dispatch.lds_alignment,
    )  # fmt: skip


def _require_possible(assembly: Assembly, dispatch: Dispatch) -> None:
    """Refuse a launch that no GPU of this kind could start."""
    threads, groups = math.prod(dispatch.threads), math.prod(dispatch.shape)
    longest = max(a * b for a, b in zip(dispatch.shape, dispatch.threads, strict=True))
    most = Target.named(assembly.target).lds_bytes_per_workgroup
    scratch = assembly.directives.get("private_segment_fixed_size", 0)
    lds = assembly.directives.get("group_segment_fixed_size", 0) + dispatch.dynamic_lds
    for what, value, limit in (
        ("LDS of a workgroup, in bytes", lds, most),
        ("scratch memory of a lane, in bytes", scratch, MOST_SCRATCH),
        ("threads of a workgroup", threads, MOST_THREADS),
        ("threads along an axis", longest, MOST_GRID),
        ("workgroups", groups if dispatch.workgroups is None else len(dispatch.workgroups), MOST_GROUPS),
    ):
        if not 0 <= value <= limit:
            hint = "workgroups= names those to run" if what == "workgroups" else ""
            raise LayoutError(f"{assembly.target}: {what}: wanted at most {limit}, got {value}", hint=hint)


def _load_image(memory: GlobalMemory, assembly: Assembly) -> None:
    """Code and data of the code object, where its own addresses say, on top of the base."""
    if assembly.loaded is None:
        return
    for segment in assembly.loaded.segments:
        content = np.frombuffer(relocated(segment, assembly.loaded.relocations, IMAGE_BASE), np.uint8).copy()
        marks = np.ones(len(content), dtype=bool)
        name = f"the code object at {segment.address:#x}"
        address = IMAGE_BASE + segment.address
        memory.place(Buffer(name, address, content, marks, segment.is_writable, is_full=True))


def _numbers(
    memory: GlobalMemory, arguments: Sequence[ArrayValue | int]
) -> tuple[list[int], list[tuple[ArrayValue, Buffer]]]:
    """What is passed for each argument, and the outputs with their buffers."""
    numbers: list[int] = []
    outputs: list[tuple[ArrayValue, Buffer]] = []
    for value in arguments:
        if isinstance(value, ArrayValue):
            buffer = _place(memory, value)
            numbers.append(buffer.address)
            if value.is_output:
                outputs.append((value, buffer))
        else:
            numbers.append(value)
    return numbers, outputs


def _place(memory: GlobalMemory, value: ArrayValue) -> Buffer:
    content = value.array.reshape(-1).view(np.uint8)
    is_set = not value.is_output or value.is_initialised
    return memory.add(
        value.name, content, is_set=is_set, is_writable=value.is_output, alignment=value.alignment
    )

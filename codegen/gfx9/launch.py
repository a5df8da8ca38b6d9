"""Launching a kernel: arguments into memory, ids into registers, workgroups in batches."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.compile.code_object import KernelArgument
from layoutalg.codegen.compile.loaded_object import relocated
from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.device_memory import Buffer, GlobalMemory, LocalMemory
from layoutalg.codegen.gfx9.issue_timing import work_of
from layoutalg.codegen.gfx9.kernel_arguments import argument_block, dispatch_packet
from layoutalg.codegen.gfx9.machine import Machine
from layoutalg.codegen.gfx9.registers import LANES
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["ArrayValue", "LaunchReport", "launch"]

IMAGE_BASE = 0x7E00_0000_0000  # of a code object, below the buffers
DISPATCH = "dispatch packet"
WAVES_IN_FLIGHT = 2048  # of one batch: bounds the memory registers take
USER_SGPRS = (  # order and size in which the hardware hands them out
    ("private_segment_buffer", 4),
    ("dispatch_ptr", 2),
    ("queue_ptr", 2),
    ("kernarg_segment_ptr", 2),
    ("dispatch_id", 2),
    ("flat_scratch_init", 2),
    ("private_segment_size", 1),
)
PACKED_IDS = ("gfx90a", "gfx942", "gfx950")  # all three workitem ids in one register


@dataclass
class ArrayValue:
    """A buffer argument; an output's content counts as not set, unless ``is_initialised``."""

    name: str
    array: NDArray[Any]
    is_output: bool
    is_initialised: bool = False


@dataclass(frozen=True)
class LaunchReport:
    """What a launch did: workgroups and waves run, instructions executed (counted once a wave).

    ``unwritten``: how many elements of each output were not written; ``written``: which elements were.
    ``work``: instructions of each class and cycles of matrix instructions (``issue_timing``), accesses to
    memory with their bank conflicts and segments (``access_counts``). ``trace``: where the first wave went.
    """

    workgroups: int
    waves: int
    executed: Counter[str]
    unwritten: dict[str, int]
    written: dict[str, NDArray[np.bool_]]
    work: Counter[str]
    trace: tuple[tuple[int, int], ...]


def launch(  # noqa: PLR0913, PLR0917  what a launch consists of
    assembly: Assembly,
    arguments: Sequence[ArrayValue | int],
    places: Sequence[KernelArgument],
    grid: Sequence[int],
    block: Sequence[int],
    argument_bytes: int,
    workgroups: Sequence[int] | None = None,
    dynamic_lds: int = 0,
) -> LaunchReport:
    """Run a kernel: all its workgroups, or those with the numbers ``workgroups``.

    ``arguments``: arrays, changed in place where they are outputs, and integers; ``places``: where each lies
    in the argument block of ``argument_bytes``; ``grid`` and ``block``: workgroups, and threads of one.
    ``dynamic_lds``: bytes of LDS beyond those the kernel itself asks for.
    """
    memory = GlobalMemory()
    _load_image(memory, assembly)
    shape, threads = [*grid, 1, 1][:3], [*block, 1, 1][:3]
    numbers, outputs = _numbers(memory, arguments)
    block_content = argument_block(numbers, places, argument_bytes, (shape, threads, dynamic_lds))
    kernargs = memory.add("arguments", block_content, is_set=True, is_writable=False)
    start = _Start(assembly, shape, threads, memory, kernargs, dynamic_lds)
    machine = Machine(assembly)
    per_group = math.ceil(math.prod(threads) / LANES)
    chosen = np.arange(math.prod(shape)) if workgroups is None else np.array(workgroups, dtype=np.int64)
    batch = max(1, WAVES_IN_FLIGHT // per_group)
    for first in range(0, len(chosen), batch):
        try:
            machine.run(start.batch(chosen[first : first + batch]))
        except IndexError as error:
            msg = f"{assembly.name} uses registers beyond those its descriptor asks for: {error}"
            raise ExecutionFaultError(msg) from error
    unwritten = {v.name: int((~b.is_set).sum()) // v.array.itemsize for v, b in outputs}
    written = {v.name: np.asarray(b.is_set.reshape(*v.array.shape, -1).all(axis=-1)) for v, b in outputs}
    executed = machine.executed
    work = work_of(executed, assembly.target)
    work.update(machine.counts.totals)
    waves, trace = len(chosen) * per_group, tuple(machine.trace)
    return LaunchReport(len(chosen), waves, executed, unwritten, written, work, trace)


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
    return memory.add(value.name, content, is_set=is_set, is_writable=value.is_output)


@dataclass(frozen=True)
class _Start:
    """What is the same for all waves of a launch when they start."""

    assembly: Assembly
    grid: list[int]
    block: list[int]
    memory: GlobalMemory
    kernargs: Buffer
    dynamic_lds: int

    @property
    def lds_bytes(self) -> int:
        return self.assembly.directives.get("group_segment_fixed_size", 0) + self.dynamic_lds

    def batch(self, ids: NDArray[np.int64]) -> Waves:
        """The waves of some workgroups, with the registers the hardware sets before a kernel starts."""
        directives = self.assembly.directives
        size = math.prod(self.block)
        per_group = math.ceil(size / LANES)
        offset = directives.get("accum_offset", directives["next_free_vgpr"])
        waves = Waves(
            len(ids) * per_group,
            vgprs=max(offset, 3),
            agprs=max(0, directives["next_free_vgpr"] - offset),
            memory=self.memory,
            local=LocalMemory(len(ids), self.lds_bytes),
            workgroup=np.repeat(np.arange(len(ids)), per_group),
            flushes_denormals=self.assembly.loaded is not None and not directives["float_denorm_mode_32"],
            image_base=IMAGE_BASE,
        )
        self._set_scalars(waves, np.repeat(ids, per_group))
        thread = np.tile(np.arange(per_group * LANES).reshape(per_group, LANES), (len(ids), 1))
        _set_thread_ids(waves, self.assembly, thread, self.block)
        if size % LANES:
            alive = (thread < size).astype(np.uint64) << np.arange(LANES, dtype=np.uint64)
            waves.write_scalar64(126, slice(None), alive.sum(axis=1, dtype=np.uint64))
        return waves

    def _set_scalars(self, waves: Waves, ids: NDArray[np.int64]) -> None:
        directives, following = self.assembly.directives, 0
        for name, words in USER_SGPRS:
            if not directives.get(f"user_sgpr_{name}", 0):
                continue
            address = self._address(name)
            if address is not None:
                waves.write_scalar64(following, slice(None), np.full(waves.count, address, dtype=np.uint64))
            following += words  # the others are not provided: reading one is a fault
        first = directives.get("user_sgpr_kernarg_preload_offset", 0)
        preloaded = self.kernargs.content.view("<u4")[first:]
        for word in range(directives.get("user_sgpr_kernarg_preload_length", 0)):
            waves.write_scalar(following + word, slice(None), preloaded[word])
        following = directives.get("user_sgpr_count", following)
        grid = self.grid
        coordinates = (ids % grid[0], ids // grid[0] % grid[1], ids // (grid[0] * grid[1]))
        for axis, values in zip("xyz", coordinates, strict=True):
            if directives.get(f"system_sgpr_workgroup_id_{axis}", 0):
                waves.write_scalar(following, slice(None), values.astype(np.uint32))
                following += 1

    def _address(self, name: str) -> int | None:
        """What a pair of user registers points at; None for what is not provided."""
        if name == "kernarg_segment_ptr":
            return self.kernargs.address
        if name == "dispatch_ptr":
            named = next((b for b in self.memory.buffers if b.name == DISPATCH), None)
            if named is None:
                packet = dispatch_packet(self.grid, self.block, self.lds_bytes, self.kernargs.address)
                named = self.memory.add(DISPATCH, packet, is_set=True, is_writable=False)
            return named.address
        return None


def _set_thread_ids(waves: Waves, assembly: Assembly, thread: NDArray[np.int64], block: list[int]) -> None:
    ids = (thread % block[0], thread // block[0] % block[1], thread // (block[0] * block[1]))
    count = assembly.directives.get("system_vgpr_workitem_id", 0) + 1
    marks = np.ones(thread.shape, dtype=bool)
    if assembly.target in PACKED_IDS:
        packed = sum(values << (10 * axis) for axis, values in enumerate(ids[:count]))
        waves.write_vector(0, slice(None), np.asarray(packed).astype(np.uint32), marks)
        return
    for register, values in enumerate(ids[:count]):
        waves.write_vector(register, slice(None), values.astype(np.uint32), marks)

"""Launching a kernel: arguments into memory, ids into registers, workgroups in batches."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.compile.code_object import KernelArgument
from layoutalg.codegen.gfx9.assembly import Assembly, UnknownInstructionError
from layoutalg.codegen.gfx9.device_memory import Buffer, GlobalMemory, LocalMemory
from layoutalg.codegen.gfx9.issue_timing import work_of
from layoutalg.codegen.gfx9.native.run_native import run_native
from layoutalg.codegen.gfx9.registers import LANES
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.gfx9.workgroups import (
    FIRST_VGPRS,
    Workgroups,
    lds_bytes_of,
    registers_of_lanes,
    run_in_python,
)

__all__ = ["ArrayValue", "LaunchReport", "launch"]

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
    """A buffer argument: ``is_set`` says whether its content counts as initialised."""

    name: str
    array: NDArray[Any]
    is_output: bool


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


def launch(  # noqa: PLR0913
    assembly: Assembly,
    arguments: Sequence[ArrayValue | int],
    places: Sequence[KernelArgument],
    grid: Sequence[int],
    block: Sequence[int],
    argument_bytes: int,
    workgroups: Sequence[int] | None = None,
    *,
    native: bool | None = None,
) -> LaunchReport:
    """Run a kernel: all its workgroups, or those with the numbers ``workgroups``.

    ``arguments``: arrays, changed in place where they are outputs, and integers; ``places``: where each lies
    in the argument block of ``argument_bytes``; ``grid`` and ``block``: workgroups, and threads of one.
    ``native``: whether in compiled C; if left out, where that is faster and has code for all instructions.
    """
    memory = GlobalMemory()
    kernargs, outputs = _kernel_arguments(memory, arguments, places, argument_bytes)
    shape = [*grid, 1, 1][:3]
    threads = [*block, 1, 1][:3]
    per_group = math.ceil(math.prod(threads) / LANES)
    chosen = np.arange(math.prod(shape)) if workgroups is None else np.array(workgroups, dtype=np.int64)
    begin = partial(_batch, assembly, grid=shape, block=threads, memory=memory, kernargs=kernargs)
    started = Workgroups(assembly, chosen, per_group, memory, begin)
    machine = run_native(started, wanted=native) or run_in_python(started)
    unwritten = {v.name: int((~b.is_set).sum()) // v.array.itemsize for v, b in outputs}
    written = {v.name: np.asarray(b.is_set.reshape(*v.array.shape, -1).all(axis=-1)) for v, b in outputs}
    executed = machine.executed
    work = work_of(executed, assembly.target)
    work.update(machine.counts.totals)
    waves, trace = len(chosen) * per_group, tuple(machine.trace)
    return LaunchReport(len(chosen), waves, executed, unwritten, written, work, trace)


def _kernel_arguments(
    memory: GlobalMemory,
    arguments: Sequence[ArrayValue | int],
    places: Sequence[KernelArgument],
    size: int,
) -> tuple[Buffer, list[tuple[ArrayValue, Buffer]]]:
    """The argument block in memory, and the outputs with their buffers."""
    outputs: list[tuple[ArrayValue, Buffer]] = []
    # the compiler may load a whole 16 bytes where the last arguments begin
    content = np.zeros(math.ceil(max(size, 1) / 16) * 16, dtype=np.uint8)
    for value, place in zip(arguments, places, strict=False):
        if isinstance(value, ArrayValue):
            buffer = _place(memory, value)
            number = buffer.address
            if value.is_output:
                outputs.append((value, buffer))
        else:
            number = value % 2 ** (8 * place.size)
        encoded = number.to_bytes(place.size, "little")
        content[place.offset : place.offset + place.size] = np.frombuffer(encoded, np.uint8)
    return memory.add("arguments", content, is_set=True, is_writable=False), outputs


def _place(memory: GlobalMemory, value: ArrayValue) -> Buffer:
    content = value.array.reshape(-1).view(np.uint8)
    return memory.add(value.name, content, is_set=not value.is_output, is_writable=value.is_output)


def _batch(
    assembly: Assembly,
    ids: NDArray[np.int64],
    *,
    grid: list[int],
    block: list[int],
    memory: GlobalMemory,
    kernargs: Buffer,
    only_first: bool = False,
) -> Waves:
    """The waves of some workgroups, with the registers the hardware sets before a kernel starts.

    ``only_first``: with room for those registers alone, and without LDS.
    """
    size = math.prod(block)
    per_group = math.ceil(size / LANES)
    count = len(ids) * per_group
    local = LocalMemory(len(ids), 0 if only_first else lds_bytes_of(assembly))
    vgprs, agprs = (FIRST_VGPRS, 0) if only_first else registers_of_lanes(assembly)
    waves = Waves(
        count,
        vgprs=vgprs,
        agprs=agprs,
        memory=memory,
        local=local,
        workgroup=np.repeat(np.arange(len(ids)), per_group),
    )
    _set_scalars(waves, assembly, np.repeat(ids, per_group), grid, kernargs)
    thread = np.tile(np.arange(per_group * LANES).reshape(per_group, LANES), (len(ids), 1))
    _set_thread_ids(waves, assembly, thread, block)
    if size % LANES:
        alive = (thread < size).astype(np.uint64) << np.arange(LANES, dtype=np.uint64)
        waves.write_scalar64(126, slice(None), alive.sum(axis=1, dtype=np.uint64))
    return waves


def _set_scalars(
    waves: Waves, assembly: Assembly, ids: NDArray[np.int64], grid: list[int], kernargs: Buffer
) -> None:
    directives, following = assembly.directives, 0
    for name, words in USER_SGPRS:
        if not directives.get(f"user_sgpr_{name}", 0):
            continue
        if name == "kernarg_segment_ptr":
            address = np.full(waves.count, kernargs.address, dtype=np.uint64)
            waves.write_scalar64(following, slice(None), address)
        following += words  # the others are not provided: reading one is a fault
    if directives.get("user_sgpr_kernarg_preload_length", 0):
        msg = f"{assembly.name} asks for preloaded arguments, which this machine does not provide"
        raise UnknownInstructionError(msg)
    following = directives.get("user_sgpr_count", following)
    coordinates = (ids % grid[0], ids // grid[0] % grid[1], ids // (grid[0] * grid[1]))
    for axis, values in zip("xyz", coordinates, strict=True):
        if directives.get(f"system_sgpr_workgroup_id_{axis}", 0):
            waves.write_scalar(following, slice(None), values.astype(np.uint32))
            following += 1


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

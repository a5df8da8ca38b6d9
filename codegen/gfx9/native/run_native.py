"""Running workgroups in compiled C where that is faster; the machine in Python tells what is at fault."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from layoutalg.codegen.gfx9.assembly import Assembly, UnknownInstructionError
from layoutalg.codegen.gfx9.device_memory import Buffer
from layoutalg.codegen.gfx9.native.compiled_c import is_compiled
from layoutalg.codegen.gfx9.native.native_fault import NativeFault
from layoutalg.codegen.gfx9.native.native_machine import NativeMachine, WorkgroupStart
from layoutalg.codegen.gfx9.native.native_sanitizer import NativeSanitizer
from layoutalg.codegen.gfx9.native.program import native_program
from layoutalg.codegen.gfx9.native.record import NativeProgram, NotNativeError
from layoutalg.codegen.gfx9.registers import pack_lanes
from layoutalg.codegen.gfx9.wave_start import FIRST_VGPRS
from layoutalg.codegen.gfx9.waves import Waves
from layoutalg.codegen.gfx9.workgroups import Workgroups, run_in_python
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.errors import ToolError

__all__ = ["run_native"]

BATCH = 8192  # waves whose first registers are made at a time
WORTH_COMPILING = 40_000  # waves times instructions from which on rows are compiled
WORTH_RUNNING = 2_000  # the same where they are compiled already
KEPT = 32  # programs


def run_native(
    work: Workgroups, *, wanted: bool | None, sanitizer: NativeSanitizer | None = None
) -> NativeMachine | None:
    """Run all workgroups, or none: None where it is not wanted, not worth it, or not possible.

    ``wanted`` true: whatever it costs; :class:`ToolError` names what there is no code for. A fault raises
    :class:`ExecutionFaultError`; with a ``sanitizer``, which means that it is wanted, it is kept there.
    """
    wanted = True if sanitizer is not None else wanted
    if wanted is False:
        return None
    size = len(work.ids) * work.start.waves * len(work.assembly.instructions)
    if wanted is None and size < WORTH_RUNNING:
        return None
    try:
        program = _program(_Same(work.assembly), work.start.registers_of_lanes, work.start.lds_alignment)
        if wanted is None and size < WORTH_COMPILING and not is_compiled(list(program.rows)):
            return None
        threads = 1 if has_atomics(work.assembly) else os.cpu_count() or 1
        machine = NativeMachine(
            program, work.start.memory, work.start.lds_bytes, work.start.waves, threads,
            work.start.scratch_bytes, work.unchecked, sanitizer, work.start.lds_alignment,
        )  # fmt: skip
    except (NotNativeError, ToolError, UnknownInstructionError) as error:
        if wanted:
            msg = f"{work.assembly.name} does not run in compiled C: {error}"
            raise ToolError(msg) from None
        return None
    if sanitizer is not None:
        return _run_watched(work, machine, sanitizer)
    return machine if _run_or_tell(work, machine, wanted=wanted) else None


def _batches(work: Workgroups) -> Iterator[tuple[list[int], WorkgroupStart]]:
    """Some workgroups at a time, with the first registers of their waves."""
    batch = max(1, BATCH // work.start.waves)
    for first in range(0, len(work.ids), batch):
        ids = work.ids[first : first + batch]
        yield ids.tolist(), _start(work.start.batch(ids, only_first=True), work.start.waves)


def _run_watched(work: Workgroups, machine: NativeMachine, sanitizer: NativeSanitizer) -> NativeMachine:
    """Run all as far as they go; what cannot go on is kept in the sanitizer."""
    try:
        for ids, start in _batches(work):
            machine.run(ids, start)
    except NativeFault as fault:
        sanitizer.stopped = fault
    sanitizer.finish()
    return machine


def _run_or_tell(work: Workgroups, machine: NativeMachine, *, wanted: bool | None) -> bool:
    """Run all, or have told what is at fault; false, and memory as before, where it may only seem to hang."""
    before = [(b, b.content.copy(), b.is_set.copy()) for b in work.start.memory.buffers if b.is_writable]
    for ids, start in _batches(work):
        try:
            machine.run(ids, start)
        except NativeFault as fault:
            if fault.hangs and not wanted:
                _restore(before)
                return False
            _tell(work, fault, before)
    return True


def has_atomics(assembly: Assembly) -> bool:
    """Whether workgroups change the same places of memory, so that they must run one after the other."""
    return any("_atomic_" in instruction.mnemonic for instruction in assembly.instructions)


class _Same:
    """An assembly that equals itself alone: it holds mappings, which cannot be compared in a cache."""

    def __init__(self, assembly: Assembly) -> None:
        self.assembly = assembly

    def __hash__(self) -> int:
        return id(self.assembly)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.assembly is self.assembly


@lru_cache(maxsize=KEPT)
def _program(same: _Same, registers: tuple[int, int], lds_alignment: int) -> NativeProgram:
    return native_program(same.assembly, *registers, lds_alignment)


def _start(waves: Waves, per_group: int) -> WorkgroupStart:
    """The first registers as the C machine takes them."""
    rows = np.ascontiguousarray(waves.vector[:FIRST_VGPRS, :per_group].transpose(1, 0, 2))
    marks = np.stack([pack_lanes(waves.vector_set[r, :per_group]) for r in range(FIRST_VGPRS)], axis=1)
    scalars = np.ascontiguousarray(waves.scalar.T)
    return WorkgroupStart(
        scalars, np.ascontiguousarray(waves.scalar_set.T).astype(np.uint8), rows, np.ascontiguousarray(marks)
    )


def _restore(before: Sequence[tuple[Buffer, Any, Any]]) -> None:
    """Memory as it was before the launch."""
    for buffer, content, is_set in before:
        buffer.content[:], buffer.is_set[:] = content, is_set


def _tell(work: Workgroups, fault: NativeFault, before: Sequence[tuple[Buffer, Any, Any]]) -> None:
    """Raise what the machine in Python says of a workgroup: on memory as it is, then as it was."""
    name = work.assembly.name
    if fault.hangs:
        msg = f"{name}: workgroup {fault.workgroup} did not end (line {fault.line})"
        raise ExecutionFaultError(msg) from None
    alone = replace(work, ids=np.array([fault.workgroup]))
    run_in_python(alone)
    _restore(before)
    run_in_python(alone)
    msg = f"{name}: workgroup {fault.workgroup} is at fault in line {fault.line} when it runs beside others,"
    raise ExecutionFaultError(f"{msg} not when it runs alone") from None

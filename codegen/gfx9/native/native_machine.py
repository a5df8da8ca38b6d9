"""Running a kernel in compiled C: the rows and the checks of the machine in Python, many times faster.

Each row of arithmetic is written out as C from its one meaning; what moves data (``*.h``) is written by hand
and held against the machine in Python. Workgroups run one after the other in each of a few threads, their
waves in turn from barrier to barrier. What is at fault is found here and told by the machine in Python, which
runs the workgroup again.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.access_counts import AccessCounts
from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.device_memory import MAX_ALIGNMENT, GlobalMemory
from layoutalg.codegen.gfx9.local_transfer import LDS_ADDRESS
from layoutalg.codegen.gfx9.native.compiled_c import machine_library, rows_library
from layoutalg.codegen.gfx9.native.native_fault import NativeFault
from layoutalg.codegen.gfx9.native.native_sanitizer import NativeSanitizer
from layoutalg.codegen.gfx9.native.record import KINDS, MOST_WAVES, RECORD, NativeProgram, NotNativeError
from layoutalg.codegen.gfx9.registers import LANES, SCALARS
from layoutalg.machine.global_memory import GlobalMemory as GlobalMemoryOfTarget
from layoutalg.machine.lds import Direction

__all__ = ["NativeMachine", "WorkgroupStart"]

FINE, FAULT = 0, 1
PATTERN = np.dtype(
    [
        ("instruction", "i8"),
        ("part", "i8"),
        ("count", "i8"),
        ("lanes", "u8"),
        ("hash", "u8", 2),
        ("at", "i8", LANES),
    ]
)
MOVE = np.dtype([("lane", "i4", LANES), ("mask", "u8"), ("zeros", "i8")])
POINTER = ctypes.c_void_p
MOST_STEPS = 500_000_000  # instructions of one workgroup before it is taken to hang
MOST_WATCHED_STEPS = MOST_STEPS // 10  # under a sanitizer, for a person who waits for it


class _Buffer(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_uint64) for name in ("address", "size")),
        *((name, POINTER) for name in ("content", "set", "written")),
        ("writable", ctypes.c_int64),
        ("alignment", ctypes.c_uint64),
    ]


class _Matrix(ctypes.Structure):
    _fields_ = [("numbers", ctypes.c_int32 * 13), ("places", POINTER * 3), ("table", POINTER * 2)]


class _Program(ctypes.Structure):
    _fields_ = [
        *((name, POINTER) for name in ("code", "rows", "matrices", "moves", "buffers")),
        *((name, ctypes.c_int64) for name in (
            "instructions", "buffer_count", "rows_of_lanes", "lds_bytes", "lds_alignment", "grain",
            "line_bytes", "waves", "m0_mask", "most_steps", "scratch_bytes", "skips_races",
            "skips_waits", "may_wait", "checks", "memory_grain", "writes_back", "is_compiled")),
    ]  # fmt: skip


class _Result(ctypes.Structure):
    """What a context holds after a run (``summary_of``)."""

    _fields_ = [(name, POINTER) for name in ("times", "pattern", "trace")] + [
        (name, ctypes.c_int64)
        for name in ("patterns", "spans", "group", "wave", "instruction", "global_atomics", "lds_atomics")
    ]


@dataclass(frozen=True)
class WorkgroupStart:
    """What the hardware puts into registers before waves start.

    ``scalar`` and ``scalar_set``: waves x 128, of all workgroups one after the other; ``row``: waves of one
    workgroup x registers x 64, with the marks ``row_set`` (a bit a lane), the same for all workgroups.
    """

    scalar: NDArray[np.uint32]
    scalar_set: NDArray[np.uint8]
    row: NDArray[np.uint32]
    row_set: NDArray[np.uint64]


@dataclass(frozen=True)
class RegistersLeft:
    """What a wave leaves in its registers: ``row`` vector registers and then accumulators x 64."""

    row: NDArray[np.uint32]
    row_set: NDArray[np.uint64]
    scalar: NDArray[np.uint32]
    scalar_set: NDArray[np.uint8]
    scc: NDArray[np.uint32]


@dataclass
class NativeMachine:
    """A program with its memory; ``run`` may be called for one batch of workgroups after the other."""

    program: NativeProgram
    memory: GlobalMemory
    lds_bytes: int
    waves: int  # of a workgroup
    threads: int
    scratch_bytes: int = 0  # of a lane
    unchecked: frozenset[str] = field(default_factory=frozenset)
    sanitizer: NativeSanitizer | None = None
    lds_alignment: int = MAX_ALIGNMENT
    counts: AccessCounts = field(init=False)
    times: NDArray[np.int64] = field(init=False)
    trace: list[tuple[int, int]] = field(default_factory=list)
    left: list[RegistersLeft] = field(default_factory=list)  # by the waves of the last workgroup
    keeps_registers: bool = False
    costs: dict[int, Counter[str]] = field(default_factory=dict)  # of accesses, by instruction

    def __post_init__(self) -> None:
        if self.waves > MOST_WAVES:
            raise NotNativeError(f"it has room for {MOST_WAVES} waves of a workgroup, not for {self.waves}")
        target = self.program.assembly.target
        self.counts = AccessCounts(target)
        self.times = np.zeros(len(self.program.assembly.instructions) + 1, dtype=np.int64)
        self._lock = Lock()
        self._machine = machine_library()
        self._machine.new_context.restype = POINTER
        self._machine.record_bytes.restype = ctypes.c_int64
        assert self._machine.record_bytes() == RECORD.itemsize, "wave.h and record.py describe one record"
        self._kept: list[Any] = []  # what C points to
        self._program = self._c_program(GlobalMemoryOfTarget.of(target).line_bytes)
        self._is_first = True

    @property
    def executed(self) -> Counter[str]:
        """How often each kind of instruction was executed, counted once a wave."""
        found: Counter[str] = Counter()
        for instruction, times in zip(self.program.assembly.instructions, self.times, strict=False):
            if times:
                found[instruction.mnemonic] += int(times)
        return found

    def _c_program(self, line_bytes: int) -> _Program:
        rows = list(self.program.rows)
        library = rows_library(rows)
        functions = (POINTER * max(1, len(rows)))(
            *(ctypes.cast(getattr(library, f"row{number}"), POINTER).value for number in range(len(rows)))
        )
        matrices = (_Matrix * max(1, len(self.program.matrices)))()
        for number, tables in self.program.matrices.values():
            matrices[number].numbers[:] = tables.numbers
            matrices[number].places[:] = [place.ctypes.data for place in tables.places]
            matrices[number].table[:] = [None if v is None else v.ctypes.data for v in tables.values]
        moves = np.zeros(max(1, len(self.program.moves)), dtype=MOVE)
        for move, number in self.program.moves.items():
            moves[number] = (move.lanes, move.mask, move.zeros)
        buffers = (_Buffer * len(self.memory.buffers))()
        for place, buffer in zip(buffers, self.memory.buffers, strict=True):
            marks = buffer.is_set.ctypes.data
            place.address, place.size = buffer.address, len(buffer.content)
            place.content, place.writable = buffer.content.ctypes.data, buffer.is_writable
            place.set = None if buffer.is_full else marks
            place.written = marks if buffer.is_writable else None
            place.alignment = buffer.alignment
        self._kept += [library, functions, matrices, moves, buffers, self.program.records]
        pointers = [self.program.records.ctypes.data]
        pointers += [ctypes.addressof(array) for array in (functions, matrices)]
        pointers += [moves.ctypes.data, ctypes.addressof(buffers)]
        return _Program(
            *pointers, len(self.program.assembly.instructions), len(buffers), self.program.rows_of_lanes,
            self.lds_bytes, self.lds_alignment, self.program.grain, line_bytes, self.waves, LDS_ADDRESS,
            MOST_STEPS if self.sanitizer is None else MOST_WATCHED_STEPS,
            self.scratch_bytes, *(name in self.unchecked for name in ("races", "waits")),
            may_wait(self.program.assembly),
            *((0, 1, 0, 0) if self.sanitizer is None
              else self.sanitizer.numbers(self.program.assembly, self.memory)),
        )  # fmt: skip

    def run(self, ids: Sequence[int], start: WorkgroupStart) -> None:
        """Run workgroups of these numbers; :class:`NativeFault` says in which something is at fault."""
        parts = np.array_split(np.arange(len(ids)), min(self.threads, len(ids)))
        with ThreadPoolExecutor(len(parts)) as pool:
            runs = [pool.submit(self._run_part, i, ids, part, start) for i, part in enumerate(parts)]
        faults = []
        for found in runs:
            code, where = found.result()
            if code != FINE:
                lines = self.program.assembly.instructions
                place = min(where[2], len(lines) - 1)
                at = (int(ids[where[0]]), where[1], place, lines[place].line)
                faults.append(NativeFault(*at, hangs=code != FAULT))
        self._is_first = False
        if faults:
            raise min(faults, key=lambda fault: fault.workgroup)

    def _run_part(
        self, thread: int, ids: Sequence[int], part: NDArray[Any], start: WorkgroupStart
    ) -> tuple[int, Any]:
        first, last = int(part[0]) * self.waves, (int(part[-1]) + 1) * self.waves
        given = [np.ascontiguousarray(array[first:last]) for array in (start.scalar, start.scalar_set)]
        machine = self._machine
        program = ctypes.byref(self._program)
        watch = None if self.sanitizer is None else self.sanitizer.of_thread(thread, machine, program)
        traces = ctypes.c_int64(thread == 0 and self._is_first)
        context = POINTER(machine.new_context(program, watch, traces))
        numbers = np.array([ids[number] for number in part], dtype=np.int64)
        try:
            code = machine.run_workgroups(
                context, ctypes.c_int64(len(part)), POINTER(numbers.ctypes.data),
                *(POINTER(array.ctypes.data) for array in given),
                POINTER(start.row.ctypes.data), POINTER(start.row_set.ctypes.data),
                ctypes.c_int64(start.row.shape[1]),
            )  # fmt: skip
            result = self._taken(context)
            if self.keeps_registers:
                self.left = [self._left(context, wave) for wave in range(self.waves)]
            return code, (int(part[0]) + result.group, result.wave, result.instruction)
        finally:
            machine.free_context(context)

    def _taken(self, context: Any) -> _Result:
        """What a context says of its run; what it and those beside it counted is added."""
        machine = self._machine
        machine.next_context.restype = POINTER
        first = result = _Result()
        machine.summary_of(context, ctypes.byref(first))
        beside = context
        while beside.value:
            with self._lock:  # threads add to the same counts
                self._take(result)
            beside, result = POINTER(machine.next_context(beside)), _Result()
            if beside.value:
                machine.summary_of(beside, ctypes.byref(result))
        return first

    def _left(self, context: Any, wave: int) -> RegistersLeft:
        rows = self.program.rows_of_lanes
        found = RegistersLeft(
            np.zeros((rows, LANES), np.uint32), np.zeros(rows, np.uint64), np.zeros(SCALARS, np.uint32),
            np.zeros(SCALARS, np.uint8), np.zeros(1, np.uint32),
        )  # fmt: skip
        places = [POINTER(array.ctypes.data) for array in vars(found).values()]
        self._machine.registers_of(context, ctypes.c_int64(wave), *places)
        return found

    def _take(self, result: _Result) -> None:
        """Add what one context counted."""
        times = _array(result.times, len(self.times) - 1, np.dtype("i8"))
        self.times[:-1] += times
        for name in ("global_atomics", "lds_atomics"):
            if getattr(result, name):
                self.counts.totals[name] += getattr(result, name)
        spans = _array(result.trace, 2 * result.spans, np.dtype("i8")).reshape(-1, 2)
        self.trace += [(int(begin), int(end)) for begin, end in spans]
        lanes = np.arange(LANES, dtype=np.uint64)
        for pattern in _array(result.pattern, result.patterns, PATTERN):
            record = self.program.records[int(pattern["instruction"])]
            active = (pattern["lanes"] >> lanes & np.uint64(1)).astype(bool)[None]
            memory, way = _way_of(int(record["kind"]), int(pattern["part"]))
            at, often = pattern["at"][None], int(pattern["count"])
            added = self.counts.observed(memory, way, int(record["bytes"]), at, active, often)
            self.costs.setdefault(int(pattern["instruction"]), Counter()).update(added)


def may_wait(assembly: Assembly) -> bool:
    """Whether waves can tell each other through memory what is done, so that one may wait for it."""
    return any(
        "_atomic_" in one.mnemonic or {"sc1", "glc"} & set(one.modifiers) for one in assembly.instructions
    )


def _way_of(kind: int, part: int) -> tuple[str, Direction]:
    """The memory that an instruction of a kind accesses, and the direction; loads into the LDS are both."""
    if kind in (KINDS["global_to_lds"], KINDS["buffer_to_lds"]):
        return ("lds", "write") if part else ("memory", "read")
    if kind in (KINDS["lds_read"], KINDS["lds_write"]):
        return "lds", "read" if kind == KINDS["lds_read"] else "write"
    return "memory", "read" if kind in (KINDS["global_load"], KINDS["buffer_load"]) else "write"


def _array(address: int | None, count: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """A copy of what C has at an address."""
    if not count or address is None:
        return np.zeros(0, dtype=dtype)
    return np.frombuffer(ctypes.string_at(address, count * dtype.itemsize), dtype=dtype)

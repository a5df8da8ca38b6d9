"""A model of the cycles that one wave needs for the instructions it went through, issued in order.

One wave on each SIMD of a compute unit, the four of them in step. A wave issues its instructions in order,
one in four cycles. The matrix cores, the LDS and the path to global memory work on their own: an instruction
for one that is busy waits, others go on behind its back. What is loaded is there when it was served and its
latency has passed; ``s_waitcnt`` stands still until then, as far as it asks for. A model to compare kernels
by, not a simulation of the chip: caches, instruction fetch and other workgroups are left out.

>>> from layoutalg.codegen.gfx9.assembly import parse_instruction
>>> lines = ["v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[0:3]"] * 2 + ["v_add_u32 v4, v4, v4"]
>>> wave_time([parse_instruction(line, 1) for line in lines], "gfx942")
WaveTime(cycles=24, mfma_cycles=32, mfma=2, valu=1)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lane_data import WIDTHS
from layoutalg.codegen.gfx9.local_transfer import lds_bytes_of
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import LANES
from layoutalg.codegen.gfx9.waitcnt_scoreboard import bits_of, registers_of, waits_of
from layoutalg.machine.occupancy import ComputeUnit
from layoutalg.mma import MatrixInstruction

__all__ = ["CLASSES", "LATENCIES", "Latencies", "WaveTime", "class_of", "wave_time", "work_of"]

CLASSES = {  # what a mnemonic begins with; the first that fits
    "v_mfma_": "mfma",
    "v_": "valu",
    "global_": "vmem",
    "buffer_": "vmem",
    "ds_": "lds",
    "s_branch": "branch",
    "s_cbranch": "branch",
    "s_load": "smem",
    "s_buffer_load": "smem",
    "s_waitcnt": "other",
    "s_barrier": "other",
    "s_nop": "other",
    "s_endpgm": "other",
    "s_setprio": "other",
    "s_sleep": "other",
    "s_": "salu",
}
QUEUE_OF = {"lds": "lds", "vmem": "vm", "smem": "scalar"}


def class_of(mnemonic: str) -> str:
    """The kind of work of an instruction: mfma, valu, salu, vmem, smem, lds, branch or other.

    >>> class_of("v_mfma_f32_16x16x16_f16"), class_of("ds_read_b128"), class_of("s_cbranch_scc1")
    ('mfma', 'lds', 'branch')
    """
    return next((kind for start, kind in CLASSES.items() if mnemonic.startswith(start)), "other")


def work_of(executed: Mapping[str, int], target: str) -> Counter[str]:
    """Instructions of each class (counted once a wave), and the cycles of all matrix instructions."""
    found = Counter({f"{kind}_instructions": 0 for kind in CLASSES.values()})
    found["mfma_cycles"] = 0
    for mnemonic, count in executed.items():
        kind = class_of(mnemonic)
        found[f"{kind}_instructions"] += count
        if kind == "mfma":
            row = MatrixInstruction.named(mnemonic.removesuffix("_e64"), target)
            found["mfma_cycles"] += count * row.cycles
    return found


@dataclass(frozen=True)
class Latencies:
    """The constants of the model: cycles, and bytes a cycle that a compute unit moves.

    ``issue``: a SIMD of 16 lanes takes a wave of 64 in four cycles (AMD GCN Architecture whitepaper, 2012;
    AMD CDNA 3 whitepaper). ``lds_bytes`` and ``memory_bytes``: 128 and 64 a cycle (the same). ``lds``: LLVM's
    SISchedule.td says between 8 and 256; ``memory``: it says 320, pointer chasing on the MI300X some hundred
    nanoseconds (A. Tee et al., "The MALL is Open", SC25): 800 cycles at 2.1 GHz are 380 ns. ``branch``: 8
    issues (SISchedule.td). ``result``: of a matrix instruction to anything but the sum of the next (the same,
    GCNHazardRecognizer.cpp). ``barrier``: assumed; nobody publishes it.
    """

    issue: int = 4
    lds: int = 128
    lds_bytes: int = 128
    memory: int = 800
    memory_bytes: int = 64
    scalar: int = 200
    branch: int = 32
    barrier: int = 32
    result: int = 12


LATENCIES = Latencies()


@dataclass(frozen=True)
class WaveTime:
    """Cycles in all, cycles in which the matrix cores work, instructions for them and for vectors."""

    cycles: int
    mfma_cycles: int
    mfma: int
    valu: int

    def __sub__(self, other: WaveTime) -> WaveTime:
        """What a longer run took in addition: the time of the turns of a loop alone."""
        return WaveTime(
            self.cycles - other.cycles,
            self.mfma_cycles - other.mfma_cycles,
            self.mfma - other.mfma,
            self.valu - other.valu,
        )

    @property
    def mfma_share(self) -> float:
        """The share of the cycles in which the matrix cores work."""
        return self.mfma_cycles / self.cycles


def wave_time(
    instructions: Iterable[Instruction],
    target: str,
    latencies: Latencies = LATENCIES,
    conflicts: Mapping[str, float] | None = None,
) -> WaveTime:
    """The cycles from the first instruction to the last one that is issued.

    ``conflicts``: cycles that bank conflicts add to a ``read`` or ``write`` of LDS.
    """
    wave = _Wave(target, latencies, conflicts or {})
    for instruction in instructions:
        wave.step(instruction)
    return WaveTime(round(wave.now), wave.mfma_cycles, wave.count["mfma"], wave.count["valu"])


@dataclass
class _Wave:
    """The clock of a wave; until when units are busy, what is under way, when results are there."""

    target: str
    latencies: Latencies
    conflicts: Mapping[str, float]
    now: float = 0.0
    mfma_cycles: int = 0
    count: dict[str, int] = field(default_factory=lambda: {"mfma": 0, "valu": 0})
    busy: dict[str, float] = field(default_factory=lambda: {"mfma": 0.0, "lds": 0.0, "vm": 0.0})
    under_way: dict[str, list[float]] = field(default_factory=lambda: {"vm": [], "lds": [], "scalar": []})
    results: dict[int, float] = field(default_factory=dict)

    @cached_property
    def simds(self) -> int:
        """The SIMDs of a compute unit, which share its LDS and its path to memory."""
        return ComputeUnit.of(self.target).simds

    def step(self, instruction: Instruction) -> None:
        name, kind = instruction.mnemonic, class_of(instruction.mnemonic)
        if kind in self.count:
            self.count[kind] += 1
        if name == "s_waitcnt":
            self._wait(instruction)
        elif name == "s_barrier":
            self.now += self.latencies.barrier
        elif name == "s_nop":
            self.now += self.latencies.issue * (int(instruction.operands[0], 0) + 1)
        elif kind == "branch":
            self.now += self.latencies.branch
        elif kind == "mfma":
            self._multiply(instruction)
        elif kind in QUEUE_OF:
            self._transfer(instruction, kind)
        else:
            if kind == "valu":
                self._await_results(registers_of(instruction).touched)
            self.now += self.latencies.issue

    def _wait(self, instruction: Instruction) -> None:
        for queue, left in waits_of(instruction).items():
            waiting = self.under_way[queue]
            done = waiting[: max(0, len(waiting) - left)]
            self.now = max([self.now, *done])
            self.under_way[queue] = waiting[len(done) :]

    def _multiply(self, instruction: Instruction) -> None:
        """The sum may follow its own last instruction at once; other results take their time."""
        row = MatrixInstruction.named(instruction.mnemonic.removesuffix("_e64"), self.target)
        cycles = int(row.cycles)
        result, first, second = (bits_of(Operand.of(text)) for text in instruction.operands[:3])
        self._await_results(first | second)
        start = max(self.now, self.busy["mfma"])
        self.busy["mfma"] = start + cycles
        self.results[result] = start + cycles + self.latencies.result
        self.now = start + self.latencies.issue
        self.mfma_cycles += cycles

    def _await_results(self, registers: int) -> None:
        self.results = {written: ready for written, ready in self.results.items() if ready > self.now}
        late = (ready for written, ready in self.results.items() if written & registers)
        self.now = max([self.now, *late])

    def _transfer(self, instruction: Instruction, kind: str) -> None:
        """Served when its unit is free, by all waves in step; there after its latency."""
        queue, waits = QUEUE_OF[kind], self.latencies
        served = self.now + waits.issue
        if queue == "lds":
            way = "write" if "write" in instruction.mnemonic else "read"
            moved = lds_bytes_of(instruction) * (
                2 if re.search(r"_(read|write)2", instruction.mnemonic) else 1
            )
            cycles = moved * LANES / waits.lds_bytes + self.conflicts.get(way, 0.0)
            served = self.busy[queue] = max(served, self.busy[queue]) + self.simds * cycles
        elif queue == "vm":
            width = WIDTHS.get(instruction.mnemonic.split("_", 2)[2])
            cycles = (width.bytes if width else 4) * LANES / waits.memory_bytes
            served = self.busy[queue] = max(served, self.busy[queue]) + self.simds * cycles
        latency = {"lds": waits.lds, "vm": waits.memory, "scalar": waits.scalar}[queue]
        self.under_way[queue].append(served + latency)
        self.now += waits.issue

"""A model of the cycles that one wave needs for the instructions it went through, issued in order.

A wave issues its instructions in order, one in four cycles. The matrix cores, the LDS and the path to global
memory work on their own: an instruction for one that is busy waits, others go on behind its back. What is
loaded is there when it was served and its latency has passed; ``s_waitcnt`` stands still until then, as far
as it asks for. A model to compare kernels by, not a simulation of the chip: caches and instruction fetch are
left out. Here one wave runs on each SIMD of a compute unit, the four of them in step; all that fit run in
``compute_unit_timing``.

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

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.lane_data import WIDTHS
from layoutalg.codegen.gfx9.local_transfer import lds_bytes_of
from layoutalg.codegen.gfx9.matrix_passes import matrix_cycles
from layoutalg.codegen.gfx9.operands import Operand
from layoutalg.codegen.gfx9.registers import LANES
from layoutalg.codegen.gfx9.waitcnt_scoreboard import bits_of, registers_of, waits_of
from layoutalg.machine.occupancy import ComputeUnit

__all__ = [
    "CLASSES",
    "LATENCIES",
    "SITUATIONS",
    "Demand",
    "Demands",
    "Latencies",
    "Units",
    "Wave",
    "WaveTime",
    "class_of",
    "wave_time",
    "work_of",
]

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
PORTS = {  # a SIMD issues one instruction of each port in four cycles, of different waves
    "mfma": "vector",
    "valu": "vector",
    "salu": "scalar",
    "smem": "scalar",
    "lds": "local",
    "vmem": "memory",
    "branch": "branch",
}


def class_of(mnemonic: str) -> str:
    """The kind of work of an instruction: mfma, valu, salu, vmem, smem, lds, branch or other.

    >>> class_of("v_mfma_f32_16x16x16_f16"), class_of("ds_read_b128"), class_of("s_cbranch_scc1")
    ('mfma', 'lds', 'branch')
    """
    return next((kind for start, kind in CLASSES.items() if mnemonic.startswith(start)), "other")


def work_of(executed: Iterable[tuple[Instruction, int]], target: str) -> Counter[str]:
    """Instructions of each class (counted once a wave), and the cycles of all matrix instructions."""
    found = Counter({f"{kind}_instructions": 0 for kind in CLASSES.values()})
    found["mfma_cycles"] = 0
    for instruction, count in executed:
        kind = class_of(instruction.mnemonic)
        found[f"{kind}_instructions"] += count
        if kind == "mfma" and count:
            found["mfma_cycles"] += count * matrix_cycles(instruction, target)
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
SITUATIONS: Mapping[str, Latencies] = {  # what nobody has measured may be so, or so
    "near memory": Latencies(memory=500),
    "usual": LATENCIES,
    "far memory": Latencies(memory=1600),
    "half LDS": Latencies(lds_bytes=64),
}


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
    demands = Demands(target, latencies, conflicts or {})
    wave = Wave(latencies, Units(), Units(), ComputeUnit.of(target).simds)
    for instruction in instructions:
        demand = demands.of(instruction)
        wave.issue(demand, wave.earliest(demand))
        if demand.kind == "barrier":
            wave.now += latencies.barrier
    return WaveTime(round(wave.now), wave.mfma_cycles, wave.count["mfma"], wave.count["valu"])


@dataclass(frozen=True)
class Demand:
    """What an instruction asks for: ``cycles`` of its unit or, where that is none, of its wave's time.

    ``wanted``: registers, as bits, that matrix instructions under way must have written; ``result``: those
    that such an instruction writes; ``waits``: how many of each queue may stay under way. ``priority``: what
    the wave has from now on; ``lds_cycles``: of the LDS, for what a load from memory leaves there.
    """

    kind: str
    cycles: float = 0.0
    wanted: int = 0
    result: int = 0
    waits: Mapping[str, int] = field(default_factory=dict)
    priority: int | None = None
    lds_cycles: float = 0.0


@dataclass
class Demands:
    """What instructions ask for on a target; each is looked at once.

    >>> from layoutalg.codegen.gfx9.assembly import parse_instruction
    >>> Demands("gfx942", LATENCIES, {}).of(parse_instruction("ds_read_b128 v[4:7], v0", 1)).cycles
    8.0
    """

    target: str
    latencies: Latencies
    conflicts: Mapping[str, float]
    _known: dict[int, tuple[Instruction, Demand]] = field(default_factory=dict)

    def of(self, instruction: Instruction) -> Demand:
        known = self._known.get(id(instruction))
        if known is None:  # the instruction is kept too, so that no other gets its id
            known = self._known[id(instruction)] = instruction, self._demand(instruction)
        return known[1]

    def _demand(self, instruction: Instruction) -> Demand:
        name, kind = instruction.mnemonic, class_of(instruction.mnemonic)
        if name == "s_waitcnt":
            return Demand("wait", waits=waits_of(instruction))
        if name == "s_barrier":
            return Demand("barrier")
        if name == "s_nop":
            return Demand("idle", self.latencies.issue * (int(instruction.operands[0], 0) + 1))
        if name == "s_setprio":
            return Demand(kind, priority=int(instruction.operands[0], 0))
        if kind == "mfma":
            result, first, second = (bits_of(Operand.of(text)) for text in instruction.operands[:3])
            return Demand(kind, matrix_cycles(instruction, self.target), first | second, result)
        if kind == "valu":
            return Demand(kind, wanted=registers_of(instruction).touched)
        if kind == "vmem" and (moved := lds_bytes_of(instruction)):
            lds_cycles = moved * LANES / self.latencies.lds_bytes
            return Demand(kind, moved * LANES / self.latencies.memory_bytes, lds_cycles=lds_cycles)
        cycles = {"lds": self._lds_cycles, "vmem": self._memory_cycles}.get(kind)
        return Demand(kind, cycles(instruction) if cycles else 0.0)

    def _lds_cycles(self, instruction: Instruction) -> float:
        way = "write" if "write" in instruction.mnemonic else "read"
        moved = lds_bytes_of(instruction) * (2 if re.search(r"_(read|write)2", instruction.mnemonic) else 1)
        return moved * LANES / self.latencies.lds_bytes + self.conflicts.get(way, 0.0)

    def _memory_cycles(self, instruction: Instruction) -> float:
        width = WIDTHS.get(instruction.mnemonic.split("_", 2)[2])
        return (width.bytes if width else 4) * LANES / self.latencies.memory_bytes


@dataclass
class Units:
    """Until when units are busy that waves share: those of a SIMD, or those of a compute unit.

    >>> units = Units()
    >>> units.take("lds", 4, 8), units.take("lds", 8, 8), units.free("lds")
    (12, 20, 20)
    """

    until: dict[str, float] = field(default_factory=dict)

    def free(self, unit: str) -> float:
        """From when on a unit has nothing to do."""
        return self.until.get(unit, 0.0)

    def take(self, unit: str, start: float, cycles: float) -> float:
        """When a unit is done with what it begins as soon as it is free, from ``start`` on."""
        self.until[unit] = end = max(start, self.free(unit)) + cycles
        return end


@dataclass
class Wave:
    """The clock of a wave: what it has under way, and when results are there.

    ``simd`` and ``unit``: what it shares with the waves of its SIMD and of its compute unit; ``in_step``: for
    how many SIMDs it stands, whose transfers are served together.

    >>> wave = Wave(LATENCIES, Units(), Units())
    >>> wave.issue(Demand("lds", cycles=8), wave.earliest(Demand("lds", cycles=8)))
    >>> wave.now, wave.earliest(Demand("wait", waits={"lds": 0}))
    (4.0, 140.0)
    """

    latencies: Latencies
    simd: Units
    unit: Units
    in_step: int = 1
    now: float = 0.0
    priority: int = 0
    mfma_cycles: int = 0
    count: dict[str, int] = field(default_factory=lambda: {"mfma": 0, "valu": 0})
    under_way: dict[str, list[float]] = field(default_factory=lambda: {"vm": [], "lds": [], "scalar": []})
    results: dict[int, float] = field(default_factory=dict)

    def earliest(self, demand: Demand) -> float:
        """When an instruction can be issued, as things stand."""
        start = self.now
        if demand.kind == "wait":
            waited_for = (self._all_but(left, queue) for queue, left in demand.waits.items())
            return max([start, *(there for queue in waited_for for there in queue)])
        if demand.wanted and self.results:
            late = (ready for written, ready in self.results.items() if written & demand.wanted)
            start = max([start, *late])
        if demand.kind == "mfma":
            start = max(start, self.simd.free("matrix core"))
        port = PORTS.get(demand.kind)
        return max(start, self.simd.free(port)) if port else start

    def issue(self, demand: Demand, start: float) -> None:
        """Issue an instruction; a barrier is only come to, not passed."""
        kind, waits = demand.kind, self.latencies
        stays = {"wait": 0, "barrier": 0, "idle": demand.cycles, "branch": waits.branch}
        self.now = start + stays.get(kind, waits.issue)
        if kind in self.count:
            self.count[kind] += 1
        if kind in PORTS:
            self.simd.take(PORTS[kind], start, waits.issue)
        if kind == "wait":
            for queue, left in demand.waits.items():
                self.under_way[queue] = self.under_way[queue][len(self._all_but(left, queue)) :]
        elif kind == "mfma":
            self._multiply(demand, start)
        elif kind in QUEUE_OF:
            self._transfer(QUEUE_OF[kind], demand.cycles, start + waits.issue)
            if demand.lds_cycles:  # later in truth: what counts is that others find it busy
                self.unit.take("lds", start + waits.issue, self.in_step * demand.lds_cycles)
        elif demand.priority is not None:
            self.priority = demand.priority

    def _all_but(self, left: int, queue: str) -> list[float]:
        """When those of a queue are there that are not its last ``left``."""
        waiting = self.under_way[queue]
        return waiting[: max(0, len(waiting) - left)]

    def _multiply(self, demand: Demand, start: float) -> None:
        """The sum may follow its own last instruction at once; other results take their time."""
        done = self.simd.take("matrix core", start, demand.cycles)
        self.results = {written: ready for written, ready in self.results.items() if ready > start}
        self.results[demand.result] = done + self.latencies.result
        self.mfma_cycles += int(demand.cycles)

    def _transfer(self, queue: str, cycles: float, start: float) -> None:
        """Served when its unit is free; there after its latency."""
        waits = self.latencies
        served = start if queue == "scalar" else self.unit.take(queue, start, self.in_step * cycles)
        latency = {"lds": waits.lds, "vm": waits.memory, "scalar": waits.scalar}[queue]
        self.under_way[queue].append(served + latency)

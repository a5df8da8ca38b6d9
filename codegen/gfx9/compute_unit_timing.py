"""A model of the cycles of a whole compute unit: all workgroups that fit run together, wave by wave.

Each wave keeps the clock of ``issue_timing``. The waves of a SIMD share its matrix core and its issue: of
each kind (vector, scalar, LDS, memory, branch) one instruction in four cycles, of different waves (AMD GCN
Architecture whitepaper, 2012). All waves of the compute unit share the LDS and the path to memory. A barrier
holds a wave until all of its workgroup have come to one.

Of waves that could go at the same time one of the highest ``s_setprio`` goes, of those the one whose last
instruction is longest ago. The second is assumed: AMD says only that it is "WaveAge" (AMD Instinct MI300
Instruction Set Architecture, S_SETPRIO), not whose age and in which direction. ``oldest_first`` takes it for
the order in which the waves came; what differs then is not known (``tests/benchmarks/main_loops.py``).

A wave that waits for its sum leaves the matrix core idle for half of the time; two of them fill it:

>>> from layoutalg.codegen.gfx9.assembly import parse_instruction
>>> lines = ["v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[0:3]", "v_mov_b32 v8, v0"]
>>> turn = [parse_instruction(line, 1) for line in lines]
>>> for workgroups in (1, 2):
...     times = [compute_unit_time([turns * turn], "gfx942", workgroups=4 * workgroups) for turns in (2, 10)]
...     print((times[1] - times[0]).mfma_share)
0.5
1.0
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.issue_timing import LATENCIES, Demand, Demands, Latencies, Units, Wave
from layoutalg.errors import LayoutError
from layoutalg.machine.occupancy import ComputeUnit

__all__ = ["ComputeUnitTime", "compute_unit_time"]


@dataclass(frozen=True)
class ComputeUnitTime:
    """Cycles in all, and those in which the matrix core of each SIMD works.

    >>> (ComputeUnitTime(300, (150, 250)) - ComputeUnitTime(100, (50, 50))).shares
    (0.5, 1.0)
    """

    cycles: int
    mfma_cycles: tuple[int, ...]

    def __sub__(self, other: ComputeUnitTime) -> ComputeUnitTime:
        """What a longer run took in addition: the time of the turns of a loop alone."""
        pairs = zip(self.mfma_cycles, other.mfma_cycles, strict=True)
        return ComputeUnitTime(self.cycles - other.cycles, tuple(more - less for more, less in pairs))

    @property
    def shares(self) -> tuple[float, ...]:
        """For each SIMD the share of the cycles in which its matrix core works."""
        return tuple(worked / self.cycles for worked in self.mfma_cycles)

    @property
    def mfma_share(self) -> float:
        """The share of the cycles in which a matrix core works, on average."""
        return sum(self.shares) / len(self.shares)


def compute_unit_time(
    waves: Sequence[Sequence[Instruction]],
    target: str,
    *,
    workgroups: int = 1,
    latencies: Latencies = LATENCIES,
    conflicts: Mapping[str, float] | None = None,
    oldest_first: bool = False,
) -> ComputeUnitTime:
    """The time until the first wave has issued its last instruction: so long all run together.

    ``waves``: what each wave of a workgroup goes through; ``workgroups``: how many the compute unit holds
    (``layoutalg.machine.occupancy``). Waves are dealt out to the SIMDs in turn. ``conflicts``: cycles that
    bank conflicts add to a ``read`` or ``write`` of LDS.

    Refused: no wave, a wave without instructions.
    """
    if workgroups < 1 or not waves or not all(waves):
        lengths = [len(wave) for wave in waves]
        msg = f"compute_unit_time: wanted waves with instructions, got {workgroups} x {lengths}"
        raise LayoutError(msg)
    demands = Demands(target, latencies, conflicts or {})
    ways = [[demands.of(instruction) for instruction in wave] for wave in waves]
    simds, unit = [Units() for _ in range(ComputeUnit.of(target).simds)], Units()
    running = [
        _Running(number, group, Wave(latencies, simds[number % len(simds)], unit), way)
        for number, (group, way) in enumerate((g, way) for g in range(workgroups) for way in ways)
    ]
    last = _run_together(running, len(waves), latencies.barrier, oldest_first=oldest_first)
    worked = [sum(one.wave.mfma_cycles for one in running[simd :: len(simds)]) for simd in range(len(simds))]
    return ComputeUnitTime(round(last), tuple(worked))


@dataclass
class _Running:
    """A wave on its way: its number, oldest first, its workgroup, and where it is."""

    number: int
    workgroup: int
    wave: Wave
    way: Sequence[Demand]
    place: int = 0
    issued: int = -1  # at which issue of the compute unit it had its last

    def turn(self, *, oldest_first: bool) -> tuple[float, int, int, int]:
        """When it can go on, and its place among those that can then: the least goes first."""
        order = self.number if oldest_first else self.issued
        return self.wave.earliest(self.way[self.place]), -self.wave.priority, order, self.number


def _run_together(running: Sequence[_Running], waves: int, barrier: float, *, oldest_first: bool) -> float:
    """Issue instruction after instruction until a wave has no more; the time then.

    Nothing that is issued lets another wave go earlier: a turn that was too early when it comes up is put
    back, and the least is the next.
    """
    arrived: dict[int, list[_Running]] = {one.workgroup: [] for one in running}
    turns = [one.turn(oldest_first=oldest_first) for one in running]
    heapq.heapify(turns)
    for issue in itertools.count():
        one = running[turns[0][-1]]
        while (turn := one.turn(oldest_first=oldest_first)) > turns[0]:
            heapq.heapreplace(turns, turn)
            one = running[turns[0][-1]]
        heapq.heappop(turns)
        demand = one.way[one.place]
        one.wave.issue(demand, turn[0])
        one.issued, one.place = issue, one.place + 1
        if one.place == len(one.way):
            break
        going_on = [one]
        if demand.kind == "barrier":
            going_on = _let_go(one, arrived[one.workgroup], waves, barrier)
        for other in going_on:
            heapq.heappush(turns, other.turn(oldest_first=oldest_first))
    return one.wave.now


def _let_go(one: _Running, arrived: list[_Running], waves: int, barrier: float) -> list[_Running]:
    """Those that go on when a wave comes to a barrier: all of its workgroup if it is the last, else none."""
    arrived.append(one)
    if len(arrived) < waves:
        return []
    opened = max(other.wave.now for other in arrived) + barrier
    for other in arrived:
        other.wave.now = opened
    going_on = [*arrived]
    arrived.clear()
    return going_on

"""A configuration of a GEMM and what a model of the GPU expects of it for given sizes.

>>> from layoutalg.codegen.kernels.gemm.ladder import configured
>>> sizes = {"M": 4096, "N": 4096, "K": 4096}
>>> one = Candidate(configured("pipelined", tile=(256, 256, 32), waves=(4, 2)), sizes)
>>> one.workgroups, one.rounds, one.turns, one.lines_twice
(256, 1, 128, 1.1)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from layoutalg.codegen.gfx9.compute_unit_timing import ComputeUnitTime
from layoutalg.codegen.gfx9.issue_timing import SITUATIONS, Latencies
from layoutalg.codegen.kernels.gemm.config import GemmConfig
from layoutalg.codegen.kernels.gemm.expected_loop import ExpectedLoop
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.machine.global_memory import GlobalMemory
from layoutalg.machine.occupancy import ComputeUnit

__all__ = ["PLANNED_FOR", "Candidate"]

PLANNED_FOR = {name: SITUATIONS[name] for name in ("usual", "far memory", "half LDS")}
HALF_LINES = 1.1  # what it may cost that a line is read twice: caches are no part of the model
ALONE = 1.1  # and what, that no other wave of a SIMD works while one waits for what no model knows of


@dataclass(frozen=True)
class Candidate:
    """A configuration, and what is expected of it for given sizes."""

    config: GemmConfig
    sizes: Mapping[str, int]

    @cached_property
    def loop(self) -> ExpectedLoop:
        return ExpectedLoop(self.config)

    @cached_property
    def tiles(self) -> GemmTiles:
        return GemmTiles(self.config)

    @property
    def workgroups(self) -> int:
        """Tiles of C, of all products of a batch."""
        m, n, _ = self.config.tile
        tiles = -(-self.sizes["M"] // m) * -(-self.sizes["N"] // n)
        return tiles * self.config.split_k * self.sizes.get("batch_count", 1)

    @property
    def units(self) -> int:
        """Compute units of the GPU."""
        return ComputeUnit.of(self.config.target).count

    @property
    def resident(self) -> int:
        """Workgroups that share a compute unit."""
        return max(1, min(self.loop.occupancy.workgroups, -(-self.workgroups // self.units)))

    @property
    def rounds(self) -> int:
        """How often all compute units are filled with workgroups."""
        return -(-self.workgroups // (self.units * self.resident))

    @cached_property
    def times(self) -> Mapping[str, ComputeUnitTime]:
        """Of a turn of all workgroups that share a compute unit, by situation."""
        return {name: self.loop.time(model, self.resident) for name, model in PLANNED_FOR.items()}

    @property
    def shares(self) -> Mapping[str, float]:
        """The share of those cycles in which the matrix cores work."""
        return {name: time.mfma_share for name, time in self.times.items()}

    @property
    def reading(self) -> float:
        """Elements of A and B that are read for a product."""
        m, n, _ = self.config.tile
        return (m + n) / (m * n)

    @property
    def stored_row(self) -> int:
        """Bytes of a row of C that are stored side by side, if C goes through shared memory."""
        stage = self.tiles.stage
        return stage.store.lengths[1] * self.config.result.bytes if stage else 0

    @property
    def turns(self) -> int:
        """Turns of the loop along K."""
        return -(-self.sizes["K"] // (self.config.tile[2] * self.config.split_k))

    @cached_property
    def cycles(self) -> float:
        """Of the whole product, on average over the situations."""
        return self._whole({name: time.cycles for name, time in self.times.items()})

    @cached_property
    def least_cycles(self) -> float:
        """What they cannot be less than: matrix cores or the LDS never wait."""
        worked = self.loop.mfma_cycles * self.resident
        return self._whole({name: worked / self.loop.bound(model) for name, model in PLANNED_FOR.items()})

    def _whole(self, turn: Mapping[str, float]) -> float:
        """Of the whole product, from those of a turn."""
        found = [self.turns * turn[name] + self._around(model) for name, model in PLANNED_FOR.items()]
        return self.rounds * sum(found) / len(found)

    def _around(self, model: Latencies) -> float:
        """Cycles before and after the loop: the first tile arrives, C goes out."""
        m, n, _ = self.config.tile
        return 2 * model.memory + self.resident * m * n * self.config.result.bytes / model.memory_bytes

    @property
    def lines_twice(self) -> float:
        """What the cycles count for where rows of a tile end within a line, which then comes twice."""
        m, n, k = self.config.tile
        along_memory = (k if self.config.is_k_first(rows) else many for rows, many in (("M", m), ("N", n)))
        line = GlobalMemory.of(self.config.target).line_bytes
        is_whole = all(length * self.config.kind.bytes % line == 0 for length in along_memory)
        return 1.0 if is_whole else HALF_LINES

    @property
    def alone(self) -> float:
        """What the cycles count for where a SIMD has one wave at a time."""
        return ALONE if self.loop.occupancy.waves == 1 else 1.0

    @property
    def cost(self) -> float:
        """By what it is compared."""
        return self.cycles * self.lines_twice * self.alone

    @property
    def least_cost(self) -> float:
        return self.least_cycles * self.lines_twice * self.alone

    @property
    def share_of_peak(self) -> float:
        """The operations that are wanted, of those that all matrix cores could do in these cycles."""
        row, wanted = self.config.instruction_row, math.prod(self.sizes.values())
        at_once = ComputeUnit.of(self.config.target).simds * row.m * row.n * row.k / row.cycles
        return wanted / (self.cycles * self.units * at_once)

"""The waves of a batch: their registers, the memory they see, and what is watched while they run."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.access_counts import AccessCounts
from layoutalg.codegen.gfx9.device_memory import GlobalMemory, LocalMemory
from layoutalg.codegen.gfx9.registers import LANES, Registers
from layoutalg.codegen.gfx9.waitcnt_scoreboard import WaitcntScoreboard

__all__ = ["Waves"]


@dataclass
class Waves(Registers):
    """Registers, program counters and memory of a batch of waves; those of one workgroup stand together.

    ``workgroup``: the number of each wave's workgroup. ``scoreboard``: loads and stores that were not waited
    for; ``counts``: where memory accesses are counted. The machine that runs the waves provides both.
    ``scratch``: waves x lanes x ``scratch_bytes``, what each lane keeps for itself. ``stores_unset``: values
    that were never set may be stored, as zeros: where that is all that is looked at.
    """

    memory: GlobalMemory
    local: LocalMemory
    workgroup: NDArray[np.int64]
    program_counter: NDArray[np.int64] = field(init=False)
    numbers: NDArray[np.int64] = field(init=False)
    first_of_workgroup: NDArray[np.int64] = field(init=False)
    scoreboard: WaitcntScoreboard = field(init=False)
    counts: AccessCounts | None = None
    scratch_bytes: int = 0
    stores_unset: bool = False
    scratch: NDArray[np.uint8] = field(init=False)
    scratch_set: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.program_counter = np.zeros(self.count, dtype=np.int64)
        self.numbers = np.arange(self.count)
        self.scratch = np.zeros((self.count, LANES, self.scratch_bytes), dtype=np.uint8)
        self.scratch_set = np.zeros(self.scratch.shape, dtype=bool)
        self.first_of_workgroup = np.searchsorted(self.workgroup, self.workgroup)

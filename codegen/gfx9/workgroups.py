"""The workgroups of a launch: how the waves of some of them begin, and running all in Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.device_memory import GlobalMemory
from layoutalg.codegen.gfx9.machine import Machine
from layoutalg.codegen.gfx9.waves import Waves

__all__ = ["FIRST_VGPRS", "Workgroups", "lds_bytes_of", "registers_of_lanes", "run_in_python"]

WAVES_IN_FLIGHT = 2048  # of one batch: bounds the memory that registers take
FIRST_VGPRS = 3  # that the hardware may set before a kernel starts


@dataclass(frozen=True)
class Workgroups:
    """Workgroups to run, by their numbers in the launch; ``waves``: of each.

    ``begin``: the waves of some workgroups with their first registers; with ``only_first``, nothing else.
    """

    assembly: Assembly
    ids: NDArray[np.int64]
    waves: int
    memory: GlobalMemory
    begin: Callable[..., Waves]


def run_in_python(work: Workgroups) -> Machine:
    """Run all; the machine that did knows what was counted."""
    machine = Machine(work.assembly)
    batch = max(1, WAVES_IN_FLIGHT // work.waves)
    for first in range(0, len(work.ids), batch):
        machine.run(work.begin(work.ids[first : first + batch]))
    return machine


def registers_of_lanes(assembly: Assembly) -> tuple[int, int]:
    """How many vector registers and accumulators the waves of a kernel have."""
    directives = assembly.directives
    total = directives["next_free_vgpr"]
    return max(total, FIRST_VGPRS), max(0, total - directives.get("accum_offset", total))


def lds_bytes_of(assembly: Assembly) -> int:
    """The bytes of LDS that a workgroup has."""
    return assembly.directives.get("group_segment_fixed_size", 0)

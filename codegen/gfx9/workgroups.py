"""The workgroups of a launch, and running all of them in Python, batch by batch."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from layoutalg.codegen.gfx9.assembly import Assembly
from layoutalg.codegen.gfx9.machine import Machine
from layoutalg.codegen.gfx9.wave_start import WaveStart
from layoutalg.codegen.kernel import ExecutionFaultError

__all__ = ["Workgroups", "run_in_python"]

WAVES_IN_FLIGHT = 2048  # of one batch: bounds the memory that registers take


@dataclass(frozen=True)
class Workgroups:
    """Workgroups to run, by their numbers in the launch, how their waves start, and what is not checked."""

    assembly: Assembly
    ids: NDArray[np.int64]
    start: WaveStart
    unchecked: frozenset[str] = field(default_factory=frozenset)


def run_in_python(work: Workgroups) -> Machine:
    """Run all; the machine that did knows what was counted."""
    machine = Machine(work.assembly, work.unchecked)
    batch = max(1, WAVES_IN_FLIGHT // work.start.waves)
    for first in range(0, len(work.ids), batch):
        try:
            machine.run(work.start.batch(work.ids[first : first + batch]))
        except IndexError as error:
            msg = f"{work.assembly.name} uses registers beyond those its descriptor asks for: {error}"
            raise ExecutionFaultError(msg) from error
    return machine

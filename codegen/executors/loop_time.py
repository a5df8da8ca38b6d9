"""The time of a kernel's main loop, as the difference of two runs that go through it more and less often.

Times are those of the model :mod:`layoutalg.codegen.gfx9.issue_timing`.
"""

from __future__ import annotations

from layoutalg.codegen.compile import Compiled
from layoutalg.codegen.executors import RunResult
from layoutalg.codegen.gfx9.access_counts import cycles_of_conflicts
from layoutalg.codegen.gfx9.assembly import parse_assembly
from layoutalg.codegen.gfx9.issue_timing import LATENCIES, Latencies, WaveTime, wave_time
from layoutalg.errors import LayoutError

__all__ = ["loop_time"]


def loop_time(
    compiled: Compiled, short: RunResult, long: RunResult, latencies: Latencies = LATENCIES
) -> WaveTime:
    """The time of the turns that ``long`` has more than ``short``, both of the same kernel.

    Refused: runs of other executors than the CPU's, which alone records the instructions.
    """
    code = parse_assembly(compiled.assembly)
    times = []
    for result in (short, long):
        if not result.trace:
            msg = f"loop_time: wanted runs of the CPU executor, got one of {result.device}"
            raise LayoutError(msg)
        path = [code.instructions[i] for first, end in result.trace for i in range(first, end)]
        times.append(wave_time(path, code.target, latencies, cycles_of_conflicts(result.counters)))
    return times[1] - times[0]

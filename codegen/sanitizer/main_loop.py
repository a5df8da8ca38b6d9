"""How well the matrix cores are used in the main loop of a run, by the issue-time model of a compute unit.

All workgroups that fit run together (``gfx9.compute_unit_timing``), each wave on the way that the first one
went, at near, usual and far memory and at half the rate of the LDS. Only the turns of the loop count. Cycles
of bank conflicts are those of the run. A model to compare kernels by: nothing of it was held against a GPU.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from layoutalg.codegen.gfx9.access_counts import cycles_of_conflicts
from layoutalg.codegen.gfx9.assembly import Instruction
from layoutalg.codegen.gfx9.compute_unit_timing import compute_unit_time
from layoutalg.codegen.gfx9.issue_timing import SITUATIONS, class_of
from layoutalg.codegen.gfx9.launch import LaunchReport, PreparedLaunch
from layoutalg.machine.occupancy import occupancy

__all__ = ["MainLoop", "main_loop"]

FEWEST_TURNS = 4  # of a loop that is looked at: the first and the last may differ from the others
MOST_INSTRUCTIONS = 4000  # of a wave that the model goes through


@dataclass(frozen=True)
class MainLoop:
    """The shares of the cycles in which matrix cores work, by situation, over ``turns`` of the loop.

    ``waves``: on a SIMD; ``per_turn``: instructions of each class in a turn of a wave.
    """

    turns: int
    waves: int
    shares: Mapping[str, float]
    per_turn: Mapping[str, float]


def main_loop(made: PreparedLaunch, report: LaunchReport) -> MainLoop | None:
    """The main loop of a run; None where there is no loop with matrix instructions, or none long enough."""
    code = made.assembly.instructions
    places = [place for first, end in report.trace for place in range(first, end)][:MOST_INSTRUCTIONS]
    header = _header(places, code)
    visits = [number for number, place in enumerate(places) if place == header]
    if header is None or len(visits) < FEWEST_TURNS:
        return None
    path = [code[place] for place in places]
    first, last = visits[len(visits) // 4], visits[-1]
    threads, needs = math.prod(made.dispatch.threads), made.resources
    held = occupancy(
        made.assembly.target, vgprs=needs.vgprs, sgprs=needs.sgprs, threads=threads,
        lds_bytes=needs.lds_bytes + made.dispatch.dynamic_lds,
    )  # fmt: skip
    waves = math.ceil(threads / 64)
    shares = {}
    for name, latencies in SITUATIONS.items():
        longer, shorter = (
            compute_unit_time(
                [path[:length]] * waves, made.assembly.target, workgroups=max(1, held.workgroups),
                latencies=latencies, conflicts=cycles_of_conflicts(report.work),
            )
            for length in (last, first)
        )  # fmt: skip
        shares[name] = (longer - shorter).mfma_share
    turns = len(visits) - 1 - len(visits) // 4
    kinds = Counter(class_of(one.mnemonic) for one in path[first:last])
    kinds["accumulator moves"] = sum(one.mnemonic.startswith("v_accvgpr") for one in path[first:last])
    return MainLoop(turns, held.waves, shares, {kind: count / turns for kind, count in kinds.items()})


def _header(places: Sequence[int], code: Sequence[Instruction]) -> int | None:
    """Where the loop begins in which most matrix instructions are executed: what is jumped back to."""
    backward = Counter(here for before, here in itertools.pairwise(places) if here <= before)
    ends = {here: before for before, here in itertools.pairwise(places) if here <= before}
    work = {
        here: times * sum(class_of(one.mnemonic) == "mfma" for one in code[here : ends[here] + 1])
        for here, times in backward.items()
    }
    return max(work, key=lambda here: work[here]) if any(work.values()) else None

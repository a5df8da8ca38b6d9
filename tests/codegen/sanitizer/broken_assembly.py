"""Broken kernels in gfx9 assembly: compiled from HIP that is right, then edited by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.codegen.sanitizer.broken_kernel import (
    BrokenKernel,
    KernelLaunch,
    at,
    filled,
    numbers,
    output,
    picked,
)

__all__ = ["ASSEMBLY"]

F2, F4 = np.float16, np.float32
Launch = Callable[[], KernelLaunch]
WAITS: tuple[tuple[str, str, Launch], ...] = (
    ("load_not_waited_for", "A load is used with no wait.",
     lambda: at(1, 64, numbers(64), output(64))),
    ("count_one_too_high", "Of two loads the wait lets one be under way, and both are used.",
     lambda: at(1, 64, numbers(64), picked(64, 9), output(64))),
    ("lds_read_not_waited_for", "What is read from the LDS is used with no wait.",
     lambda: at(1, 64, numbers(64), output(64))),
    ("lds_count_one_too_high", "Of two reads of the LDS the wait lets one be under way, and both are used.",
     lambda: at(1, 64, numbers(64), output(64))),
    ("scalar_load_not_waited_for", "A scalar load is used with no wait.",
     lambda: at(2, 64, numbers(2), output(128))),
    ("lds_write_under_way_at_the_barrier", "Writes to the LDS are not waited for before the barrier.",
     lambda: at(1, 128, numbers(128), output(128))),
    ("load_to_lds_not_waited_for", "A load into the LDS is not waited for before it is read there.",
     lambda: at(1, 64, numbers(64), output(64))),
    ("atomic_result_not_waited_for", "What an atomic gives back is used with no wait.",
     lambda: at(1, 64, filled(64), output(64))),
)  # fmt: skip
REGISTERS: tuple[tuple[str, str, Launch], ...] = (
    ("sum_starts_anywhere", "A sum in a loop does not begin with zero.",
     lambda: at(1, 64, numbers(256), output(64), 4)),
    ("set_in_some_lanes", "A register is set under a mask and stored by all lanes.",
     lambda: at(1, 64, numbers(64), output(64))),
    ("scalar_never_set", "A factor comes from a scalar register that nobody set.",
     lambda: at(1, 64, numbers(64), output(64), 3)),
    ("accumulators_not_cleared", "One of the four accumulators of a matrix instruction is not set.",
     lambda: at(1, 64, numbers(512, F2) % F2(5), numbers(512, F2) % F2(3), output(256, F4))),
    ("upper_half_of_an_address", "The upper half of an address is added to a register that nobody set.",
     lambda: at(2, 64, numbers(128), output(128))),
)  # fmt: skip
LANES: tuple[tuple[str, str, Launch], ...] = (
    ("lanes_not_restored", "After a branch that no lane takes, EXEC is not restored before the store.",
     lambda: at(1, 64, numbers(64) - 64, output(64))),
    ("barrier_without_lanes", "EXEC is zero at a barrier.",
     lambda: at(1, 64, numbers(64), output(64))),
    ("first_lane_of_none", "The first active lane is read where none is.",
     lambda: at(1, 64, numbers(64), output(64), 0)),
    ("loads_with_no_lane", "A load and a store are not jumped over where no lane is in bounds.",
     lambda: at(1, 64, numbers(64), filled(64), 0)),
    ("loop_runs_dry", "EXEC stays zero after a loop that all lanes have left.",
     lambda: at(1, 64, numbers(64) % 5 + 1, output(64))),
)  # fmt: skip
EDITED: tuple[tuple[str, str, str, Launch], ...] = (
    ("branch_over_the_barrier", "barrier-not-reached", "The first wave jumps over the barrier.",
     lambda: at(1, 128, numbers(128), output(128))),
    ("barrier_dropped", "lds-race", "The barrier between writing and reading is missing.",
     lambda: at(1, 256, numbers(256), output(256))),
    ("offset_too_large", "out-of-bounds", "The offset of a read of the LDS is one element too large.",
     lambda: at(1, 64, numbers(64), output(64))),
    ("stores_to_the_wrong_pointer", "input-written", "The store has the pointer of the load.",
     lambda: at(1, 64, numbers(64), output(64))),
    ("store_of_the_lds_dropped", "uninitialised-lds", "What is read from the LDS was not written there.",
     lambda: at(1, 64, numbers(64), output(64))),
    ("reads_its_output", "uninitialised-memory", "The load has the pointer of the store.",
     lambda: at(1, 64, numbers(64), output(64))),
    ("lanes_of_one_address", "global-lane-race", "Two lanes have each address.",
     lambda: at(1, 64, numbers(64), output(64))),
)  # fmt: skip


def _of(check: str, source: str, target: str, *rows: tuple[str, str, Launch]) -> list[BrokenKernel]:
    """Kernels of one file: name, what is wrong, launch."""
    return [
        BrokenKernel(name, check, "assembly", source, target, what, launch) for name, what, launch in rows
    ]


ASSEMBLY = (
    *_of("missing-wait", "missing_wait.s", "gfx942", *WAITS),
    *_of("uninitialised-register", "uninitialised_register.s", "gfx90a", *REGISTERS),
    *_of("no-active-lane", "no_active_lane.s", "gfx908", *LANES),
    *(
        BrokenKernel(name, check, "assembly", "edited_kernels.s", "gfx950", what, launch)
        for name, check, what, launch in EDITED
    ),
)

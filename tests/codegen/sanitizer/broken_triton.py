"""Broken Triton kernels: ``broken/triton_functions.py`` with launches."""

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

__all__ = ["TRITON"]

F4, U1 = np.float32, np.uint8
ROWS = (
    ("no_mask", "out-of-bounds", "gfx942", "Neither load has a mask at the end.",
     lambda: at(3, None, numbers(3000, F4), numbers(3000, F4), output(3000, F4), 3000, BLOCK=1024)),
    ("mask_one_too_far", "out-of-bounds", "gfx90a", "The mask lets one element too many be stored.",
     lambda: at(3, None, numbers(3000, F4), output(3000, F4), 3000, BLOCK=1024)),
    ("rows_too_far_apart", "out-of-bounds", "gfx950",
     "Rows are read one element further apart than they lie.",
     lambda: at(8, None, numbers(8 * 200, F4), output(8, F4), 200, BLOCK=256)),
    ("looks_up_anything", "out-of-bounds", "gfx942", "A place of -1 is looked up.",
     lambda: at(1, None, numbers(256) - 1, numbers(256, F4), output(256, F4), 256, BLOCK=256)),
    ("words_behind_a_byte", "misaligned", "gfx942", "Words are loaded from behind a header of one byte.",
     lambda: at(1, None, picked(264, 255, U1), output(64), BLOCK=64, options={"num_warps": 1})),
    ("activates_in_place", "input-written", "gfx90a", "The activation is stored into the input too.",
     lambda: at(2, None, numbers(512) - 9, output(512), BLOCK=256)),
    ("adds_to_what_is_there", "uninitialised-memory", "gfx942",
     "The sum begins with an output without content.",
     lambda: at(2, None, numbers(512), output(512), BLOCK=256)),
    ("mask_too_near", "output-unwritten", "gfx950", "The mask ends one element too early.",
     lambda: at(3, None, numbers(700), output(700), 700, BLOCK=256)),
    ("all_programs_one_block", "global-race", "gfx942", "The program's number is left out of the target.",
     lambda: at(2, None, numbers(512), output(512), BLOCK=256)),
    ("counts_without_atomics", "global-race", "gfx90a", "Programs count in one bin with load, add and store.",
     lambda: at(16, None, numbers(16) % 4, filled(4), options={"num_warps": 1})),
    ("scatters_by_key", "global-lane-race", "gfx942", "Elements with one key are scattered to one place.",
     lambda: at(1, None, picked(64, 16), filled(16), BLOCK=64, options={"num_warps": 1})),
    ("two_to_one_place", "global-lane-race", "gfx950", "Two neighbours are stored to one place.",
     lambda: at(1, None, numbers(64), output(32), BLOCK=64, options={"num_warps": 1})),
    ("row_times_pitch", "address-overflow", "gfx942", "A row times the pitch is computed in 32 bits.",
     lambda: at(2, None, numbers(256), output(512), 2**20, 256, BLOCK=256)),
    ("waits_for_ever", "endless", "gfx90a", "A flag is waited for that nobody sets.",
     lambda: at(1, None, filled(1), output(1), options={"num_warps": 1})),
    ("every_program_sets_it", "same-value", "gfx942", "All programs set one flag.",
     lambda: at(2, None, numbers(512), output(512), output(1), BLOCK=256)),
)  # fmt: skip


def _of(name: str, check: str, target: str, what: str, launch: Callable[[], KernelLaunch]) -> BrokenKernel:
    has_place = check != "output-unwritten"
    return BrokenKernel(
        name, check, "triton", "triton_functions.py", target, what, launch, has_place=has_place
    )


TRITON = tuple(_of(*row) for row in ROWS)

"""Broken HIP kernels that reach for what is not there, not theirs, or not set."""

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

__all__ = ["ACCESSES"]

F4, I2, I8, U1 = np.float32, np.int16, np.int64, np.uint8
Launch = Callable[[], KernelLaunch]


def _of(check: str, *rows: tuple[str, str, str, Launch], unmended: str = "") -> list[BrokenKernel]:
    """Kernels of the file that is named as the check: name, target, what is wrong, launch."""
    source, has_place = check.replace("-", "_") + ".hip", check != "output-unwritten"
    return [
        BrokenKernel(
            name, check, "hip", source, target, what, launch, name not in unmended.split(), has_place
        )
        for name, target, what, launch in rows
    ]


ACCESSES = (
    *_of(
        "out-of-bounds",
        ("load_past_end", "gfx942", "The last thread loads the element after the last.",
         lambda: at(2, 64, numbers(128), output(128))),
        ("load_before_begin", "gfx908", "A difference to the left has no left at the first element.",
         lambda: at(1, 64, numbers(64), output(64))),
        ("store_past_end", "gfx90a", "Results are stored one element too late.",
         lambda: at(2, 64, numbers(128), output(128))),
        ("lds_read_past_end", "gfx942", "A rotation in the LDS does not come round.",
         lambda: at(1, 64, numbers(64), output(64), 3)),
        ("lds_write_past_end", "gfx950", "Rows are written to the LDS with twice their stride.",
         lambda: at(1, 64, numbers(64), output(64), 2)),
        ("lds_read_before_begin", "gfx90a", "A shift to the left goes below the LDS.",
         lambda: at(1, 64, numbers(64), output(64), 1)),
        ("dynamic_lds_too_small", "gfx942", "The launch asks for half of the dynamic LDS that is used.",
         lambda: at(1, 64, numbers(64), output(64), dynamic_lds=128)),
        ("wrong_stride", "gfx908", "Rows are read one element further apart than they lie.",
         lambda: at(8, 64, numbers(512), output(512), 64)),
        ("tail_without_mask", "gfx942", "The last workgroup goes on past 1000 elements.",
         lambda: at(4, 256, numbers(1000, F4), output(1000, F4), 1000)),
        ("grid_too_large", "gfx950", "Rows are not guarded, and there are two too many.",
         lambda: at((2, 4), (16, 8), numbers(30 * 20, I2), output(30 * 20, I2), 30, 20)),
        ("scalar_load_past_end", "gfx942",
         "The end of the last row is read from the begin of a row that is not.",
         lambda: at(8, 64, numbers(8) * 5, output(512), 40)),
        ("buffer_resource_too_large", "gfx942", "A buffer resource tells of 64 elements more than there are.",
         lambda: at(1, 64, numbers(64), output(64), 64)),
        ("buffer_store_past_end", "gfx90a", "Eight threads too many, which the buffer resource lets store.",
         lambda: at(1, 72, numbers(72), output(64), 64)),
        ("vector_over_the_tail", "gfx950", "The last vector of four has two elements in the array.",
         lambda: at(1, 256, numbers(1022), output(1022), 1022)),
        ("loop_one_too_far", "gfx90a", "A loop over columns ends one column too late.",
         lambda: at(1, 64, numbers(64 * 10, F4), output(64, F4), 10)),
        ("atomic_past_end", "gfx942", "A key that is no bin is counted.",
         lambda: at(2, 128, picked(256, 33), filled(32), 32)),
        ("blocks_mixed_up", "gfx908", "The grid's x is taken for rows, in an array that is not square.",
         lambda: at((4, 2), (8, 8), numbers(16 * 32), output(16 * 32), 32)),
        ("gather_unchecked", "gfx942", "A place of -1, which means none, is looked up.",
         lambda: at(1, 64, numbers(64) - 1, numbers(64, F4), output(64, F4), 64)),
        unmended="dynamic_lds_too_small",
    ),
    *_of(
        "misaligned",
        ("half_at_an_odd_address", "gfx942", "Halves are loaded from odd addresses.",
         lambda: at(1, 64, picked(132, 255, U1), output(64, I2))),
        ("word_after_a_byte", "gfx90a", "Words are loaded from behind a header of one byte.",
         lambda: at(1, 64, picked(264, 255, U1), output(64))),
        ("atomic_at_two", "gfx942", "An atomic adds to words that lie two bytes off.",
         lambda: at(1, 64, numbers(64), filled(264, U1))),
        ("lds_eight_bytes_at_odd", "gfx908",
         "Eight bytes are written to and read from odd offsets of the LDS.",
         lambda: at(1, 64, numbers(64, I8), output(64, I8), 1)),
        ("lds_sixteen_bytes_at_two", "gfx950", "Sixteen bytes are read from the LDS two bytes off.",
         lambda: at(1, 64, numbers(256), output(256), 2)),
        ("lds_atomic_at_odd", "gfx942", "An atomic in the LDS at odd offsets.",
         lambda: at(1, 64, numbers(64), output(64), 1)),
    ),
    *_of(
        "input-written",
        ("scales_in_place", "gfx942", "The input is scaled too.",
         lambda: at(2, 64, numbers(128, F4), output(128, F4), 2.0)),
        ("wrong_way_round", "gfx90a", "The sum goes into the weights.",
         lambda: at(1, 64, numbers(64, F4), numbers(64, F4), output(64, F4))),
        ("counter_is_an_input", "gfx908", "An atomic counts in an array that was passed to be read.",
         lambda: at(2, 64, numbers(1), output(128))),
        ("clamps_the_negative", "gfx942", "Negative inputs are clamped where they lie.",
         lambda: at(1, 64, numbers(64) - 5, output(64))),
        ("clears_the_queue", "gfx950", "The last turn of a loop writes to the input.",
         lambda: at(1, 64, numbers(200), output(200), 200)),
    ),
    *_of(
        "uninitialised-lds",
        ("half_a_tile", "gfx942", "48 of 64 elements are written, all are read.",
         lambda: at(1, 64, numbers(64), output(64), 48)),
        ("halo_not_filled", "gfx90a", "A stencil reads both ends, which nobody fills.",
         lambda: at(1, 64, numbers(64), output(64))),
        ("sum_of_a_larger_block", "gfx908", "A reduction for 128 threads runs with 64.",
         lambda: at(1, 64, numbers(64), output(1))),
        ("histogram_not_cleared", "gfx942", "Atomics count in bins that nobody set to zero.",
         lambda: at(1, 256, picked(256, 64), output(64))),
        ("reads_the_padding", "gfx950", "A tile is read with the wrong pitch, so that padding is read.",
         lambda: at(1, 256, numbers(256), output(256), 19)),
        ("other_buffer_first", "gfx942", "A double buffer is read one turn before it is filled.",
         lambda: at(1, 64, numbers(64 * 4), output(64), 4, dynamic_lds=512)),
        ("sums_of_waves_that_are_not", "gfx90a", "Sums of eight waves are added where four run.",
         lambda: at(1, 256, numbers(8), output(256))),
        ("one_byte_of_a_word", "gfx942", "Three of the four bytes of each word are written.",
         lambda: at(1, 64, numbers(64, U1), output(64))),
    ),
    *_of(
        "uninitialised-memory",
        ("adds_to_an_output", "gfx942", "The result is added to an output that has no content.",
         lambda: at(2, 64, numbers(128, F4), output(128, F4))),
        ("counts_into_an_output", "gfx90a", "Atomics count in memory that nobody set to zero.",
         lambda: at(1, 64, numbers(64), output(8))),
        ("beta_is_zero", "gfx950", "C is read and multiplied by a beta of zero.",
         lambda: at(1, 64, numbers(64, F4), output(64, F4), 2.0, 0.0)),
        ("workspace_half_filled", "gfx942", "Every other element of a workspace is written, all are read.",
         lambda: at(1, 64, numbers(64), output(128), output(64))),
        ("scratch_half_filled", "gfx908", "A thread's own array is filled up to n and read beyond.",
         lambda: at(1, 64, numbers(96), output(64), 48)),
        ("flag_never_cleared", "gfx942", "Flags are tested before anybody cleared them.",
         lambda: at(1, 64, numbers(64), output(64), output(64))),
    ),
    *_of(
        "output-unwritten",
        ("whole_blocks_only", "gfx942", "A loop stops before the last block, which is not whole.",
         lambda: at(1, 256, numbers(1000), output(1000), 1000)),
        ("guard_too_near", "gfx90a", "The guard ends one element too early.",
         lambda: at(4, 64, numbers(250), output(250), 250)),
        ("rest_of_vectors_dropped", "gfx950", "What is left over from vectors of four is not copied.",
         lambda: at(1, 256, numbers(1022), output(1022), 1022)),
        ("border_left_out", "gfx942", "A stencil writes no border.",
         lambda: at(1, 128, numbers(100, F4), output(100, F4), 100)),
        ("every_other_row", "gfx908", "Workgroups step over twice as many rows as there are workgroups.",
         lambda: at(4, 64, numbers(16 * 64), output(16 * 64), 16, 64)),
        ("count_of_the_first_block", "gfx942",
         "The second output lacks what the first workgroup would write.",
         lambda: at(3, 64, numbers(64), output(192), output(3))),
        ("grid_too_small", "gfx90a", "Three workgroups are launched where four are needed.",
         lambda: at(3, 64, numbers(256), output(256))),
        unmended="grid_too_small",
    ),
    *_of(
        "address-overflow",
        ("row_times_pitch", "gfx942", "A guard is asked after the product has wrapped.",
         lambda: at(32, 256, numbers(4096), output(8192), 2**20, 4096)),
        ("row_times_unsigned_pitch", "gfx90a",
         "An unsigned row times a pitch of 2^20 comes round to the begin.",
         lambda: at(1, 64, numbers(64) % 2 * 4096, numbers(64), output(64), 2**20, 64)),
        ("block_row_times_pitch", "gfx950",
         "A workgroup's number times the pitch wraps, in scalar registers.",
         lambda: at(2, 64, numbers(64), output(128), 2**29, 64)),
        ("bytes_of_an_element", "gfx908", "The offset in bytes is computed in 32 bits.",
         lambda: at(2, 64, numbers(1024, U1), output(128), 2**20, 1024)),
        ("store_with_a_large_pitch", "gfx942", "Rows are stored 2^32 + 4096 elements apart.",
         lambda: at(1, 64, numbers(64), filled(64 * 4096), 2**20 + 1, 64 * 4096)),
        ("batch_times_size", "gfx90a", "A batch of 65536 x 65536 elements is passed over in 32 bits.",
         lambda: at((1, 2), 64, numbers(64, F4), output(128, F4), 2**16, 2**16, 64)),
        ("signed_row_times_pitch", "gfx908", "A row of a list times the pitch wraps with a sign.",
         lambda: at(1, 64, numbers(64) % 2 * 4096, numbers(64), output(64), 2**20, 64)),
        ("signed_store_with_a_large_pitch", "gfx950", "Rows are stored 2^32 + 4096 elements apart, in int.",
         lambda: at(1, 64, numbers(64), filled(64 * 4096), 2**20 + 1, 64 * 4096)),
        ("rows_of_a_power_of_two", "gfx942", "A row is shifted out of its 32 bits.",
         lambda: at(1, 64, numbers(64) % 2 * 4096, numbers(64), output(64), 20, 64)),
    ),
)  # fmt: skip

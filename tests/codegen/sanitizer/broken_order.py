"""Broken HIP kernels in which threads do not agree on who comes first, or never end."""

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

__all__ = ["ORDER"]

F4, I2, U1 = np.float32, np.int16, np.uint8
Launch = Callable[[], KernelLaunch]


def _of(check: str, *rows: tuple[str, str, str, Launch]) -> list[BrokenKernel]:
    """Kernels of the file that is named as the check: name, target, what is wrong, launch."""
    source = check.replace("-", "_") + ".hip"
    return [
        BrokenKernel(name, check, "hip", source, target, what, launch) for name, target, what, launch in rows
    ]


ORDER = (
    *_of(
        "lds-race",
        ("no_barrier_before_the_read", "gfx942", "Rows are turned through the LDS with no barrier.",
         lambda: at(1, 256, numbers(256), output(256))),
        ("no_barrier_at_the_end_of_a_turn", "gfx90a", "The next turn writes what others still read.",
         lambda: at(1, 256, numbers(1024), output(256), 4)),
        ("double_buffer_of_the_wrong_turn", "gfx950", "With one barrier a turn the other buffer is read.",
         lambda: at(1, 256, numbers(1024), output(256), 4)),
        ("barrier_in_the_wrong_scope", "gfx942",
         "The barrier is in a branch that the last workgroup does not take.",
         lambda: at(2, 128, numbers(256), output(256), 255)),
        ("reduction_without_barrier", "gfx908", "A tree of sums over four waves has no barrier in its loop.",
         lambda: at(2, 256, numbers(512), output(2))),
        ("atomics_beside_plain_reads", "gfx942", "Bins are read while other waves still count.",
         lambda: at(1, 256, picked(256, 64), output(64))),
        ("cleared_by_another_wave", "gfx90a", "Waves count before the first has cleared the bins.",
         lambda: at(1, 256, picked(256, 64), output(64))),
        ("one_total_of_four_waves", "gfx950", "One lane of each wave writes its own total to one place.",
         lambda: at(1, 256, numbers(256), output(256))),
        ("broadcast_too_early", "gfx942", "A factor is read before the wave that loads it has stored it.",
         lambda: at(1, 128, numbers(128, F4) + F4(3), output(128, F4))),
        ("neighbour_across_two_waves", "gfx908",
         "Only the last lane of a wave reads what another wave writes.",
         lambda: at(1, 256, numbers(256), output(256))),
        ("second_use_of_a_tile", "gfx90a", "A tile is written again before all have read it.",
         lambda: at(1, 256, numbers(256, I2), output(256, I2))),
    ),
    *_of(
        "lds-lane-race",
        ("two_lanes_a_slot", "gfx942", "Two neighbours write one slot.",
         lambda: at(1, 64, numbers(64), output(64))),
        ("scatter_by_key", "gfx90a", "Several lanes have the same key.",
         lambda: at(1, 64, picked(64, 16), output(16))),
        ("anyone_may_be_the_best", "gfx942", "All lanes above a limit write one place.",
         lambda: at(1, 64, numbers(64, F4), output(64, F4), 10.0)),
        ("rows_overlap", "gfx908", "Rows of eight are written seven apart.",
         lambda: at(1, 64, numbers(64), output(64))),
        ("swizzle_drops_a_bit", "gfx950", "A swizzle clears a bit where it should flip it.",
         lambda: at(1, 64, numbers(64, I2), output(64, I2))),
        ("bytes_of_two_lanes", "gfx942", "A permutation of bytes has half of its places.",
         lambda: at(1, 64, numbers(64, U1), output(64, U1))),
    ),
    *_of(
        "global-race",
        ("two_blocks_one_element", "gfx942", "Workgroups write other values to the same elements.",
         lambda: at(2, 64, numbers(128), output(64))),
        ("reads_what_another_block_writes", "gfx90a",
         "A workgroup reads what its neighbour writes in the same launch.",
         lambda: at(4, 64, numbers(256), filled(256), output(256), 256)),
        ("two_waves_through_memory", "gfx942",
         "Waves of a workgroup exchange through memory with no barrier.",
         lambda: at(2, 256, numbers(512), filled(512), output(512))),
        ("histogram_without_atomics", "gfx950", "Workgroups count in one bin with load, add and store.",
         lambda: at(16, 64, numbers(16), filled(4))),
        ("last_block_without_fence", "gfx90a",
         "The last workgroup adds sums that no fence has put before the count.",
         lambda: at(4, 64, numbers(256), output(4), filled(1), output(1))),
        ("plain_beside_atomic", "gfx908", "One of the workgroups counts without an atomic.",
         lambda: at(4, 64, filled(1))),
        ("block_writes_its_neighbours_first", "gfx942",
         "The last thread also writes the next workgroup's first.",
         lambda: at(4, 64, numbers(256, F4) + F4(1), output(256, F4), 256)),
        ("blocks_overlap", "gfx90a", "Workgroups of 64 begin 63 apart.",
         lambda: at(4, 64, numbers(256), output(256))),
        ("stencil_in_place", "gfx942", "Each element is added to the next in place.",
         lambda: at(4, 64, filled(256), 256)),
        ("flag_without_fence", "gfx950", "A flag is set with no fence after the data that it tells of.",
         lambda: at(2, 64, numbers(1) + 7, filled(1), filled(1), output(2))),
    ),
    *_of(
        "global-lane-race",
        ("two_lanes_an_element", "gfx942", "Two neighbours write one element.",
         lambda: at(1, 64, numbers(64), output(32))),
        ("keys_are_not_unique", "gfx90a", "Lanes with one key scatter to one element.",
         lambda: at(1, 64, picked(64, 16), filled(16))),
        ("any_lane_is_the_best", "gfx950", "All lanes above a limit write their number to one place.",
         lambda: at(1, 64, numbers(64), filled(1), 40)),
        ("pitch_too_small", "gfx908", "Rows of eight halves are stored seven apart.",
         lambda: at(1, 64, numbers(64, I2), output(64, I2))),
        ("pairs_overlap", "gfx942", "Pairs are stored one element apart, the second of each on the next.",
         lambda: at(1, 64, numbers(64), output(128))),
    ),
    *_of(
        "barrier-not-reached",
        ("only_the_first_wave", "gfx942", "The barrier is in a branch of the first wave.",
         lambda: at(1, 128, numbers(128), output(128))),
        ("one_wave_goes_on", "gfx90a", "One wave goes on to the next turn before the barrier of the first.",
         lambda: at(1, 256, numbers(1024), output(256), 4)),
        ("a_barrier_more_each_wave", "gfx942", "A loop with a barrier turns once more in each wave.",
         lambda: at(1, 256, numbers(4), output(256))),
        ("producer_and_consumers", "gfx950", "The producer has two barriers a turn, the consumers one.",
         lambda: at(1, 128, numbers(192), output(64), 3)),
        ("as_long_as_the_data_say", "gfx908", "How often the barrier is reached depends on a wave's datum.",
         lambda: at(1, 128, numbers(2) * 9 + 3, output(128))),
    ),
    *_of(
        "barrier-divergence",
        ("odd_lanes_only", "gfx942", "The barrier is in a branch of the odd lanes.",
         lambda: at(1, 64, numbers(64), output(64))),
        ("barrier_inside_the_guard", "gfx90a", "The barrier is inside the guard of the tail.",
         lambda: at(1, 128, numbers(100), output(100), 100)),
        ("lanes_leave_early", "gfx942", "Lanes past the end return before the barrier.",
         lambda: at(1, 128, numbers(100), output(100), 100)),
        ("as_often_as_the_lane_says", "gfx950",
         "A loop with a barrier turns as often as each lane's datum says.",
         lambda: at(1, 64, numbers(64) % 4 + 1, output(64))),
        ("one_barrier_in_each_branch", "gfx908", "Both branches have a barrier, and a wave takes both.",
         lambda: at(1, 64, numbers(64), output(64))),
        ("reduction_with_the_barrier_inside", "gfx942",
         "The barrier of a tree of sums is in the branch of those that add.",
         lambda: at(1, 128, numbers(128), output(1))),
    ),
    *_of(
        "endless",
        ("step_of_zero", "gfx942", "The step of a loop is an argument that is zero.",
         lambda: at(1, 64, numbers(64), output(64), 64, 0)),
        ("waits_for_a_flag_nobody_sets", "gfx90a", "A flag is waited for that nobody sets.",
         lambda: at(1, 64, filled(1), output(64))),
        ("lock_not_given_back", "gfx942", "The first wave keeps the lock for which the second waits.",
         lambda: at(1, 128, filled(1), filled(1))),
    ),
    *_of(
        "same-value",
        ("every_lane_clears_the_total", "gfx942", "All lanes write zero to one place of the LDS.",
         lambda: at(1, 64, numbers(64), output(64))),
        ("every_block_sets_the_flag", "gfx90a", "All workgroups set one flag.",
         lambda: at(4, 64, numbers(256), output(256), output(1))),
        ("all_lanes_that_found_it", "gfx950", "Several lanes say that they have found it.",
         lambda: at(1, 64, numbers(64) % 8, filled(1), 3)),
    ),
)  # fmt: skip

"""Races between waves in the LDS: found where they are, and only there."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.kernel import ExecutionFaultError
from tests.codegen.gfx9.snippet import run_snippet
from tests.refusals import refused

LANE = np.arange(64)
OWN = np.arange(2)[:, None] * 256 + 4 * LANE  # each wave its own 256 bytes
OTHER = 256 - np.arange(2)[:, None] * 256 + 4 * LANE
SAME = 4 * LANE


def run(lines, *, own=OWN, other=OTHER, waves=2, lds=512):
    wave = np.arange(waves)[:, None] * np.ones(64, dtype=int)
    return run_snippet(lines, v={0: own, 1: other, 2: LANE, 5: wave}, waves=waves, lds=lds)


EXCHANGE = """
ds_write_b32 v0, v2
{wait}
{barrier}
ds_read_b32 v3, v1
s_waitcnt lgkmcnt(0)
v_mov_b32 v4, v3
"""


def test_an_exchange_with_a_barrier_is_no_race():
    found = run(EXCHANGE.format(wait="s_waitcnt lgkmcnt(0)", barrier="s_barrier"))
    assert found.v(4).tolist() == LANE.tolist()


def test_a_missing_barrier_names_the_line_the_offset_and_both_waves():
    with pytest.raises(ExecutionFaultError) as caught:
        run(EXCHANGE.format(wait="s_waitcnt lgkmcnt(0)", barrier="s_nop 0"))
    message = str(caught.value)
    assert "ds_read_b32 v3, v1: wave 0 reads LDS offset 256, which wave 1 writes in line 5" in message
    assert message.endswith("with no barrier between")


def test_a_store_that_nobody_waited_for_counts_as_made_after_the_barrier():
    with refused(ExecutionFaultError, "s_waitcnt"):
        run(EXCHANGE.format(wait="s_nop 0", barrier="s_barrier"))


def test_a_wait_for_too_many_leaves_the_store_under_way():
    lines = EXCHANGE.replace("{wait}", "ds_read_b32 v6, v0\n{wait}")
    run(lines.format(wait="s_waitcnt lgkmcnt(1)", barrier="s_barrier"))
    with refused(ExecutionFaultError, "s_waitcnt"):
        run(lines.format(wait="s_waitcnt lgkmcnt(2)", barrier="s_barrier"))


def test_a_store_behind_as_many_younger_ones_as_the_counter_holds_is_made_before_the_barrier():
    younger = "ds_read_b32 v6, v0\n"
    run(EXCHANGE.replace("{wait}", younger * 15).format(barrier="s_barrier"))
    with refused(ExecutionFaultError, "s_waitcnt"):
        run(EXCHANGE.replace("{wait}", younger * 14).format(barrier="s_barrier"))


def test_two_writers_of_one_place():
    with refused(ExecutionFaultError, "0"):
        run("ds_write_b32 v0, v5", own=SAME)
    apart = """
    v_readfirstlane_b32 s0, v5
    s_cmp_eq_u32 s0, 0
    s_cbranch_scc1 skip
    ds_write_b32 v0, v5
    s_waitcnt lgkmcnt(0)
    skip:
    {between}
    s_cmp_eq_u32 s0, 1
    s_cbranch_scc1 end
    ds_write_b32 v0, v5
    end:
    s_nop 0
    """
    run(apart.format(between="s_barrier"), own=SAME)
    with refused(ExecutionFaultError, "0", "1"):
        run(apart.format(between="s_nop 0"), own=SAME)


def test_the_same_value_from_several_waves_is_no_race():
    """Whoever wrote what is there may read it; who did not, must wait."""
    lines = "ds_write_b32 v0, v2\nds_read_b32 v3, v0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v4, v3"
    found = run(lines, own=SAME, other=SAME, waves=4)
    assert found.v(4, 3).tolist() == LANE.tolist()
    late = """
    v_readfirstlane_b32 s0, v5
    s_cmp_eq_u32 s0, 3
    s_cbranch_scc1 skip
    ds_write_b32 v0, v2
    s_waitcnt lgkmcnt(0)
    skip:
    {between}
    ds_read_b32 v3, v0
    s_waitcnt lgkmcnt(0)
    """
    run(late.format(between="s_barrier"), own=SAME, other=SAME, waves=4)
    with refused(ExecutionFaultError, "3", "0"):
        run(late.format(between="s_nop 0"), own=SAME, other=SAME, waves=4)


@pytest.mark.parametrize("writer", range(4))
def test_a_write_after_reads_of_several_waves_whoever_writes(writer):
    lines = f"""
    ds_write_b32 v1, v2
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v3, v0
    s_waitcnt lgkmcnt(0)
    {{between}}
    v_readfirstlane_b32 s0, v5
    s_cmp_lg_u32 s0, {writer}
    s_cbranch_scc1 end
    v_not_b32 v5, v5
    ds_write_b32 v0, v5
    end:
    s_nop 0
    """
    alone = np.arange(4)[:, None] * 256 + SAME
    run(lines.format(between="s_barrier"), own=SAME, other=alone, waves=4, lds=1024)
    with refused(ExecutionFaultError, str(writer), "0"):
        run(lines.format(between="s_nop 0"), own=SAME, other=alone, waves=4, lds=1024)


def test_neighbouring_bytes_of_a_word_are_not_one_place():
    bytes_of_wave = np.arange(2)[:, None] + 2 * LANE
    run("ds_write_b8 v0, v2", own=bytes_of_wave)
    with refused(ExecutionFaultError, "1"):
        run("ds_write_b8 v0, v2\nds_read_u16 v3, v1", own=bytes_of_wave, other=2 * LANE)


def test_a_wave_may_overwrite_and_read_its_own():
    run("ds_write_b32 v0, v2\nds_read_b32 v3, v0\ns_waitcnt lgkmcnt(0)\nds_write_b32 v0, v3")

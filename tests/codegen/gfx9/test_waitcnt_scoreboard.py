"""Registers that are still being loaded: reading or overwriting one without a wait is a fault."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from layoutalg.codegen.gfx9.assembly import UnknownInstructionError, parse_instruction
from layoutalg.codegen.gfx9.waitcnt_scoreboard import waits_of
from layoutalg.codegen.kernel import ExecutionFaultError
from tests.codegen.gfx9.snippet import run_snippet
from tests.refusals import refused

TWO = "global_load_dword v2, v1, s[20:21]\nglobal_load_dword v3, v1, s[20:21] offset:4\n"
LDS = "ds_read_b32 v2, v1\nds_read_b32 v3, v1 offset:4\n"
SCALAR = "s_load_dword s0, s[20:21], 0x0\ns_load_dword s1, s[20:21], 0x4\n"
YOUNGER = {"vmcnt": "global_load_dword v5, v1, s[20:21]\n", "lgkmcnt": "ds_read_b32 v5, v1\n"}
ADDS = "v_add_u32 v4, v2, v1"


def run(lines, **more):
    setup = "v_mov_b32 v1, 0\nv_mov_b32 v8, 0\nds_write_b64 v1, v[8:9]\ns_waitcnt lgkmcnt(0)\n"
    return run_snippet(setup + lines, v={8: 1, 9: 1}, lds=64, buffers=[np.zeros(64, np.uint8)], **more)


COVERED = {
    "all of vmcnt": TWO + "s_waitcnt vmcnt(0)\nv_add_u32 v4, v2, v3",
    "the older of two": TWO + "s_waitcnt vmcnt(1)\n" + ADDS,
    "the younger is not used": TWO + "s_waitcnt vmcnt(1)\nv_mov_b32 v4, v2",
    "lds in order": LDS + "s_waitcnt lgkmcnt(1)\n" + ADDS,
    "scalars": SCALAR + "s_waitcnt lgkmcnt(0)\ns_add_u32 s2, s0, s1",
    "as a number": LDS + "s_waitcnt 0xc07f\nv_add_u32 v4, v2, v3",
    "a load over an earlier load": TWO + "global_load_dword v2, v1, s[20:21]\ns_waitcnt vmcnt(0)\n" + ADDS,
    "a store counts as well": TWO + "global_store_dword v1, v8, s[20:21]\ns_waitcnt vmcnt(2)\n" + ADDS,
    "data of a store may change": "global_store_dword v1, v8, s[20:21]\nv_mov_b32 v8, 3",
    "both counters": TWO + "ds_read_b32 v5, v1\ns_waitcnt vmcnt(1) lgkmcnt(0)\nv_add_u32 v4, v2, v5",
    "a counter at its end": TWO + YOUNGER["vmcnt"] * 62 + ADDS,
    "the lds's counter at its end": LDS + YOUNGER["lgkmcnt"] * 14 + ADDS,
    "a scalar among lds": "ds_read_b32 v2, v1\ns_load_dword s0, s[20:21], 0x0\ns_waitcnt lgkmcnt(0)\n" + ADDS,
}
NOT_COVERED = {
    "no wait": (TWO + ADDS, "v2 global_load_dword"),
    "the younger of two": (TWO + "s_waitcnt vmcnt(1)\nv_mov_b32 v4, v3", "s_waitcnt"),
    "the wrong counter": (TWO + "s_waitcnt lgkmcnt(0)\n" + ADDS, "v2"),
    "lds": (LDS + "s_waitcnt lgkmcnt(2)\n" + ADDS, "s_waitcnt"),
    "scalars come in any order": (SCALAR + "s_waitcnt lgkmcnt(1)\ns_mov_b32 s2, s0", "s0"),
    "a scalar hides nothing of the lds": (
        "ds_read_b32 v2, v1\ns_load_dword s0, s[20:21], 0x0\ns_waitcnt lgkmcnt(1)\n" + ADDS,
        "v2",
    ),
    "overwritten": (TWO + "v_mov_b32 v3, 0", "v3"),
    "overwritten by another queue": (TWO + "ds_read_b32 v2, v1", "v2"),
    "an address": (TWO + "s_waitcnt vmcnt(1)\nds_read_b32 v4, v3", "v3"),
    "a half that stays": (
        "global_load_short_d16 v8, v1, s[20:21]\nglobal_load_short_d16_hi v8, v1, s[20:21]",
        "v8",
    ),
    "part of a wide load": ("global_load_dwordx4 v[12:15], v1, s[20:21]\nv_mov_b32 v4, v14", "v14"),
    "of a matrix instruction": (
        "ds_read_b64 v[8:9], v1\nv_mfma_f32_32x32x8_f16 a[0:15], v[6:7], v[8:9], 0",
        "v8",
    ),
    "one before the counter's end": (TWO + YOUNGER["vmcnt"] * 61 + ADDS, "v2"),
    "one before the end of the lds's": (LDS + YOUNGER["lgkmcnt"] * 13 + ADDS, "v2"),
    "scalars have no order at the counter's end": (
        SCALAR + "".join(f"s_load_dword s{n}, s[20:21], 0x8\n" for n in range(2, 19)) + "s_mov_b32 s22, s0",
        "s0",
    ),
    "a shuffle": ("ds_bpermute_b32 v2, v1, v8\nv_mov_b32 v4, v2", "v2"),
}


@pytest.mark.parametrize("name", COVERED)
def test_a_wait_that_covers(name):
    run(COVERED[name])


@pytest.mark.parametrize("name", NOT_COVERED)
def test_no_wait_that_covers(name):
    lines, facts = NOT_COVERED[name]
    with refused(ExecutionFaultError, *facts.split()):
        run(lines)


def test_waves_on_different_paths_wait_for_themselves():
    lines = """
    v_readfirstlane_b32 s0, v7
    s_cmp_eq_u32 s0, 0
    s_cbranch_scc1 skip
    global_load_dword v2, v1, s[20:21]
    {wait}
    skip:
    v_mov_b32 v3, v2
    """
    wave = np.arange(2)[:, None] * np.ones(64, dtype=int)
    setup: Any = {"v": {1: 0, 2: 0, 7: wave}, "waves": 2, "buffers": [np.zeros(16, np.uint8)]}
    run_snippet(lines.format(wait="s_waitcnt vmcnt(0)"), **setup)
    with refused(ExecutionFaultError, "v2"):
        run_snippet(lines.format(wait="s_nop 0"), **setup)


def test_what_a_wait_says():
    assert waits_of(parse_instruction("s_waitcnt expcnt(0)", 1)) == {}
    assert waits_of(parse_instruction("s_waitcnt lgkmcnt(3)", 1)) == {"lds": 3}
    assert waits_of(parse_instruction("s_waitcnt 0x0f70", 1)) == {"vm": 0}
    both = parse_instruction("s_waitcnt vmcnt(0) & lgkmcnt(0)", 1)
    assert waits_of(both) == {"vm": 0, "lds": 0, "scalar": 0}
    with refused(UnknownInstructionError, "vmcnt"):
        waits_of(parse_instruction("s_waitcnt depctr(0)", 1))

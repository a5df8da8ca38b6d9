"""Loops and registers as people write them by hand: lifted, and every address that of the executor."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.compile.assemble import assemble, link
from layoutalg.codegen.executors import Output
from layoutalg.codegen.executors.code_object_run import prepared_launch
from layoutalg.codegen.gfx9.lifting import Assumed, facts_of, lift
from layoutalg.domain import Domain
from tests.codegen.gfx9.lifting.agreement import compared

TARGET = "gfx942"
KERNEL = """
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 6
	.text
	.globl	walk
	.p2align	8
	.type	walk,@function
walk:
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_load_dword s4, s[0:1], 0x8
	v_readfirstlane_b32 s6, v0
	s_lshr_b32 s6, s6, 6
	v_and_b32_e32 v0, 63, v0
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
{body}
	s_endpgm
	.section	.rodata,"a",@progbits
	.amdhsa_kernel walk
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_kernarg_size 12
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
		.amdhsa_accum_offset 64
	.end_amdhsa_kernel
	.text
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space:  global
        .name:           out
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .name:           n
        .offset:         8
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 12
    .max_flat_workgroup_size: 256
    .name:           walk
    .private_segment_fixed_size: 0
    .sgpr_count:     32
    .symbol:         walk.kd
    .vgpr_count:     64
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
"""
LOOP = """
	s_mov_b32 s8, 0
{before}
turn:
{inside}
	s_add_i32 s8, s8, 1
	s_cmp_lt_i32 s8, s4
	s_cbranch_scc1 turn
"""
STORE = "\tglobal_store_dword v1, v0, s[2:3]"
CURSOR_STOPS = LOOP.format(
    before="\ts_movk_i32 s9, 0x100",
    inside=f"""{STORE}
	v_add_u32_e32 v1, s9, v1
	s_add_i32 s10, s8, 3
	s_cmp_lt_i32 s10, s4
	s_cselect_b32 s9, s9, 0""",
)
TWO_CURSORS_STOP = LOOP.format(
    before="\ts_movk_i32 s9, 0x100\n\tv_mov_b32_e32 v2, v1",
    inside=f"""{STORE}
	global_store_dword v2, v0, s[2:3]
	s_add_i32 s11, s8, 6
	s_cmp_lt_i32 s11, s4
	s_cselect_b32 s12, s9, 0
	v_add_u32_e32 v2, s12, v2
	v_add_u32_e32 v2, s9, v2
	s_add_i32 s10, s8, 5
	s_cmp_lt_i32 s10, s4
	s_cselect_b32 s9, s9, 0""",
)
SET_ANEW = LOOP.format(
    before="\tv_mov_b32_e32 v2, 64",
    inside="""
	v_add_u32_e32 v3, v1, v2
	global_store_dword v3, v0, s[2:3]
	s_lshl_b32 s9, s8, 8
	s_addk_i32 s9, 0x200
	v_mov_b32_e32 v2, s9""",
)
SET_TO_ITS_START = LOOP.format(
    before="\ts_lshl_b32 s9, s6, 8",
    inside="""
	v_add_u32_e32 v3, s9, v1
	global_store_dword v3, v0, s[2:3]
	v_add_u32_e32 v1, 4, v1
	s_lshl_b32 s9, s6, 8""",
)
SET_ANEW_BUT_FOR_THE_LAST = """
	s_mov_b32 s8, 0
	s_add_i32 s9, s4, -1
	v_mov_b32_e32 v2, v1
turn:
	global_store_dword v2, v0, s[2:3]
	s_cmp_lt_i32 s8, s9
	s_cbranch_scc0 last
	s_lshl_b32 s10, s8, 8
	s_addk_i32 s10, 0x100
	v_add_u32_e32 v2, s10, v1
	s_branch next
last:
	v_add_u32_e32 v2, 32, v2
next:
	s_add_i32 s8, s8, 1
	s_cmp_lg_u32 s8, s4
	s_cbranch_scc1 turn
"""
LOADED_BY_A_CURSOR = LOOP.format(
    before="\tv_mov_b32_e32 v5, 0",
    inside=f"""{STORE}
	v_cmp_lt_i32_e32 vcc, 7, v5
	s_cbranch_vccz next
	s_nop 0
next:
	global_load_dword v5, v1, s[2:3]
	s_waitcnt vmcnt(0)
	v_add_u32_e32 v1, 0x100, v1""",
)
M0_CHOOSES = """
	v_add_u32_e32 v4, 0, v1
	v_add_u32_e32 v5, 0x400, v1
	v_add_u32_e32 v6, 0x800, v1
	v_add_u32_e32 v7, 0xc00, v1
	s_set_gpr_idx_on s6, gpr_idx(SRC0)
	v_mov_b32_e32 v3, v4
	s_set_gpr_idx_off
	global_store_dword v3, v0, s[2:3]
	v_mov_b32_e32 v9, v1
	v_mov_b32_e32 v10, v1
	v_mov_b32_e32 v11, v1
	v_mov_b32_e32 v12, v1
	s_set_gpr_idx_on s6, gpr_idx(DST)
	v_mov_b32_e32 v9, v7
	s_set_gpr_idx_off
	global_store_dword v9, v0, s[2:3]
	global_store_dword v12, v0, s[2:3]
"""
BODIES = {
    "a cursor stops": CURSOR_STOPS,
    "a cursor that is two steps ahead stops": TWO_CURSORS_STOP,
    "set anew in each turn": SET_ANEW,
    "set to what it was": SET_TO_ITS_START,
    "set anew, but for the last turn": SET_ANEW_BUT_FOR_THE_LAST,
    "what a cursor loads is no half of it": LOADED_BY_A_CURSOR,
    "M0 chooses": M0_CHOOSES,
}
LOADED_STOP = LOOP.format(
    before="\ts_movk_i32 s9, 0x100",
    inside=f"""{STORE}
	v_add_u32_e32 v1, s9, v1
	s_load_dword s10, s[2:3], 0x0
	s_waitcnt lgkmcnt(0)
	s_cmp_lt_i32 s10, s4
	s_cselect_b32 s9, s9, 0""",
)
SIZES = {"sizes": {"n": [1, 100]}, "launch": {"block": [256], "grid": [1]}}


def code_object(body):
    return link(assemble(KERNEL.format(body=body), TARGET))


def stores(body):
    found = lift(code_object(body), facts_of(SIZES))
    return [one for one in found.accesses if one.direction == "store"]


@pytest.mark.parametrize("turns", [1, 7])
@pytest.mark.parametrize("name", BODIES)
def test_every_address_is_that_of_the_executor(name, turns):
    values = [Output(np.zeros(4096, np.int32)), np.int32(turns)]
    made = prepared_launch(code_object(BODIES[name]), (1,), (256,), values)
    found = compared(made, Assumed(Domain.of({}, {"n": (1, 100)}), (1,), (256,)), names=("out", "n"))
    assert found.agreeing > 0
    assert not found.differing
    assert not found.opaque


@pytest.mark.parametrize("name", BODIES)
def test_every_address_is_a_formula(name):
    assert all(one.is_understood for one in stores(BODIES[name]))


def test_a_cursor_that_data_stops_is_told_to_hang_on_data():
    (store,) = stores(LOADED_STOP)
    assert [reason.split(":")[0] for reason in store.missing] == ["data-dependent"]


def test_a_stop_that_comes_back_is_none():
    """The step becomes 0 in each third turn alone and is 256 again after that: no turn ends it."""
    body = CURSOR_STOPS.replace("s_cselect_b32 s9, s9, 0", "s_cselect_b32 s9, 0x100, 0")
    values = [Output(np.zeros(65536, np.int32)), np.int32(9)]
    made = prepared_launch(code_object(body), (1,), (256,), values)
    found = compared(made, Assumed(Domain.of({}, {"n": (1, 100)}), (1,), (256,)), names=("out", "n"))
    assert not found.differing

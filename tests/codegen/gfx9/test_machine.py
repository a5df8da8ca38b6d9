"""Control flow, lanes switched off, memory checks, barriers, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.gfx9.assembly import UnknownInstructionError, parse_assembly, parse_instruction
from layoutalg.codegen.kernel import ExecutionFaultError
from tests.codegen.gfx9.snippet import assemble, run_snippet
from tests.refusals import refused

LANE = np.arange(64)


def test_lanes_switched_off_keep_their_values():
    found = run_snippet(
        """
        v_cmp_gt_u32_e32 vcc, 10, v0
        s_and_saveexec_b64 s[0:1], vcc
        v_mov_b32_e32 v1, 7
        s_mov_b64 exec, s[0:1]
        """,
        v={0: LANE, 1: LANE + 100},
    )
    assert found.v(1).tolist() == [7] * 10 + list(range(110, 164))
    assert found.vcc == 2**10 - 1
    assert found.exec == 2**64 - 1


def test_waves_that_part_meet_again():
    found = run_snippet(
        """
        s_mov_b32 s1, 0
        v_readfirstlane_b32 s0, v0
        loop:
        s_add_i32 s1, s1, s0
        s_add_i32 s0, s0, -1
        s_cmp_lg_u32 s0, 0
        s_cbranch_scc1 loop
        s_lshl_b32 s1, s1, 1
        """,
        v={0: (np.arange(1, 9)[:, None] * np.ones(64, dtype=int))},
        waves=8,
    )
    assert [found.s(1, wave) for wave in range(8)] == [n * (n + 1) for n in range(1, 9)]


def test_a_branch_over_a_block_when_no_lane_is_on():
    found = run_snippet(
        """
        v_cmp_gt_u32_e32 vcc, 0, v0
        s_and_saveexec_b64 s[0:1], vcc
        s_cbranch_execz skip
        v_mov_b32_e32 v1, v9
        skip:
        s_or_b64 exec, exec, s[0:1]
        v_mov_b32_e32 v2, 3
        """,
        v={0: LANE, 1: 5},
    )
    assert found.v(1).tolist() == [5] * 64
    assert found.v(2).tolist() == [3] * 64


def test_loads_and_stores_of_all_widths():
    data = np.arange(4096, dtype=np.uint8)
    out = np.zeros(4096, dtype=np.uint8)
    for suffix, size in (("dword", 4), ("dwordx2", 8), ("dwordx4", 16)):
        last = 10 + size // 4 - 1
        registers = f"v[10:{last}]" if last > 10 else "v10"
        run_snippet(
            f"""
            v_lshlrev_b32_e32 v1, {size.bit_length() - 1}, v0
            global_load_{suffix} {registers}, v1, s[20:21] offset:16
            s_waitcnt vmcnt(0)
            global_store_{suffix} v1, {registers}, s[22:23]
            """,
            v={0: LANE},
            buffers=[data, out],
        )
        assert np.array_equal(out[: 64 * size], data[16 : 16 + 64 * size])


def test_narrow_loads_extend_and_fill_halves():
    data = np.array([0x80, 0xFF, 0x7F, 0x01], dtype=np.uint8)
    found = run_snippet(
        """
        v_mov_b32_e32 v1, 0
        global_load_ubyte v2, v1, s[20:21]
        global_load_sbyte v3, v1, s[20:21]
        global_load_ushort v4, v1, s[20:21]
        global_load_sshort v5, v1, s[20:21]
        v_mov_b32_e32 v6, 0x12345678
        v_mov_b32_e32 v7, 0x12345678
        global_load_short_d16 v6, v1, s[20:21]
        global_load_short_d16_hi v7, v1, s[20:21]
        """,
        buffers=[data],
    )
    words = [int(found.v(register)[0]) for register in range(2, 8)]
    assert words == [0x80, 0xFFFFFF80, 0xFF80, 0xFFFFFF80, 0x1234FF80, 0xFF805678]


def test_lds_pairs_and_strides():
    found = run_snippet(
        """
        v_lshlrev_b32_e32 v1, 3, v0
        v_add_u32_e32 v2, 100, v0
        ds_write2_b32 v1, v0, v2 offset0:0 offset1:1
        s_waitcnt lgkmcnt(0)
        ds_read2_b32 v[4:5], v1 offset0:1 offset1:0
        ds_read_b64 v[6:7], v1
        """,
        v={0: LANE},
        lds=512,
    )
    assert found.v(4).tolist() == (LANE + 100).tolist()
    assert found.v(5).tolist() == LANE.tolist()
    assert found.v(6).tolist() == LANE.tolist()


FAULTS = {
    "past the end": (
        "global_load_dword v2, v1, s[20:21] offset:16",
        "16 buffer0",
    ),
    "before the start": ("global_load_dword v2, v1, s[20:21] offset:-4", ""),
    "not aligned": ("global_load_dwordx2 v[2:3], v1, s[20:21] offset:2", "4"),
    "lds not aligned": ("ds_read_b64 v[2:3], v1 offset:4", "8"),
    "address never set": ("global_load_dword v2, v9, s[20:21]", ""),
    "stores no value": ("global_store_dword v1, v9, s[20:21]", ""),
    "lds past its end": ("ds_read_b32 v2, v1 offset:64", "64"),
    "first lane unset": ("v_readfirstlane_b32 s0, v9", ""),
    "vcc unset": ("s_cbranch_vccnz away\naway:", ""),
    "scalar address": ("s_load_dword s0, s[8:9], 0x0", ""),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_name_the_instruction(name):
    lines, facts = FAULTS[name]
    with refused(ExecutionFaultError, *facts.split()) as caught:
        run_snippet(f"v_mov_b32_e32 v1, 0\n{lines}", buffers=[np.zeros(16, np.uint8)], lds=64)
    assert "line " in str(caught.value)


def test_marks_travel_through_arithmetic_and_lanes():
    with refused(ExecutionFaultError, "64"):
        run_snippet(
            "v_add_u32_e32 v1, v0, v9\nglobal_load_dword v2, v1, s[20:21]",
            v={0: 0},
            buffers=[np.zeros(16, np.uint8)],
        )
    with refused(ExecutionFaultError, "54"):
        run_snippet(
            """
            v_cmp_gt_u32_e32 vcc, 10, v0
            s_and_saveexec_b64 s[0:1], vcc
            v_mov_b32_e32 v1, 7
            s_mov_b64 exec, s[0:1]
            v_mov_b32_e32 v2, 0
            global_store_dword v2, v1, s[20:21]
            """,
            v={0: LANE},
            buffers=[np.zeros(16, np.uint8)],
        )


def test_only_the_low_word_needs_a_value_where_only_it_is_used():
    run_snippet(
        """
        v_mad_u64_u32 v[2:3], s[0:1], v0, 4, v[4:5]
        v_mov_b32_e32 v6, v2
        global_store_dword v6, v6, s[20:21]
        """,
        v={0: LANE, 4: 0},
        buffers=[np.zeros(256, np.uint8)],
    )


def test_barriers():
    lines = """
    v_readfirstlane_b32 s0, v0
    s_cmp_eq_u32 s0, 0
    s_cbranch_scc1 first
    s_barrier
    first:
    {at_first}
    """
    number = np.arange(2)[:, None] * np.ones(64, dtype=int)
    run_snippet("s_barrier\ns_barrier", waves=4)
    for at_first in (
        "s_nop 0",
        "s_barrier",
    ):  # one wave ends while the other waits, for those alone that live
        run_snippet(lines.format(at_first=at_first), v={0: number}, waves=2)


def test_waves_may_wait_at_different_barriers_as_long_as_they_pass_equally_many():
    lines = """
    v_readfirstlane_b32 s0, v0
    s_cmp_eq_u32 s0, 0
    s_cbranch_scc1 first
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v2, 7
    ds_write_b32 v1, v2
    s_waitcnt lgkmcnt(0)
    s_barrier
    s_barrier
    s_branch last
    first:
    s_barrier
    v_mov_b32_e32 v1, 0
    ds_read_b32 v3, v1
    s_waitcnt lgkmcnt(0)
    s_barrier
    last:
    """
    number = np.arange(2)[:, None] * np.ones(64, dtype=int)
    assert run_snippet(lines, v={0: number}, waves=2, lds=4).v(3)[0] == 7


def test_sixteen_bytes_of_global_memory_need_the_alignment_of_a_word():
    data, out = np.arange(96, dtype=np.uint8), np.zeros(96, np.uint8)
    lines = "v_mov_b32_e32 v1, 0\nglobal_load_dwordx4 v[4:7], v1, s[20:21] offset:20\ns_waitcnt vmcnt(0)\n"
    run_snippet(f"{lines}global_store_dwordx4 v1, v[4:7], s[22:23] offset:12", buffers=[data, out])
    assert np.array_equal(out[12:28], data[20:36])
    assert not out[:12].any()
    assert not out[28:].any()


@pytest.mark.parametrize(
    "line",
    [
        "v_exotic_b32 v0, v1",
        "global_atomic_exotic v1, v0, s[20:21]",
        "buffer_atomic_exotic v0, off, s[0:3], 0",
        "v_mov_b32_dpp v0, v1 row_exotic:1",
        "v_add_f32 v0, v1, v2 mul:8",
        "ds_swizzle_b32 v0, v1 offset:swizzle(EXOTIC,1)",
        "image_load v[0:3], v[0:1], s[0:7] dmask:0xf unorm",
        "s_trap 2",
        "v_interp_p1_f32 v0, v1, attr0.x",
        "s_getpc_b64 s[0:1]",
    ],
)
def test_instructions_without_a_row_are_refused_by_name(line):
    mnemonic = line.split()[0]
    with refused(UnknownInstructionError, mnemonic):
        run_snippet(line, v={0: 1, 1: 1, 2: 1})


def test_assembly_is_read_as_written():
    found = parse_instruction("v_pk_fma_f16 v0, v1, v2, -v3 op_sel:[0,1,0] op_sel_hi:[1,0,1]", 1)
    assert found.operands == ("v0", "v1", "v2", "-v3")
    assert found.modifiers == {"op_sel": "[0,1,0]", "op_sel_hi": "[1,0,1]"}
    assert parse_instruction("s_waitcnt vmcnt(0) lgkmcnt(3)", 1).operands == ("vmcnt(0)", "lgkmcnt(3)")
    assembly = assemble("start: ; a comment\n v_mov_b32 v0, |v1| // another\n s_branch start")
    assert [i.mnemonic for i in assembly.instructions] == ["v_mov_b32", "s_branch", "s_endpgm"]
    assert assembly.labels == {"start": 0}
    with refused(ValueError):
        parse_assembly("nothing")


def test_an_instruction_without_a_row_is_no_fault_if_nobody_comes_to_it():
    run = run_snippet("s_branch over\nv_exotic_b32 v0, v1\nover:\nv_mov_b32_e32 v0, 7", v={0: 1})
    assert (run.v(0) == 7).all()

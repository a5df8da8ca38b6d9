"""Races of random programs: waves that write, read and meet at barriers, against a few lines of Python.

The oracle knows nothing of schedules. In each phase between two barriers, of each place: waves that write
different values race, and so do a wave that reads and another whose write changes what is there.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from layoutalg.codegen.compile.assemble import assemble, link
from layoutalg.codegen.executors import Output
from layoutalg.codegen.sanitizer import sanitize

WAVES, SLOTS, PHASES = 3, 3, 2
VALUES = (5, 7)
HEAD = """
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl races
.p2align 8
.type races,@function
races:
  v_lshrrev_b32_e32 v1, 6, v0
  v_readfirstlane_b32 s8, v1
  s_load_dwordx2 s[10:11], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v9, 0
"""
TAIL = """
.Lend:
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel races
  .amdhsa_group_segment_fixed_size 1024
  .amdhsa_user_sgpr_count 2
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_system_vgpr_workitem_id 0
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 32
  .amdhsa_accum_offset 16
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: races
    .symbol: races.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 16
    .max_flat_workgroup_size: 1024
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global, .name: out}
...
.end_amdgpu_metadata
"""
ACCESS = st.tuples(st.sampled_from(["write", "read"]), st.integers(0, SLOTS - 1), st.sampled_from(VALUES))
PROGRAM = st.lists(  # by phase, by wave: accesses
    st.lists(st.lists(ACCESS, max_size=3), min_size=WAVES, max_size=WAVES), min_size=PHASES, max_size=PHASES
)


def lines_of(access, where):
    kind, slot, value = access
    if where == "LDS":
        place = f"  v_mov_b32_e32 v2, {4 * slot}\n"
        if kind == "write":
            return place + f"  v_mov_b32_e32 v3, {value}\n  ds_write_b32 v2, v3\n  s_waitcnt lgkmcnt(0)\n"
        return place + "  ds_read_b32 v4, v2\n  s_waitcnt lgkmcnt(0)\n"
    place = f"  v_mov_b32_e32 v2, {4 * slot}\n"
    if kind == "write":
        return place + f"  v_mov_b32_e32 v3, {value}\n  global_store_dword v2, v3, s[10:11]\n"
    return place + "  global_load_dword v4, v2, s[10:11]\n  s_waitcnt vmcnt(0)\n"


def text_of(program, where):
    """Each wave has its own code; all begin with one lane on."""
    parts = [HEAD, "  s_mov_b64 exec, 1\n"]
    parts += [f"  s_cmp_eq_u32 s8, {wave}\n  s_cbranch_scc1 .Lwave{wave}\n" for wave in range(WAVES)]
    for wave in range(WAVES):
        parts.append(f".Lwave{wave}:\n")
        for phase in program:
            parts += [lines_of(access, where) for access in phase[wave]]
            parts.append("  s_barrier\n")
        parts.append("  s_branch .Lend\n")
    return "".join([*parts, TAIL])


def races(program):
    """Whether any two accesses race, and whether a value is written twice in no order."""
    held = dict.fromkeys(range(SLOTS), 0)
    found = is_same = False
    for phase in program:
        for slot in range(SLOTS):
            own = [[a for a in accesses if a[1] == slot] for accesses in phase]
            written = [{value for kind, _, value in one if kind == "write"} for one in own]
            values, writers = set().union(*written), [n for n, one in enumerate(written) if one]
            changing = [n for n in writers if written[n] - {held[slot]}]
            readers = [n for n, one in enumerate(own) if any(kind == "read" for kind, *_ in one)]
            found |= len(writers) > 1 and len(values) > 1
            found |= any(reader != writer for reader in readers for writer in changing)
            is_same |= len(writers) > 1 and len(values) == 1
            if values:
                held[slot] = max(values)
    return found, is_same


def judged(program, where, select):
    made = link(assemble(text_of(program, where), "gfx942"))
    out = Output(np.zeros(SLOTS, np.uint32), is_initialised=True)
    found = sanitize(made, [1], out, block=[64 * WAVES], select=select)
    assert not found.stopped
    return {one.check.name for one in found.findings}


FEW = settings(max_examples=25, deadline=None, derandomize=True)
MANY = settings(max_examples=40, deadline=None, derandomize=True)


def require_as_the_oracle_in_the_lds(program):
    is_race, is_same = races([[[("write", slot, 0) for slot in range(SLOTS)], [], []], *program])
    first = [[("write", slot, 0) for slot in range(SLOTS)], [], []]
    found = judged([first, *program], "LDS", ["lds-race", "same-value"])
    assert ("lds-race" in found) == is_race
    if not is_race:
        assert ("same-value" in found) == is_same


def require_as_the_oracle_in_memory(program):
    is_race, _ = races(program)
    assert ("global-race" in judged(program, "memory", ["global-race"])) == is_race


@pytest.mark.slow
@FEW
@given(PROGRAM)
def test_races_in_the_lds_are_those_of_the_oracle(program):
    require_as_the_oracle_in_the_lds(program)


@pytest.mark.slow
@FEW
@given(PROGRAM)
def test_races_in_memory_are_those_of_the_oracle(program):
    require_as_the_oracle_in_memory(program)


@pytest.mark.slow
@MANY
@given(PROGRAM)
def test_races_in_the_lds_of_many_programs(program):
    require_as_the_oracle_in_the_lds(program)


@pytest.mark.slow
@MANY
@given(PROGRAM)
def test_races_in_memory_of_many_programs(program):
    require_as_the_oracle_in_memory(program)


def test_the_order_of_waves_makes_no_difference():
    """What one program finds, all programs with the waves' parts exchanged find."""
    parts = [[("write", 0, 7)], [("write", 0, 5)], []]
    begin = [[("write", 0, 7)], [], []]
    for first, second, third in [(0, 1, 2), (1, 0, 2), (2, 1, 0), (0, 2, 1)]:
        phase = [parts[first], parts[second], parts[third]]
        assert judged([begin, phase], "LDS", ["lds-race"]) == {"lds-race"}

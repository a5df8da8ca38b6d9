"""Hazards across branches: every way to an instruction counts, and only ways that there are."""

from __future__ import annotations

from layoutalg.codegen.gfx9.hazards import hazards_of
from tests.codegen.gfx9.hazards.wait_states import snippet

EXP, ADD = "v_exp_f32_e32 v4, v0", "v_add_f32_e32 v5, v4, v1"
MFMA = "v_mfma_f32_32x32x8_f16 v[0:15], v[20:21], v[22:23], v[0:15]"


def found(*lines, target="gfx942", strictly=True):
    hazards = hazards_of(snippet("\n".join(lines), target), strictly=strictly)
    return [(hazard.producer, hazard.consumer, hazard.found) for hazard in hazards]


def test_the_shorter_of_two_ways_counts():
    ways = ("s_cbranch_scc1 far", MFMA, "s_nop 8", "s_branch near", "far:", MFMA, "s_nop 3", "near:")
    assert found(*ways, "v_add_f32_e32 v40, v1, v41") == [(1, 6, 10), (4, 6, 4)]


def test_around_a_loop():
    turn = ("turn:", "v_add_f32_e32 v40, v1, v41", "s_nop 2", MFMA, "s_cbranch_scc1 turn", "s_endpgm")
    assert found(*turn) == [(2, 0, 1)]


def test_around_a_loop_to_itself():
    turn = (
        "turn:",
        "v_mfma_f32_32x32x8_f16 v[0:15], v[0:1], v[22:23], v[0:15]",
        "s_cbranch_scc1 turn",
        "s_endpgm",
    )
    assert found(*turn) == [(0, 0, 1)]


def test_what_is_never_reached_does_not_count():
    assert found("s_branch on", EXP, "on:", ADD, "s_endpgm") == []
    assert found("s_endpgm", EXP, ADD) == []


def test_a_branch_on_the_way_is_one_wait_state_for_llvm_and_more_in_fact():
    lines = (MFMA, "s_branch on", "on:", "s_nop 1", "v_add_f32_e32 v40, v1, v41", "s_endpgm")
    assert found(*lines) == [(0, 3, 3)]
    taken = (MFMA, "s_branch on", "s_endpgm", "on:", "s_nop 1", "v_add_f32_e32 v40, v1, v41", "s_endpgm")
    assert found(*taken) == [(0, 4, 3)]
    assert found(*taken, strictly=False) == [(0, 4, 10)]


def test_a_matrix_instruction_waits_for_the_passes_of_the_one_before():
    other = "v_mfma_f32_32x32x8_f16 v[64:79], v[20:21], v[22:23], v[64:79]"
    lines = (MFMA, other, "s_nop 2", "v_add_f32_e32 v40, v1, v41")
    assert found(*lines) == [(0, 3, 4)]
    assert found(*lines, strictly=False) == []
    assert found(MFMA, other, "s_nop 1", "v_add_f32_e32 v40, v1, v41", strictly=False) == [(0, 3, 10)]


def test_an_older_result_does_not_count_once_it_is_renewed():
    again = "v_mfma_f32_4x4x4_16b_f16 v[0:3], v[20:21], v[22:23], 0"
    assert found(MFMA, "s_nop 9", again, "s_nop 4", "v_add_f32_e32 v40, v1, v41") == []
    assert found(MFMA, "s_nop 1", again, "s_nop 4", "v_add_f32_e32 v40, v4, v41") == [(0, 4, 8)]

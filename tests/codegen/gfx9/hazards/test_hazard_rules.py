"""Every rule one wait state short and with all of them; the numbers are LLVM's, written down by hand.

Source: LLVM, GCNHazardRecognizer.cpp: the constants of checkMAIHazards908, checkMAIHazards90A,
checkMAIVALUHazards, checkVALUHazards and others, and the comments of its functions ``GFX940_...`` by passes.
"""

from __future__ import annotations

import re

import pytest

from layoutalg.codegen.gfx9.assembly import UnknownInstructionError
from layoutalg.codegen.gfx9.hazards import HAZARD_RULES
from tests.codegen.gfx9.hazards.wait_states import hazards_at_last
from tests.refusals import refused

M90A = {  # by passes
    2: "v_mfma_f32_4x4x4f16 v[0:3], v[20:21], v[22:23], v[0:3]",
    8: "v_mfma_f32_16x16x16f16 v[0:3], v[20:21], v[22:23], v[0:3]",
    16: "v_mfma_f32_32x32x8f16 v[0:15], v[20:21], v[22:23], v[0:15]",
}
M942 = {
    2: "v_mfma_f32_4x4x4_16b_f16 v[0:3], v[20:21], v[22:23], v[0:3]",
    4: "v_mfma_f32_16x16x16_f16 v[0:3], v[20:21], v[22:23], v[0:3]",
    8: "v_mfma_f32_32x32x8_f16 v[0:15], v[20:21], v[22:23], v[0:15]",
    16: "v_mfma_f32_32x32x4_2b_f16 v[0:31], v[40:41], v[42:43], v[0:31]",
}
S942 = {
    2: "v_mfma_f32_4x4x1_16b_f32 v[0:3], v20, v22, v[0:3]",
    8: "v_mfma_f32_16x16x4_f32 v[0:3], v20, v22, v[0:3]",
    16: "v_mfma_f32_32x32x2_f32 v[0:15], v20, v22, v[0:15]",
}
M908 = {
    2: "v_mfma_f32_4x4x4f16 a[0:3], v[20:21], v[22:23], a[0:3]",
    8: "v_mfma_f32_16x16x16f16 a[0:3], v[20:21], v[22:23], a[0:3]",
    16: "v_mfma_f32_32x32x8f16 a[0:15], v[20:21], v[22:23], a[0:15]",
}
D_SMALL = {
    "gfx90a": "v_mfma_f64_4x4x4f64 v[0:1], v[20:21], v[22:23], v[0:1]",
    "gfx942": "v_mfma_f64_4x4x4_4b_f64 v[0:1], v[20:21], v[22:23], v[0:1]",
    "gfx950": "v_mfma_f64_4x4x4_4b_f64 v[0:1], v[20:21], v[22:23], v[0:1]",
}
D_LARGE = {
    "gfx90a": "v_mfma_f64_16x16x4f64 v[0:7], v[20:21], v[22:23], v[0:7]",
    "gfx942": "v_mfma_f64_16x16x4_f64 v[0:7], v[20:21], v[22:23], v[0:7]",
    "gfx950": "v_mfma_f64_16x16x4_f64 v[0:7], v[20:21], v[22:23], v[0:7]",
}
ADD = "v_add_f32_e32 v60, v1, v61"
STORE = "global_store_dword v[62:63], v1, off"
LDS = "ds_write_b32 v62, v1"
MOVE = "v_mov_b32_e32 v1, v61"
LOAD = "global_load_dword v1, v[62:63], off"
FACTOR_90A = "v_mfma_f32_16x16x16f16 v[64:67], v[0:1], v[22:23], v[64:67]"
FACTOR = "v_mfma_f32_16x16x16_f16 v[64:67], v[0:1], v[22:23], v[64:67]"
SUM_90A = "v_mfma_f32_16x16x16f16 v[64:67], v[20:21], v[22:23], v[2:5]"
SUM = "v_mfma_f32_16x16x16_f16 v[64:67], v[40:41], v[42:43], v[2:5]"
SINGLE_SUM = "v_mfma_f32_16x16x4_f32 v[64:67], v40, v42, v[2:5]"
SAME_SUM = "v_mfma_f32_16x16x16_f16 v[64:67], v[20:21], v[22:23], v[0:3]"
DOUBLE_SUM_90A = "v_mfma_f64_4x4x4f64 v[64:65], v[20:21], v[22:23], v[2:3]"
DOUBLE_SUM = "v_mfma_f64_4x4x4_4b_f64 v[64:65], v[40:41], v[42:43], v[2:3]"
TO_A = "v_accvgpr_write_b32 a1, v60"
SUM_908 = "v_mfma_f32_16x16x16f16 a[16:19], v[20:21], v[22:23], a[2:5]"
FACTOR_908 = "v_mfma_f32_16x16x16f16 a[16:19], a[2:3], v[22:23], a[16:19]"
DPP = "v_mov_b32_dpp v3, {} row_shr:1 row_mask:0xf bank_mask:0xf"
DPP_ADD = "v_add_f32_dpp v3, v4, v1 row_shr:1 row_mask:0xf bank_mask:0xf"
SDWA = "v_add_f16_sdwa v0, v5, v6 dst_sel:{} dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD"
SETS_MODE = "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s1"
CMP, CMPX = "v_cmp_eq_u32_e32 vcc, v60, v61", "v_cmpx_eq_u32_e32 vcc, v60, v61"
OTHERS = (ADD, STORE, LDS, MOVE, LOAD)

ALL = ("gfx908", "gfx90a", "gfx942", "gfx950")
NEW = ("gfx942", "gfx950")
Case = tuple[str, tuple[str, ...], int]


def _by_passes(
    target: str, producers: dict[int, str], consumers: tuple[str, ...], wanted: dict[int, int]
) -> list[Case]:
    return [(target, (producers[n], later), states) for n, states in wanted.items() for later in consumers]


MATRIX: list[Case] = [
    *_by_passes("gfx90a", M90A, OTHERS, {2: 5, 8: 11, 16: 19}),
    *_by_passes("gfx942", M942, OTHERS, {2: 5, 4: 7, 8: 11, 16: 19}),
    *_by_passes("gfx950", M942, OTHERS, {2: 5, 4: 8, 8: 12, 16: 20}),
    *_by_passes("gfx942", S942, OTHERS, {2: 4, 8: 10, 16: 18}),
    *_by_passes("gfx950", S942, OTHERS, {2: 4, 8: 10, 16: 18}),
    *_by_passes("gfx90a", M90A, (FACTOR_90A,), {2: 5, 8: 11, 16: 19}),
    *_by_passes("gfx942", M942, (FACTOR,), {2: 5, 4: 7, 8: 11, 16: 19}),
    *_by_passes("gfx950", M942, (FACTOR,), {2: 5, 4: 8, 8: 12, 16: 20}),
    *_by_passes("gfx942", S942, (FACTOR,), {2: 4, 8: 10, 16: 18}),
    *_by_passes("gfx90a", M90A, (SUM_90A,), {2: 2, 8: 8, 16: 16}),
    *_by_passes("gfx90a", M90A, (DOUBLE_SUM_90A,), {2: 3, 8: 9, 16: 17}),
    *_by_passes("gfx942", M942, (SUM, SINGLE_SUM, DOUBLE_SUM), {2: 3, 4: 5, 8: 9, 16: 17}),
    *_by_passes("gfx950", M942, (SUM,), {2: 4, 4: 6, 8: 10, 16: 18}),
    *_by_passes("gfx950", M942, (SINGLE_SUM, DOUBLE_SUM), {2: 3, 4: 6, 8: 10, 16: 18}),
    *_by_passes("gfx942", S942, (SINGLE_SUM, DOUBLE_SUM), {2: 2, 8: 8, 16: 16}),
    *_by_passes("gfx942", S942, (SUM,), {2: 0, 8: 0, 16: 0}),
    *_by_passes("gfx942", M942, (SAME_SUM,), {2: 2, 4: 0}),
    *_by_passes("gfx950", M942, (SAME_SUM,), {2: 2, 4: 0}),
    *_by_passes("gfx942", S942, (SAME_SUM,), {2: 2, 8: 0}),
    *[(t, (D_SMALL[t], STORE), 9) for t in ("gfx90a", *NEW)],
    *[(t, (D_SMALL[t], ADD), 6) for t in ("gfx90a", *NEW)],
    *[(t, (D_LARGE[t], STORE), 18) for t in ("gfx90a", *NEW)],
    *[(t, (D_LARGE[t], ADD), 11) for t in ("gfx90a", "gfx942")],
    ("gfx950", (D_LARGE["gfx950"], ADD), 19),
    *[(t, (D_SMALL[t], MOVE), 6) for t in ("gfx90a", *NEW)],
    *[(t, (D_LARGE[t], MOVE), 11) for t in ("gfx90a", *NEW)],
    ("gfx90a", (D_SMALL["gfx90a"], FACTOR_90A), 6),
    ("gfx90a", (D_LARGE["gfx90a"], FACTOR_90A), 11),
    ("gfx942", (D_LARGE["gfx942"], FACTOR), 11),
    ("gfx950", (D_LARGE["gfx950"], FACTOR), 19),
    ("gfx90a", (D_LARGE["gfx90a"], DOUBLE_SUM_90A), 9),
    ("gfx942", (D_LARGE["gfx942"], DOUBLE_SUM), 9),
    ("gfx950", (D_LARGE["gfx950"], DOUBLE_SUM), 17),
    ("gfx90a", (D_LARGE["gfx90a"], SUM_90A), 0),
    *[(t, (D_SMALL[t], D_SMALL[t]), 4) for t in ("gfx90a", *NEW)],
    *[(t, (D_LARGE[t], D_LARGE[t]), 0) for t in ("gfx90a", *NEW)],
    *[(t, (D_SMALL[t], "v_fma_f64 v[60:61], v[62:63], v[64:65], v[66:67]"), 2) for t in ("gfx90a", *NEW)],
    *[
        (t, (f"v_mfma_{name} v[64:67], v[20:21], v[22:23], v[0:3]", MOVE), wanted)
        for t, name, wanted in (
            ("gfx90a", "f32_4x4x4f16", 1), ("gfx90a", "f32_16x16x16f16", 7),
            ("gfx942", "f32_4x4x4_16b_f16", 1), ("gfx942", "f32_16x16x16_f16", 3),
            ("gfx950", "f32_16x16x16_f16", 3),
        )
    ],
    ("gfx942", ("v_mfma_f32_32x32x8_f16 v[64:79], v[20:21], v[22:23], v[0:15]", MOVE), 7),
    ("gfx90a", ("v_mfma_f32_32x32x8f16 v[64:79], v[20:21], v[22:23], v[0:15]", MOVE), 15),
    ("gfx942", ("v_mfma_f32_16x16x4_f32 v[64:67], v20, v22, v[0:3]", MOVE), 0),
    ("gfx90a", (MOVE, FACTOR_90A), 2),
    *[(t, (MOVE, FACTOR), 2) for t in NEW],
    ("gfx90a", (CMPX, FACTOR_90A), 4),
    *[(t, (CMPX, FACTOR), 4) for t in NEW],
    ("gfx90a", ("v_mov_b32_e32 v1, v61", "v_mfma_f64_4x4x4f64 v[30:31], v[20:21], v[22:23], 0", STORE), 1),
]  # fmt: skip

MATRIX_908: list[Case] = [
    *_by_passes("gfx908", M908, ("v_accvgpr_read_b32 v60, a1",), {2: 4, 8: 10, 16: 18}),
    *_by_passes("gfx908", M908, (TO_A,), {2: 1, 8: 7, 16: 15}),
    *_by_passes("gfx908", M908, (SUM_908,), {2: 2, 8: 2}),
    *_by_passes("gfx908", M908, (FACTOR_908,), {8: 4, 16: 4}),
    ("gfx908", (M908[8], M908[8]), 0),
    ("gfx908", ("v_mfma_f32_16x16x16f16 a[16:19], v[20:21], v[22:23], a[0:3]", TO_A), 5),
    ("gfx908", ("v_mfma_f32_32x32x8f16 a[16:31], v[20:21], v[22:23], a[0:15]", TO_A), 13),
    ("gfx908", (TO_A, M908[8]), 1),
    ("gfx908", (TO_A, "v_mfma_f32_16x16x16f16 a[16:19], a[0:1], v[22:23], 0"), 3),
    ("gfx908", (TO_A, "v_accvgpr_read_b32 v61, a1"), 3),
    ("gfx908", (CMPX, M908[8]), 4),
    ("gfx908", (CMPX, TO_A), 4),
    ("gfx908", ("v_mov_b32_e32 v20, v61", M908[8]), 2),
    ("gfx908", ("v_mov_b32_e32 v20, v61", "v_accvgpr_write_b32 a1, v20"), 2),
    ("gfx908", ("v_accvgpr_read_b32 v1, a1", STORE), 2),
    ("gfx908", ("v_mov_b32_e32 v1, v61", TO_A, STORE), 1),
]  # fmt: skip

VALU: list[Case] = [
    *[(t, ("v_readfirstlane_b32 s4, v1", "buffer_load_dword v2, v3, s[4:7], 0 offen"), 5) for t in ALL],
    *[(t, ("v_cmp_eq_u32_e64 s[4:5], v1, v2", "global_load_dword v2, v3, s[4:5]"), 5) for t in ALL],
    *[(t, ("v_readfirstlane_b32 s4, v1", "v_readlane_b32 s5, v2, s4"), 4) for t in ALL],
    *[(t, ("v_readfirstlane_b32 s4, v1", "v_writelane_b32 v2, 3, s4"), 4) for t in ALL],
    *[(t, ("v_div_scale_f32 v0, vcc, v1, v1, v2", "v_div_fmas_f32 v3, v4, v5, v6"), 4) for t in ALL],
    *[(t, (CMP, "v_div_fmas_f64 v[2:3], v[4:5], v[6:7], v[8:9]"), 4) for t in ALL],
    *[(t, (CMPX, DPP.format("v4")), 5) for t in ALL],
    *[(t, ("v_mov_b32_e32 v1, v2", DPP.format("v1")), 2) for t in ALL],
    *[(t, (CMP, "v_mov_b32_e32 v3, src_vccz"), 5) for t in ALL],
    *[(t, ("buffer_store_dwordx4 v[0:3], v4, s[4:7], 0 offen", "v_mov_b32_e32 v3, v9"), 1) for t in ALL[:2]],
    *[(t, ("buffer_store_dwordx4 v[0:3], v4, s[4:7], 0 offen", "v_mov_b32_e32 v3, v9"), 2) for t in NEW],
    *[(t, ("buffer_store_dwordx4 v[0:3], v4, s[4:7], s8 offen", "v_mov_b32_e32 v3, v9"), 0) for t in ALL],
    *[(t, ("buffer_store_dwordx2 v[0:1], v4, s[4:7], 0 offen", "v_mov_b32_e32 v1, v9"), 0) for t in ALL],
    *[(t, ("global_store_dwordx3 v4, v[0:2], s[4:5]", "v_mov_b32_e32 v2, v9"), 1) for t in ALL[:2]],
    *[(t, ("flat_store_dwordx4 v[4:5], v[0:3]", "v_mov_b32_e32 v2, v9"), 2) for t in NEW],
    *[(t, ("ds_write_b128 v4, v[0:3]", "v_mov_b32_e32 v2, v9"), 0) for t in ALL],
    *[(t, ("v_readfirstlane_b32 s4, v1", "v_add_f32_e32 v2, s4, v3"), 2) for t in NEW],
    *[(t, (CMP, "v_cndmask_b32_e32 v3, v4, v5, vcc"), 2) for t in NEW],
    *[(t, ("v_readfirstlane_b32 s4, v1", "v_add_f32_e32 v2, s4, v3"), 0) for t in ALL[:2]],
    *[(t, ("v_mov_b32_e32 v1, v2", "v_readfirstlane_b32 s4, v1"), 1) for t in NEW],
    *[(t, ("v_mov_b32_e32 v1, v2", "v_readlane_b32 s4, v1, 3"), 1) for t in NEW],
    *[(t, ("v_mov_b32_e32 v1, v2", "v_readlane_b32 s4, v1, 3"), 0) for t in ALL[:2]],
    *[(t, (CMPX, "v_readfirstlane_b32 s4, v3"), 4) for t in NEW],
    *[(t, (CMPX, "v_writelane_b32 v3, 5, 3"), 4) for t in NEW],
    *[(t, (SDWA.format("WORD_1"), "v_add_f32_e32 v3, v0, v4"), 1) for t in NEW],
    *[(t, (SDWA.format("DWORD"), "v_add_f32_e32 v3, v0, v4"), 0) for t in NEW],
    *[(t, ("v_add_f16_e64 v0, v1, v2 op_sel:[0,0,1]", "v_mov_b32_e32 v0, v4"), 1) for t in NEW],
    *[(t, ("v_cvt_pk_fp8_f32 v0, v1, v2 op_sel:[0,0,1]", "v_add_f32_e32 v3, v0, v4"), 1) for t in NEW],
    *[(t, ("v_mov_b32_e32 v1, v2", DPP_ADD), 2) for t in ALL],
    *[(t, ("v_pk_add_f16 v0, v1, v2", "v_mov_b32_e32 v3, v0"), 1) for t in NEW],
    *[(t, ("v_pk_add_f16 v0, v1, v2 op_sel_hi:[0,0]", "v_mov_b32_e32 v3, v0"), 0) for t in NEW],
    ("gfx950", ("v_mov_b32_e32 v0, v1", "v_permlane16_swap_b32_e32 v0, v2"), 2),
    ("gfx950", (CMPX, "v_permlane32_swap_b32_e32 v3, v4"), 4),
    *[(t, ("v_dot4_i32_i8 v0, v1, v2, v3", "v_add_f32_e32 v4, v0, v5"), 3) for t in ALL[1:]],
    *[(t, ("v_dot4_i32_i8 v0, v1, v2, v3", "v_dot4_i32_i8 v4, v0, v2, v3"), 3) for t in ALL[1:]],
    *[(t, ("v_dot4_i32_i8 v0, v1, v2, v3", "v_dot4_i32_i8 v4, v1, v2, v0"), 0) for t in ALL[1:]],
    *[(t, ("v_dot4_i32_i8 v0, v1, v2, v3", "v_mov_b32_e32 v0, v5"), 3) for t in ALL[1:]],
    *[(t, ("s_mov_b32 m0, s1", "s_sendmsg sendmsg(MSG_INTERRUPT)"), 1) for t in ALL],
    *[(t, ("s_mov_b32 m0, s1", "s_movrels_b32 s2, s3"), 1) for t in ALL],
    *[(t, ("s_mov_b32 m0, s1", "buffer_load_dword v1, s[4:7], 0 offen lds"), 1) for t in ALL],
    *[(t, (SETS_MODE, "s_getreg_b32 s2, hwreg(HW_REG_MODE)"), 2) for t in ALL],
    *[(t, (SETS_MODE, "s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s2"), 2) for t in ALL],
    *[(t, (SETS_MODE, "s_getreg_b32 s2, hwreg(HW_REG_STATUS)"), 0) for t in ALL],
    *[(t, ("s_setreg_b32 hwreg(HW_REG_TRAPSTS), s1", "s_rfe_b64 s[2:3]"), 1) for t in ALL],
    *[(t, ("s_setreg_b32 hwreg(HW_REG_MODE), s1", "v_mov_b32_e32 v1, v2"), 2) for t in ALL],
    *[(t, (SETS_MODE, "v_mov_b32_e32 v1, v2"), 0) for t in ALL],
]  # fmt: skip

TRANSCENDENTAL: list[Case] = [
    (target, (f"{name} v[0:1], v[2:3]" if "f64" in name else f"{name} v0, v2", later), wanted)
    for name in (
        "v_exp_f32", "v_log_f32", "v_rcp_f32", "v_rcp_iflag_f32", "v_rsq_f32", "v_sqrt_f32", "v_sin_f32",
        "v_cos_f32",
        "v_exp_f16", "v_log_f16", "v_rcp_f16", "v_rsq_f16", "v_sqrt_f16", "v_sin_f16", "v_cos_f16",
        "v_rcp_f64", "v_rsq_f64", "v_sqrt_f64",
    )
    for target, later, wanted in (
        ("gfx942", "v_add_f32_e32 v4, v0, v5", 1), ("gfx950", "v_fmac_f32_e32 v0, v4, v5", 1),
        ("gfx942", "v_exp_f32_e32 v4, v0", 0), ("gfx90a", "v_add_f32_e32 v4, v0, v5", 0),
    )
]  # fmt: skip

CASES = [*MATRIX, *MATRIX_908, *VALU, *TRANSCENDENTAL]


def named(case: Case) -> str:
    return "-".join((case[0], *(re.sub(r"\W+", "_", line)[:24] for line in case[1]), str(case[2])))


@pytest.mark.sample(3)
@pytest.mark.parametrize("case", CASES, ids=named)
def test_one_wait_state_less_than_wanted_is_a_hazard(case):
    target, lines, wanted = case
    assert hazards_at_last(lines, wanted, target) == []
    if wanted:
        found = hazards_at_last(lines, wanted - 1, target)
        assert [hazard.wanted - hazard.found for hazard in found] == [1]
        assert found[0].message.endswith("put s_nop 0 between")


def test_every_rule_is_broken_by_some_case():
    broken = {
        (hazard.rule, target)
        for target, lines, wanted in CASES
        if wanted
        for hazard in hazards_at_last(lines, wanted - 1, target)
    }
    every = {(rule.name, target) for rule in HAZARD_RULES for target in rule.targets}
    assert every == broken


def test_disputed_rules_are_those_of_a_strict_search():
    lines = (CMP, "v_cndmask_b32_e32 v3, v4, v5, vcc")
    assert hazards_at_last(lines, 0, "gfx942", strictly=True)
    assert not hazards_at_last(lines, 0, "gfx942", strictly=False)


def test_what_an_mfma_without_a_row_takes_is_refused():
    line = "v_mfma_f32_16x16x4_f32 v[0:3], v4, v5, v[0:3]"
    with refused(UnknownInstructionError, "v_mfma_f32_16x16x4_f32", "gfx90a"):
        hazards_at_last((line, line), 0, "gfx90a")

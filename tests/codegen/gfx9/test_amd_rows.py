"""What AMD's hand-written kernels use: registers chosen by M0, skipped vectors, scalar stores, modes."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.gfx9.assembly import Assembly, UnknownInstructionError, parse_instruction
from layoutalg.codegen.gfx9.register_indexing import with_indexed_operands
from layoutalg.codegen.kernel import ExecutionFaultError
from tests.codegen.gfx9.snippet import run_snippet
from tests.refusals import refused

LANE = np.arange(64, dtype=np.uint32)
FIRST = """
    v_readfirstlane_b32 s0, v0
"""


def test_sources_and_targets_are_chosen_by_the_low_byte_of_m0():
    """Each of two waves has an index of its own; lanes that are off keep what they have."""
    index = np.array([[3], [1]]) * np.ones((2, 64), dtype=int)
    held = {register: 100 * register + LANE for register in range(4, 9)}
    lines = f"""{FIRST}
    s_mov_b32 m0, 0xabcdefff
    s_mov_b64 exec, 0xff
    s_set_gpr_idx_on s0, gpr_idx(SRC0,DST)
    v_add_u32_e32 v10, v4, v8
    s_set_gpr_idx_off
    s_mov_b64 exec, -1
    s_mov_b32 s1, m0
    v_add_u32_e32 v20, v4, v8
    """
    found = run_snippet(lines, v={0: index, **held, **dict.fromkeys(range(10, 14), 7)}, waves=2)
    for wave, chosen in ((0, 3), (1, 1)):
        wanted = np.where(LANE < 8, 100 * (4 + chosen) + 800 + 2 * LANE, 7)
        assert (found.v(10 + chosen, wave) == wanted).all()
        assert all((found.v(10 + other, wave) == 7).all() for other in range(4) if other != chosen)
        assert found.s(1, wave) == 0xABCD9F00 | chosen  # SRC0 and DST are bits 12 and 15
        assert (found.v(20, wave) == 1200 + 2 * LANE).all()


def test_a_lane_of_a_chosen_register_is_written():
    lines = """
    s_set_gpr_idx_on s2, gpr_idx(DST)
    v_writelane_b32 v4, s3, 17
    s_set_gpr_idx_off
    """
    found = run_snippet(lines, s={2: 2, 3: 99}, v=dict.fromkeys(range(4, 8), 5))
    assert (found.v(6) == np.where(LANE == 17, 99, 5)).all()
    assert all((found.v(register) == 5).all() for register in (4, 5, 7))


def test_a_chosen_register_that_is_being_loaded_is_a_fault():
    lines = """
    v_mov_b32 v1, 0
    global_load_dword v6, v1, s[20:21]
    {wait}
    s_set_gpr_idx_on s2, gpr_idx(SRC0)
    v_mov_b32_e32 v9, v4
    s_set_gpr_idx_off
    """
    given = np.full(64, 42, np.uint32)
    found = run_snippet(lines.format(wait="s_waitcnt vmcnt(0)"), s={2: 2}, buffers=[given])
    assert (found.v(9) == 42).all()
    with refused(ExecutionFaultError, "v6"):
        run_snippet(lines.format(wait=""), s={2: 2}, buffers=[given])


@pytest.mark.parametrize(
    "inside", ["v_mov_b32_dpp v1, v2 row_shr:1", "ds_read_b32 v1, v2", "s_mov_b32 s0, 0"]
)
def test_what_is_no_plain_arithmetic_is_refused_where_registers_are_indexed(inside):
    lines = ["s_set_gpr_idx_on s2, gpr_idx(SRC0)", inside, "s_set_gpr_idx_off"]
    given = [parse_instruction(line, number) for number, line in enumerate(lines)]
    with refused(UnknownInstructionError):
        with_indexed_operands(given, ())
    plain = [given[0], parse_instruction("v_mov_b32 v1, v2", 1), given[2]]
    with refused(UnknownInstructionError):
        with_indexed_operands(plain, {1})


def test_waves_pass_over_vector_instructions_while_a_bit_is_set():
    """The first wave skips arithmetic, stores and the LDS, and none of its scalar instructions."""
    number = np.array([[0], [1]]) * np.ones((2, 64), dtype=int)
    lines = f"""{FIRST}
    s_xor_b32 s1, s0, 1
    s_lshl_b32 s1, s1, 5
    s_setvskip s1, 5
    v_mov_b32 v2, 8
    global_store_dword v3, v0, s[20:21]
    s_add_u32 s3, s0, 4
    s_setvskip 0, 0
    v_mov_b32 v4, 9
    """
    memory = np.zeros(64, np.uint32)
    found = run_snippet(lines, v={0: number, 2: 1, 3: 4 * LANE}, waves=2, buffers=[memory])
    assert [found.v(2, wave)[0] for wave in range(2)] == [1, 8]
    assert [found.s(3, wave) for wave in range(2)] == [4, 5]
    assert [found.v(4, wave)[0] for wave in range(2)] == [9, 9]
    assert (memory == 1).all()


def test_scalars_are_stored():
    lines = """
    s_store_dword s0, s[20:21], 0x8
    s_store_dwordx2 s[2:3], s[20:21], 0x14
    s_waitcnt lgkmcnt(0)
    """
    memory = np.zeros(8, np.uint32)
    run_snippet(lines, s={0: 5, 2: 6, 3: 7}, buffers=[memory])
    assert memory.tolist() == [0, 0, 5, 0, 0, 6, 7, 0]
    with refused(ExecutionFaultError):
        run_snippet(lines, s={0: 5, 2: 6}, buffers=[memory])


def test_four_bits_become_a_sixteenth():
    signed = np.array([n - 16 if n >= 8 else n for n in range(16)]) / 16
    found = run_snippet("v_cvt_off_f32_i4 v1, v0", v={0: 0xABCD00 + (LANE & 0xF)})
    assert (found.v(1).view(np.float32) == np.tile(signed, 4)).all()


@pytest.mark.parametrize(
    "text",
    [
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3",  # rounding
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0",  # denormals of f32
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 6, 2), 1",
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1",  # FP16_OVFL
        "s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s0",
        "s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 4), 0",
    ],
)
def test_a_change_of_modes_is_refused(text):
    with refused(UnknownInstructionError, "MODE"):
        run_snippet(text, s={0: 0})


@pytest.mark.parametrize("bits", ["0, 4), 0", "4, 4), 0xf", "4, 2), 3", "12, 9), 0", "23, 1), 0"])
def test_modes_may_be_set_to_what_they_are(bits):
    run_snippet(f"s_setreg_imm32_b32 hwreg(HW_REG_MODE, {bits}")


def test_where_nothing_names_accumulators_all_registers_are_vectors():
    def named(text):
        return Assembly("one", "gfx942", (parse_instruction(text, 1),), {}, {}).names_accumulators

    assert named("v_accvgpr_write_b32 a3, v0")
    assert named("v_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], a[0:3]")
    assert not named("v_add_u32 v200, v1, v2")


def test_what_goes_straight_into_the_lds_begins_at_any_word():
    """Each lane brings 16 bytes; a read of as many wants them aligned to 16, from words it does not."""
    lines = """
    s_mov_b32 m0, {start}
    global_load_lds_dwordx4 v0, s[20:21]
    s_waitcnt vmcnt(0)
    ds_read_b32 v2, v1
    s_waitcnt lgkmcnt(0)
    """
    given = np.arange(256, dtype=np.uint32)
    found = run_snippet(
        lines.format(start=8),
        v={0: 16 * LANE, 1: 8 + 16 * LANE + 4},
        lds=2048,
        buffers=[given],
        target="gfx950",
    )
    assert (found.v(2) == 4 * LANE + 1).all()
    with refused(ExecutionFaultError, "4"):
        run_snippet(lines.format(start=6), v={0: 16 * LANE, 1: 0}, lds=2048, buffers=[given], target="gfx950")

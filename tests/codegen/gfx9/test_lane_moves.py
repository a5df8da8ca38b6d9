"""Values from other lanes: DPP, swizzles, permutes, swaps, lanes to scalars and back."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pytest

from tests.codegen.gfx9.oracle.lanes import CONTROLS, dpp_source, dpp_writes, swizzle_source
from tests.codegen.gfx9.snippet import run_snippet
from tests.codegen.gfx9.words import LANES, number, rounded, word_of

LANE = np.arange(LANES)
VALUES = LANE * 3 + 100
OLD = LANE + 5000
EXECS = [2**64 - 1, 0xF0F0_AAAA_FFFF_0001, 0x0000_FFFF_8000_7FFF, 0]
MASKS = [(0xF, 0xF), (0xA, 0xF), (0x5, 0x6), (0xF, 0x8)]
SPLIT: dict[int, Any] = {0: [mask % 2**32 for mask in EXECS], 1: [mask >> 32 for mask in EXECS]}


def moved(control: str, lane: int, exec_mask: int, masks: tuple[int, int], bound: bool) -> int | None:
    """What a lane reads under DPP, None if it is not written."""
    source = dpp_source(control, lane)
    there = source is not None and exec_mask >> source & 1
    if not exec_mask >> lane & 1 or not dpp_writes(lane, *masks) or not (there or bound):
        return None
    return int(VALUES[source]) if source is not None and there else 0


@pytest.mark.sample(3)
@pytest.mark.parametrize("control", CONTROLS)
def test_a_dpp_move_takes_the_value_of_another_lane(control):
    cases = list(itertools.product(MASKS, (False, True)))
    lines = ["s_mov_b64 exec, s[0:1]"]
    for register, ((rows, banks), bound) in enumerate(cases, start=10):
        ends = " bound_ctrl:0" if bound else ""
        lines.append(f"v_mov_b32_dpp v{register}, v0 {control} row_mask:{rows:#x} bank_mask:{banks:#x}{ends}")
    registers = {0: VALUES, **dict.fromkeys(range(10, 10 + len(cases)), OLD)}
    run = run_snippet("\n".join(lines), v=registers, s=SPLIT, waves=len(EXECS))
    for register, (masks, bound) in enumerate(cases, start=10):
        for wave, exec_mask in enumerate(EXECS):
            wanted = [moved(control, lane, exec_mask, masks, bound) for lane in range(LANES)]
            wanted = [OLD[lane] if word is None else word for lane, word in enumerate(wanted)]
            assert run.v(register, wave).tolist() == wanted, (masks, bound, hex(exec_mask))


@pytest.mark.parametrize("control", ["row_shr:1", "row_bcast:31", "wave_ror:1", "quad_perm:[1,0,3,2]"])
@pytest.mark.parametrize("bound", [False, True])
def test_arithmetic_with_dpp_changes_its_first_source_after_the_move(control, bound):
    end = f"{control} row_mask:0xe bank_mask:0xf" + (" bound_ctrl:1" if bound else "")
    floats = {
        0: np.array([word_of("f32", float(lane - 20)) for lane in LANE]),
        1: np.array([word_of("f32", 0.5 - lane) for lane in LANE]),
    }
    lines = f"s_mov_b64 exec, s[0:1]\nv_add_f32_dpp v10, -v0, |v1| {end}"
    run = run_snippet(lines, v={**floats, 10: OLD}, s=SPLIT, waves=len(EXECS))
    for wave, exec_mask in enumerate(EXECS):
        wanted = []
        for lane in range(LANES):
            if moved(control, lane, exec_mask, (0xE, 0xF), bound) is None:
                wanted.append(int(OLD[lane]))
                continue
            source = dpp_source(control, lane)
            there = source is not None and exec_mask >> source & 1
            word = int(floats[0][source]) if source is not None and there else 0
            second = abs(number("f32", int(floats[1][lane])))
            wanted.append(rounded("f32", lambda a, b: -a + b, number("f32", word), second))
        assert run.v(10, wave).tolist() == wanted


def test_carries_and_choices_with_dpp():
    run = run_snippet(
        """
        v_add_co_u32_dpp v10, vcc, v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0
        s_mov_b64 s[4:5], vcc
        v_cndmask_b32_dpp v11, v0, v1, vcc quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
        v_addc_co_u32_dpp v12, vcc, v0, v1, vcc row_ror:4 row_mask:0xf bank_mask:0xf
        """,
        v={0: (LANE * 0x0800_0001) % 2**32, 1: 0x8000_0000 + LANE},
    )
    first = [lane * 0x0800_0001 % 2**32 for lane in range(LANES)]
    second = [0x8000_0000 + lane for lane in range(LANES)]
    sums = [(first[lane - 1] if lane % 16 else 0) + second[lane] for lane in range(LANES)]
    carries = [total >> 32 for total in sums]
    assert run.v(10).tolist() == [total % 2**32 for total in sums]
    assert run.pair(4) == sum(carry << lane for lane, carry in enumerate(carries))
    assert run.v(11).tolist() == [second[lane] if carries[lane] else first[lane ^ 1] for lane in range(LANES)]
    turned = [first[lane // 16 * 16 + (lane - 4) % 16] for lane in range(LANES)]
    totals = [a + b + c for a, b, c in zip(turned, second, carries, strict=True)]
    assert run.v(12).tolist() == [total % 2**32 for total in totals]
    assert run.vcc == sum(total >> 32 << lane for lane, total in enumerate(totals))


SPELLINGS = {  # as LLVM 22 assembles them for gfx942
    "swizzle(QUAD_PERM,3,1,0,2)": 0x8087,
    "swizzle(QUAD_PERM,0,1,2,3)": 0x80E4,
    'swizzle(BITMASK_PERM,"01pip")': 0x0907,
    'swizzle(BITMASK_PERM,"ppppp")': 0x001F,
    "swizzle(BROADCAST,8,3)": 0x0078,
    "swizzle(BROADCAST,32,17)": 0x0220,
    "swizzle(SWAP,4)": 0x101F,
    "swizzle(SWAP,16)": 0x401F,
    "swizzle(REVERSE,16)": 0x3C1F,
    "swizzle(REVERSE,2)": 0x041F,
    "swizzle(ROTATE,0,1)": 0xC020,
    "swizzle(ROTATE,1,3)": 0xC460,
    "swizzle(FFT,3)": 0xE003,
}
NUMBERS = [0, 1, 0x1F, 0x3E0, 0x7C1F, 0x7FFF, 0x2A55, 0x8000, 0x801B, 0x80FF, 0xC00C, 0xC7FF, 0xE000, 0xE01F]


@pytest.mark.sample(3)
@pytest.mark.parametrize("spelling", [*SPELLINGS, *map(str, NUMBERS), *map(hex, SPELLINGS.values())])
def test_a_swizzle_reads_the_lane_that_its_offset_says(spelling):
    offset = SPELLINGS[spelling] if "(" in spelling else int(spelling, 0)
    lines = f"s_mov_b64 exec, s[0:1]\nds_swizzle_b32 v10, v0 offset:{spelling}\ns_waitcnt lgkmcnt(0)"
    run = run_snippet(lines, v={0: VALUES, 10: OLD}, s=SPLIT, waves=len(EXECS))
    for wave, exec_mask in enumerate(EXECS):
        wanted = OLD.copy()
        for lane in range(LANES):
            source = swizzle_source(offset, lane)
            if exec_mask >> lane & 1:
                wanted[lane] = VALUES[source] if exec_mask >> source & 1 else 0
        assert run.v(10, wave).tolist() == wanted.tolist()


@pytest.mark.parametrize("offset", [0, 4, 252, 0xFFFC])
def test_permutes_push_and_pull_values_through_addresses(offset):
    generator = np.random.default_rng(5)
    places = generator.integers(0, 2**32, LANES, dtype=np.uint64)
    lines = f"""
    s_mov_b64 exec, s[0:1]
    ds_permute_b32 v10, v1, v0 offset:{offset}
    ds_bpermute_b32 v11, v1, v0 offset:{offset}
    s_waitcnt lgkmcnt(0)
    """
    registers = {0: VALUES, 1: places, 10: OLD, 11: OLD}
    run = run_snippet(lines, v=registers, s=SPLIT, waves=len(EXECS))
    chosen = [(int(place) + offset) // 4 % 64 for place in places]
    for wave, exec_mask in enumerate(EXECS):
        active = [lane for lane in range(LANES) if exec_mask >> lane & 1]
        pushed = {chosen[lane]: int(VALUES[lane]) for lane in active}  # the highest lane wins
        pulled = {lane: int(VALUES[chosen[lane]]) for lane in active if chosen[lane] in active}
        for register, found in ((10, pushed), (11, pulled)):
            wanted = [found.get(lane, 0) if lane in active else OLD[lane] for lane in range(LANES)]
            assert run.v(register, wave).tolist() == wanted


def test_lanes_to_scalars_by_numbers_registers_and_m0():
    run = run_snippet(
        """
        s_mov_b64 exec, 0
        s_movk_i32 s8, 0x7f
        s_mov_b32 m0, 17
        v_readlane_b32 s0, v0, 5
        v_readlane_b32 s1, v0, s8
        v_readlane_b32 s2, v0, m0
        v_readlane_b32 s3, v0, 63
        v_readfirstlane_b32 s4, v0
        s_mov_b32 exec_hi, 0x00f00000
        v_readfirstlane_b32 s5, v0
        """,
        v={0: VALUES},
    )
    assert [run.s(register) for register in range(6)] == [
        int(VALUES[lane]) for lane in (5, 63, 17, 63, 0, 52)
    ]


def test_scalars_to_lanes_whether_they_are_on_or_not():
    run = run_snippet(
        """
        s_mov_b64 exec, 0
        s_movk_i32 s8, 0x46
        s_mov_b32 m0, 17
        v_writelane_b32 v0, s8, 3
        v_writelane_b32 v0, -5, s8
        v_writelane_b32 v0, 1.0, m0
        v_writelane_b32 v0, m0, 63
        s_mov_b32 vcc_lo, 9
        v_writelane_b32 v0, vcc_lo, 62
        """,
        v={0: VALUES},
    )
    wanted = VALUES.tolist()
    for lane, word in {3: 0x46, 6: 2**32 - 5, 17: 0x3F800000, 63: 17, 62: 9}.items():
        wanted[lane] = word
    assert run.v(0).tolist() == wanted


@pytest.mark.parametrize("rows", [16, 32])
def test_rows_of_two_registers_change_places(rows):
    run = run_snippet(f"v_permlane{rows}_swap_b32 v0, v1", v={0: VALUES, 1: OLD}, target="gfx950")
    first, second = VALUES.tolist(), OLD.tolist()
    for lane in range(LANES):
        if lane // rows % 2 == 0:
            first[lane + rows], second[lane] = second[lane], first[lane + rows]
    assert run.v(0).tolist() == first
    assert run.v(1).tolist() == second


def test_the_controls_of_dpp_are_all_there():
    names = {re.split(r"[:\[]", control)[0] for control in CONTROLS}
    assert len(names) == 12

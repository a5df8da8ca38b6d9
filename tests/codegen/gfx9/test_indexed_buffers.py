"""Buffers with an index, an offset or both: addresses, what lies beyond, and loads into the LDS.

With an index and a stride the length of a resource counts elements, else bytes (LLVM and Mesa: "On GFX9
IDXEN matters for interpretation of buffer sizes"). The offset within an element stays below the stride here.
"""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.kernel import ExecutionFaultError
from tests.codegen.gfx9.snippet import run_snippet
from tests.refusals import refused

LANE = np.arange(64)
DATA = np.arange(1, 1025, dtype=np.uint32)


def resource(stride: int, length: int) -> str:
    return f"""
    s_mov_b32 s0, s20
    s_or_b32 s1, s21, {stride << 16:#x}
    s_mov_b32 s2, {length}
    s_mov_b32 s3, 0x00027000
    s_mov_b32 s4, 16
    """


MODES = {"": "off", "idxen": "v1", "offen": "v2", "idxen offen": "v[1:2]"}
INDEX, OFFSET = (LANE * 7) % 40, (LANE * 4) % 12


def byte_of(mode: str, stride: int, lane: int, constant: int, scalar: int) -> int:
    found = constant + scalar
    found += stride * int(INDEX[lane]) if "idxen" in mode else 0
    return found + (int(OFFSET[lane]) if "offen" in mode else 0)


def is_inside(mode: str, stride: int, lane: int, place: int, length: int) -> bool:
    if "idxen" in mode and stride:
        return int(INDEX[lane]) < length
    return place + 4 <= length


@pytest.mark.sample(5)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("stride", [0, 12, 20])
@pytest.mark.parametrize(("constant", "scalar"), [(0, "0"), (4, "0"), (4, "s4"), (0, "s4")])
@pytest.mark.parametrize("length", [4096, 30, 0])
def test_loads_and_stores_go_to_element_and_offset(mode, stride, constant, scalar, length):
    by = 16 if scalar == "s4" else 0
    end = f"{MODES[mode]}, s[0:3], {scalar} {mode}" + (f" offset:{constant}" if constant else "")
    first, second = (0, OFFSET) if "idxen" not in mode else (INDEX, OFFSET)
    registers = {1: first, 2: second, 3: 7, 4: LANE + 5000}
    data = DATA.copy()
    lines = f"{resource(stride, length)}\nbuffer_load_dword v3, {end}\ns_waitcnt vmcnt(0)"
    found = run_snippet(f"{lines}\nbuffer_store_dword v4, {end}", v=registers, buffers=[data])
    left, wanted = DATA.copy(), []
    for lane in range(64):
        place = byte_of(mode, stride, lane, constant, by)
        inside = is_inside(mode, stride, lane, place, length)
        wanted.append(int(DATA[place // 4]) if inside else 0)
        if inside:
            left[place // 4] = lane + 5000
    assert found.v(3).tolist() == wanted
    assert data.tolist() == left.tolist()


def test_each_word_of_a_raw_access_is_inside_or_not_by_itself():
    found = run_snippet(
        f"{resource(0, 40)}\nbuffer_load_dwordx4 v[4:7], v2, s[0:3], 0 offen\ns_waitcnt vmcnt(0)",
        v={2: LANE * 4},
        buffers=[DATA.copy()],
    )
    for word in range(4):
        places = LANE + word
        assert found.v(4 + word).tolist() == [int(DATA[p]) if p < 10 else 0 for p in places]


def test_lanes_that_are_off_load_nothing():
    load = "buffer_load_dword v3, v1, s[0:3], 0 idxen\ns_waitcnt vmcnt(0)"
    found = run_snippet(
        f"{resource(8, 64)}\ns_mov_b64 exec, 0xf0\n{load}",
        v={1: LANE, 3: 9},
        buffers=[DATA.copy()],
    )
    assert found.v(3).tolist() == [2 * lane + 1 if 4 <= lane < 8 else 9 for lane in range(64)]


@pytest.mark.parametrize("mode", ["offen", "idxen"])
def test_a_load_into_the_lds_puts_lanes_side_by_side(mode):
    element = 4 if mode == "idxen" else 0
    place = LANE[::-1] if mode == "idxen" else LANE[::-1] * 4
    found = run_snippet(
        f"""
        {resource(element, 60 if mode == "idxen" else 240)}
        s_movk_i32 m0, 0x20
        buffer_load_dword v1, s[0:3], 0 {mode} offset:16 lds
        s_waitcnt vmcnt(0)
        v_lshlrev_b32_e32 v3, 2, v0
        ds_read_b32 v4, v3 offset:48
        s_waitcnt lgkmcnt(0)
        """,
        v={0: LANE, 1: place},
        lds=1024,
        buffers=[DATA.copy()],
    )
    wanted = []
    for lane in range(64):
        inside = 63 - lane < 60 if mode == "idxen" else (63 - lane) * 4 + 16 + 4 <= 240
        wanted.append(int(DATA[63 - lane + 4]) if inside else 0)
    assert found.v(4).tolist() == wanted


def test_a_swizzled_resource_is_refused():
    with refused(ExecutionFaultError):
        run_snippet(
            f"{resource(0x8004, 64)}\nbuffer_load_dword v3, v1, s[0:3], 0 idxen",
            v={1: LANE},
            buffers=[DATA.copy()],
        )


def test_a_transposing_read_gives_columns_of_bytes():
    """Sixteen lanes hold 8 rows of 16 bytes, two lanes a row; each lane gets a column (gfx950)."""
    content = np.random.default_rng(8).integers(0, 256, 512, dtype=np.uint64).reshape(64, 8)
    words = (content.astype(np.uint64) << np.arange(0, 64, 8, dtype=np.uint64)).sum(axis=1)
    found = run_snippet(
        """
        v_lshlrev_b32_e32 v1, 3, v0
        ds_write_b64 v1, v[2:3]
        s_waitcnt lgkmcnt(0)
        ds_read_b64_tr_b8 v[4:5], v1
        s_waitcnt lgkmcnt(0)
        """,
        v={0: LANE, 2: words & np.uint64(2**32 - 1), 3: words >> np.uint64(32)},
        lds=512,
        target="gfx950",
    )
    got = found.v(4).astype(np.uint64) | found.v(5).astype(np.uint64) << np.uint64(32)
    for lane in range(64):
        first, column = lane // 16 * 16, lane % 16
        rows = [first + 2 * i + column // 8 for i in range(8)]
        wanted = sum(int(content[row, column % 8]) << 8 * i for i, row in enumerate(rows))
        assert int(got[lane]) == wanted, lane

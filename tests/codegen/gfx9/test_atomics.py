"""Atomic operations on global memory, buffers and the LDS, with and without the word from before."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from layoutalg.codegen.gfx9.rows.atomic_rows import GLOBAL_ATOMICS, LDS_ATOMICS
from layoutalg.codegen.kernel import ExecutionFaultError
from tests.codegen.gfx9.oracle.atomics import GLOBAL, LDS
from tests.codegen.gfx9.snippet import run_snippet
from tests.codegen.gfx9.words import LANES, M32, cases, field, number
from tests.refusals import refused

WAVES = 4
LANE = np.arange(LANES)
RESOURCE = "s_mov_b32 s0, s20\ns_mov_b32 s1, s21\ns_mov_b32 s2, {size}\ns_mov_b32 s3, 0x00027000"
HALVES = {"two f16": "f16", "two bf16": "bf16"}


def size_of(kind: str) -> int:
    return 8 if kind.endswith("64") else 4


def words_of(kind: str, count: int) -> list[tuple[int, ...]]:
    """Words of memory and of data; in some, that to compare with is what is there."""
    if kind == "two f16":
        pairs = [a + b for a, b in zip(cases("f16", "f16"), reversed(cases("f16", "f16")), strict=True)]
        table: list[tuple[int, ...]] = [(a | c << 16, b | d << 16, a) for a, b, c, d in pairs]
    elif kind == "two bf16":
        table = [
            (a >> 16 | c & 0xFFFF0000, b >> 16 | d & 0xFFFF0000, a)
            for (a, b), (c, d) in zip(cases("f32", "f32"), reversed(cases("f32", "f32")), strict=True)
        ]
    else:
        table = cases(kind, kind, kind)
    chosen = [table[i] for i in np.linspace(0, len(table) - 1, count, dtype=int)]
    return [
        (a, *((b, a), (a, b), (b, c))[i % 3]) if i % 2 and kind[0] == "b" else (a, b, c)
        for i, (a, b, c) in enumerate(chosen)
    ]


def is_nan(kind: str, word: int) -> bool:
    return math.isnan(number("f32", word << 16) if kind == "bf16" else number(kind, word))


def agrees(kind: str, left: int, right: int) -> bool:
    if kind in HALVES:
        return all(agrees(HALVES[kind], field(left, low, 16), field(right, low, 16)) for low in (0, 16))
    return left == right or (
        (kind[0] != "b" or kind == "bf16") and is_nan(kind, left) and is_nan(kind, right)
    )


def registers_of(kind: str, table: list[tuple[int, ...]]) -> dict[int, Any]:
    """Data in v[4:5] and v[8:9], or for one word in v4 and v5: the second follows the first."""
    columns = np.array(table, dtype=np.uint64).T.reshape(3, -1, LANES)
    found: dict[int, Any] = {}
    for place, column in zip((4, 6) if size_of(kind) == 8 else (4, 5), columns[1:], strict=True):
        found[place] = column & np.uint64(M32)
        if size_of(kind) == 8:
            found[place + 1] = column >> np.uint64(32)
    return found


def span(first: int, count: int) -> str:
    return f"v{first}" if count == 1 else f"v[{first}:{first + count - 1}]"


def offsets(kind: str) -> Any:
    return (np.arange(WAVES)[:, None] * LANES + LANE) * size_of(kind)


def old_words(run: Any, kind: str) -> list[int]:
    """What came back in v[10:11]."""
    return in_order(run, kind, 10)


def in_order(run: Any, kind: str, first: int) -> list[int]:
    words = run.waves.vector[first].astype(object)
    if size_of(kind) == 8:
        words = words + run.waves.vector[first + 1].astype(object) * 2**32
    return list(words.reshape(-1))


def sources_of(meaning: Any) -> int:
    return 2 if meaning in (min, max) else meaning.__code__.co_argcount


def check(name: str, kind: str, meaning: Any, table: list[tuple[int, ...]], left: list[int]) -> None:
    count = sources_of(meaning)
    wanted = [meaning(*case[:count]) for case in table]
    wrong = [
        row
        for row in zip(table, left, wanted, strict=True)
        if row[2] is not None and not agrees(kind, *row[1:])
    ]
    assert not wrong, f"{name}: {len(wrong)} of {len(table)}; words, found, wanted: {wrong[:3]}"


def test_every_atomic_operation_has_an_oracle():
    assert sorted(set(GLOBAL_ATOMICS) ^ set(GLOBAL)) == []
    assert sorted(set(LDS_ATOMICS) ^ set(LDS)) == []


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", GLOBAL)
@pytest.mark.parametrize("returns", [True, False])
@pytest.mark.parametrize("where", ["global", "buffer"])
def test_atomic_operation_on_global_memory(name, returns, where):
    kind, meaning = GLOBAL[name]
    table = words_of(kind, WAVES * LANES)
    type_of = np.uint64 if size_of(kind) == 8 else np.uint32
    memory = np.array([case[0] for case in table], dtype=type_of)
    each = size_of(kind) // 4
    data = span(4, each * (2 if "cmpswap" in name else 1))
    end = " sc0" if returns else ""
    if where == "global":
        lines = f"global_atomic_{name} {span(10, each) + ', ' if returns else ''}v1, {data}, s[20:21]{end}"
        first = 10
    else:
        setup = RESOURCE.format(size=memory.nbytes)
        lines, first = f"{setup}\nbuffer_atomic_{name} {data}, v1, s[0:3], 0 offen{end}", 4
    registers = {1: offsets(kind), **registers_of(kind, table)}
    run = run_snippet(f"{lines}\ns_waitcnt vmcnt(0)", v=registers, waves=WAVES, buffers=[memory])

    check(name, kind, meaning, table, [int(word) for word in memory])
    if returns:
        assert in_order(run, kind, first) == [case[0] for case in table]


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", LDS)
@pytest.mark.parametrize("returns", [True, False])
def test_atomic_operation_on_the_lds(name, returns):
    kind, meaning = LDS[name]
    table = words_of(kind, WAVES * LANES)
    each = size_of(kind) // 4
    operands = sources_of(meaning) - 1
    second = f", {span(4 + each, each)}" if operands == 2 else ""
    spelled = name.replace("_", "_rtn_", 1) if not name.startswith("pk") else name.replace("add", "add_rtn")
    target, spelled = (f"{span(10, each)}, ", spelled) if returns else ("", name)
    lines = f"""
    ds_write_b{32 * each} v1, {span(12, each)} offset:16
    s_waitcnt lgkmcnt(0)
    ds_{spelled} {target}v1, {span(4, each)}{second} offset:16
    s_waitcnt lgkmcnt(0)
    ds_read_b{32 * each} {span(14, each)}, v1 offset:16
    s_waitcnt lgkmcnt(0)
    """
    before = np.array([case[0] for case in table], dtype=np.uint64).reshape(-1, LANES)
    registers = {1: offsets(kind), **registers_of(kind, table), 12: before & np.uint64(M32)}
    registers |= {13: before >> np.uint64(32)} if each == 2 else {}
    run = run_snippet(lines, v=registers, waves=WAVES, lds=8 * WAVES * LANES + 16)

    check(name, kind, meaning, table, in_order(run, kind, 14))
    if returns:
        assert old_words(run, kind) == [case[0] for case in table]


@pytest.mark.parametrize("waves", [1, 4, 16])
def test_lanes_and_waves_that_add_to_one_word_all_count(waves):
    memory = np.zeros(1, np.uint32)
    run = run_snippet(
        """
        v_mov_b32_e32 v1, 0
        v_mov_b32_e32 v2, 1
        global_atomic_add v3, v1, v2, s[20:21] sc0
        s_waitcnt vmcnt(0)
        """,
        waves=waves,
        buffers=[memory],
    )
    assert memory[0] == waves * LANES
    assert sorted(run.waves.vector[3].reshape(-1).tolist()) == list(range(waves * LANES))


def test_lanes_and_waves_that_add_to_few_words_of_the_lds_all_count():
    run = run_snippet(
        """
        v_and_b32_e32 v1, 12, v0
        v_mov_b32_e32 v2, 0
        ds_write_b32 v1, v2
        s_waitcnt lgkmcnt(0)
        s_barrier
        v_mov_b32_e32 v2, 1
        ds_add_rtn_u32 v3, v1, v2
        s_waitcnt lgkmcnt(0)
        s_barrier
        ds_read_b32 v4, v1
        s_waitcnt lgkmcnt(0)
        """,
        v={0: LANE},
        waves=4,
        lds=16,
    )
    assert (run.waves.vector[4] == 64).all()
    places = np.broadcast_to(LANE & 12, (4, LANES))
    for place in range(0, 16, 4):
        assert sorted(run.waves.vector[3][places == place].tolist()) == list(range(64))


def test_one_of_the_lanes_that_swap_a_word_finds_what_was_there():
    memory = np.array([7], np.uint32)
    run = run_snippet(
        """
        v_mov_b32_e32 v1, 0
        v_mov_b32_e32 v3, 7
        global_atomic_cmpswap v4, v1, v[2:3], s[20:21] sc0
        s_waitcnt vmcnt(0)
        """,
        v={2: LANE + 100},
        buffers=[memory],
    )
    assert (run.v(4) == 7).sum() == 1
    assert memory[0] == 100 + int(np.argmax(run.v(4) == 7))


def test_lanes_that_are_off_change_nothing():
    memory = np.zeros(64, np.uint32)
    run_snippet(
        """
        s_mov_b64 exec, 0xff00
        v_lshlrev_b32_e32 v1, 2, v0
        global_atomic_or v1, v0, s[20:21]
        """,
        v={0: LANE, 1: 0},
        buffers=[memory],
    )
    assert memory.tolist() == [lane if 8 <= lane < 16 else 0 for lane in range(64)]


def test_atomic_operations_beyond_a_buffer_change_nothing_and_give_0():
    memory = np.arange(64, dtype=np.uint32)
    lines = RESOURCE.format(size=40)
    run = run_snippet(
        f"{lines}\nbuffer_atomic_add v2, v1, s[0:3], 0 offen offset:4 sc0\ns_waitcnt vmcnt(0)",
        v={1: LANE * 4, 2: 1000},
        buffers=[memory],
    )
    assert memory.tolist() == [n + 1000 if 1 <= n < 10 else n for n in range(64)]
    assert run.v(2).tolist() == [lane + 1 if lane < 9 else 0 for lane in range(64)]


def test_memory_that_was_never_set_is_not_changed():
    with refused(ExecutionFaultError):
        run_snippet("v_mov_b32_e32 v1, 0\nds_add_u32 v1, v1", lds=64)

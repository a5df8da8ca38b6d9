"""Comparisons that switch lanes off (``v_cmpx``), and classes of floats, against what the ISA guide says."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from layoutalg.codegen.kernel import ExecutionFaultError
from tests.codegen.gfx9.isa_oracle import COMPARISONS, compared
from tests.codegen.gfx9.snippet import run_snippet
from tests.codegen.gfx9.words import number, width
from tests.refusals import refused

KINDS = {
    "f16": (0x7C00, 0x0200),
    "f32": (0x7F800000, 0x00400000),
    "f64": (0x7FF << 52, 1 << 51),
}  # infinity, quiet


def class_of(kind: str, word: int) -> int:
    """The bit of a number's class, as the guide's pseudocode of V_CMP_CLASS lists them."""
    infinity, quiet = KINDS[kind]
    value, sign = number(kind, word), word >> width(kind) - 1
    if math.isnan(value):
        return 1 if word & quiet else 0
    if math.isinf(value):
        return 2 if sign else 9
    if value == 0:
        return 5 if sign else 6
    if word & infinity:
        return 3 if sign else 8
    return 4 if sign else 7


def words_of(kind: str) -> list[int]:
    """Both signs of the first and last word of every class, 64 in all."""
    infinity, quiet = KINDS[kind]
    first = infinity & -infinity  # the smallest normal number
    found = [
        0,
        1,
        first - 1,
        first,
        infinity - 1,
        infinity,
        infinity | 1,
        infinity | quiet,
        infinity | quiet | 1,
    ]
    found += [word | 1 << width(kind) - 1 for word in found]
    return (found * 4)[:64]


def registers(words: list[int], first: int) -> dict[int, np.ndarray]:
    low = np.array([word & 0xFFFFFFFF for word in words], dtype=np.uint32)
    return {first: low, first + 1: np.array([word >> 32 for word in words], dtype=np.uint32)}


@pytest.mark.parametrize("kind", KINDS)
def test_a_number_has_the_class_that_a_mask_asks_for(kind):
    words = words_of(kind)
    assert {class_of(kind, word) for word in words} == set(range(10))
    place = "v[0:1]" if kind == "f64" else "v0"
    for asked in [1 << bit for bit in range(10)] + [0x3FF, 0x204, 0]:
        run = run_snippet(
            f"v_cmp_class_{kind}_e64 s[10:11], {place}, s2", v=registers(words, 0), s={2: asked}
        )
        wanted = [bool(asked >> class_of(kind, word) & 1) for word in words]
        assert [bool(run.pair(10) >> lane & 1) for lane in range(64)] == wanted


@pytest.mark.parametrize("name", [name for name in COMPARISONS if name.endswith(("u32", "i64", "f32"))])
def test_a_comparison_may_switch_lanes_off(name):
    kind = name.rsplit("_", maxsplit=1)[-1]
    generator = np.random.default_rng(5)
    left, right = ([int(n) for n in generator.integers(0, 4, 64)] for _ in range(2))
    places = ("v[0:1]", "v[2:3]") if width(kind) == 64 else ("v0", "v2")
    lines = f"{name.replace('v_cmp_', 'v_cmpx_')}_e64 s[10:11], {places[0]}, {places[1]}\nv_mov_b32 v4, 7"
    run = run_snippet(lines, v={**registers(left, 0), **registers(right, 2), 4: 0})
    wanted = [compared(name, a, b) for a, b in zip(left, right, strict=True)]
    assert [bool(run.pair(10) >> lane & 1) for lane in range(64)] == wanted
    assert run.exec == run.pair(10)
    assert (run.v(4) == 7).tolist() == wanted


def test_a_choice_may_change_the_sign_of_what_it_takes():
    """v_cndmask moves bits, and yet its modifiers are those of a float."""
    words = np.array(words_of("f32"), dtype=np.uint32)
    run = run_snippet(
        "v_cndmask_b32_e64 v2, -v0, |v1|, s[10:11]\nv_cndmask_b32_e64 v3, -|v0|, v1, s[10:11]",
        v={0: words, 1: words[::-1].copy()},
        s={10: 0xFFFF, 11: 0},
    )
    other, chosen = words[::-1], np.arange(64) < 16
    assert (run.v(2) == np.where(chosen, other & 0x7FFFFFFF, words ^ 0x80000000)).all()
    assert (run.v(3) == np.where(chosen, other, words | 0x80000000)).all()


CHOOSE = "v_cndmask_b32_{encoding} v2, v0, v9, {mask}\nglobal_store_dword v1, v2, s[20:21]"
SDWA = "vcc dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD"


@pytest.mark.parametrize("mask", [0, 1 << 40, 2**64 - 1])
def test_what_is_not_chosen_need_not_have_been_set(mask):
    """v9 holds no value: it may be named where no lane takes it, and is a fault in each lane that does."""
    out = np.zeros(64, dtype=np.uint32)
    given: dict[str, Any] = {
        "v": {0: np.arange(64), 1: 4 * np.arange(64)},
        "s": {10: mask & 0xFFFFFFFF, 11: mask >> 32},
        "buffers": [out],
    }
    lines = CHOOSE.format(encoding="e64", mask="s[10:11]")
    if mask:
        with refused(ExecutionFaultError, str(mask.bit_count())):
            run_snippet(lines, **given)
    else:
        run_snippet(lines, **given)
        assert (out == np.arange(64)).all()


def test_parts_of_registers_are_chosen_among_when_both_are_set():
    """Encodings that move parts or lanes want both, in both machines."""
    given: dict[str, Any] = {
        "v": {0: np.arange(64), 1: 4 * np.arange(64)},
        "s": {106: 0, 107: 0},
        "buffers": [np.zeros(64, dtype=np.uint32)],
    }
    with refused(ExecutionFaultError):
        run_snippet(CHOOSE.format(encoding="sdwa", mask=SDWA), **given)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0xbfd00000", -0.25),
        ("0x40590000", 100.0),
        ("1", 5e-324),
        ("0.5", 0.5),
        ("64", 3.16e-322),
    ],
)
def test_a_literal_is_the_upper_half_of_a_double(text, number):
    ones = np.array([1.0] * 64).view(np.uint32).reshape(64, 2)
    run = run_snippet(f"v_mul_f64 v[2:3], {text}, v[0:1]", v={0: ones[:, 0], 1: ones[:, 1]})
    found = np.stack([run.v(2), run.v(3)], axis=1).copy().view(np.float64)
    np.testing.assert_array_equal(found[:, 0], np.full(64, number))

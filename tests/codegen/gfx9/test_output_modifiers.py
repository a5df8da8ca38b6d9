"""``clamp``, ``mul`` and ``div`` behind an instruction, and multiply-adds of mixed floats."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from layoutalg.codegen.gfx9.machine import Machine, arithmetic_of
from layoutalg.codegen.gfx9.registers import LANES
from tests.codegen.gfx9.snippet import assemble, run_snippet
from tests.codegen.gfx9.words import FLOATS, M32, cases, field, number, rounded, word_of


def columns(table: list[tuple[int, ...]], first: int = 10) -> dict[int, Any]:
    """Operand ``i`` of all cases in v10 + 2 i and the register behind it."""
    found = {}
    for i, column in enumerate(zip(*table, strict=True)):
        words = np.array(column, dtype=np.uint64).reshape(-1, LANES)
        found[first + 2 * i] = words & np.uint64(M32)
        found[first + 2 * i + 1] = words >> np.uint64(32)
    return found


def results(line: str, table: list[tuple[int, ...]], registers: int = 1) -> list[int]:
    run = run_snippet(line, v=columns(table), waves=len(table) // LANES, in_c=False)
    words = run.waves.vector[2].reshape(-1).astype(object)
    if registers == 2:
        words = words + run.waves.vector[3].reshape(-1).astype(object) * 2**32
    return list(words)


def held_in_one(kind: str, word: int) -> int:
    """A float held in 0 to 1; 0 if it is no number."""
    value = number(kind, word)
    return word_of(kind, 1.0) if value > 1 else word if value > 0 else 0


@pytest.mark.parametrize("kind", FLOATS)
def test_clamp_holds_a_float_between_0_and_1(kind):
    table = cases(kind, kind)
    pair = "v[{0}:{1}]" if kind == "f64" else "v{0}"
    places = [pair.format(n, n + 1) for n in (2, 10, 12)]
    found = results(f"v_add_{kind} {', '.join(places)} clamp", table, 1 + (kind == "f64"))
    wanted = [rounded(kind, lambda a, b: a + b, number(kind, a), number(kind, b)) for a, b in table]
    assert found == [held_in_one(kind, word) for word in wanted]


SUMS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b}
CLAMPED = [f"v_{what}_{kind}" for what in SUMS for kind in ("u16", "i16", "u32", "i32")]


@pytest.mark.parametrize("name", CLAMPED)
def test_clamp_holds_an_integer_in_its_type(name):
    _, what, kind = name.split("_")
    bits = int(kind[1:])
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if kind[0] == "i" else (0, 2**bits - 1)
    table = cases(kind, kind)
    found = results(f"{name} v2, v10, v12 clamp", table)
    exact = [SUMS[what](number(kind, a), number(kind, b)) for a, b in table]
    assert found == [field(min(max(value, low), high), 0, bits) for value in exact]


@pytest.mark.parametrize("modifier", ["mul:2", "mul:4", "div:2"])
@pytest.mark.parametrize("kind", FLOATS)
def test_factors_change_nothing_as_long_as_denormals_or_the_ieee_mode_are_on(modifier, kind):
    table = cases(kind, kind)
    pair = "v[{0}:{1}]" if kind == "f64" else "v{0}"
    line = f"v_mul_{kind} {', '.join(pair.format(n, n + 1) for n in (2, 10, 12))}"
    width = 1 + (kind == "f64")
    assert results(f"{line} {modifier}", table, width) == results(line, table, width)


@pytest.mark.parametrize(("modifier", "factor"), [("mul:2", 2.0), ("mul:4", 4.0), ("div:2", 0.5)])
@pytest.mark.parametrize("clamp", ["", " clamp"])
def test_factors_scale_results_where_both_are_off(modifier, factor, clamp):
    assembly = assemble(f"v_add_f32 v2, v10, v12 {modifier}{clamp}")
    assembly = type(assembly)(
        assembly.name,
        assembly.target,
        assembly.instructions,
        assembly.labels,
        {**assembly.directives, "ieee_mode": 0, "float_denorm_mode_32": 0},
    )
    Machine(assembly)
    arithmetic = arithmetic_of(assembly.instructions[0], assembly)
    assert arithmetic is not None
    table = [pair for pair in cases("f32", "f32") if all(map(is_normal, pair))]
    words = [np.array(column, dtype=np.uint32) for column in zip(*table, strict=True)]
    with np.errstate(all="ignore"):
        (found,) = arithmetic.compute(*words)
    for (a, b), word in zip(table, found, strict=True):
        once = number("f32", rounded("f32", lambda x, y: x + y, number("f32", a), number("f32", b)))
        wanted = rounded("f32", lambda x: x * (Fraction(factor) if isinstance(x, Fraction) else factor), once)
        wanted = wanted if is_normal(wanted) and field(wanted, 0, 31) else 0
        wanted = held_in_one("f32", wanted) if clamp else wanted
        assert int(word) == wanted or (math.isnan(once) and not clamp), (hex(a), hex(b))


def times(factor: float, value: float) -> int:
    exact = math.isfinite(value) and value != 0
    return rounded("f32", lambda x: x * Fraction(factor) if exact else x, value)


def is_normal(word: int) -> bool:
    """Zeros too; no denormals."""
    return field(word, 0, 31) == 0 or field(word, 23, 8) > 0


MIXED = {
    "v10, v12, v14": "fff",
    "v10, v12, v14 op_sel_hi:[1,1,1]": "lll",
    "v10, v12, v14 op_sel:[1,0,1] op_sel_hi:[1,1,1]": "hlh",
    "v10, v12, v14 op_sel:[0,1,0] op_sel_hi:[1,1,0]": "lhf",
    "-v10, |v12|, -|v14| op_sel:[0,1,0] op_sel_hi:[0,1,1]": "fhl",
    "v10, 2.0, v14 op_sel_hi:[1,0,0]": "l2f",
    "v10, -v12, 1.0 op_sel:[1,1,0] op_sel_hi:[1,1,0]": "hh1",
}


def mixed_sources(text: str, case: tuple[int, ...]) -> list[float]:
    """What the sources of a mixed multiply-add are as numbers."""
    found = []
    operands = text.split(" op_sel", maxsplit=1)[0].split(", ")
    for operand, how, word in zip(operands, MIXED[text], case, strict=True):
        if how in "12":
            value = float(how)
        else:
            half = field(word, 16 * (how == "h"), 16)
            value = number("f32", word) if how == "f" else number("f16", half)
        value = abs(value) if "|" in operand else value
        found.append(-value if operand.startswith("-") else value)
    return found


@pytest.mark.sample(5)
@pytest.mark.parametrize("text", MIXED)
@pytest.mark.parametrize("name", ["mix_f32", "mixlo_f16", "mixhi_f16"])
@pytest.mark.parametrize("clamp", ["", " clamp"])
def test_multiply_adds_of_mixed_floats(text, name, clamp):
    table = mixed_cases()
    found = results(f"v_mov_b32 v2, 0x12345678\nv_fma_{name} v2, {text}{clamp}", table)
    for case, got in zip(table, found, strict=True):
        word = rounded("f32", lambda a, b, c: a * b + c, *mixed_sources(text, case))
        word = held_in_one("f32", word) if clamp else word
        if name == "mix_f32":
            assert got == word or all(math.isnan(number("f32", w)) for w in (got, word))
            continue
        half = rounded("f16", lambda a: a, number("f32", word))
        kept, new = (got >> 16, got & 0xFFFF) if name == "mixlo_f16" else (got & 0xFFFF, got >> 16)
        assert kept == (0x1234 if name == "mixlo_f16" else 0x5678)
        assert new == half or all(math.isnan(number("f16", w)) for w in (new, half))


def mixed_cases() -> list[tuple[int, ...]]:
    """Floats of 32 bits, and pairs of 16."""
    wide, narrow = cases("f32", "f32", "f32")[-512:], cases("f16", "f16", "f16")
    halves = [
        tuple(a | b << 16 for a, b in zip(left, right, strict=True))
        for left, right in zip(narrow[-512:], narrow[:512], strict=True)
    ]
    return [*wide, *halves]

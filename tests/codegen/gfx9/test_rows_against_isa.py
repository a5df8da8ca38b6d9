"""Single instructions: what the executor computes against the oracle of the ISA guide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from layoutalg.codegen.gfx9.rows.scalar_rows import SCALAR_ROWS
from layoutalg.codegen.gfx9.rows.vector_rows import VECTOR_ROWS
from tests.codegen.gfx9.isa_oracle import (
    APPROXIMATE,
    BY_LANE,
    CARRIES,
    COMPARISONS,
    FLOATING,
    GIVES_SCC,
    KEEPS_SCC,
    SCALAR_COMPARISONS,
    SCALES,
    SETS_SCC_IF_NOT_ZERO,
    VECTOR,
    WITH_CONSTANT,
    WITH_IMMEDIATE,
    compared,
    div_scale,
    is_close,
)
from tests.codegen.gfx9.oracle.kinds import RESULTS, SOURCES
from tests.codegen.gfx9.snippet import Snippet, run_snippet
from tests.codegen.gfx9.words import FLOATS, LANES, M32, cases, field, number, rounded, signed, width, word_of

ELSEWHERE = {"v_swap_b32", "v_cvt_off_f32_i4"}  # tested below, and in test_amd_rows
CLASSES = {f"v_cmp_class_{kind}" for kind in ("f16", "f32", "f64")}  # in test_classes_and_lanes
ONLY_ON = {"v_cvt_pk_f16_f32": "gfx950"}
WIDE_SUMS = ("v_mad_u64_u32", "v_mad_i64_i32")
SCALAR = {**SETS_SCC_IF_NOT_ZERO, **KEEPS_SCC, **GIVES_SCC}
ARITHMETIC = {**VECTOR, **CARRIES, **FLOATING}
CHANGES_ITS_RESULT = ("s_cmov", "s_bitset")  # the first source is what the result holds before


def kinds_of(name: str) -> tuple[str, ...]:
    """The kinds of the sources of an instruction."""
    if name in SOURCES:
        return SOURCES[name]
    if name in (*COMPARISONS, *SCALAR_COMPARISONS):
        return (name.rsplit("_", maxsplit=1)[-1],) * 2
    meaning = {**SCALAR, **ARITHMETIC}[name]
    kind = name.rsplit("_", maxsplit=1)[-1] if name in FLOATING else "b64" if name.endswith("64") else "b32"
    count = 2 if meaning in (min, max) else meaning.__code__.co_argcount
    return (kind,) * (count - (name in GIVES_SCC))


def register(file: str, index: int, kind: str) -> str:
    """The name of the register, or of the pair, that holds a word of this kind."""
    return f"{file}[{index}:{index + 1}]" if kind.endswith("64") else f"{file}{index}"


def place(file: str, kinds: Sequence[str]) -> list[str]:
    """Source ``i`` is in register ``10 + 2 i``; a flag of a lane is a bit of the mask in vcc."""
    return ["vcc" if kind == "flag" else register(file, 10 + 2 * i, kind) for i, kind in enumerate(kinds)]


def columns(table: Sequence[tuple[int, ...]], shape: tuple[int, ...]) -> dict[int, Any]:
    """Register numbers with the words of all cases, low word first."""
    found = {}
    for i, column in enumerate(zip(*table, strict=True)):
        words = np.array(column, dtype=np.uint64).reshape(shape)
        found[10 + 2 * i] = words & np.uint64(M32)
        found[11 + 2 * i] = words >> np.uint64(32)
    return found


def check(table: Sequence[Any], found: Sequence[int], wanted: Sequence[int | None], kind: str) -> None:
    """All cases agree; two words that are not a number count as the same, and None leaves a case open."""

    def same(left: int, right: int | None) -> bool:
        if left == right or right is None:
            return True
        if kind == "two f16":
            halves = [(word & 0xFFFF, word >> 16) for word in (left, right)]
            return all(itself("f16", *pair) for pair in zip(*halves, strict=True))
        return kind in FLOATS and itself(kind, left, right)

    def itself(kind: str, left: int, right: int) -> bool:
        return left == right or all(math.isnan(number(kind, word)) for word in (left, right))

    wrong = [row for row in zip(table, found, wanted, strict=True) if not same(*row[1:])]
    assert not wrong, f"{len(wrong)} of {len(table)} differ; operands, found, wanted: {wrong[:3]}"


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", [*SCALAR, *SCALAR_COMPARISONS])
def test_scalar_instruction(name: str) -> None:
    kinds = kinds_of(name)
    table = cases(*kinds, "flag")
    places, result = place("s", kinds), register("s", 2, scalar_kind(name))
    no_result = name in SCALAR_COMPARISONS or name.startswith("s_bitcmp")
    changes = name.startswith(CHANGES_ITS_RESULT)
    first = f"s_mov_{scalar_kind(name)} {result}, {places[0]}" if changes else ""
    operands = [*places[1:]] if changes else places
    line = f"{name} {', '.join(operands if no_result else [result, *operands])}"
    before = f"s_mov_b64 s[2:3], 0\n{first}\ns_cmp_lg_u32 s{10 + 2 * len(kinds)}, 0"
    run = run_snippet(f"{before}\n{line}", s=columns(table, (-1,)), waves=len(table), in_c=False)

    wanted = [scalar_result(name, case) for case in table]
    check(table, [run.pair(2, wave) for wave in range(len(table))], [word for word, _ in wanted], "b64")
    check(table, [run.scc(wave) for wave in range(len(table))], [flag for _, flag in wanted], "flag")


def scalar_kind(name: str) -> str:
    return RESULTS.get(name, "b64" if name.endswith("64") else "b32")


def scalar_result(name: str, case: tuple[int, ...]) -> tuple[int, bool]:
    """The register pair and the condition code after an instruction."""
    *operands, flag = case
    if name in SCALAR_COMPARISONS:
        return 0, compared(name, *operands)
    found = SCALAR[name](*case) if name in GIVES_SCC else SCALAR[name](*operands)
    word, flag_after = found if isinstance(found, tuple) else (found, bool(flag))
    word = field(word, 0, width(scalar_kind(name)))
    return word, bool(word) if name in SETS_SCC_IF_NOT_ZERO else bool(flag_after)


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", WITH_IMMEDIATE)
@pytest.mark.parametrize("immediate", [0, 1, 5, 0x7FFF, 0x8000, 0xFFFF])
def test_scalar_instruction_with_an_immediate(name: str, immediate: int) -> None:
    table = cases("b32", "flag")
    line = f"s_mov_b32 s2, s10\ns_cmp_lg_u32 s12, 0\n{name} s2, {immediate:#x}"
    run = run_snippet(line, s=columns(table, (-1,)), waves=len(table), in_c=False)

    wanted = [WITH_IMMEDIATE[name](word, immediate, flag) for word, flag in table]
    check(table, [run.s(2, wave) for wave in range(len(table))], [word & M32 for word, _ in wanted], "b32")
    check(table, [run.scc(wave) for wave in range(len(table))], [flag for _, flag in wanted], "flag")


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", [*ARITHMETIC, *COMPARISONS])
def test_vector_instruction(name: str) -> None:
    kinds = kinds_of(name)
    table = cases(*kinds)
    waves = len(table) // LANES
    shape = (waves, LANES)
    registers: dict[int, Any] = columns(table, shape)
    lines = []
    if "flag" in kinds:
        registers[40] = registers[10 + 2 * kinds.index("flag")]
        lines.append("v_cmp_ne_u32_e64 vcc, v40, 0")
    lines.append(vector_line(name, place("v", kinds)))
    target = ONLY_ON.get(name, "gfx942")
    run = run_snippet("\n".join(lines), v=registers, waves=waves, in_c=False, target=target)

    wanted = [vector_result(name, case) for case in table]
    kind = result_kind(name)
    if name not in COMPARISONS:
        check(table, results(run, kind), [word for word, _ in wanted], kind)
    if name in COMPARISONS or name in CARRIES or name in WIDE_SUMS:
        masks = [run.pair(30, wave) for wave in range(waves)]
        bits = [bool(mask >> lane & 1) for mask in masks for lane in range(LANES)]
        check(table, bits, [flag for _, flag in wanted], "flag")


def vector_line(name: str, places: Sequence[str]) -> str:
    """The instruction as text: its result in v2, a mask that it writes in s[30:31]."""
    result = register("v", 2, result_kind(name))
    if name in COMPARISONS:
        return f"{name}_e64 s[30:31], {', '.join(places)}"
    if name in CARRIES or name in WIDE_SUMS:
        return f"{name} {result}, s[30:31], {', '.join(places)}"
    if name.startswith(("v_fmac", "v_mac")):
        moved = f"v_mov_b{max(width(result_kind(name)), 32)} {result}, {places[2]}"
        return f"{moved}\n{name} {result}, {places[0]}, {places[1]}"
    if name.startswith("v_accvgpr"):
        return through_accumulator(name, places[0])
    return f"{name} {result}, {', '.join(places)}"


def through_accumulator(name: str, source: str) -> str:
    """A word put into accumulator 0, moved to 1 if that is what is looked at, and read back."""
    moved = "v_accvgpr_mov_b32 a1, a0\n" if name == "v_accvgpr_mov_b32" else ""
    return f"v_accvgpr_write_b32 a0, {source}\n{moved}v_accvgpr_read_b32 v2, a{1 if moved else 0}"


def result_kind(name: str) -> str:
    if name in RESULTS:
        return RESULTS[name]
    if name in FLOATING:
        return name.split("_")[2]
    is_wide = name.endswith(("b64", "u64", "i64")) or name in WIDE_SUMS
    return "b64" if is_wide else "b32"


def vector_result(name: str, case: tuple[int, ...]) -> tuple[int | None, bool]:
    """The result of one lane, and its bit of the mask."""
    if name in COMPARISONS:
        return 0, compared(name, *case)
    kind = result_kind(name)
    if name in FLOATING:
        source = name.rsplit("_", maxsplit=1)[-1]
        return rounded(kind, FLOATING[name], *(number(source, word) for word in case)), False
    exact = ARITHMETIC[name](*case)
    if exact is None:
        return None, False
    if name in WIDE_SUMS:  # of 65 bits
        third = signed(case[2], 64) if name == "v_mad_i64_i32" else case[2]
        exact += third - case[2]
        return field(exact, 0, 64), bool(field(exact, 64, 1))
    return field(exact, 0, width(kind) if kind[1:].isdigit() else 32), not 0 <= exact <= M32


@pytest.mark.parametrize("name", BY_LANE)
def test_instruction_that_knows_its_lane(name: str) -> None:
    table = cases("b32", "b32")
    run = run_snippet(
        f"{name} v2, v10, v12", v=columns(table, (-1, LANES)), waves=len(table) // LANES, in_c=False
    )
    wanted = [BY_LANE[name](i % LANES, *case) & M32 for i, case in enumerate(table)]
    check(table, list(run.waves.vector[2].reshape(-1)), wanted, "b32")


@pytest.mark.parametrize("name", APPROXIMATE)
def test_function_is_right_to_one_unit_of_the_last_place(name: str) -> None:
    kind = name.rsplit("_", maxsplit=1)[-1]
    table = cases(kind)
    line = f"{name} {register('v', 2, kind)}, {register('v', 10, kind)}"
    found = results(
        run_snippet(line, v=columns(table, (-1, LANES)), waves=len(table) // LANES, in_c=False), kind
    )
    wrong = [(hex(a), hex(b)) for (a,), b in zip(table, found, strict=True) if not is_close(name, a, b)]
    assert not wrong, f"{len(wrong)} of {len(table)}; source and result: {wrong[:4]}"


@pytest.mark.parametrize("name", SCALES)
@pytest.mark.parametrize("scaled", ["denominator", "numerator"])
def test_scale_of_a_division(name: str, scaled: str) -> None:
    kind = SCALES[name]
    table = cases(kind, kind)
    waves = len(table) // LANES
    below, above = place("v", (kind, kind))
    first = below if scaled == "denominator" else above
    line = f"{name} {register('v', 2, kind)}, s[30:31], {first}, {below}, {above}"
    run = run_snippet(line, v=columns(table, (waves, LANES)), waves=waves, in_c=False)
    wanted = [div_scale(kind, (d if scaled == "denominator" else n), d, n) for d, n in table]
    check(table, results(run, kind), [word for word, _ in wanted], kind)
    bits = [bool(run.pair(30, wave) >> lane & 1) for wave in range(waves) for lane in range(LANES)]
    check(table, bits, [flag for _, flag in wanted], "flag")


@pytest.mark.parametrize("name", WITH_CONSTANT)
@pytest.mark.parametrize("constant", ["0x3c01", "1.0", "-2.0", "0xfbff"])
def test_multiply_add_with_a_constant(name: str, constant: str) -> None:
    kind = name.rsplit("_", maxsplit=1)[-1]
    table = cases(kind, kind)
    third = word_of(kind, float(constant)) if "." in constant else int(constant, 16)
    operands = f"v10, {constant}, v12" if WITH_CONSTANT[name] else f"v10, v12, {constant}"
    run = run_snippet(
        f"{name} v2, {operands}", v=columns(table, (-1, LANES)), waves=len(table) // LANES, in_c=False
    )
    of = f"v_fma_{kind}" if "fma" in name else f"v_mad_{kind}"
    triples = [(a, third, b) if WITH_CONSTANT[name] else (a, b, third) for a, b in table]
    check(triples, results(run, kind), [vector_result(of, case)[0] for case in triples], kind)


@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("name", ["min", "max"])
def test_a_nan_that_signals_makes_an_extreme_none_in_ieee_mode(name: str, kind: str) -> None:
    """MODE.IEEE is 1 in compiled kernels: a quiet NaN is passed over, one that signals is not."""
    one, quiet = word_of(kind, 1.0), word_of(kind, math.nan)
    signals = quiet ^ (1 << FLOATS[kind][1] - 2) | 1
    pairs = [(signals, one), (one, signals), (signals, quiet), (quiet, one), (one, quiet)] + [(one, one)] * 59
    places = [register("v", n, kind) for n in (2, 10, 12)]
    run = run_snippet(f"v_{name}_{kind} {', '.join(places)}", v=columns(pairs, (1, LANES)), in_c=False)
    check(pairs, results(run, kind), [quiet] * 3 + [one] * 61, kind)


def test_swapped_registers() -> None:
    table = cases("b32", "b32")
    run = run_snippet(
        "v_swap_b32 v10, v12", v=columns(table, (-1, LANES)), waves=len(table) // LANES, in_c=False
    )
    for number_of, side in ((10, 1), (12, 0)):
        found = list(run.waves.vector[number_of].reshape(-1))
        check(table, found, [case[side] for case in table], "b32")


def results(run: Snippet, kind: str) -> list[int]:
    """The words in v2, or in v[2:3], of all lanes of all waves."""
    words = run.waves.vector[2].reshape(-1).astype(object)
    if kind.endswith("64"):
        words = words + run.waves.vector[3].reshape(-1).astype(object) * 2**32
    return list(words)


def test_every_row_of_the_executor_has_an_oracle() -> None:
    """A row that is added must be added to the oracle too."""
    known = {*SCALAR, *ELSEWHERE, *SCALAR_COMPARISONS, *ARITHMETIC, *COMPARISONS, *WITH_IMMEDIATE, *CLASSES}
    known |= {name.replace("v_cmp_", "v_cmpx_") for name in (*COMPARISONS, *CLASSES)}
    known |= {*BY_LANE, *APPROXIMATE, *SCALES, *WITH_CONSTANT}
    assert sorted({*SCALAR_ROWS, *VECTOR_ROWS} - known) == []

"""Small kernels lifted: formulas, what is missing for one, loops, masks, and what is not followed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from layoutalg.cli.main import app
from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.gfx9.assembly import Assembly, parse_instruction
from layoutalg.codegen.gfx9.lifting import facts_of, lift
from layoutalg.codegen.gfx9.lifting.lane_guards import ALWAYS
from layoutalg.codegen.gfx9.lifting.loop_turns import Carried, solved
from layoutalg.codegen.gfx9.lifting.register_uses import require_followed
from layoutalg.codegen.gfx9.lifting.word_formulas import Words, constant
from layoutalg.domain import Domain
from layoutalg.errors import LayoutError
from layoutalg.rules.normal_form import NormalForm
from tests.refusals import refused

HEAD = '#include <hip/hip_runtime.h>\nextern "C" __global__ void kernel'
SIZES = {"launch": {"block": [256], "grid": [64]}, "sizes": {"n": [1, 65536], "k": [1, 1024]}}
BUFFERS = {"extents": {"x": "4*n*k", "y": "4*n"}}


def lifted(text, facts=None, target="gfx942"):
    made = compile_source(HEAD + text, target, lines_of="kernel.hip")
    return lift(made.code_object, facts_of(SIZES if facts is None else facts))


def vectors(found):
    return [one for one in found.accesses if one.space not in ("scalar", "lds")]


def test_a_store_is_a_formula_of_thread_and_workgroup():
    found = lifted("(float* y) { y[blockIdx.x*256 + threadIdx.x] = 1.0f; }")
    (store,) = vectors(found)
    assert (store.space, store.direction, store.bytes, store.buffer) == ("global", "store", 4, "y")
    at, active = store.offsets(wave=3, workgroup_x=5)
    assert active.all()
    assert at.tolist() == [4 * (5 * 256 + 3 * 64 + lane) for lane in range(64)]


def test_a_guard_bounds_what_it_guards():
    text = "(float* y, int n) { int i = blockIdx.x*256 + threadIdx.x; if (i < n) y[i] = 1.0f; }"
    (store,) = vectors(lifted(text, SIZES | BUFFERS))
    assert store.bounds.is_shown
    assert store.when == "256*workgroup_x + 64*wave + lane < n"
    (unguarded,) = vectors(lifted(text.replace("i < n", "i <= n"), SIZES | BUFFERS))
    assert not unguarded.bounds.is_shown
    assert unguarded.bounds.missing == "beyond the end"


def test_a_product_that_may_overflow_names_the_claim_that_is_missing():
    text = "(float* x, int n, int k) { x[(int)blockIdx.x*n*k] = 1.0f; }"
    (store,) = vectors(lifted(text, SIZES | {"facts": ["64*n*k < 2**31"]}))
    assert store.is_understood
    (open_store,) = vectors(lifted(text, {"launch": {"block": [256]}}))
    assert not open_store.is_understood
    assert "2147483648" in open_store.missing[0]


def test_a_loop_counts_its_turns():
    text = """(float* y, const float* x, int n, int k) {
        float sum = 0;
        for (int i = 0; i < k; ++i) sum += x[i*n + (int)threadIdx.x];
        y[threadIdx.x] = sum;
    }"""
    found = lifted(text, SIZES | {"facts": ["n*k < 2**28"]})
    loads = [one for one in vectors(found) if one.direction == "load"]
    assert all(one.is_understood for one in vectors(found))
    assert found.loops
    loop = found.loops[-1]
    for turn in (0, 3):
        for load in loads:
            at, active = load.offsets(
                wave=0, n=100, k=8, workgroup_x=0, **{one.turn: turn for one in found.loops}
            )
            assert ((at - 4 * np.arange(64)) % 400 == 0)[active].all()
    assert loop.turns is not None


def test_what_depends_on_data_is_named():
    text = "(float* y, const int* x) { y[x[threadIdx.x]] = 1.0f; }"
    load, store = vectors(lifted(text))
    assert load.is_understood
    assert not store.is_understood
    assert store.missing[0].startswith("data-dependent: global_load_dword ")


def test_an_arithmetic_shift_is_not_a_logical_one():
    """Of an index that may be negative they differ, though no trace of small numbers shows it."""
    text = "(float* y, int n) {{ y[({kind})(n - 4) >> 1] = 1.0f; }}"
    facts = SIZES | {"sizes": {"n": [-8, 64]}}
    (signed,) = vectors(lifted(text.format(kind="int"), facts))
    assert signed.offsets(n=0, y=0)[0][0] == -8
    (unsigned,) = vectors(lifted(text.format(kind="unsigned"), facts))
    assert unsigned.offsets(n=0, y=0)[0][0] == 4 * ((2**32 - 4) >> 1)


def test_bank_conflicts_are_counted_on_the_formula():
    text = """(float* y) {{
        __shared__ float s[64*{row}];
        for (int i = 0; i < 4; ++i) s[threadIdx.x*{row} + i] = y[threadIdx.x + 64*i];
        __syncthreads();
        y[threadIdx.x] = s[threadIdx.x];
    }}"""
    facts = {"launch": {"block": [64]}}
    cycles = {}
    for row in (32, 33):
        found = lifted(text.format(row=row), facts)
        stores = [one for one in found.accesses if one.space == "lds" and one.direction == "store"]
        cycles[row] = max(one.conflict_cycles for one in stores)
        assert all(one.bounds.is_shown for one in stores)
    assert cycles[33] == 0 < cycles[32]


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
def test_the_lanes_number_by_counting_bits(target):
    text = "(float* y) { y[__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u))] = 1.0f; }"
    (store,) = vectors(lifted(text, target=target))
    assert store.offsets(wave=0)[0].tolist() == [4 * lane for lane in range(64)]


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        ({"size": {}}, "size"),
        ({"sizes": {"M": 4}}, "sizes M"),
        ({"extents": {"A": "2*M"}}, "extents A M"),
        ({"launch": {"block": ["x"]}}, "launch block"),
        ({"launch": {"threads": 4}}, "launch threads"),
        ({"sizes": []}, "sizes"),
    ],
)
def test_wrong_facts_are_refused(content, facts):
    with refused(LayoutError, *facts.split()):
        facts_of(content)


def test_nothing_is_assumed_where_nothing_is_given():
    found = lift(
        compile_source(HEAD + "(float* y, int n) { y[n] = 1.0f; }", "gfx942", lines_of="a.hip").code_object
    )
    assert "0 <= wave < 16" in str(found.assumed)
    assert "-2147483648 <= n <= 2147483647" in str(found.assumed)
    (store,) = vectors(found)
    assert store.bounds.missing == "no extent of y is given"


def test_threads_along_y_are_asked_for():
    text = "(float* y) { y[threadIdx.y*16 + threadIdx.x] = 1.0f; }"
    with refused(LayoutError):
        lifted(text, {})
    (store,) = vectors(lifted(text, {"launch": {"block": [16, 16]}}))
    assert store.offsets(wave=1)[0].tolist() == [4 * (64 + lane) for lane in range(64)]


def test_the_size_of_a_block_is_open_where_none_is_given():
    text = "(float* y) { y[blockIdx.x*blockDim.x + threadIdx.x] = 1.0f; }"
    assert "group_size_x" in vectors(lifted(text, {}))[0].formula


def test_buffers_that_change_places_by_a_step_of_the_turn_are_not_followed():
    """a, b = b + turn, a - turn: two turns together are no step, for each turn does something else."""
    words = Words(NormalForm(Domain.of({"lane": 64, "turn": (0, None)})))
    turn = words.form.symbol("turn")
    a, b = (words.unknown("carried", (n, turn), 0, 2**32 - 1) for n in range(2))
    letters = [one.as_letter or 0 for one in (a, b)]
    assert all(letters)

    def carried(after):
        return {
            letter: Carried((("s", n),), letter, 32, constant(8 * n), ((ALWAYS, p),))
            for n, (letter, p) in enumerate(zip(letters, after, strict=True))
        }

    assert solved(words, carried([b + turn, a - turn]), turn) == {}
    assert set(solved(words, carried([b, a]), turn)) == set(letters)


def test_calls_and_unknown_accesses_are_refused():
    for line in ("s_swappc_b64 s[30:31], s[4:5]", "s_buffer_load_dword s4, s[0:3], 0x0", "s_setvskip s0, 0"):
        code = (parse_instruction(line, 1), parse_instruction("s_endpgm", 2))
        with refused(LayoutError):
            require_followed(Assembly("kernel", "gfx942", code, {}, {}))


def run(*words):
    done = CliRunner().invoke(app, ["lift", *map(str, words)])
    return done.exit_code, done.output


def test_the_command_prints_formulas_and_verdicts():
    status, text = run("transpose")
    assert status == 0
    assert "8 accesses: 8 lifted, 8 in bounds, 8 aligned" in text
    assert "reads 16 bytes of in at" in text


def test_the_command_prints_json(tmp_path):
    file = tmp_path / "kernel.hip"
    file.write_text(HEAD + "(float* y, int n) { if (threadIdx.x < n) y[threadIdx.x + 1] = 1.0f; }")
    facts = tmp_path / "kernel.facts.toml"
    facts.write_text('[sizes]\nn = [1, 64]\n[extents]\ny = "4*n"\n[launch]\nblock = [64]\n')
    status, text = run(file, "--target", "gfx942", "--facts", facts, "--json")
    told = json.loads(text)
    assert status == 1
    assert told["accesses"][-1]["buffer"] == "y"
    assert not told["accesses"][-1]["in_bounds"]


STRUCTURE = """#include <hip/hip_runtime.h>
struct Rows { float* y; int stride; int count; };
extern "C" __global__ void fill(Rows rows) {
    if (blockIdx.x < rows.count) rows.y[blockIdx.x * rows.stride + threadIdx.x] = 1;
}"""


def test_what_is_declared_of_a_word_of_a_structure_is_about_the_whole_word():
    """A multiple of 64 is a letter times 64: neither a part of it nor another word."""
    sizes = {"arguments_0x8": [64, 4096, 64], "arguments_0xc": [1, 4096]}
    facts = facts_of({"sizes": sizes, "launch": {"block": [64], "grid": [4096]}})
    store = lift(compile_source(STRUCTURE, "gfx942").code_object, facts).accesses[-1]
    values = {"arguments_0x8": 128, "arguments_0xc": 9, "arguments_0x0": 4096, "arguments_0x4": 0}
    places, active = store.offsets(wave=0, workgroup_x=3, workgroup_y=0, workgroup_z=0, **values)
    assert active.all()
    assert [int(place) - 4096 for place in places] == [4 * (3 * 128 + lane) for lane in range(64)]
    assert not store.offsets(wave=0, workgroup_x=9, workgroup_y=0, workgroup_z=0, **values)[1].any()


@pytest.mark.slow
def test_a_size_that_nothing_speaks_of_is_refused(tmp_path):
    """It was meant as the name of an argument; one that facts speak of may be any number."""
    source = Path(__file__).parents[4] / "notebooks" / "examples" / "scale.hip"
    facts = tmp_path / "facts.toml"

    def told(sizes):
        facts.write_text(f'facts = ["rows == 2*half"]\n[sizes]\nrows = [2, 64]\nhalf = [1, 32]\n{sizes}')
        words = ["lift", str(source), "--facts", str(facts), "--target", "gfx942"]
        return CliRunner().invoke(app, words)

    assert told("").exception is None or isinstance(told("").exception, SystemExit)
    found = told("s0 = [1, 8]").exception
    assert isinstance(found, LayoutError)
    assert "s0 is no argument of scale, and nothing else speaks of it" in str(found)


@pytest.mark.parametrize(("size", "is_shown"), [(1001, True), (1000, False)])
def test_bounds_are_looked_at_lane_by_lane_where_the_launch_is_fixed(size, is_shown):
    """The last vector begins early, which no range of the other lanes' places tells."""
    text = """(unsigned char* y, const unsigned char* x) {
        const int first = threadIdx.x < 62 ? 16 * threadIdx.x : 985;
        if (threadIdx.x < 63)
            __builtin_memcpy(y + 16 * threadIdx.x, x + first, 16);
    }"""
    found = lifted(text, {"launch": {"block": [256], "grid": [1]}, "extents": {"x": str(size), "y": "1008"}})
    (load,) = (one for one in found.accesses if one.direction == "load" and one.space != "scalar")
    assert load.bounds.is_shown == is_shown

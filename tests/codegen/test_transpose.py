"""The transpose: derived, proved, compiled for three targets, executed, and caught when broken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from layoutalg import Comparison, LayoutError, Refuted, ToolError
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import UnprovedKernelError, emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.codegen.kernels import transpose
from layoutalg.codegen.kernels.transpose.in_registers import DIMENSIONS, _domain, _size, _views
from layoutalg.codegen.kernels.transpose.tile_move import TileMove
from layoutalg.data_type import DataType
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.refusals import refused

TARGETS = ("gfx90a", "gfx942", "gfx950")


def element_of(kernel):
    return kernel.arguments[0].element


def run(kernel, target, sizes, seed=1):
    shape = kernel.shape_of(kernel.arguments[0], sizes)
    source = np.random.default_rng(seed).integers(-5, 6, shape).astype(element_of(kernel).numpy)
    compiled = compile_hip(kernel.text, Target.named(target))
    return source, CpuExecutor().run(Launch(kernel, compiled, sizes, {"in": source}))


@pytest.mark.sample(8)
@pytest.mark.parametrize("element", ["f32", "f16", "i8", "bf16", "f64"])
@pytest.mark.parametrize("threads", [(8, 8), (16, 4), (32, 8)])
def test_every_claim_is_proved_for_all_sizes(element, threads):
    kernel = transpose(element, threads=threads)
    assert emit(kernel, prove) == kernel.text
    assert {claim.name for claim in kernel.claims} == {
        "in memory bounds",
        "one-to-one",
        "covers",
        "writes what was read",
        "vector divides length",
        "vector contiguous",
        "vector aligned",
        "fits int32",
    }


CASES: list[tuple[str, tuple[int, int], dict[str, int]]] = [
    ("f32", (8, 8), {"M": 2560, "K": 32}),
    ("f32", (8, 8), {"M": 32, "K": 32}),
    ("f32", (16, 4), {"M": 256, "K": 512}),
    ("f32", (32, 8), {"M": 384, "K": 96}),
    ("f16", (8, 8), {"M": 192, "K": 320}),
    ("f16", (4, 16), {"M": 96, "K": 256}),
    ("i8", (8, 8), {"M": 256, "K": 128}),
    ("bf16", (8, 8), {"M": 64, "K": 128}),
    ("f64", (16, 8), {"M": 64, "K": 48}),
]
IN_TURN = [  # the targets take turns, all of them run with the slow tests
    pytest.param(target, *case, marks=() if (at + turn) % 3 == 0 else pytest.mark.slow)
    for at, target in enumerate(TARGETS)
    for turn, case in enumerate(CASES)
]


@pytest.mark.sample(4, slow=6)
@pytest.mark.parametrize(("target", "element", "threads", "sizes"), IN_TURN)
def test_compiled_code_transposes_exactly(target, element, threads, sizes):
    kernel = transpose(element, threads=threads)
    source, result = run(kernel, target, sizes)
    assert np.array_equal(result.outputs["out"], source.T)
    needs = compile_hip(kernel.text, Target.named(target)).resources
    assert needs.spills == needs.lds_bytes == needs.scratch_bytes == 0


@pytest.mark.parametrize("element", ["f32", "f16"])
def test_all_accesses_move_sixteen_bytes(element):
    kernel = transpose(element)
    assembly = compile_hip(kernel.text, Target.named("gfx942")).assembly
    held = 16 // element_of(kernel).bytes
    for kind in ("load", "store"):
        assert assembly.count(f"global_{kind}_dwordx4") == held
        assert assembly.count(f"global_{kind}_") == held


def test_a_larger_matrix_and_a_fixed_size():
    source, result = run(transpose("f32"), "gfx942", {"M": 2048, "K": 1024})
    assert np.array_equal(result.outputs["out"], source.T)
    fixed = transpose("f32", m=2560, k=32)
    assert [a.name for a in fixed.arguments] == ["in", "out"]
    assert emit(fixed, prove) == fixed.text
    source, result = run(fixed, "gfx942", {})
    assert np.array_equal(result.outputs["out"], source.T)


@pytest.mark.parametrize("element", ["f32", "f16"])
def test_the_text_is_the_one_that_was_read(element, snapshot):
    snapshot.check(f"transpose_{element}.hip", transpose(element).text)


@pytest.mark.parametrize(
    "arguments",
    [
        {"m": 2561},
        {"m": 0},
        {"k": 33},
        {"k": "32"},
        {"m": 2**20, "k": 2**12},
        {"threads": (8,)},
        {"threads": (64, 32)},
        {"threads": "88"},
        {"element": "f8"},
    ],
)
def test_sizes_that_do_not_fit_are_refused(arguments):
    with pytest.raises(LayoutError):
        transpose(**arguments)


def test_a_launch_refuses_sizes_that_were_not_proved():
    kernel = transpose("f32")
    for sizes in ({"M": 2560}, {"M": 2561, "K": 32}, {"M": 0, "K": 32}, {"M": 2**20, "K": 2**12}):
        with pytest.raises(LayoutError):
            kernel.check_sizes(sizes)
    compiled = compile_hip(kernel.text, Target.named("gfx942"))
    with refused(LayoutError, "float32"):
        Launch(kernel, compiled, {"M": 64, "K": 32}, {"in": np.zeros((32, 64), np.float32)})
    with refused(LayoutError, "in"):
        Launch(kernel, compiled, {"M": 64, "K": 32}, {})


def views(turn=lambda target: target, rows=None, columns=None):
    """The two views of the 32 x 32 float transpose, the target changed by ``turn``."""
    (m, blocks_m), (k, blocks_k) = _size(rows, "M", 32), _size(columns, "K", 32)
    source, target = _views((m, k), (blocks_m, blocks_k), (8, 8), 4)
    return source, turn(target), _domain(m, k, (32, 32))


WRONG_VIEWS = {  # a change of the target view, and the claim that must see it
    "threads exchanged": (lambda d: d.permute(0, 4, 2, 3, 1, 5), "writes what was read"),
    "blocks exchanged": (lambda d: d.permute(3, 1, 2, 0, 4, 5), "writes what was read"),
    "registers exchanged": (lambda d: d.permute(0, 1, 5, 3, 4, 2), "writes what was read"),
}


@pytest.mark.parametrize("name", WRONG_VIEWS)
def test_wrong_views_are_refuted(name):
    turn, seen_by = WRONG_VIEWS[name]
    source, target, sizes = views(
        lambda view: replace(view, descriptor=turn(view.descriptor)), rows=64, columns=64
    )
    move = TileMove(DIMENSIONS, source, target, DataType.named("f32"), sizes)
    refuted = {claim.name for claim in move.claims() if isinstance(prove(claim), Refuted)}
    assert seen_by in refuted


def test_an_unproved_kernel_is_not_emitted():
    kernel = transpose("f32")
    reads = kernel.claims[0]
    one_less = Comparison(reads.then[1].left, "<", reads.then[1].right - 1)
    broken = replace(kernel, claims=(replace(reads, then=(one_less,)), *kernel.claims[1:]))
    with pytest.raises(UnprovedKernelError, match=r"\(reads\)"):
        emit(broken, prove)


BROKEN_TEXT = {  # an edit of the source, and how the executor notices: a fault, or a wrong result
    "wrong stride": ("source + 3 * K", "source + 2 * K", None),
    "swapped store": ("target + 2 * M", "target + M", "never written"),
    "swapped register": ("{row0[0], row1[0]", "{row1[0], row0[0]", None),
    "off by one": ("in + (K * m + k)", "in + (K * m + k + 1)", "1 lanes out of bounds"),
    "past the end": ("in + (K * m + k)", "in + (K * (m + 4) + k)", "which has"),
    "block not scaled": ("32 * block_m + 4 * thread_m", "16 * block_m + 4 * thread_m", "never written"),
    "writes its input": ("target = out", "target = const_cast<float*>(in)", "which is an input"),
    "store far away": ("out + (M * k + m)", "out + (M * (k + M) + m)", "which has"),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", BROKEN_TEXT)
def test_a_broken_kernel_is_caught_when_executed(name):
    old, new, fault = BROKEN_TEXT[name]
    kernel = transpose("f32")
    assert old in kernel.text
    broken = replace(kernel, text=kernel.text.replace(old, new))
    if fault is None:
        source, result = run(broken, "gfx942", {"M": 64, "K": 64})
        assert not np.array_equal(result.outputs["out"], source.T)
    else:
        with pytest.raises(ExecutionFaultError, match=fault):
            run(broken, "gfx942", {"M": 64, "K": 64})


def test_reading_what_nobody_wrote_is_a_fault():
    kernel = transpose("f32")
    text = kernel.text.replace("in + (K * m + k)", "out + (K * m + k)")
    with pytest.raises(ExecutionFaultError):
        run(replace(kernel, text=text), "gfx942", {"M": 64, "K": 64})


def test_compilers_say_what_is_wrong():
    with pytest.raises(ToolError, match="'x'"):
        compile_hip('extern "C" __attribute__((global)) void f() { x = 1; }', Target.named("gfx942"))
    with refused(ToolError, "0"):
        compile_hip("// nothing\n", Target.named("gfx942"))
    big = """extern "C" __attribute__((global)) void f(int* p, int i) {
        static __attribute__((shared)) int lds[20000];
        lds[i] = *p;
        __builtin_amdgcn_s_barrier();
        *p = lds[i + 1];
    }"""
    with pytest.raises(ToolError):
        compile_hip(big, Target.named("gfx942"))

"""GEMM on the matrix cores: proved, compiled for six targets, executed, and caught when broken."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from layoutalg import LayoutError, Proved, Refuted
from layoutalg.codegen.agreement import agreements
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import UnprovedKernelError, emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.gfx9.fault import ExecutionFaultError
from layoutalg.codegen.kernels.gemm import ELEMENTS, RUNGS, GemmConfig, configured, gemm
from layoutalg.codegen.kernels.gemm.claims import claims_of
from layoutalg.codegen.kernels.gemm.config import LAYOUTS
from layoutalg.codegen.kernels.gemm.schedule import BARRIER, LOAD, MULTIPLY, SCHEDULES, STORE, Schedule
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.data_type import from_numbers
from layoutalg.machine import Target
from layoutalg.proofs import prove

CDNA = {"gfx90a": ("f16", "bf16", "i8", "f32", "f64"), "gfx942": tuple(ELEMENTS), "gfx950": tuple(ELEMENTS)}
RDNA = {"gfx1100": ("f16", "bf16", "i8"), "gfx1201": ("f16", "bf16", "i8", "f8", "bf8")}
ALL = [
    (target, element, rung)
    for target, elements in (CDNA | RDNA).items()
    for element in elements
    for rung in RUNGS
]
EXECUTED = [case for case in ALL if case[0] in CDNA]
# Every pair of target, type and rung at least once.
PAIRS = [case for number, case in enumerate(EXECUTED) if number % 3 == 0 or case[1] == "f16"]


def inputs_of(config: GemmConfig, sizes, *, integers=True, seed=5):
    random = np.random.default_rng(seed)
    found = {}
    for name, rows in (("a", "M"), ("b", "N")):
        shape = (sizes[rows], sizes["K"]) if config.is_k_first(rows) else (sizes["K"], sizes[rows])
        small = random.integers(-3, 4, shape)
        numbers = small if integers or config.element == "i8" else random.standard_normal(shape)
        found[name] = from_numbers(numbers, config.kind)
    return found


def launched(config: GemmConfig, *, turns=(2, 1, 3), integers=True, text=None):
    """A run over this many tiles along M, N and K."""
    kernel = gemm(config)
    if text is not None:
        kernel = replace(kernel, text=text(kernel.text))
    sizes = {name: count * tile for name, count, tile in zip("MNK", turns, config.tile, strict=True)}
    compiled = compile_hip(kernel.text, Target.named(config.target))
    task = Launch(kernel, compiled, sizes, inputs_of(config, sizes, integers=integers))
    result = CpuExecutor().run(task)
    return agreements(task, result.outputs)["c"], result


@pytest.mark.parametrize(("target", "element", "rung"), PAIRS)
def test_compiled_code_multiplies_integers_exactly(target, element, rung):
    found, _ = launched(configured(rung, target=target, element=element))
    assert found.is_good
    assert found.largest_error == 0


@pytest.mark.slow
@pytest.mark.parametrize(("target", "element", "rung"), EXECUTED)
@pytest.mark.parametrize("integers", [True, False])
def test_all_of_them(target, element, rung, integers):
    found, _ = launched(configured(rung, target=target, element=element), integers=integers)
    assert found.is_good
    assert found.largest_error == 0 or not integers


@pytest.mark.parametrize("element", ELEMENTS)
def test_random_numbers_agree_within_rounding(element):
    found, _ = launched(configured("double", element=element), integers=False)
    assert found.is_good
    assert (found.largest_error == 0) == (element == "i8")


@pytest.mark.parametrize(("target", "element", "rung"), [case for case in ALL if case[1] in {"f16", "i8"}])
def test_every_claim_is_proved_for_all_sizes(target, element, rung):
    kernel = gemm(configured(rung, target=target, element=element))
    assert emit(kernel, prove) == kernel.text
    names = {claim.name for claim in kernel.claims}
    assert {"same k", "right rows", "right result", "barrier between", "in order", "covers"} <= names
    assert ("conflict-free" in names) == (rung in {"xor", "prefetch", "double", "pipelined"})


@pytest.mark.parametrize(("target", "element"), [(t, e) for t, es in RDNA.items() for e in es])
def test_rdna_kernels_compile_without_spills(target, element):
    for rung in ("naive", "double"):
        kernel = gemm(configured(rung, target=target, element=element))
        assert compile_hip(kernel.text, Target.named(target)).resources.spills == 0
        assert "__builtin_amdgcn_wmma" in kernel.text


@pytest.mark.parametrize("is_transposed", [True, False])
@pytest.mark.parametrize("element", ["f16", "f64"])
def test_c_lies_both_ways_in_registers(is_transposed, element):
    found, _ = launched(configured("xor", element=element, is_c_transposed=is_transposed))
    assert found.is_good


@pytest.mark.parametrize("layouts", LAYOUTS)
@pytest.mark.parametrize(
    ("rung", "target", "element"),
    [("naive", "gfx942", "f16"), ("pipelined", "gfx90a", "f32"), ("pipelined", "gfx942", "f8")],
)
def test_matrices_lie_in_memory_by_rows_or_columns(rung, target, element, layouts):
    config = configured(rung, target=target, element=element, layouts=layouts)
    assert all(isinstance(prove(claim), Proved) for claim in gemm(config).claims)
    assert launched(config)[0].is_good


@pytest.mark.parametrize("turns", [1, 2, 3, 4])
@pytest.mark.parametrize("order", SCHEDULES)
def test_any_number_of_turns(order, turns):
    assert launched(configured("xor", order=order), turns=(1, 1, turns))[0].is_good


@pytest.mark.parametrize("waves", [(1, 4), (2, 2), (1, 2), (2, 4)])
def test_waves_share_the_tile_in_any_way(waves):
    config = configured("double", tile=(128, 128, 64), waves=waves)
    assert all(isinstance(prove(claim), Proved) for claim in gemm(config).claims)
    assert launched(config, turns=(1, 2, 2))[0].is_good


def test_the_tutorial_is_the_naive_rung():
    kernel = gemm()
    assert (kernel.block, kernel.grid_for({"M": 3328, "N": 4096, "K": 4096})) == ((256,), (32, 13))
    assert GemmConfig().instruction_row.name == "v_mfma_f32_32x32x8_f16"


@pytest.mark.parametrize(("rung", "element"), [("naive", "f16"), ("pipelined", "f16"), ("padded", "f32")])
def test_the_text_is_the_one_that_was_read(rung, element, snapshot):
    snapshot.check(f"gemm_{element}_{rung}.hip", gemm(configured(rung, element=element)).text)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no such type here": ({"target": "gfx90a", "element": "f8"}, "gfx90a has no instructions for it"),
    "no matrix cores for it": (
        {"target": "gfx1100", "element": "f64"},
        "has bf16 16x16, f16 16x16, i8 16x16",
    ),
    "unknown rung": ({"rung": "best"}, "wanted a rung of naive"),
    "unknown type": ({"element": "f128"}, "wanted an element type of f16"),
    "a tile too large": ({"tile": (512, 512, 64)}, "need 131072 bytes of shared memory"),
    "an odd tile": ({"tile": (256, 128, 36)}, "multiple of 8, got 36"),
    "unknown layout": ({"lds": "diagonal"}, "row-major, padded, xor"),
    "unknown order": ({"order": "triple"}, "wanted a schedule of simple, prefetch, double"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused(name):
    fields, message = REFUSED[name]
    with pytest.raises(LayoutError) as caught:
        configured(**fields)
    assert message in f"{caught.value} {getattr(caught.value, 'hint', '')}"


BROKEN_TEXT = {  # an edit of the naive source; a fault, or None for a wrong result
    "swapped operands": ("32x32x8f16(b_part[j], a_part[i]", "32x32x8f16(a_part[i], b_part[j]", None),
    "wrong row": ("a_read + i * 4096", "a_read + i * 4096 + 32", None),
    "wrong k": ("b_read + i * 1024 + kk * 8", "b_read + i * 1024 + kk * 4", None),
    "loads past the end": ("a_next + i * (64 * K)", "a_next + i * (256 * K)", "which has"),
    "misaligned": ("a_lds + a_store + i * 2048", "a_lds + a_store + i * 2048 + 1", "not aligned"),
    "outside LDS": ("b_lds + b_store + i * 2048", "b_lds + b_store + i * 8192", "of 24576 allocated"),
    "k not advanced": ("b_next += 32", "b_next += 0", None),
}


@pytest.mark.parametrize("name", BROKEN_TEXT)
def test_a_broken_kernel_is_caught_when_executed(name):
    old, new, fault = BROKEN_TEXT[name]

    def edited(text):
        assert old in text
        return text.replace(old, new)

    if fault is None:
        assert not launched(GemmConfig(), text=edited)[0].is_good
    else:
        with pytest.raises(ExecutionFaultError, match=fault):
            launched(GemmConfig(), text=edited)


def refuted(claims):
    return {claim.name for claim in claims if isinstance(prove(claim), Refuted)}


@pytest.mark.parametrize("missing", [0, 1])
def test_a_missing_barrier_is_refuted(missing):
    steps = [LOAD, BARRIER, STORE, BARRIER, MULTIPLY]
    assert not refuted(Schedule(tuple(steps)).claims())
    del steps[(1, 3)[missing]]
    assert refuted(Schedule(tuple(steps)).claims()) == {"barrier between"}


def test_registers_overwritten_too_early_are_refuted():
    order = Schedule((STORE, BARRIER, LOAD, MULTIPLY, BARRIER))
    assert "in order" in refuted(order.claims())


@pytest.mark.parametrize("order", ["double", "pipelined"])
def test_one_buffer_less_is_refuted(order):
    assert refuted(replace(SCHEDULES[order], buffers=1).claims()) == {"barrier between"}


def test_one_set_of_fragments_less_is_refuted():
    assert refuted(replace(SCHEDULES["pipelined"], fragments=1).claims()) == {"in order"}


def test_fragments_of_another_instruction_are_refuted():
    tiles = GemmTiles(GemmConfig())
    other = GemmTiles(GemmConfig(is_c_transposed=False))
    mixed = replace(tiles.config)
    broken = GemmTiles(mixed)
    broken.__dict__["c"] = other.c
    assert "right result" in refuted(claims_of(broken))
    swapped = GemmTiles(GemmConfig(waves=(2, 2)))
    swapped.__dict__["a"] = tiles.a
    assert "right rows" in refuted(claims_of(swapped))


def test_a_swizzle_on_one_side_is_refuted():
    plain, swizzled = GemmTiles(configured("naive")), GemmTiles(configured("naive", lds="xor"))
    broken = GemmTiles(configured("naive"))
    broken.__dict__["a"] = replace(plain.a, read=swizzled.a.read)
    assert "same map" in refuted(claims_of(broken))


def test_an_unproved_kernel_is_not_emitted():
    kernel = gemm()
    bad = [c for c in Schedule((LOAD, STORE, BARRIER, MULTIPLY)).claims() if c.name == "barrier between"]
    with pytest.raises(UnprovedKernelError, match="barrier between"):
        emit(replace(kernel, claims=(*kernel.claims, *bad)), prove)

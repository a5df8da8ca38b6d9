"""GEMM on the matrix cores: proved, compiled for six targets, executed, and caught when broken."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from layoutalg import LayoutError, Proved
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.kernels.gemm import ELEMENTS, RUNGS, GemmConfig, configured, gemm
from layoutalg.codegen.kernels.gemm.config import LAYOUTS
from layoutalg.codegen.kernels.gemm.family import GEMM
from layoutalg.codegen.kernels.gemm.gemm_problem import GemmProblem
from layoutalg.codegen.kernels.gemm.small_sizes import first_small_sizes, other_small_sizes
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.schedule import SCHEDULES
from layoutalg.data_type import DataType, from_numbers
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.refusals import refused

PACKED = ("f6_word", "bf6_word", "f4x2")  # of gfx950 alone
CDNA = {
    "gfx90a": ("f16", "bf16", "i8", "f32", "f64"),
    "gfx942": tuple(element for element in ELEMENTS if element not in PACKED),
    "gfx950": tuple(ELEMENTS),
}
RDNA = {"gfx1100": ("f16", "bf16", "i8"), "gfx1201": ("f16", "bf16", "i8", "f8", "bf8")}
EXECUTED = [(target, element, rung) for target, types in CDNA.items() for element in types for rung in RUNGS]


def in_turn(number, target):
    """Each rung and each type of a target, taking turns; `test_all_of_them` has the rest."""
    types, rungs = CDNA[target], tuple(RUNGS)
    cases = range(max(len(types), len(rungs)))
    return [(target, types[(number * 3 + at) % len(types)], rungs[at % len(rungs)]) for at in cases]


CHOSEN = [case for number, target in enumerate(CDNA) for case in in_turn(number, target)]


made = cache(gemm)  # kernels that several tests look at


def inputs_of(config: GemmConfig, sizes, *, integers=True, seed=5):
    random = np.random.default_rng(seed)
    found = {}
    for name, rows in (("a", "M"), ("b", "N")):
        is_k_first = config.is_k_first(rows)
        outer, inner = (rows, "K") if is_k_first else ("K", rows)
        shape = (sizes[outer], config.kind.numbers(sizes[inner]))
        small = random.integers(-3, 4, shape)
        numbers = small if integers or config.element == "i8" else random.standard_normal(shape)
        found[name] = from_numbers(numbers, config.kind)
    if config.has_scale:
        found["d"] = from_numbers(random.integers(-3, 4, (sizes["M"], sizes["N"])), config.result)
    return found


def launched(config: GemmConfig, *, turns=(2, 1, 3), sizes=None, integers=True, text=None, optimize="-O3"):
    """A run over this many tiles along M, N and K, or of these sizes."""
    kernel = made(config)
    if text is not None:
        kernel = replace(kernel, text=text(kernel.text))
    whole = {name: count * tile for name, count, tile in zip("MNK", turns, config.tile, strict=True)}
    sizes = whole if sizes is None else dict(zip("MNK", sizes, strict=True))
    factors = {"alpha": 0.5, "beta": -2.0} if config.has_scale else {}
    compiled = compile_hip(kernel.text, Target.named(config.target), optimize=optimize)
    task = Launch(kernel, compiled, sizes | factors, inputs_of(config, sizes, integers=integers))
    result = CpuExecutor().run(task)
    return compare_outputs(task, result.outputs)["c"], result


def test_every_target_has_all_its_types_and_rungs_among_the_chosen():
    for other in (1, 2):
        assert {(c[0], c[other]) for c in CHOSEN} == {(c[0], c[other]) for c in EXECUTED}


@pytest.mark.sample(32, slow=10)
@pytest.mark.parametrize(("target", "element", "rung"), CHOSEN)
def test_every_claim_is_proved_and_compiled_code_is_exact(target, element, rung):
    config = configured(rung, target=target, element=element)
    kernel = made(config)
    assert emit(kernel, prove) == kernel.text
    names = {claim.name for claim in kernel.claims}
    assert {"same k", "right rows", "right result", "barrier between", "in order", "covers"} <= names
    assert ("conflict-free" in names) == (config.lds == "xor")
    found, _ = launched(config, turns=(1, 1, 3))
    assert found.is_good
    assert found.largest_error == 0


@pytest.mark.slow_sample(92)
@pytest.mark.parametrize(("target", "element", "rung"), EXECUTED)
@pytest.mark.parametrize("integers", [True, False])
def test_all_of_them(target, element, rung, integers):
    if integers:
        kernel = gemm(configured(rung, target=target, element=element))
        assert emit(kernel, prove) == kernel.text
    found, _ = launched(configured(rung, target=target, element=element), integers=integers)
    assert found.is_good
    assert found.largest_error == 0 or not integers


@pytest.mark.sample(12)
@pytest.mark.parametrize("element", ELEMENTS)
def test_random_numbers_agree_within_rounding(element):
    target = "gfx950" if element in PACKED else "gfx942"
    found, _ = launched(configured("double", target=target, element=element), integers=False)
    assert found.is_good
    assert (found.largest_error == 0) == (element in {"i8", *PACKED})  # sums of these are exact


RDNA_CASES = [
    (target, element, ("naive", "pipelined")[at % 2])
    for target, types in RDNA.items()
    for at, element in enumerate(types)
]


@pytest.mark.sample(8)
@pytest.mark.parametrize(("target", "element", "rung"), RDNA_CASES)
def test_rdna_kernels_are_proved_and_compile_without_spills(target, element, rung):
    kernel = gemm(configured(rung, target=target, element=element))
    assert emit(kernel, prove) == kernel.text
    assert compile_hip(kernel.text, Target.named(target)).resources.spills == 0
    assert "__builtin_amdgcn_wmma" in kernel.text


@pytest.mark.slow_sample(14)
@pytest.mark.parametrize(("target", "element"), [(t, e) for t, es in RDNA.items() for e in es])
@pytest.mark.parametrize("rung", RUNGS)
def test_all_rdna_kernels(target, element, rung):
    test_rdna_kernels_are_proved_and_compile_without_spills(target, element, rung)


@pytest.mark.sample(6)
@pytest.mark.parametrize("is_transposed", [True, False])
@pytest.mark.parametrize("element", ["f16", "f64"])
def test_c_lies_both_ways_in_registers(is_transposed, element):
    found, _ = launched(configured("xor", element=element, is_c_transposed=is_transposed))
    assert found.is_good


KINDS = [("naive", "gfx942", "f16"), ("pipelined", "gfx90a", "f32"), ("pipelined", "gfx942", "f8")]
SOME_LAYOUTS = [(*KINDS[(at + turn) % 3], layouts) for at, layouts in enumerate(LAYOUTS) for turn in range(1)]


@pytest.mark.sample(4)
@pytest.mark.parametrize(("rung", "target", "element", "layouts"), SOME_LAYOUTS)
def test_matrices_lie_in_memory_by_rows_or_columns(rung, target, element, layouts):
    config = configured(rung, target=target, element=element, layouts=layouts)
    assert all(isinstance(prove(claim), Proved) for claim in made(config).claims)
    assert launched(config)[0].is_good


PARTS: dict[str, tuple[dict[str, Any], list[tuple[int, int, int]]]] = {
    "blocks in groups": ({"group_m": 2}, [(1024, 256, 64)]),
    "blocks of dies": ({"xcds": 8, "tile": (64, 64, 32)}, [(64 * 11, 128, 64), (64, 64, 32)]),
    "groups of dies": (
        {"xcds": 3, "group_m": 2, "tile": (64, 64, 32), "has_tails": True, "size_multiples": (1, 4, 8)},
        [(64 * 10 - 3, 140, 40), (64, 64, 32)],
    ),
    "a split K": ({"split_k": 3}, [(256, 256, 192)]),
    "scaled": ({"has_scale": True}, [(256, 128, 64)]),
    "C through LDS": ({"stages_result": True}, [(512, 128, 64)]),
    "tails": ({"has_tails": True}, [(300, 132, 72), (1, 4, 8)]),
    "tails of columns": ({"has_tails": True, "layouts": "crr"}, [(264, 136, 41)]),
    "odd sizes": (
        {"has_tails": True, "stages_result": True, "size_multiples": (1, 1, 1), "tile": (128, 128, 32)},
        [(131, 129, 77), (1, 1, 1)],
    ),
    "a split of odd sizes": (
        {"has_tails": True, "split_k": 3, "size_multiples": (1, 1, 1), "tile": (128, 128, 32)},
        [(131, 129, 177), (1, 3, 33)],
    ),
    "odd sizes from registers": (
        {
            "has_tails": True,
            "size_multiples": (1, 2, 1),
            "tile": (128, 128, 32),
            "waves": (2, 2),
            "instruction": (32, 32),
        },
        [(131, 130, 77)],
    ),
    "all but a split": (
        {"has_tails": True, "has_scale": True, "stages_result": True, "group_m": 2},
        [(300, 136, 72)],
    ),
}


NOT_TOGETHER = {("scaled", "i8"), ("all but a split", "i8")}
NOT_TOGETHER |= {("tails of columns", "f6_word"), ("tails of columns", "bf6_word")}


@pytest.mark.sample(len(PARTS), slow=6)
@pytest.mark.parametrize("name", sorted(PARTS, key=lambda name: name != "a split K"))
def test_what_a_production_kernel_needs(name):
    fields, several = PARTS[name]
    config = configured("pipelined", **fields)
    kernel = made(config)
    assert emit(kernel, prove) == kernel.text
    width = 16 if config.stages_result or config.split_k > 1 else 8
    if config.size_multiples and not config.stages_result:
        width = config.result.bytes * config.size_multiples[1]
    pieces = config.stored_at_once.bit_length() - 1 if config.rows_end_inside_vectors else 0
    for sizes in several:
        found, result = launched(config, sizes=sizes)
        assert found.is_good
        assert found.largest_error == 0
        wide = result.counters.get(f"global_stores_of_{width}_bytes", 0)
        assert (wide > 0) == (sizes[1] >= config.stored_at_once)
        assert wide <= result.counters["global_stores"] <= wide + pieces * max(1, wide)


def is_of_one_die(fields: dict[str, Any], target: str) -> bool:
    """Whether fields ask for dies of a GPU that is one."""
    return "xcds" in fields and target == "gfx90a"


def of_type(fields: dict[str, Any], element: str) -> dict[str, Any]:
    """Fields for f16 with a K of the tile of as many bytes; f64 has 16x16 instructions alone."""
    if "tile" not in fields:
        return fields
    rows, columns, k = fields["tile"]
    kind = DataType.named(element)
    found = fields | {"tile": (rows, columns, 2 * k // kind.bytes * kind.unpacked[2])}
    return found | ({"instruction": (16, 16)} if element == "f64" else {})


@pytest.mark.slow_sample(244)
@pytest.mark.parametrize(("target", "element"), [(t, e) for t, es in CDNA.items() for e in es])
@pytest.mark.parametrize("name", PARTS)
def test_what_a_production_kernel_needs_for_every_type(name, target, element):
    fields, several = PARTS[name]
    if (name, element) in NOT_TOGETHER or is_of_one_die(fields, target):
        with refused(LayoutError):
            configured("pipelined", target=target, element=element, **of_type(fields, element))
        return
    config = configured("pipelined", target=target, element=element, **of_type(fields, element))
    kernel = made(config)
    whole = config.tile if not config.has_tails else (1, 1, 1) if config.size_multiples else (16, 16, 16)
    multiples = GemmProblem(config).multiples
    assert emit(kernel, prove) == kernel.text
    for sizes in several:
        near = tuple(-(-size // part) * part for size, part in zip(sizes, whole, strict=True))
        near = tuple(-(-size // part) * part for size, part in zip(near, multiples, strict=True))
        assert launched(config, sizes=near)[0].is_good


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "element", "rung"),
    [("gfx90a", "bf16", "naive"), ("gfx942", "f16", "pipelined"), ("gfx950", "f8", "pipelined")],
)
def test_less_optimised_code_gives_the_same(rung, target, element):
    found, _ = launched(configured(rung, target=target, element=element), optimize="-O2")
    assert found.largest_error == 0


@pytest.mark.slow_sample(8)
@pytest.mark.parametrize("turns", range(1, 5))
@pytest.mark.parametrize("order", SCHEDULES)
def test_any_number_of_turns(order, turns):
    fields: dict[str, Any] = {"instruction": (32, 32)} if order == "streamed" else {}  # two reads along K
    fields |= {"target": "gfx950"} if order == "direct" else {}
    assert launched(configured("xor", order=order, **fields), turns=(1, 1, turns))[0].is_good


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize(
    "waves", [(1, 4), (2, 4), *(pytest.param(waves, marks=pytest.mark.slow) for waves in ((2, 2), (1, 2)))]
)
def test_waves_share_the_tile_in_any_way(waves):
    config = configured("double", tile=(128, 128, 64), waves=waves)
    assert all(isinstance(prove(claim), Proved) for claim in made(config).claims)
    assert launched(config, turns=(1, 2, 2))[0].is_good


@pytest.mark.slow
def test_the_last_rung_moves_16_bytes_at_a_time():
    _, result = launched(configured("staged"))
    for way in ("load", "store"):
        assert result.counters[f"global_{way}s"] == result.counters[f"global_{way}s_of_16_bytes"]


def test_the_tutorial_is_the_naive_rung():
    kernel = gemm()
    assert (kernel.block, kernel.grid_for({"M": 3328, "N": 4096, "K": 4096})) == ((256,), (32, 13))
    assert GemmConfig().instruction_row.name == "v_mfma_f32_32x32x8_f16"


@pytest.mark.parametrize(("rung", "element"), [("naive", "f16"), ("pipelined", "f16"), ("padded", "f32")])
def test_the_text_is_the_one_that_was_read(rung, element, snapshot):
    snapshot.check(f"gemm_{element}_{rung}.hip", gemm(configured(rung, element=element)).text)


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize(
    ("rung", "fields"),
    [
        ("naive", {"element": "i8", "tile": (128, 32, 32)}),  # more threads down a column than waves have
        (
            "prefetch",
            {"element": "f32", "tile": (128, 32, 8), "instruction": (32, 32)},
        ),  # one element of a column at a time
    ],
)
def test_threads_that_turn_few_elements(rung, fields):
    config = configured(rung, layouts="rrr", waves=(4, 1), **fields)
    assert emit(gemm(config), prove) == gemm(config).text
    assert launched(config)[0].is_good


@pytest.mark.parametrize("fields", [v for v in GEMM.variants if "has_block_scales" not in v], ids=str)
def test_two_checks_go_through_all_of_a_loop(fields):
    """More turns than a loop takes at once, and then another number of those left behind it."""
    config = configured(fields["rung"], **{n: v for n, v in fields.items() if n != "rung"})
    of_k, at_once = config.tile[2] * config.split_k, config.schedule.turns_at_once
    first, other = (-(-of(config)["K"] // of_k) for of in (first_small_sizes, other_small_sizes))
    assert first > at_once
    assert first % at_once != other % at_once or at_once == 1 or config.split_k > 1
    left = [of(config)["N"] % config.stored_at_once for of in (first_small_sizes, other_small_sizes)]
    assert not config.rows_end_inside_vectors or len(set(left)) > 1 or config.stored_at_once < 4


def test_a_launch_has_so_many_workgroups_along_an_axis():
    kernel = gemm(configured("naive", tile=(64, 64, 32), waves=(2, 2)))
    kernel.check_sizes({"M": 64 * 65535, "N": 64, "K": 32})
    with refused(LayoutError, "65535", "65536"):
        kernel.check_sizes({"M": 64 * 65536, "N": 64, "K": 32})


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no such type here": ({"target": "gfx90a", "element": "f8"}, "gfx90a has no instructions for it"),
    "no matrix cores for it": (
        {"target": "gfx1100", "element": "f64"},
        "has bf16 16x16, f16 16x16, i8 16x16",
    ),
    "unknown rung": ({"rung": "best"}, "wanted a rung of naive"),
    "unknown type": ({"element": "f128"}, "wanted an element type of f16"),
    "a tile too large": ({"tile": (512, 512, 64)}, "need 131072 bytes of shared memory"),
    "rows that padding makes too long": (
        {
            "lds": "padded",
            "order": "double",
            "tile": (128, 128, 64),
            "waves": (2, 2),
            "instruction": (16, 16),
        },
        "need 65984 bytes of shared memory with padding, a workgroup on gfx942 has 65536",
    ),
    "an odd tile": ({"tile": (256, 128, 36)}, "multiple of 8, got 36"),
    "unknown matrices": ({"layouts": "rcc"}, "wanted layouts of A, B and C of rcr, rrr, ccr, crr"),
    "scaled integers": ({"element": "i8", "has_scale": True}, "alpha and beta are no integers"),
    "multiples of whole tiles": ({"size_multiples": (1, 1, 1)}, "sizes of whole tiles"),
    "multiples of nothing": ({"has_tails": True, "size_multiples": (1, 0, 1)}, "at least 1, got (1, 0, 1)"),
    "a split in groups": ({"split_k": 2, "group_m": 2}, "a launch has three dimensions"),
    "more dies than there are": ({"xcds": 9}, "wanted at most 8 xcds, the dies of gfx942, got 9"),
    "more waves than there are": ({"waves_per_simd": 99}, "wanted 1 to 8 waves_per_simd, got 99"),
    "no groups": ({"group_m": 0}, "wanted at least 1 of group_m, xcds and split_k, got (0, 1, 1)"),
    "columns that threads cannot share": ({"layouts": "crr", "tile": (384, 128, 32)}, "384 by 32"),
    "C that does not fit": (
        {
            "element": "f64",
            "tile": (16, 992, 8),
            "waves": (1, 1),
            "instruction": (16, 16),
            "stages_result": True,
        },
        "with 2048 bytes of C the tiles need 66560 bytes of shared memory",
    ),
    "unknown layout": ({"lds": "diagonal"}, "wanted a layout of shared memory of row-major"),
    "unknown order": ({"order": "triple"}, "wanted a schedule of simple, prefetch, double"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused(name):
    fields, message = REFUSED[name]
    with pytest.raises(LayoutError) as caught:
        gemm(configured(**fields))
    assert message in f"{caught.value} {getattr(caught.value, 'hint', '')}"

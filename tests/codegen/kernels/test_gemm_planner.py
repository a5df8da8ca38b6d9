"""Plans of GEMMs: what is expected is what is compiled, sizes and fixed fields are kept, none is better."""

from __future__ import annotations

import itertools

import pytest

from layoutalg import LayoutError
from layoutalg.cli.kernel_request import requested
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels.gemm import configured, gemm
from layoutalg.codegen.kernels.gemm.candidate import PLANNED_FOR, Candidate
from layoutalg.codegen.kernels.gemm.expected_loop import ExpectedLoop
from layoutalg.codegen.kernels.gemm.planner import AS_GOOD, planned
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.kernel_matrix import Choice
from layoutalg.errors import ToolError
from layoutalg.proofs import prove
from layoutalg.verdict import Proved
from tests.benchmarks.loop_kernels import ours, settled
from tests.benchmarks.main_loops import FAR, SLOW_LDS, USUAL
from tests.refusals import refused

WIDE = {"tile": (256, 256, 32), "waves": (4, 2), "instruction": (32, 32)}
ALONE = WIDE | {"order": "streamed", "tile": (320, 192, 64), "waves": (2, 2), "has_tails": True}
SCALED = WIDE | {"element": "f4x2", "has_block_scales": True, "has_tails": True}
CLOSE = 0.03
SPLIT_READS = 0.05  # of f32 behind a barrier: compilers read two words at a time, which is not foreseen
EXPECTED = [
    ("gfx942", {}),
    ("gfx942", WIDE),
    ("gfx942", WIDE | {"has_tails": True}),
    ("gfx942", WIDE | {"layouts": "rrr"}),
    ("gfx942", WIDE | {"element": "i8", "tile": (256, 256, 64)}),
    ("gfx942", WIDE | {"tile": (128, 128, 64), "waves": (2, 2)}),
    ("gfx950", WIDE),
    ("gfx950", WIDE | {"instruction": (16, 16)}),
    ("gfx950", WIDE | {"order": "streamed", "tile": (256, 256, 64)}),
    ("gfx950", WIDE | {"order": "streamed", "tile": (256, 256, 64), "has_tails": True}),
    ("gfx950", ALONE),
    ("gfx950", ALONE | {"element": "i8", "tile": (320, 192, 128)}),
    ("gfx950", SCALED | {"order": "streamed", "tile": (256, 256, 128)}),
    ("gfx950", SCALED | {"order": "streamed", "element": "f6_word", "tile": (256, 128, 48)}),
    ("gfx942", WIDE | {"order": "streamed"}),
    (
        "gfx942",
        {
            "element": "f32",
            "tile": (128, 128, 16),
            "waves": (4, 2),
            "instruction": (32, 32),
            "order": "streamed",
        },
    ),
    ("gfx950", {"waves_per_simd": 2}),
    ("gfx90a", WIDE),
]
COARSE = {"has_tails": True, "size_multiples": (4, 4, 8)}
SIZES = {"M": 4096, "N": 4096, "K": 4096}
ODD = {"M": 1000, "N": 1004, "K": 1000}


@pytest.mark.slow_sample(14)
@pytest.mark.parametrize(("target", "fields"), EXPECTED)
def test_what_is_expected_is_what_is_compiled(target, fields):
    config = configured("pipelined", target=target, **fields)
    compiled = ours(config)
    loop = ExpectedLoop(config)
    assert abs(loop.registers - compiled.resources.vgprs) <= max(32, loop.registers // 10)
    assert loop.occupancy.waves == compiled.occupancy.waves
    for model in (USUAL, FAR, SLOW_LDS):
        assert abs(loop.share(model) - compiled.share(model)) <= CLOSE
        assert loop.share(model) <= loop.bound(model) + CLOSE


TYPES = [
    *(
        (target, element)
        for target in ("gfx90a", "gfx942", "gfx950")
        for element in ("f16", "bf16", "i8", "f64")
    ),
    *(("gfx942", "f8"), ("gfx950", "f8"), ("gfx950", "f6_word"), ("gfx950", "f4x2")),
    *((target, "f32") for target in ("gfx90a", "gfx942", "gfx950")),
]


@pytest.mark.slow_sample(20)
@pytest.mark.parametrize(("target", "element"), TYPES)
def test_what_is_planned_is_what_is_compiled(target, element):
    """Of each type the first plan for which registers suffice."""
    close = SPLIT_READS if element == "f32" else CLOSE
    for options in planned(target=target, element=element).options:
        chosen = dict(options)
        config = configured(chosen.pop("rung"), target=target, element=element, **chosen)
        try:
            compiled = ours(config)
        except ToolError:
            continue
        break
    for model in (USUAL, SLOW_LDS):
        assert abs(ExpectedLoop(config).share(model) - compiled.share(model)) <= close


@pytest.mark.slow_sample(6)
@pytest.mark.parametrize(
    "fields",
    [
        {"layouts": "rrr"},
        {"split_k": 4},
        {"layouts": "ccr"},
        {"layouts": "crr"},
        {},
        {"element": "i8", "layouts": "rrr"},
    ],
    ids=str,
)
def test_odd_sizes_cost_the_loop_next_to_nothing(fields):
    """Nothing that is under way before the loop makes it wait in each turn; C goes in long rows."""
    loop = settled("gfx942", size_multiples=(1, 1, 1), **fields)
    assert loop.share(USUAL) >= 0.97
    assert loop.share(SLOW_LDS) >= 0.92
    assert loop.touched("transactions")[1] <= 1.2


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("fields", [{}, {"element": "f32"}, {"split_k": 4}, {"element": "i8"}], ids=str)
def test_rows_of_c_that_begin_anywhere_are_stored_in_long_pieces(fields):
    first, *others = planned(size_multiples=(1, 1, 1), **fields).candidates
    alike = [one for one in others if one.cost <= AS_GOOD * first.cost and one.reading == first.reading]
    assert first.stored_row >= max([512, *(one.stored_row for one in alike)])


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize(
    ("sizes", "has_tails"), [(SIZES, False), (ODD, True), (SIZES | {"K": 4104}, True), (None, False)]
)
def test_tails_are_there_where_sizes_need_them(sizes, has_tails):
    plan = planned(sizes)
    assert plan.config.has_tails == has_tails
    assert plan.config.stages_result == all(size % 8 == 0 for size in plan.sizes.values())
    gemm(plan.config).check_sizes(plan.sizes)


@pytest.mark.long
def test_compiled_addresses_of_the_most_accesses_are_those_claimed():
    config = planned(target="gfx950").config  # fragments serve more products, since there the LDS is short
    assert (config.tile, config.waves, config.instruction) == ((320, 192, 64), (2, 2), (32, 32))
    kernel = gemm(config)
    found = validated_kernel(kernel, compile_hip(kernel.text, "gfx950"), prove)
    assert found is not None
    assert found.is_proved, str(found)
    assert len(found.accesses) > 300


@pytest.mark.slow
@pytest.mark.sample(6)
@pytest.mark.parametrize(
    "fixed",
    [
        {"stages_result": False, "has_tails": True},
        {"tile": (128, 128, 64)},
        {"waves": (2, 2), "instruction": (16, 16)},
        {"layouts": "crr", "has_scale": True},
        {"has_leading_dimensions": True},
        {"split_k": 2},
    ],
)
def test_what_is_fixed_stays(fixed):
    plan = planned(SIZES, **fixed)
    for one in plan.candidates:
        assert {name: getattr(one.config, name) for name in fixed} == fixed


@pytest.mark.slow
def test_options_make_the_planned_configuration():
    plan = planned(ODD, target="gfx950", layouts="rrr")
    fields = next(iter(plan.options))
    made = Choice("gemm", "gfx950", "f16", fields).kernel()
    assert made.text == gemm(plan.config).text


@pytest.mark.long
def test_no_configuration_that_was_passed_over_needs_fewer_cycles():
    plan = planned(SIZES)
    best = plan.candidates[0].cost
    assert all(best <= 1.005 * one.cost for one in plan.candidates)
    assert all(one.least_cost <= one.cost for one in plan.candidates)
    assert all(best <= 1.005 * one.cost for one in plan.others)
    assert len(plan.candidates) + len(plan.others) > 20


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx90a", "gfx942"])
def test_a_plan_is_better_than_the_last_rung(target):
    plan = planned(SIZES, target=target).candidates[0]
    assert plan.cost < Candidate(configured("pipelined", target=target), SIZES).cost


@pytest.mark.parametrize(
    ("sizes", "fields", "facts"),
    [
        pytest.param(
            *({"M": 64, "N": 63, "K": 64}, COARSE, "N 4 64 63"),
            marks=pytest.mark.slow,
        ),
        pytest.param({"M": 64, "N": 64, "K": 63}, COARSE, "K 8", marks=pytest.mark.slow),
        ({"M": 64, "N": 64, "K": 64}, {"has_tails": False, "tile": (256, 256, 32)}, "M 256"),
        (None, {"target": "gfx1100"}, "gfx1100 --rung"),
        (None, {"element": "f8", "target": "gfx90a"}, "gfx90a"),
        (None, {"tile": (100, 256, 32)}, "M"),
    ],
)
def test_what_cannot_be_is_refused(sizes, fields, facts):
    with refused(LayoutError, *facts.split()):
        planned(sizes, **fields)


@pytest.mark.slow
def test_the_plan_tells_all_it_knows():
    plan = planned(ODD)
    head, *rows = plan.rows()
    assert len(rows) == min(8, len(plan.candidates))
    assert {len(row) for row in (head, *rows)} == {len(head)}
    assert set(PLANNED_FOR) <= set(head)
    assert any("buffer loads" in reason for reason in plan.reasons())


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["rung", "order", "lds"])
def test_what_only_rungs_differ_in_is_not_planned(name):
    text = {"rung": "naive", "order": "double", "lds": "xor"}[name]
    assert requested("gemm", "gfx942", "f16", {}, {name: text}).plan is None


@pytest.mark.slow_sample(100)
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
@pytest.mark.parametrize("element", ["f16", "i8", "f32", "f64", "f8"])
@pytest.mark.parametrize("layouts", ["rcr", "rrr", "ccr", "crr"])
def test_the_kernel_of_a_request_is_proved_and_compiles(target, element, layouts):
    if (target, element) == ("gfx90a", "f8"):
        with refused(LayoutError):
            requested("gemm", target, element, {}, {})
        return
    made = requested("gemm", target, element, {"M": 1000, "N": 1008, "K": 1008}, {"layouts": layouts})
    assert all(isinstance(prove(claim), Proved) for claim in made.kernel.claims)
    emit(made.kernel, prove)


AXES = (
    ("gfx90a", "gfx942", "gfx950"),
    ("f16", "bf16", "f8", "bf8", "i8", "f32", "f64"),
    ("rcr", "rrr", "ccr", "crr"),
    ((304, 144, 176), (137, 131, 277), (16, 784, 48), (1040, 16, 112), (1, 2, 3), (70, 258, 35)),
    (1, 3),
)


def pairs(case):
    """Every two values of a case, with their axes."""
    return {(i, j, case[i], case[j]) for i, j in itertools.combinations(range(len(case)), 2)}


def products():
    """Every case; of as many as it takes to have each pair of values once some are slow, the others long."""
    cases = [c for c in itertools.product(*AXES) if not (c[1] in {"f8", "bf8"} and c[0] == "gfx90a")]
    left, chosen = set().union(*map(pairs, cases)), []
    while left:
        chosen.append(max(cases, key=lambda case: len(pairs(case) & left)))
        left -= pairs(chosen[-1])
    for case in cases:
        yield pytest.param(*case, marks=pytest.mark.slow if case in chosen[::10] else pytest.mark.long)


@pytest.mark.parametrize(("target", "element", "layouts", "lengths", "parts"), [*products()])
def test_what_is_planned_is_exact(target, element, layouts, lengths, parts):
    sizes = dict(zip("MNK", lengths, strict=True))
    made = requested("gemm", target, element, sizes, {"layouts": layouts, "split_k": str(parts)})
    compiled = compile_hip(made.kernel.text, target)
    task = Launch(made.kernel, compiled, made.sizes, inputs_of(made.kernel, made.sizes, "integers", 3))
    result = CpuExecutor().run(task)
    assert compare_outputs(task, result.outputs, written=result.written)["c"].is_good


@pytest.mark.parametrize("size", [0, -3])
def test_sizes_are_at_least_1(size):
    with refused(LayoutError, "M", "1", str(size)):
        planned({"M": size})


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("rows", "dies"),
    [(16_000, 8), (12_345, 1), (17, 1)],  # 63 rows of blocks, 49, which one die has 7 of, and one
)
def test_dies_share_blocks_where_none_works_longer_than_all(rows, dies):
    plan = planned({"M": rows, "N": 16_000, "K": 4096})
    best, config = plan.candidates[0], plan.config
    assert config.xcds == dies
    of_a_die = -(-rows // (config.tile[0] * config.xcds)) * -(-16_000 // config.tile[1])
    assert -(-of_a_die * config.xcds // (best.units * best.resident)) <= best.rounds
    assert config.group_m <= 4

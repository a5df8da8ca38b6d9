"""Leading dimensions: proved for all there may be, run with padding between rows, refuted where confused."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import jsonschema
import numpy as np
import pytest
from typer.testing import CliRunner

from layoutalg import LayoutError
from layoutalg.cli.main import app
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.executors.run_file import run_schema, save_launch
from layoutalg.codegen.executors.saved_run import read_run
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels.gemm import configured, gemm, parts_sum
from layoutalg.codegen.kernels.gemm.claims import claims_of
from layoutalg.codegen.kernels.gemm.config import LAYOUTS
from layoutalg.codegen.kernels.gemm.gemm_problem import LDA, LDB, LDC, K, M, N
from layoutalg.codegen.kernels.gemm.tiles import GemmTiles
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.leading_dimensions import with_leading_dimensions
from layoutalg.data_type import to_numbers
from layoutalg.descriptor.make_descriptor import make_naive_tensor_descriptor
from layoutalg.domain import Domain
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.codegen.kernels.broken import refuted, require_caught, require_refused, with_statements_of
from tests.codegen.kernels.numpy_product import operands
from tests.codegen.kernels.test_gemm import CHOSEN, EXECUTED, PARTS, is_of_one_die
from tests.refusals import refused

FACTORS = {"alpha": 0.5, "beta": -2.0}


def led(rung="xor", **fields):
    return configured(rung, has_leading_dimensions=True, **fields)


made = cache(gemm)


def task_of(kernel, target, sizes):
    """A launch with padding of different lengths between the rows of each matrix."""
    chosen = with_leading_dimensions(kernel, sizes)
    return Launch(kernel, compile_hip(kernel.text, Target.named(target)), chosen, inputs_of(kernel, chosen))


def ran(config, sizes, kernel=None):
    """What a GEMM gives, and the same product by NumPy's own."""
    given = dict(zip("MNK", sizes, strict=True)) | (FACTORS if config.has_scale else {})
    task = task_of(kernel or made(config), config.target, given)
    assert task.sizes["lda"] > (given["K"] if config.is_k_first("M") else given["M"])
    found = to_numbers(CpuExecutor().run(task).outputs["c"], config.result)
    a, b = operands(config, task)
    tile, k = map(config.kind.numbers, (config.tile[2], given["K"]))
    shares = np.split(
        np.arange(k), [n * tile * -(-k // (tile * config.split_k)) for n in range(1, config.split_k)]
    )
    wanted = np.concatenate([a[:, share] @ b[share] for share in shares])
    if config.has_scale:
        wanted = 0.5 * wanted - 2.0 * to_numbers(task.inputs["d"], config.result)
    return found, wanted


def require_right(config, sizes):
    kernel = made(config)
    assert emit(kernel, prove) == kernel.text
    found, wanted = ran(config, sizes)
    assert np.array_equal(found, wanted)


@pytest.mark.slow_sample(28)
@pytest.mark.parametrize(("target", "element", "rung"), CHOSEN)
def test_every_rung_takes_them(target, element, rung):
    config = led(rung, target=target, element=element)
    require_right(config, (config.tile[0], config.tile[1], 3 * config.tile[2]))


@pytest.mark.slow_sample(76)
@pytest.mark.parametrize(("target", "element", "rung"), EXECUTED)
def test_every_type_of_every_rung_takes_them(target, element, rung):
    test_every_rung_takes_them(target, element, rung)


@pytest.mark.slow_sample(3)
@pytest.mark.parametrize("layouts", LAYOUTS[1:])
def test_matrices_by_rows_or_columns_take_them(layouts):
    require_right(led(layouts=layouts), (512, 128, 64))


@pytest.mark.slow_sample(16)
@pytest.mark.parametrize("name", [*PARTS, "as registers are"])
def test_they_go_with_all_that_a_gemm_may_be(name):
    fields, several = PARTS.get(name, ({"is_c_transposed": False}, [(256, 128, 64)]))
    for sizes in several:
        require_right(led("pipelined", **fields), sizes)


@pytest.mark.slow_sample(28)
@pytest.mark.parametrize(
    ("name", "target"),
    [(n, t) for n in PARTS for t in ("gfx90a", "gfx950") if not is_of_one_die(PARTS[n][0], t)],
)
def test_they_go_with_all_of_it_elsewhere(name, target):
    fields, several = PARTS[name]
    for sizes in several:
        require_right(led("pipelined", target=target, **fields), sizes)


@pytest.mark.slow
def test_rows_without_padding_give_the_packed_result():
    sizes = {"M": 256, "N": 128, "K": 64}
    packed = task_of(made(configured("xor")), "gfx942", sizes)
    same = task_of(made(led()), "gfx942", sizes | {"lda": 64, "ldb": 64, "ldc": 128})
    first, second = (CpuExecutor().run(task).outputs["c"] for task in (packed, same))
    assert np.array_equal(first, second)


@pytest.mark.slow
def test_without_the_option_nothing_changes():
    packed, wide = made(configured("xor")), made(led())
    assert not {"lda", "ldb", "ldc"} & {argument.name for argument in packed.arguments}
    assert [a.name for a in wide.arguments] == [*"abcMNK", "lda", "ldb", "ldc"]
    assert [(c.name, c.subject) for c in wide.claims if c.name == "right place"] == [
        ("right place", what) for what in ("A loads", "B loads", "C stores")
    ]


WRONG_SIZES: dict[str, tuple[dict[str, int | None], str]] = {
    "rows that overlap": ({"lda": 56}, "K"),
    "no whole vectors": ({"lda": 68}, "68 8"),
    "offsets beyond 32 bits": ({"ldc": 2**25}, "M*ldc 2147483647"),
    "one that is missing": ({"ldb": None}, ""),
}


@pytest.mark.parametrize("name", WRONG_SIZES)
def test_leading_dimensions_that_were_not_proved_are_refused(name):
    change, facts = WRONG_SIZES[name]
    sizes = {"M": 256, "N": 128, "K": 64, "lda": 72, "ldb": 72, "ldc": 136, **change}
    with refused(LayoutError, *facts.split()):
        made(led()).check_sizes({key: value for key, value in sizes.items() if value is not None})


def loads_by(operand, step):
    """The loads of A or B with another leading dimension."""

    def breaks(tiles):
        mine = getattr(tiles, operand)
        tensor = make_naive_tensor_descriptor((mine.rows, K), (step, 1)).assuming(tiles.problem.sizes)
        tiles.__dict__[operand] = replace(mine, load=replace(mine.load, descriptor=tensor))

    return breaks


def stores_by(step):
    def breaks(tiles):
        tensor = make_naive_tensor_descriptor((M, N), (step, 1)).assuming(tiles.problem.sizes)
        tiles.__dict__["held"] = replace(tiles.held, descriptor=tensor)

    return breaks


WRONG_STEPS = {  # what is confused, and the fault (None: a wrong result)
    "A as if packed": (loads_by("a", K), None),
    "A by that of B": (loads_by("a", LDB), None),
    "B by that of A": (loads_by("b", LDA), None),
    "C as if packed": (stores_by(N), "between rows"),
    "C by that of A": (stores_by(LDA), "between rows|out of bounds|not aligned"),
}


@pytest.mark.slow_sample(8)
@pytest.mark.parametrize("name", WRONG_STEPS)
def test_another_leading_dimension_in_one_access_is_refuted_and_caught(name):
    breaks, fault = WRONG_STEPS[name]
    kernel, right, wrong = made(led()), GemmTiles(led()), GemmTiles(led())
    breaks(wrong)
    require_refused(replace(kernel, claims=claims_of(wrong)), "right place")
    broken = with_statements_of(kernel, right, wrong)
    require_caught(lambda: np.array_equal(*ran(led(), (256, 128, 64), broken)), fault)


def forgetful(sizes, size):
    """Sizes without the fact that rows do not overlap."""
    return Domain(sizes.variables, tuple(fact for fact in sizes.facts if size not in fact.args))


@pytest.mark.slow
@pytest.mark.sample(6)
@pytest.mark.parametrize("size", [LDA, LDB, LDC])
def test_where_rows_may_overlap_claims_are_refuted(size):
    tiles = GemmTiles(led())
    tiles.problem.__dict__["sizes"] = forgetful(tiles.problem.sizes, size)
    assert refuted(claims_of(tiles)) >= {"one-to-one" if size == LDC else "fits int32"}


@pytest.mark.sample(2)
@pytest.mark.parametrize("element", ["f16", "f8"])
def test_a_sample_of_workgroups_is_compared(element):
    config = led(element=element)
    m, n, k = config.tile
    task = task_of(made(config), "gfx942", {"M": 2 * m, "N": 2 * n, "K": k})
    result = CpuExecutor(workgroups=[1, 2]).run(task)
    assert result.written["c"].shape == (2 * m, 2 * n)
    assert result.written["c"].sum() == 2 * m * n
    assert compare_outputs(task, result.outputs, written=result.written)["c"].is_good


def test_a_saved_run_has_them(tmp_path):
    task = task_of(made(led()), "gfx942", {"M": 256, "N": 128, "K": 64})
    content = json.loads(save_launch(tmp_path, task, task.kernel.reference(task.given)).read_text())
    jsonschema.validate(content, run_schema())
    assert [entry.get("leading_dimension") for entry in content["arguments"][:3]] == [72, 80, 140]
    again = read_run(tmp_path)
    assert again.memory()["a"].size == 255 * 72 + 64
    assert compare_outputs(again, CpuExecutor().run(again).outputs)["c"].is_good


@pytest.mark.slow_sample(4)
@pytest.mark.parametrize(
    "options",
    [
        ["gemm", "--rung", "xor", "--m", "256", "--n", "256", "--k", "96"],
        ["wrapper_gemm", "--m", "256", "--n", "128", "--k", "64"],
        ["transpose", "--m", "64", "--k", "96"],
        ["permute", "--lengths", "5x50x72", "--permutation", "2x0x1"],
    ],
)
def test_the_command_line_has_them(options):
    done = CliRunner().invoke(app, ["run", *options, "--leading-dimensions", "--check"])
    assert done.exit_code == 0
    assert ": agree;" in done.stdout
    assert "ld_in = " in done.stdout or "lda = " in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("has_scale", [False, True])
def test_a_split_k_and_its_sum_take_them(has_scale):
    config = led(split_k=3)
    m, n, k = config.tile
    task = task_of(made(config), "gfx942", {"M": m, "N": n, "K": 3 * k})
    parts = CpuExecutor().run(task).outputs["c"]
    summing = parts_sum(3, has_scale=has_scale, has_leading_dimensions=True)
    assert emit(summing, prove) == summing.text
    given = with_leading_dimensions(summing, {"M": m, "N": n} | (FACTORS if has_scale else {}))
    arrays = inputs_of(summing, given) | {"parts": parts}
    after = Launch(summing, compile_hip(summing.text, "gfx942"), given, arrays)
    found = CpuExecutor().run(after).outputs["c"]
    product = task.inputs["a"].astype(np.float64) @ task.inputs["b"].astype(np.float64).T
    wanted = 0.5 * product - 2.0 * arrays["d"].astype(np.float64) if has_scale else product
    assert np.array_equal(found, wanted)


@pytest.mark.slow_sample(10)
@pytest.mark.parametrize(
    "fields",
    [
        {"has_tails": True},
        {"has_tails": True, "size_multiples": (1, 1, 1)},
        {"has_tails": True, "is_batched": True},
        {"is_batched": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_compiled_code_goes_where_is_claimed_for_every_leading_dimension(target, fields):
    """Through buffer resources, too, whose 48 bits of an address hold it and all that lies behind."""
    kernel = made(led("pipelined", target=target, tile=(64, 64, 32), waves=(2, 2), **fields))
    assert validated_kernel(kernel, compile_hip(kernel.text, Target.named(target)), prove)

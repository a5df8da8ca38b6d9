"""The parts of a split K and their sum: the whole product, for parts of any width."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.kernels.gemm import configured, gemm, parts_sum
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.data_type import DataType, from_numbers
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.codegen.kernels.test_gemm import inputs_of


def ran(kernel, target, sizes, arrays):
    task = Launch(kernel, compile_hip(kernel.text, Target.named(target)), sizes, arrays)
    result = CpuExecutor().run(task)
    assert compare_outputs(task, result.outputs)["c"].is_good
    return result.outputs["c"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("element", "output", "has_scale"),
    [("f16", "f16", True), ("bf16", "bf16", False), ("f64", "f64", True), ("f32", "f32", False)],
)
def test_a_split_k_and_its_sum_are_the_whole_product(element, output, has_scale):
    config = configured("xor", element=element, split_k=3)
    m, n, k = config.tile
    sizes = {"M": m, "N": n, "K": 6 * k}
    arrays = inputs_of(config, sizes)
    parts = ran(gemm(config), "gfx942", sizes, arrays)
    summing = parts_sum(3, config.output, output, has_scale=has_scale)
    assert emit(summing, prove) == summing.text
    given = {"M": m, "N": n} | ({"alpha": 0.5, "beta": 1.0} if has_scale else {})
    d = from_numbers(np.ones((m, n)), DataType.named(output))
    found = ran(summing, "gfx942", given, {"parts": parts, "d": d})
    if not has_scale:
        whole = ran(gemm(configured("xor", element=element)), "gfx942", sizes, arrays)
        assert np.array_equal(found, whole)


@pytest.mark.sample(4)
@pytest.mark.parametrize(("columns", "vector"), [(4, 4), (1020, 4), (1028, 4), (1027, 1), (1022, 2)])
def test_parts_of_any_width_are_summed(columns, vector):
    random = np.random.default_rng(1)
    parts = random.integers(-9, 9, (6, columns)).astype(np.int32)
    kernel = parts_sum(2, "i32", "i32", vector=vector)
    found = ran(kernel, "gfx90a", {"M": 3, "N": columns}, {"parts": parts})
    assert np.array_equal(found, parts[:3] + parts[3:])

"""The parts of a split K and their sum: the whole product, for parts of any width."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.gfx9.lifting import validated_kernel
from layoutalg.codegen.kernels.gemm import configured, gemm, parts_sum
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of as numbers_of
from layoutalg.data_type import DataType, from_numbers
from layoutalg.errors import LayoutError
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.codegen.kernels.test_gemm import inputs_of
from tests.refusals import refused


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


EPILOGUES = ("relu(scale_m * c + bias_n) + beta * d; c", "gelu(c * scale_n + bias_m)", "alpha * c")


@pytest.mark.sample(27, slow=8)
@pytest.mark.parametrize("epilogue", EPILOGUES)
@pytest.mark.parametrize("element", ["f16", "bf16", "f32"])
@pytest.mark.parametrize(("sizes", "vector"), [((5, 1100), 4), ((3, 1027), 1), ((1, 2), 2)])
def test_what_becomes_of_the_sum_is_as_numpy_says(epilogue, element, sizes, vector):
    kernel = parts_sum(3, "f32", element, epilogue=epilogue, vector=vector)
    assert emit(kernel, prove) == kernel.text
    compiled = compile_hip(kernel.text, Target.named("gfx942"))
    shown = validated_kernel(kernel, compiled, prove)
    assert shown is not None
    assert shown.is_proved, str(shown)
    named = dict(zip("MN", sizes, strict=True)) | {"alpha": 0.5, "beta": -1.5}
    named = {one.name: named[one.name] for one in kernel.scalars}
    task = Launch(kernel, compiled, named, numbers_of(kernel, named, "random", 1))
    result = CpuExecutor().run(task)
    assert all(one.is_good for one in compare_outputs(task, result.outputs, written=result.written).values())


@pytest.mark.slow
@pytest.mark.parametrize("epilogue", EPILOGUES)
def test_a_split_k_and_its_epilogue_are_those_of_the_whole_gemm(epilogue):
    fields: dict[str, Any] = {"has_tails": True, "tile": (64, 64, 32), "waves": (2, 2)}
    wanted_config = configured("pipelined", epilogue=epilogue, **fields)
    whole, config = gemm(wanted_config), configured("pipelined", split_k=3, **fields)
    values = {"M": 67, "N": 72, "K": 200, "alpha": 0.5, "beta": -2.0}
    given = numbers_of(whole, {one.name: values[one.name] for one in whole.scalars}, "integers", 2)
    parts = ran(gemm(config), "gfx942", {n: values[n] for n in "MNK"}, {n: given[n] for n in "ab"})
    summing = parts_sum(3, config.output, wanted_config.output, epilogue=epilogue)
    arrays = {"parts": parts} | {name: array for name, array in given.items() if name not in {"a", "b"}}
    sizes = {one.name: values[one.name] for one in summing.scalars}
    task = Launch(summing, compile_hip(summing.text, Target.named("gfx942")), sizes, arrays)
    wanted = whole.reference({**given, **values})  # type: ignore[dict-item]
    for name, found in CpuExecutor().run(task).outputs.items():
        assert (np.abs(found - wanted.numbers[name]) <= wanted.allowed[name]).all()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("bias_n + column", "bias_n + 0"),
        pytest.param("scale_m[blockIdx.x]", "scale_m[0]", marks=pytest.mark.slow),
        pytest.param("e_result[v] =", "e_result[0] =", marks=pytest.mark.slow),
    ],
)
def test_a_broken_epilogue_is_caught(old, new):
    kernel = parts_sum(2, epilogue=EPILOGUES[0])
    assert old in kernel.text
    broken = replace(kernel, text=kernel.text.replace(old, new))
    sizes = {"M": 3, "N": 1028, "beta": 2.0}
    arrays = numbers_of(kernel, sizes, "integers", 1)
    task = Launch(broken, compile_hip(broken.text, Target.named("gfx942")), sizes, arrays)
    found = compare_outputs(task, CpuExecutor().run(task).outputs)
    assert not all(one.is_good for one in found.values())


@pytest.mark.parametrize(
    ("fields", "facts"),
    [
        ({"summed": "i32", "output": "i32", "epilogue": "relu(c)"}, ""),
        ({"summed": "f64", "output": "f64", "epilogue": "gelu(c)"}, "64"),
        ({"epilogue": "relu(c)", "has_scale": True}, ""),
        ({"epilogue": "relu(x)"}, ""),
    ],
)
def test_what_cannot_become_of_a_sum_is_refused(fields, facts):
    with refused(LayoutError, *facts.split()):
        parts_sum(2, **fields)

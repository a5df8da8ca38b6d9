"""Some workgroups of a launch on the CPU: what they write is checked, what they should have written, too."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from layoutalg import LayoutError
from layoutalg.claim import IndexMap
from layoutalg.codegen.claimed_access import ClaimedAccess, built_in
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.kernel_matrix import Choice
from layoutalg.codegen.matrix.kernel_run import sampled_workgroups
from layoutalg.data_type import DataType
from layoutalg.domain import Domain
from layoutalg.machine import Target
from tests.codegen.small_kernel import FACTOR, TEXT, N, small_kernel
from tests.refusals import refused


def task_of(kernel, **sizes):
    compiled = compile_hip(kernel.text, Target.named("gfx942"))
    return Launch(kernel, compiled, sizes, inputs_of(kernel, sizes))


def claiming(text):
    """The small kernel with this text and the store that it claims."""
    places = Domain.of({"i": N}, {N: (64, None, 64)})
    launch = {"i": 64 * built_in("blockIdx.x") + built_in("threadIdx.x")}
    claimed = IndexMap(places, (places["i"],))
    stored = ClaimedAccess("out", "store", DataType.named("f32"), claimed, launch)
    return replace(small_kernel(text), accesses=(stored,))


@pytest.fixture(scope="module")
def task():
    return task_of(Choice("gemm", "gfx942", "f16", {"rung": "xor"}).kernel(), M=512, N=384, K=64)


@pytest.mark.slow
def test_a_sample_writes_its_tiles_and_no_others(task):
    whole, some = CpuExecutor().run(task), CpuExecutor([4, 1]).run(task)
    expected = np.zeros((512, 384), dtype=bool)
    expected[:, 128:256] = True  # workgroups 1 and 4 of a grid of 3 x 2
    assert np.array_equal(some.written["c"], expected)
    assert np.array_equal(some.outputs["c"][expected], whole.outputs["c"][expected])
    assert not some.outputs["c"][~expected].any()
    found = compare_outputs(task, some.outputs, written=some.written)["c"]
    assert (found.wrong, found.elements) == (0, 2 * 256 * 128)
    assert (some.counters["workgroups"], whole.counters["workgroups"]) == (2, 6)
    assert 3 * some.counters["mfma_cycles"] == whole.counters["mfma_cycles"]
    assert not whole.written


def test_all_workgroups_named_are_a_whole_run(task):
    whole, some = CpuExecutor().run(task), CpuExecutor(range(6)).run(task)
    assert some.written["c"].all()
    assert np.array_equal(some.outputs["c"], whole.outputs["c"])
    assert some.counters == whole.counters


def test_wrong_elements_are_found_in_a_sample():
    task = task_of(small_kernel(TEXT.replace("in[i]", "in[i ^ 1]")), N=256, factor=FACTOR)
    result = CpuExecutor([1, 3]).run(task)
    found = compare_outputs(task, result.outputs, written=result.written)["out"]
    different = task.inputs["in"].reshape(-1, 2)
    different = (different[:, 0] != different[:, 1]).reshape(4, 32)[[1, 3]].sum()
    assert (found.elements, found.wrong) == (128, 2 * different)


@pytest.mark.parametrize("chosen", [None, [0], [0, 3]])
def test_elements_that_are_never_written_are_a_fault(chosen):
    kernel = claiming(TEXT.replace("out[i]", "if (threadIdx.x != 5) out[i]"))
    missing = 4 if chosen is None else len(chosen)
    with refused(ExecutionFaultError, "scale", str(missing), "out"):
        CpuExecutor(chosen).run(task_of(kernel, N=256, factor=FACTOR))


def test_a_sample_that_writes_nothing_is_a_fault():
    kernel = claiming(TEXT.replace("out[i]", "if (N < 0) out[i]"))
    with refused(ExecutionFaultError, "64", "out"):
        CpuExecutor([2]).run(task_of(kernel, N=256, factor=FACTOR))


def test_of_a_sample_nothing_is_wanted_that_is_not_claimed():
    kernel = small_kernel(TEXT.replace("out[i]", "if (i < 64) out[i]"))
    result = CpuExecutor([2]).run(task_of(kernel, N=256, factor=FACTOR))
    assert not result.written["out"].any()
    assert np.array_equal(result.outputs["out"], np.zeros(256))


UNEVEN: dict[
    str, tuple[str, dict[str, Any], int, tuple[int, ...]]
] = {  # family, fields, a workgroup in the middle, the elements of each of the three
    "copy": ("copy", {"lengths": (20, 136)}, 1, (1024, 1024, 672)),
    "permute": ("permute", {"lengths": (200, 200), "permutation": (1, 0), "path": "lds"}, 6, (1024, 256, 64)),
    "image to column": ("image_to_column", {"image": (1, 6, 7, 17)}, 1, (2048, 2048, 282)),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", UNEVEN)
def test_workgroups_of_fixed_sizes_write_uneven_shares(name):
    family, fields, middle, wanted = UNEVEN[name]
    task = task_of(Choice(family, "gfx942", "f32" if family == "copy" else "f16", fields).kernel())
    last = int(np.prod(task.grid)) - 1
    written = [CpuExecutor([one]).run(task).written["out"].sum() for one in (0, middle, last)]
    assert tuple(written) == wanted
    sample = CpuExecutor([0, last]).run(task)
    assert compare_outputs(task, sample.outputs, written=sample.written)["out"].is_good


def test_a_last_workgroup_of_fixed_sizes_that_writes_too_little_is_a_fault():
    kernel = Choice("copy", "gfx942", "f32", {"lengths": (1032,)}).kernel()
    broken = replace(kernel, text=re.sub(r"if \((\w+) < 258\)", r"if (\1 < 257)", kernel.text))
    assert broken.text != kernel.text
    with refused(ExecutionFaultError, "4", "out"):
        CpuExecutor([1]).run(task_of(broken))


@pytest.mark.slow
def test_dies_without_a_block_write_nothing_and_are_no_fault():
    kernel = Choice("gemm", "gfx942", "f16", {"rung": "xor", "group_m": 2, "xcds": 8}).kernel()
    task = task_of(kernel, M=256, N=128, K=32)
    written = [CpuExecutor([one]).run(task).written["c"].sum() for one in (6, 7)]
    assert written == [0, 256 * 128]


@pytest.mark.parametrize("chosen", [[], [6], [-1, 2]])
def test_workgroups_that_are_not_there_are_refused(task, chosen):
    with refused(LayoutError, "0", "5"):
        CpuExecutor(chosen).run(task)


def test_a_factor_is_passed_by_value():
    task = task_of(small_kernel(), N=128, factor=FACTOR)
    result = CpuExecutor().run(task)
    assert np.array_equal(result.outputs["out"], np.float32(FACTOR) * task.inputs["in"])
    with refused(LayoutError, "scale", "factor"):
        Launch(task.kernel, task.compiled, {"N": 128}, task.inputs)


def test_a_sample_is_spread_over_the_grid():
    assert sampled_workgroups((32, 13), 1) == [0]
    assert sampled_workgroups((32, 13), 4) == [0, 138, 277, 415]
    assert sampled_workgroups((2, 2), 100) == [0, 1, 2, 3]


@pytest.mark.long
def test_the_tutorial_s_sizes_agree_on_four_workgroups():
    kernel = Choice("gemm", "gfx942", "f16", {"rung": "double"}).kernel()
    task = task_of(kernel, M=3328, N=4096, K=4096)
    result = CpuExecutor(sampled_workgroups(task.grid, 4)).run(task)
    found = compare_outputs(task, result.outputs, written=result.written)["c"]
    assert (found.wrong, found.elements, found.largest_error) == (0, 4 * 256 * 128, 0)

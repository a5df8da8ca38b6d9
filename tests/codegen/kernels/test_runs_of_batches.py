"""What is around a batched GEMM: saved runs, the command line, plans, samples of workgroups."""

from __future__ import annotations

import json

import jsonschema
import pytest
from typer.testing import CliRunner

from layoutalg.cli.main import app
from layoutalg.codegen.executors import CpuExecutor
from layoutalg.codegen.executors.run_file import run_schema, save_launch
from layoutalg.codegen.executors.saved_run import read_run
from layoutalg.codegen.kernels.gemm import ELEMENTS
from layoutalg.codegen.kernels.gemm.planner import planned
from layoutalg.codegen.matrix.comparison import compare_outputs
from tests.codegen.kernels.test_batched_gemm import XOR, batched, task_of


@pytest.mark.slow
def test_a_saved_run_has_strides(tmp_path):
    task = task_of(XOR, (64, 64, 64), batch_stride_b=0)
    content = json.loads(save_launch(tmp_path, task, task.kernel.reference(task.given)).read_text())
    jsonschema.validate(content, run_schema())
    assert [entry["batch_stride"] for entry in content["arguments"][:3]] == [4104, 0, 4108]
    again = read_run(tmp_path)
    assert again.memory()["a"].size == 2 * 4104 + 64 * 64
    assert compare_outputs(again, CpuExecutor().run(again).outputs)["c"].is_good


@pytest.mark.slow_sample(3)
@pytest.mark.parametrize("options", [["--rung", "xor"], [], ["--leading-dimensions"]])
def test_the_command_line_has_batches(options):
    sizes = ["--m", "256", "--n", "256", "--k", "64", "--batch-count", "2"]
    done = CliRunner().invoke(app, ["run", "gemm", "--batched", *options, *sizes, "--check"])
    assert done.exit_code == 0
    assert ": agree;" in done.stdout
    assert "batch_count = 2" in done.stdout


@pytest.mark.slow
def test_a_plan_fills_the_gpu_with_all_products():
    sizes = {"M": 2048, "N": 2048, "K": 512, "batch_count": 16}
    plan = planned(sizes, is_batched=True)
    m, n, _ = plan.config.tile
    assert plan.candidates[0].workgroups == 16 * (2048 // m) * (2048 // n)
    assert (plan.config.group_m, plan.config.xcds, plan.config.split_k) == (1, 1, 1)
    assert plan.config.is_batched
    assert "2048 x 2048 x 512, 16 times" in plan.reasons()[0]


@pytest.mark.slow_sample(6)
@pytest.mark.parametrize("element", ELEMENTS)
def test_a_sample_of_workgroups_is_compared(element):
    config = batched("naive", target="gfx950", element=element)
    m, n, k = config.tile
    task = task_of(config, (m, 2 * n, k), count=2)
    result = CpuExecutor(workgroups=[1, 2]).run(task)
    assert result.written["c"].sum() == 2 * m * n
    assert compare_outputs(task, result.outputs, written=result.written)["c"].is_good

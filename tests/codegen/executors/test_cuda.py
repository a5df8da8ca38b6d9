"""The executor on NVIDIA GPUs: what it asks cupy for, what it finds wrong, what it refuses."""

from __future__ import annotations

import sys
from dataclasses import replace

import jsonschema
import numpy as np
import pytest
from typer.testing import CliRunner

from layoutalg import LayoutError, ToolError
from layoutalg.cli.main import app
from layoutalg.codegen.compile import toolchain
from layoutalg.codegen.executors import Launch
from layoutalg.codegen.executors.by_name import executor_on
from layoutalg.codegen.executors.cuda import CudaExecutor
from layoutalg.codegen.executors.guard_bytes import GUARD_BYTES
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.codegen.kernels import permute
from layoutalg.codegen.matrix import validation
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.kernel_matrix import Choice
from layoutalg.codegen.matrix.report_entry import EntrySettings, report_entry
from layoutalg.proofs import prove
from tests.codegen.executors.fake_cupy import CUDADriverError, FakeCupy
from tests.refusals import refused

SIZES = {"M": 20, "K": 36}


def turned(given, out, m, k):
    """What the transpose does, on bytes of memory that end in guards."""
    size = int(m) * int(k)
    floats = given[: 4 * size].view(np.float32).reshape(int(m), int(k))
    out[: 4 * size].view(np.float32)[:] = floats.T.reshape(-1)


def task():
    kernel = permute(("M", "K"), (1, 0), multiples={"M": 4, "K": 4})
    matrix = np.arange(20 * 36, dtype=np.float32).reshape(20, 36)
    return Launch(kernel, None, SIZES, {"in": matrix})


@pytest.fixture
def cupy(monkeypatch):
    found = FakeCupy(turned)
    monkeypatch.setitem(sys.modules, "cupy", found)
    return found


def test_a_launch_has_its_grid_its_numbers_and_its_result(cupy):
    made = task()
    result = executor_on("cuda").run(made)
    assert compare_outputs(made, result.outputs)["out"].is_good
    assert (result.device, result.seconds) == ("NVIDIA H200 (sm_90)", 0.002)
    assert cupy.asked["name"] == made.kernel.name
    assert (cupy.asked["grid"], cupy.asked["block"]) == ((*made.grid, 1, 1)[:3], (*made.kernel.block, 1, 1))
    assert [type(a) for a in cupy.asked["arguments"][2:]] == [np.int32, np.int32]
    assert "struct __align__(8) float_x2" in cupy.asked["code"]
    assert "hip" not in cupy.asked["code"]
    assert CudaExecutor().driver == "CUDA driver 13000, runtime 12090"


@pytest.fixture
def no_toolchain(monkeypatch):
    monkeypatch.setattr(toolchain, "toolchains", tuple)
    with refused(ToolError):
        toolchain.find_toolchain()


@pytest.mark.usefixtures("cupy", "no_toolchain")
def test_no_compiler_for_amd_gpus_is_needed_to_run(tmp_path):
    command = ["run", "transpose", "--on", "cuda", "--m", "64", "--k", "32", "--check"]
    found = CliRunner().invoke(app, command, catch_exceptions=False)
    assert found.exit_code == 0, found.output
    assert "2048 elements compared: agree" in found.output
    assert "registers" not in found.output
    with refused(ToolError):  # code is part of what is saved
        CliRunner().invoke(app, [*command, "--save", str(tmp_path)], catch_exceptions=False)


@pytest.mark.usefixtures("cupy", "no_toolchain")
def test_no_compiler_for_amd_gpus_is_needed_to_validate(monkeypatch):
    def in_this_process(chosen, on, prove, runs, seed):
        settings = EntrySettings(executor_on(on), prove, runs, has_time=True, seed=seed)
        return (report_entry(choice, settings) for choice in chosen)

    monkeypatch.setattr(validation, "isolated_entries", in_this_process)
    chosen = [Choice("transpose", "gfx942", "f32")]
    report = validation.validate(chosen, "cuda", prove, is_quick=True)
    jsonschema.validate(report, validation.validation_schema())
    assert report["counts"] == {"passed": 1, "failed": 0, "left out": 0}
    assert report["toolchain"] == "NVRTC 12.9"
    (entry,) = report["kernels"]
    assert entry["runs"][0]["agreement"]["out"]["wrong"] == 0
    assert not {"resources", "addresses"} & set(entry)
    assert "- compiler: NVRTC 12.9" in validation.validation_text(report)


def test_a_launch_of_text_alone_runs_on_no_amd_gpu():
    with refused(LayoutError):
        executor_on("cpu").run(task())


def written_before(given, out, m, k):
    turned(given, out, m, k)
    out.base[GUARD_BYTES - 1] = 0


def written_after(given, out, m, k):
    turned(given, out, m, k)
    out[4 * 20 * 36] = 0


def input_changed(given, out, m, k):
    turned(given, out, m, k)
    given[0] += 1


def failed(*_):
    raise CUDADriverError("CUDA_ERROR_ILLEGAL_ADDRESS")


@pytest.mark.parametrize(
    ("does", "facts"),
    [
        (written_before, "1 out"),
        (written_after, "1 out"),
        (input_changed, "in"),
        (failed, "CUDA_ERROR_ILLEGAL_ADDRESS"),
    ],
)
def test_faults_are_found(cupy, does, facts):
    cupy.launched = does
    with refused(ExecutionFaultError, *facts.split()):
        CudaExecutor().run(task())


def test_a_wrong_result_is_wrong(cupy):
    cupy.launched = lambda given, out, *_: out.__setitem__(slice(0, 2880), given[:2880])
    made = task()
    assert not compare_outputs(made, CudaExecutor().run(made).outputs)["out"].is_good


@pytest.mark.usefixtures("cupy")
def test_kernels_with_amd_only_parts_are_refused():
    kernel = task().kernel
    text = kernel.text.replace("threadIdx.x / 64", "__builtin_amdgcn_readfirstlane(threadIdx.x / 64)")
    assert text != kernel.text
    with refused(LayoutError, "__builtin_amdgcn_readfirstlane"):
        CudaExecutor().function(replace(kernel, text=text))


@pytest.mark.usefixtures("cupy")
def test_what_the_compiler_says_is_an_error():
    kernel = task().kernel
    with refused(ToolError):
        CudaExecutor().function(replace(kernel, text=kernel.text + "error"))


@pytest.mark.parametrize(("devices", "facts"), [(0, "0"), (-1, "")])
def test_without_a_gpu_it_says_so(cupy, devices, facts):
    cupy.devices = devices
    with refused(ToolError, *facts.split()):
        CudaExecutor()


def test_without_cupy_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with refused(ToolError, "cupy"):
        CudaExecutor()

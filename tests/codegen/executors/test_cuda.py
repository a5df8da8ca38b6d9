"""The executor on NVIDIA GPUs: what it asks cupy for, what it finds wrong, what it refuses."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from layoutalg import LayoutError, ToolError
from layoutalg.codegen.executors import Launch
from layoutalg.codegen.executors.by_name import executor_on
from layoutalg.codegen.executors.cuda import CudaExecutor
from layoutalg.codegen.executors.guard_bytes import GUARD_BYTES
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.codegen.kernels import permute
from layoutalg.codegen.matrix.comparison import compare_outputs
from tests.codegen.executors.fake_cupy import CUDADriverError, FakeCupy

COMPILED: Any = None  # the executor compiles the source itself
SIZES = {"M": 20, "K": 36}


def turned(given, out, m, k):
    """What the transpose does, on bytes of memory that end in guards."""
    size = int(m) * int(k)
    floats = given[: 4 * size].view(np.float32).reshape(int(m), int(k))
    out[: 4 * size].view(np.float32)[:] = floats.T.reshape(-1)


def task():
    kernel = permute(("M", "K"), (1, 0), multiples={"M": 4, "K": 4})
    matrix = np.arange(20 * 36, dtype=np.float32).reshape(20, 36)
    return Launch(kernel, COMPILED, SIZES, {"in": matrix})


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
    ("does", "said"),
    [
        (written_before, "1 bytes before out were overwritten"),
        (written_after, "1 bytes after out were overwritten"),
        (input_changed, "in was changed, which is an input"),
        (failed, "CUDA_ERROR_ILLEGAL_ADDRESS"),
    ],
)
def test_faults_are_found(cupy, does, said):
    cupy.launched = does
    with pytest.raises(ExecutionFaultError, match=said):
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
    with pytest.raises(LayoutError, match="AMD-only parts, got __builtin_amdgcn_readfirstlane"):
        CudaExecutor().function(replace(kernel, text=text))


@pytest.mark.usefixtures("cupy")
def test_what_the_compiler_says_is_an_error():
    kernel = task().kernel
    with pytest.raises(ToolError, match="NVRTC: kernel"):
        CudaExecutor().function(replace(kernel, text=kernel.text + "error"))


@pytest.mark.parametrize(
    ("devices", "said"), [(0, "wanted NVIDIA GPU 0, there are 0"), (-1, "no NVIDIA GPU can be used")]
)
def test_without_a_gpu_it_says_so(cupy, devices, said):
    cupy.devices = devices
    with pytest.raises(ToolError, match=said):
        CudaExecutor()


def test_without_cupy_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(ToolError, match="needs the package cupy"):
        CudaExecutor()

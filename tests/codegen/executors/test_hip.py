"""The executor on AMD GPUs against a HIP that executes its launches on the CPU."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from layoutalg import ToolError
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import Launch
from layoutalg.codegen.executors.by_name import driver_of, executor_on, target_of
from layoutalg.codegen.executors.guard_bytes import GUARD_BYTES
from layoutalg.codegen.executors.hip import HipExecutor
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.kernel_matrix import Choice
from layoutalg.machine import Target
from tests.codegen.executors.fake_hip import FakeHip, hipError_t
from tests.refusals import refused


def task_of(family, element, sizes, target="gfx942"):
    kernel = Choice(family, target, element).kernel()
    compiled = compile_hip(kernel.text, Target.named(target))
    return Launch(kernel, compiled, sizes, inputs_of(kernel, sizes, "random", seed=3))


@pytest.fixture(scope="module")
def transpose_task():
    return task_of("transpose", "f32", {"M": 128, "K": 64})


@pytest.fixture(scope="module")
def gemm_task():
    return task_of("gemm", "f16", {"M": 256, "N": 128, "K": 96})


@pytest.fixture
def hip(monkeypatch, transpose_task):
    fake = FakeHip(transpose_task.compiled.assembly, outputs=(1,))
    monkeypatch.setitem(sys.modules, "hip", SimpleNamespace(hip=fake))
    return fake


def test_outputs_time_and_device_are_reported(hip, transpose_task):
    executor = HipExecutor(repeats=3)
    result = executor.run(transpose_task)
    assert compare_outputs(transpose_task, result.outputs)["out"].is_good
    assert (result.device, result.seconds) == ("AMD Instinct MI300X (gfx942)", 0.00025)
    assert driver_of(executor) == "HIP driver 60342134, runtime 60342134"
    assert target_of(executor) == "gfx942"
    assert len(hip.launches) == 4


@pytest.mark.usefixtures("hip")
def test_wheels_for_rocm_6_and_7_fill_a_structure(monkeypatch):
    def fill(_, properties, device):
        assert device == 0
        properties.name, properties.gcnArchName = b"AMD Instinct MI210", b"gfx90a:sramecc+:xnack-"
        properties.multiProcessorCount = 104
        return (hipError_t.hipSuccess,)

    monkeypatch.setattr(FakeHip, "hipGetDeviceProperties", fill)
    monkeypatch.setattr(FakeHip, "hipDeviceProp_t", SimpleNamespace, raising=False)
    assert HipExecutor().device == "AMD Instinct MI210 (gfx90a)"


@pytest.mark.slow
def test_a_gemm_gets_three_pointers_and_three_sizes(hip, gemm_task):
    hip.assembly, hip.outputs = gemm_task.compiled.assembly, (2,)
    result = HipExecutor(repeats=1).run(gemm_task)
    assert compare_outputs(gemm_task, result.outputs)["c"].is_good
    block = hip.launches[0]
    assert len(block) == 3 * 8 + 3 * 4
    assert np.frombuffer(block[24:], np.int32).tolist() == [256, 128, 96]
    assert all(pointer % 256 == 0 for pointer in np.frombuffer(block[:24], np.uint64))


def test_everything_is_given_back(hip, transpose_task):
    HipExecutor(repeats=1).run(transpose_task)
    assert hip.memory == {}
    assert hip.calls.count("hipModuleUnload") == hip.calls.count("hipModuleLoadData") == 1
    assert hip.calls.count("hipEventDestroy") == hip.calls.count("hipEventCreate") == 2


@pytest.mark.parametrize(
    ("place", "facts"),
    [
        (lambda held: GUARD_BYTES - 1, "1 out"),
        (lambda held: len(held) - GUARD_BYTES, "1 out"),
    ],
)
def test_a_write_outside_a_buffer_is_a_fault(hip, transpose_task, place, facts):
    def spoil(memory):
        held = memory[sorted(memory)[1]]
        held[place(held)] ^= 0xFF

    hip.after_launch = spoil
    with refused(ExecutionFaultError, *facts.split()):
        HipExecutor(repeats=1).run(transpose_task)
    assert hip.memory == {}


def test_a_changed_input_is_a_fault(hip, transpose_task):
    def spoil(memory):
        memory[min(memory)][GUARD_BYTES] ^= 1

    hip.after_launch = spoil
    with refused(ExecutionFaultError, "in"):
        HipExecutor(repeats=1).run(transpose_task)


def test_a_failing_launch_is_a_fault(hip, transpose_task):
    hip.launch_status = hipError_t.hipErrorIllegalAddress
    with refused(ExecutionFaultError, "hipErrorIllegalAddress"):
        HipExecutor().run(transpose_task)
    assert hip.memory == {}


def test_code_for_another_gpu_is_refused(hip):
    other = task_of("transpose", "f32", {"M": 32, "K": 32}, target="gfx90a")
    with refused(ToolError, "gfx90a", "MI300X", "gfx942"):
        HipExecutor().run(other)
    assert "hipMalloc" not in hip.calls


def test_a_missing_device_or_package_is_told(hip, monkeypatch):
    with refused(ToolError, "1"):
        HipExecutor(device=1)
    hip.devices = 0
    with refused(ToolError, "hipErrorNoDevice"):
        executor_on("hip")
    monkeypatch.setattr(FakeHip, "hipGetDeviceCount", missing_library)
    with refused(ToolError):
        executor_on("hip")
    monkeypatch.setitem(sys.modules, "hip", None)
    with refused(ToolError, "hip-python") as caught:
        executor_on("hip")
    assert "pip install 'hip-python" in caught.value.hint


def missing_library(_):
    raise RuntimeError("failed to dlopen libamdhip64.so")

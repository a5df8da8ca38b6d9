"""Commands on an AMD GPU through the wheel ``hip-python`` itself, whose library is one that has no GPU.

The library hands each launch to a device that holds its argument block against the code object and executes
it on the CPU, in the memory that was passed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter

import jsonschema
import pytest

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors.guard_bytes import GUARD_BYTES
from layoutalg.codegen.gfx9.kernel_arguments import explicit_places
from layoutalg.codegen.matrix.kernel_matrix import FAMILIES, choices
from layoutalg.codegen.matrix.validation import validation_schema
from tests.codegen.hip_runtime.argument_blocks import complaints
from tests.codegen.hip_runtime.device import device_in
from tests.codegen.hip_runtime.wheel import require_wheel
from tests.codegen.small_kernel import FACTOR, TEXT

MICROSECONDS = "250.0 us on the device, the median of several launches"
LAUNCHES = 11  # one whose outputs are taken, ten that are timed
OF_ONE_KERNEL = """
import sys
import numpy as np
from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import Launch
from layoutalg.codegen.executors.hip import HipExecutor
from tests.codegen.small_kernel import FACTOR, small_kernel
kernel = small_kernel(sys.stdin.read())
given = {"in": np.arange(128, dtype=np.float32)}
task = Launch(kernel, compile_hip(kernel.text, "gfx942"), {"N": 128, "factor": FACTOR}, given)
print(HipExecutor(repeats=1).run(task).outputs["out"][3])
"""


@pytest.fixture
def device(tmp_path):
    require_wheel()
    with device_in(tmp_path) as found:
        yield found


def ran(device, *words, code=0, text=None, **environment):
    """What a Python process on this device prints."""
    done = subprocess.run(
        [sys.executable, *words],
        env={**device.environment, **environment},
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_a_kernel_runs_with_its_own_arguments(device):
    words = ("--m", "256", "--n", "128", "--k", "96", "--check")
    said = ran(device, "-m", "layoutalg", "run", "gemm", "--on", "hip", "--rung", "xor", *words)
    assert re.search(r"^device +AMD Instinct MI300X \(gfx942\)$", said, re.MULTILINE)
    assert "c          32768 elements compared: agree" in said
    assert MICROSECONDS in said
    assert device.faults == []
    assert (device.allocated, device.freed) == (3, 3)
    assert len(device.launches) == LAUNCHES
    first = device.launches[0]
    assert (first.grid, first.block, first.dynamic_lds) == ((1, 1, 1), (256, 1, 1), 0)
    a, b, c, *sizes = first.numbers
    assert sizes == [256, 128, 96]
    assert len({a, b, c}) == 3
    assert all(pointer % GUARD_BYTES == 0 for pointer in (a, b, c))


@pytest.mark.slow
def test_a_report_holds_times_and_rates(device, tmp_path):
    """Two kernels of the matrix, each in the process that a report takes for them."""
    two = 'chosen[:] = [c for c in chosen if str(c).startswith(("transpose f32", "gemm f16"))]'
    program = f"""
from layoutalg.cli.main import app
from layoutalg.codegen.matrix import validation
every = validation.matrix
def some(*words, **chosen):
    chosen = every(*words, **chosen)
    {two}
    return chosen
validation.matrix = some
if __name__ == "__main__":
    app(["validate", "--quick", "--on", "hip", "--report", {str(tmp_path / "report")!r}])
"""
    path = tmp_path / "validate_two.py"
    path.write_text(program)
    assert "2 passed, 0 failed" in ran(device, path)
    assert device.faults == []
    assert device.allocated == device.freed == 5
    report = json.loads((tmp_path / "report" / "validation.json").read_text())
    jsonschema.validate(report, validation_schema())
    assert (report["on"], report["device"]) == ("hip", "AMD Instinct MI300X (gfx942)")
    assert report["driver"] == "HIP driver 71526333, runtime 71526333"
    transpose, gemm = (entry["runs"][0] for entry in report["kernels"])
    assert transpose["seconds"] == gemm["seconds"] == 250e-6
    assert transpose["gigabytes_per_second"] == round(2 * 4 * 256 * 128 / 250e-6 / 1e9, 1)
    assert transpose["share_of_peak"] == round(2 * 4 * 256 * 128 / 250e-6 / 5300e9, 4)
    assert gemm["share_of_peak"] == round(2 * 512 * 128 * 96 / 250e-6 / 1307.4e12, 4)
    assert report["peak"].startswith(
        "MI300X, 304 compute units at 2100 MHz, 5300 GB/s (AMD Instinct data sheets"
    )
    assert gemm["teraflops"] == round(2 * 512 * 128 * 96 / 250e-6 / 1e12, 2)


@pytest.mark.long
def test_the_quick_matrix_passes(device, tmp_path):
    said = ran(
        device, "-m", "layoutalg", "validate", "--quick", "--on", "hip", "--report", tmp_path / "report"
    )
    report = json.loads((tmp_path / "report" / "validation.json").read_text())
    refused = {str(choice) for choice in choices("gfx942", is_quick=True) if choice.refusal}
    kernels = len(report["kernels"]) - len(refused)
    assert f"{kernels} passed, 0 failed, {len(refused)} left out" in said
    assert {entry["family"] for entry in report["kernels"]} == set(FAMILIES)
    assert device.faults == []
    assert device.allocated == device.freed
    counts = Counter(launch.kernel.name for launch in device.launches)
    assert set(counts.values()) == {LAUNCHES}
    assert len(counts) == kernels


@pytest.mark.slow
def test_what_a_kernel_does_outside_its_buffers_ends_its_launch(device):
    """The guards hold what lies next to a buffer; beyond them there is no memory."""
    broken = TEXT.replace("in[i]", "in[i + 4096]")
    said = ran(device, "-c", OF_ONE_KERNEL, text=broken, code=1)
    assert "ExecutionFaultError: scale: hipModuleLaunchKernel: hipErrorLaunchFailure" in said
    assert re.search(r"4 bytes at offset \d+ of the allocation at 0x60[0-9a-f]+, which has", device.faults[0])
    assert float(ran(device, "-c", OF_ONE_KERNEL, text=TEXT).split()[-1]) == 3 * FACTOR


@pytest.mark.slow
def test_what_is_not_there_is_one_error(device):
    arguments = ("-m", "layoutalg", "run", "transpose", "--on", "hip")
    said = ran(device, *arguments, "--target", "gfx90a", code=2)
    assert "Traceback" not in said
    assert "is compiled for gfx90a, the device is AMD Instinct MI300X (gfx942)" in said
    said = ran(device, *arguments, code=2, LAYOUTALG_HIP_DEVICE="")
    assert "hipGetDeviceCount: hipErrorNoDevice" in said
    said = ran(device, *arguments, code=2, LD_LIBRARY_PATH="")
    assert "no AMD GPU can be used: failed to dlopen 'b'libamdhip64.so''" in said


def test_arguments_that_the_code_does_not_take_are_found():
    """The checks of the device, each with a block that it must refuse."""
    kernel = compile_hip(TEXT, "gfx942").resources
    held = {0x6000_0000_0000: 1024}
    good = b"".join(n.to_bytes(8, "little") for n in (0x6000_0000_0000, 0x6000_0000_0100))
    good += b"\0" * (max(p.offset + p.size for p in explicit_places(kernel.arguments)) - 16)
    assert complaints(kernel, good, held, 64) == []
    (message,) = complaints(kernel, good[:-4], held, 64)
    assert f"take {len(good)} bytes, {len(good) - 4} were passed" in message
    (message,) = complaints(kernel, good + b"\0" * 8, held, 64)
    assert f"{len(good) + 8} were passed" in message
    (message,) = complaints(kernel, good, {0x6000_0000_0000: 256}, 64)
    assert "argument 1 points at 0x600000000100, where nothing was allocated" in message
    (message,) = complaints(kernel, good, held, 2048)
    assert "2048 threads a workgroup" in message

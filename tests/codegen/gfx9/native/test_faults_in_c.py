"""What is at fault in compiled C is told as the machine in Python tells it; who waits still ends."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.executors import Output, run_code_object
from layoutalg.codegen.gfx9.native import run_native
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.errors import ToolError
from tests.refusals import refused

COPY = """#include <hip/hip_runtime.h>
extern "C" __global__ __launch_bounds__(64) void copied(const int* in, int* out, int n)
{
    const int i = 64 * blockIdx.x + threadIdx.x;
    out[i] = in[i + n];
}
"""
CHAIN = """#include <hip/hip_runtime.h>
extern "C" __global__ __launch_bounds__(64) void chained(int* flags, int* out, int last)
{
    const int me = blockIdx.x;
    if(me != last)
        while(__hip_atomic_load(flags + me + 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) {}
    if(threadIdx.x == 0) out[me] = me;
    if(threadIdx.x == 0) __hip_atomic_store(flags + me, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
"""


def run(text, grid, arguments, native=None):
    return run_code_object(
        compile_source(text, "gfx942").code_object, (grid,), (64,), arguments, native=native
    )


def test_a_fault_is_told_in_the_same_words():
    told = []
    for native in (True, False):
        with pytest.raises(ExecutionFaultError) as caught:
            run(COPY, 40, [np.arange(2560, dtype=np.int32), Output(np.zeros(2560, np.int32)), 100], native)
        told.append(str(caught.value))
    assert "argument0, which has 10240 bytes" in told[0]
    assert told[0].split("(")[0] == told[1].split("(")[0]  # how many lanes: of a workgroup, of a batch


ADD = """#include <hip/hip_runtime.h>
extern "C" __global__ __launch_bounds__(64) void added(int* sums)
{
    __hip_atomic_fetch_add(sums + (threadIdx.x & 3), 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
"""


@pytest.mark.parametrize("native", [True, False], ids=["in C", "in Python"])
def test_inputs_are_not_written_and_sums_begin_somewhere(native):
    with pytest.raises(ExecutionFaultError, match=r"\bargument1\b"):
        run(COPY, 1, [np.arange(64, dtype=np.int32), np.zeros(64, np.int32), 0], native)
    with pytest.raises(ExecutionFaultError):
        run(ADD, 1, [Output(np.zeros(4, np.int32))], native)
    sums = run(ADD, 3, [Output(np.zeros(4, np.int32), is_initialised=True)], native).outputs
    assert next(iter(sums.values())).tolist() == [48] * 4


@pytest.mark.slow
def test_workgroups_that_wait_for_later_ones_end(monkeypatch):
    """One after the other they would wait for ever: then all of them go on together."""
    monkeypatch.setattr("layoutalg.codegen.gfx9.native.native_machine.MOST_STEPS", 10_000)
    monkeypatch.setattr(run_native, "WORTH_RUNNING", 0)
    monkeypatch.setattr(run_native, "WORTH_COMPILING", 0)
    flags, out = (Output(np.zeros(8, np.int32), is_initialised=True) for _ in range(2))
    done = run(CHAIN, 8, [flags, out, 7])
    assert list(done.outputs.values())[1].tolist() == list(range(8))


def test_what_has_no_code_in_c_is_refused_if_c_is_asked_for(monkeypatch):
    monkeypatch.setattr("layoutalg.codegen.gfx9.native.program.ARITHMETIC_RECORDS", ())
    arguments = [np.arange(64, dtype=np.int32), Output(np.zeros(64, np.int32)), 0]
    with pytest.raises(ToolError, match=r"\bcopied\b"):
        run(COPY, 1, arguments, native=True)
    assert run(COPY, 1, arguments).unwritten == {"argument1": 0}


def test_more_waves_than_c_has_room_for_run_in_python(monkeypatch):
    """The limit is set to less than the workgroup has: no GPU starts more than 16 waves of one."""
    module = "layoutalg.codegen.gfx9.native.native_machine"
    monkeypatch.setattr(f"{module}.MOST_WAVES", 0)
    arguments = [np.arange(64, dtype=np.int32), Output(np.zeros(64, np.int32)), 0]
    with refused(ToolError, "0", "1"):
        run(COPY, 1, arguments, native=True)
    assert run(COPY, 1, arguments).unwritten == {"argument1": 0}

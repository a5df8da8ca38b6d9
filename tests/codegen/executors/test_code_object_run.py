"""Anybody's kernel from its bytes: arguments, hidden ones, data of the object, and what is refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from layoutalg import LayoutError
from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.executors import Output, run_code_object
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.codegen.sanitizer import sanitize
from tests.refusals import refused

TARGETS = ("gfx90a", "gfx942", "gfx950")
SOURCE = """#include <hip/hip_runtime.h>
__device__ const float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__device__ float state[4] = {10.0f, 20.0f, 30.0f, 40.0f};
extern "C" __global__ void add(const float* x, const float* y, float* out, int n, float f)
{
    const int i = blockIdx.x * __builtin_amdgcn_workgroup_size_x() + threadIdx.x;
    if (i < n) out[i] = x[i] + f * y[i] + table[i & 3] + state[(i >> 2) & 3];
}
extern "C" __global__ void increase(int* x) { x[threadIdx.x] += 1; }
extern "C" __global__ void turn(const int* x, int* out)
{
    extern __shared__ int rows[];
    rows[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = rows[63 - threadIdx.x];
}
"""
N = 250
X, Y = np.arange(N, dtype=np.float32), np.linspace(-1, 1, N, dtype=np.float32)
OUT = np.zeros(N, np.float32)


@pytest.fixture(scope="module", params=TARGETS)
def code(request):
    return compile_source(SOURCE, request.param).code_object


def test_data_of_the_object_and_hidden_arguments(code):
    done = run_code_object(code, [4], [64], [X, Y, Output(OUT), N, 0.5], kernel="add")
    (found,) = done.outputs.values()
    i = np.arange(N)
    wanted = X + 0.5 * Y + np.array([1, 2, 3, 4])[i & 3] + np.array([10, 20, 30, 40])[i >> 2 & 3]
    assert np.abs(found - wanted).max() < 1e-4
    assert set(done.unwritten.values()) == {0}
    assert (done.counters["workgroups"], done.counters["waves"]) == (4, 4)
    assert not OUT.any()
    short = run_code_object(code, [4], [64], [X, Y, Output(OUT), N, 0.5], kernel="add", workgroups=[1])
    assert set(short.unwritten.values()) == {N - 64}


def test_an_output_can_be_read_where_it_is_initialised(code):
    numbers = np.arange(64, dtype=np.int32)
    done = run_code_object(code, [1], [64], [Output(numbers, is_initialised=True)], kernel="increase")
    assert np.array_equal(next(iter(done.outputs.values())), numbers + 1)
    with pytest.raises(ExecutionFaultError):
        run_code_object(code, [1], [64], [Output(numbers)], kernel="increase")
    with pytest.raises(ExecutionFaultError, match=r"\bargument0\b"):
        run_code_object(code, [1], [64], [numbers], kernel="increase")


def test_dynamic_shared_memory(code):
    numbers = np.arange(64, dtype=np.int32)
    given = [numbers, Output(np.zeros_like(numbers))]
    done = run_code_object(code, [1], [64], given, kernel="turn", dynamic_lds=256)
    assert np.array_equal(next(iter(done.outputs.values())), numbers[::-1])
    with pytest.raises(ExecutionFaultError, match=r"\b128\b"):
        run_code_object(code, [1], [64], given, kernel="turn", dynamic_lds=128)


def test_what_triton_compiles_is_taken_as_it_is(code):
    given = SimpleNamespace(
        asm={"hsaco": code}, metadata=SimpleNamespace(name="turn", num_warps=1, shared=256)
    )
    numbers = np.arange(64, dtype=np.int32)
    done = run_code_object(given, [1], None, [numbers, Output(np.zeros_like(numbers))])
    assert np.array_equal(next(iter(done.outputs.values())), numbers[::-1])
    with refused(LayoutError, "ptx"):
        run_code_object(SimpleNamespace(asm={"ptx": ""}), [1], None, [])


REFUSED: dict[str, Any] = {
    "no choice": (([1], [64], []), {}, ""),
    "no such": (([1], [64], []), {"kernel": "sub"}, ""),
    "too few": (([1], [64], []), {"kernel": "increase"}, "1 0"),
    "no array": (([1], [64], [7]), {"kernel": "increase"}, "7"),
    "array by value": (
        ([1], [64], [X, Y, Output(OUT), X, 0.5]),
        {"kernel": "add"},
        "4",
    ),
    "too large": (([1], [64], [X, Y, Output(OUT), 2**40, 0.5]), {"kernel": "add"}, "4"),
    "wrong type": (([1], [64], [X, Y, Output(OUT), np.int64(1), 0.5]), {"kernel": "add"}, "4"),
    "no such check": (
        ([1], [64], []),
        {"kernel": "increase", "unchecked": ["bounds"]},
        "bounds",
    ),
    "no grid": (([0], [64], [X]), {"kernel": "increase"}, "grid"),
    "no block": (([1], None, [X]), {"kernel": "increase"}, "block"),
    "threads": (([1], [2048], [X]), {"kernel": "increase"}, "1024"),
    "workgroups": (([1], [64], [X]), {"kernel": "increase", "workgroups": [1]}, "0"),
    "names": (([1], [64], {"no": X}), {"kernel": "increase"}, ""),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused(name, code):
    given, options, facts = REFUSED[name]
    with refused(LayoutError, *facts.split()):
        run_code_object(code, *given, **options)


def test_a_source_wants_its_target(tmp_path):
    (tmp_path / "k.hip").write_text(SOURCE)
    with refused(LayoutError):
        run_code_object(tmp_path / "k.hip", [1], [64], [])
    with refused(LayoutError):
        run_code_object(tmp_path / "none.co", [1], [64], [])
    text = compile_source(SOURCE, "gfx942").assembly
    (tmp_path / "k.s").write_text(text)
    numbers = np.arange(64, dtype=np.int32)
    done = run_code_object(
        tmp_path / "k.s", [1], [64], [Output(numbers, is_initialised=True)], kernel="increase"
    )
    assert np.array_equal(next(iter(done.outputs.values())), numbers + 1)


BYTE_BY_BYTE = """#include <hip/hip_runtime.h>
extern "C" __global__ void three_of_four(unsigned* out)
{
    unsigned char* bytes = reinterpret_cast<unsigned char*>(out + threadIdx.x);
    bytes[0] = bytes[1] = bytes[2] = 1;
}
"""


@pytest.mark.parametrize("native", [True, False])
def test_an_element_of_which_a_byte_is_missing_is_not_written(tmp_path, native):
    path = tmp_path / "three_of_four.hip"
    path.write_text(BYTE_BY_BYTE)
    done = run_code_object(path, [1], [2], [Output(np.zeros(2, np.uint32))], target="gfx942", native=native)
    assert list(done.unwritten.values()) == [2]
    (finding,) = sanitize(path, [1], Output(np.zeros(1, np.uint32)), block=[1], target="gfx942").findings
    assert finding.check.name == "output-unwritten"

"""What orders workgroups: a release behind stores that were waited for, an acquire that saw it; no more."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.executors import Output, run_code_object
from layoutalg.codegen.sanitizer import sanitize

TARGETS = ("gfx908", "gfx90a", "gfx942", "gfx950")
LAST_BLOCK = """#include <hip/hip_runtime.h>
extern "C" __global__ void sum(const float* x, float* part, int* count, float* out) {
    __shared__ int is_last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = x[blockIdx.x];
        __threadfence();  // release
        is_last = atomicAdd(count, 1) == gridDim.x - 1;
        __threadfence();  // acquire
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        float total = 0;
        for (unsigned block = 0; block < gridDim.x; ++block) total += part[block];
        *out = total;
    }
}
"""
GRID = """#include <hip/hip_runtime.h>
__device__ void meet(unsigned* count, unsigned turn) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __hip_atomic_fetch_add(count, 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
        while (__hip_atomic_load(count, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) < turn * gridDim.x) {}
    }
    __syncthreads();
}
extern "C" __global__ void passes(float* x, float* y, unsigned* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, next = (i + blockDim.x) % n;
    y[i] = x[i] + 1;
    meet(count, 1);
    x[i] = y[next] * 2;
    meet(count, 2);
    y[i] = x[next];
}
"""


def found_in(folder, source, target, grid, block, arguments):
    path = folder / "kernel.hip"
    path.write_text(source)
    found = sanitize(path, [grid], *arguments, block=[block], target=target)
    assert not found.stopped
    return {one.check.name for one in found.findings}


def last_block(folder, target, left_out=""):
    lines = [line for line in LAST_BLOCK.splitlines() if not left_out or left_out not in line]
    outputs = [np.zeros(4, np.float32), np.zeros(1, np.int32), np.zeros(1, np.float32)]
    arguments = [Output(outputs[0]), Output(outputs[1], is_initialised=True), Output(outputs[2])]
    return found_in(folder, "\n".join(lines), target, 4, 64, [np.arange(4, dtype=np.float32), *arguments])


def of_grid():
    return [
        Output(np.arange(512, dtype=np.float32), is_initialised=True),
        Output(np.zeros(512, np.float32)),
        Output(np.zeros(1, np.uint32), is_initialised=True),
        512,
    ]


@pytest.mark.sample(4)
@pytest.mark.parametrize("target", TARGETS)
def test_the_last_block_may_add_what_was_released(target, tmp_path):
    assert last_block(tmp_path, target) == set()


@pytest.mark.sample(3)
@pytest.mark.parametrize("left_out", ["// release", "// acquire"])
@pytest.mark.parametrize("target", TARGETS)
def test_without_either_fence_it_races(target, left_out, tmp_path):
    assert last_block(tmp_path, target, left_out) == {"global-race"}


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize("target", ["gfx90a", "gfx942"])
def test_workgroups_that_wait_for_each_other_are_run_together(target, tmp_path):
    assert found_in(tmp_path, GRID, target, 4, 128, of_grid()) == set()
    path = tmp_path / "kernel.hip"
    in_c, in_python = (
        run_code_object(path, [4], [128], of_grid(), target=target, native=native) for native in (True, False)
    )
    found, wanted = ([*run.outputs.values()] for run in (in_c, in_python))
    assert all((one == other).all() for one, other in zip(found, wanted, strict=True))
    i = np.arange(512)
    assert (found[1] == ((i + 256) % 512 + 1) * 2).all()


@pytest.mark.parametrize("order", ["__ATOMIC_RELEASE", "__ATOMIC_ACQUIRE"])
def test_a_grid_barrier_wants_both_orders(order, tmp_path):
    source = GRID.replace(order, "__ATOMIC_RELAXED")
    assert found_in(tmp_path, source, "gfx942", 4, 128, of_grid()) == {"global-race"}

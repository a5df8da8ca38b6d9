"""Arrays of a lane's own: scratch memory, by its own instructions or, before gfx940, by a buffer."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.executors import Output, run_code_object
from layoutalg.codegen.kernel import ExecutionFaultError
from tests.codegen.gfx9.snippet import run_snippet
from tests.refusals import refused

OWN_ARRAY = """#include <hip/hip_runtime.h>
extern "C" __global__ __launch_bounds__(64) void shuffled(const int* in, int* out, int n)
{
    int own[64];
    for(int i = 16; i < 64; ++i) own[i] = in[i & 15];
    const int first = 16 * (64 * blockIdx.x + threadIdx.x);
    for(int i = 0; i < 16; ++i) own[(i * 5 + in[first]) & 15] = in[first + i];
    for(int i = 0; i < n; ++i)
        out[first + i] = own[(in[first + i] + i) & 15] + 0 * own[(in[first] & 31) + 16];
}
"""


def shuffled(given):
    """What each thread's array of sixteen makes of its sixteen numbers."""
    found = np.zeros_like(given)
    for mine, into in zip(given.reshape(-1, 16), found.reshape(-1, 16), strict=True):
        own = {(5 * i + int(mine[0])) % 16: mine[i] for i in range(16)}
        into[:] = [own[(int(mine[i]) + i) % 16] for i in range(16)]
    return found


@pytest.mark.sample(3)
@pytest.mark.parametrize("native", [True, False], ids=["in C", "in Python"])
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
def test_an_array_of_a_lanes_own_is_kept_in_scratch_memory(target, native):
    made = compile_source(OWN_ARRAY, target)
    way = "s[0:3], 0 offen" if target == "gfx90a" else "scratch_load"
    assert made.kernels[0].scratch_bytes
    assert way in made.assembly
    given = np.random.default_rng(3).integers(0, 100, 16 * 128).astype(np.int32)
    arguments = [given, Output(np.zeros_like(given)), 16]
    run = run_code_object(made.code_object, (2,), (64,), arguments, native=native)
    assert (next(iter(run.outputs.values())) == shuffled(given)).all()


def test_scratch_memory_has_an_end():
    with refused(ExecutionFaultError, "4", "0"):
        run_snippet("scratch_load_dword v1, off, off\ns_waitcnt vmcnt(0)")


def test_a_value_that_was_never_set_is_none_after_a_spill_either():
    lines = "scratch_store_dword off, v{0}, off\ns_waitcnt vmcnt(0)\nscratch_load_dword v1, off, off\n"
    lines += "s_waitcnt vmcnt(0)\nv_mov_b32 v2, v1\nglobal_store_dword v3, v2, s[20:21]"
    buffer = np.zeros(64, np.uint32)
    run_snippet(lines.format(0), v={0: 5, 3: 4 * np.arange(64)}, buffers=[buffer], scratch=8)
    assert (buffer == 5).all()
    with refused(ExecutionFaultError, "64"):
        run_snippet(lines.format(9), v={3: 4 * np.arange(64)}, buffers=[buffer], scratch=8)

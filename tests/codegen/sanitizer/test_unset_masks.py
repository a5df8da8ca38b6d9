"""A lane's comparison of what nobody wrote matters only where no other mask switches the lane off."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.executors import Output
from layoutalg.codegen.sanitizer import sanitize

SOURCE = """#include <hip/hip_runtime.h>
extern "C" __global__ void at(const int* x, int* flags, int* y, int n) {
    const int i = threadIdx.x;
    volatile int* f = flags;
    if (i < n) f[i] = x[i];
    const int v = f[i];
    BODY
}
"""
READ = " ".join(f"v_readlane_b32 vcc_{half}, %1, 40\\n" for half in ("lo", "hi"))
SELECTED = 'asm volatile("v_cmp_lt_i32 vcc, 0, %1\\n{}s_nop 4\\nv_cndmask_b32_e64 %0, 0, 1, vcc"'
SELECTED = "int u; " + SELECTED + ' : "=v"(u) : "v"(v) : "vcc"); if (i < n) y[i] = u;'
BODIES = {
    "if (v > 0) y[i] = 1;": True,
    "if ((i < n) & (v > 0)) y[i] = 1;": False,
    "if ((i <= n) & (v > 0)) y[i] = 1;": True,
    "if ((i >= n) | (v > 0)) y[i] = 1;": False,
    "if ((i > n) | (v > 0)) y[i] = 1;": True,
    "const int u = v > 3 ? 5 : 7; if (i < n) y[i] = u;": False,
    "const int u = v > 3 ? 5 : 7; if (i <= n) y[i] = u;": True,
    SELECTED.format(""): False,
    SELECTED.format(READ): True,  # no comparison any more, but a lane's value that nobody set
}


@pytest.mark.sample(5)
@pytest.mark.parametrize("target", ["gfx90a", "gfx942"])
@pytest.mark.parametrize("body", BODIES)
def test_it_is_told_where_it_decides(body, target, tmp_path):
    path = tmp_path / "kernel.hip"
    path.write_text(SOURCE.replace("BODY", body))
    flags, output = (Output(np.zeros(64, np.int32), is_initialised=known) for known in (False, True))
    x = np.arange(64, dtype=np.int32)
    found = sanitize(path, [1], x, flags, output, 32, block=[64], target=target, ignore=["output-unwritten"])
    assert [one.check.name for one in found.findings] == ["uninitialised-memory"] * BODIES[body]

"""The stand-in for HIP's header: sizes of a launch, atomics, and values from other lanes, as HIP has them."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.compile.toolchain import find_toolchain
from layoutalg.codegen.executors import Output
from layoutalg.codegen.sanitizer import sanitize

pytestmark = pytest.mark.skipif(find_toolchain().has_hip_headers, reason="ROCm's own headers are taken")
LANES = np.arange(64)
MOVES = {
    "__shfl(v, 5)": np.full(64, 5),
    "__shfl(v, 5, 16)": LANES // 16 * 16 + 5,
    "__shfl_xor(v, 3)": LANES ^ 3,
    "__shfl_xor(v, 16, 8)": np.where((LANES ^ 16) >= (LANES + 8) // 8 * 8, LANES, LANES ^ 16),
    "__shfl_down(v, 4)": np.where(LANES + 4 < 64, LANES + 4, LANES),
    "__shfl_down(v, 4, 8)": np.where(LANES % 8 + 4 < 8, LANES + 4, LANES),
    "__shfl_up(v, 4, 8)": np.where(LANES % 8 >= 4, LANES - 4, LANES),
    "__lane_id()": LANES,
    "__builtin_popcountll(__ballot(v % 3 == 0))": np.full(64, 22),
    "blockDim.x + 1000 * gridDim.x": np.full(64, 2064),
    "atomicAdd(count, 1) * 0": np.zeros(64),
}


@pytest.mark.parametrize("target", ["gfx90a", "gfx942"])
def test_lanes_get_what_hip_says(target, tmp_path):
    places = [f"(blockIdx.x * {len(MOVES)} + {number}) * 64 + v" for number in range(len(MOVES))]
    stores = "\n".join(f"    y[{place}] = {text};" for place, text in zip(places, MOVES, strict=True))
    path = tmp_path / "kernel.hip"
    path.write_text(
        "#include <hip/hip_runtime.h>\n"
        'extern "C" __global__ void moves(int* y, int* count) {\n'
        f"    const int v = threadIdx.x;\n{stores}\n}}\n"
    )
    moved, counted = np.zeros((2, len(MOVES), 64), np.int32), np.zeros(1, np.int32)
    outputs = [Output(moved), Output(counted, is_initialised=True)]
    found = sanitize(path, [2], *outputs, block=[64], target=target)
    assert [str(one) for one in found.findings] == []
    y, count = found.outputs.values()
    for number, (text, wanted) in enumerate(MOVES.items()):
        assert (y[:, number] == wanted).all(), text
    assert count[0] == 128

"""A kernel small enough to break: 64 elements a workgroup, each times a factor that is passed by value."""

from __future__ import annotations

import sympy
from sympy import Symbol

from layoutalg.claim import Claim, Comparison
from layoutalg.codegen.kernel import ArrayArgument, Kernel, Result, ScalarArgument
from layoutalg.data_type import DataType
from layoutalg.domain import Domain
from layoutalg.index import FloorDiv

FACTOR = 1.5
TEXT = """#include <hip/hip_runtime.h>

extern "C" __global__ __launch_bounds__(64)
void scale(const float* __restrict__ in, float* __restrict__ out, int N, float factor)
{
    const int i = 64 * blockIdx.x + threadIdx.x;
    out[i] = factor * in[i];
}
"""
N = Symbol("N", integer=True, positive=True)


def small_kernel(text: str = TEXT, *, edge: int = 0) -> Kernel:
    """The kernel with one claim, that is true as long as ``edge`` is 0."""
    sizes = Domain.of({}, {N: (64, None, 64)})
    points = Domain.of({"i": 64})
    inside = Claim("in bounds", "in", points, then=(Comparison(points["i"] + edge, "<", sympy.Integer(64)),))
    single = DataType.named("f32")

    def reference(inputs):
        wanted = FACTOR * inputs["in"].astype("f8")
        return Result({"out": wanted}, {"out": 2.0**-24 * abs(wanted)})

    arguments = (
        ArrayArgument("in", single, (N,)),
        ArrayArgument("out", single, (N,), is_output=True),
        ScalarArgument("N"),
        ScalarArgument("factor", "f32"),
    )
    grid = (FloorDiv.unchecked(N, sympy.Integer(64)),)
    return Kernel("scale", "out = factor * in", arguments, sizes, grid, (64,), (inside,), text, reference)


def spilling_text() -> str:
    """A hundred numbers alive at once, where eight waves a SIMD leave 64 registers for each."""
    names = [f"h{j}" for j in range(100)]
    loads = "".join(f"    float {name} = load[(i + {j}) % N];\n" for j, name in enumerate(names))
    kept = "".join(f'    asm volatile("" : "+v"({name}));\n' for name in names)
    body = f"    const volatile float* load = in;\n{loads}{kept}    out[i] = {' + '.join(names)};"
    text = TEXT.replace("    out[i] = factor * in[i];", body)
    few = "__attribute__((amdgpu_waves_per_eu(8, 8)))"
    return text.replace("__launch_bounds__(64)", f"__launch_bounds__(64) {few}")

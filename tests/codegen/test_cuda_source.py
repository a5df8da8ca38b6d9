"""CUDA's dialect of generated kernels: compiled to PTX by clang, where it has the target."""

from __future__ import annotations

import itertools
import re
import sys
from collections import Counter

import pytest

from layoutalg import LayoutError
from layoutalg.codegen.compile.toolchain import run
from layoutalg.codegen.executors.cuda_source import cuda_source
from layoutalg.codegen.kernels import permute, transpose
from layoutalg.codegen.kernels.gemm import gemm
from tests.benchmarks.transpose_cuda import SIZES, candidates, medians, table
from tests.refusals import refused

INDEX = """struct {name}_type {{
    __declspec(property(get = get_x)) unsigned x;
    __declspec(property(get = get_y)) unsigned y;
    __declspec(property(get = get_z)) unsigned z;
    __device__ unsigned get_x() const {{ return __nvvm_read_ptx_sreg_{register}_x(); }}
    __device__ unsigned get_y() const {{ return __nvvm_read_ptx_sreg_{register}_y(); }}
    __device__ unsigned get_z() const {{ return __nvvm_read_ptx_sreg_{register}_z(); }}
}};
extern const __attribute__((device, weak)) {name}_type {name};
"""
# What NVRTC has built in, for a clang without CUDA's headers.
STAND_IN = """#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(n) __attribute__((launch_bounds(n)))
#define __align__(n) __attribute__((aligned(n)))
typedef unsigned uint2 __attribute__((ext_vector_type(2)));
typedef unsigned uint4 __attribute__((ext_vector_type(4)));
""" + "".join(INDEX.format(name=n, register=r) for n, r in (("threadIdx", "tid"), ("blockIdx", "ctaid")))
CLANG = (
    *(
        sys.executable,
        "-m",
        "ziglang",
        "clang",
        "-x",
        "cuda",
        "--cuda-device-only",
        "-nocudainc",
        "-nocudalib",
    ),
    *("--cuda-gpu-arch=sm_90", "-O3", "-std=c++17", "-fms-extensions", "-Wno-unknown-cuda-version", "-S"),
)


def accesses(kernel, folder):
    """How often each access to memory occurs in the PTX."""
    pytest.importorskip("ziglang")
    source, ptx = folder / "kernel.cu", folder / "kernel.ptx"
    source.write_text(STAND_IN + cuda_source(kernel.text), encoding="utf-8")
    run([*CLANG, str(source), "-o", str(ptx)])
    text = ptx.read_text(encoding="utf-8")
    assert f".maxntid {kernel.block[0] * (kernel.block[1] if len(kernel.block) > 1 else 1)}" in text
    return Counter(re.findall(r"\b(?:ld|st)\.(?:global|shared|local)[\w.]*", text))


def in_bytes(found):
    """The bytes of an access by its name: ``ld.shared.v4.b32``."""
    ((count, bits),) = re.findall(r"(?:\.v(\d))?\.b(\d+)$", found)
    return int(count or 1) * int(bits) // 8


@pytest.mark.sample(5)
@pytest.mark.parametrize("size", SIZES)
def test_planned_floats_move_whole_vectors(size, tmp_path):
    kernel = permute(size, (1, 0))
    found = accesses(kernel, tmp_path)
    assert {in_bytes(name) for name in found} == {8}
    assert not any("local" in name for name in found)
    assert {name.split(".")[1] for name in found} == {"global", "shared"}


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("lengths", "order", "element"),
    [
        ((256, 256), (1, 0), "f16"),
        ((256, 256), (1, 0), "bf16"),
        ((256, 256), (1, 0), "i8"),
        ((256, 256), (1, 0), "f64"),
        ((101, 37), (1, 0), "f32"),
        ((511, 513), (1, 0), "f32"),
        ((511, 513), (1, 0), "f16"),
        ((31, 17, 65), (1, 0, 2), "i8"),
        ((30, 20, 64), (1, 0, 2), "f16"),
        (("M", "K"), (1, 0), "f32"),
    ],
)
def test_the_dialect_compiles(lengths, order, element, tmp_path):
    found = accesses(permute(lengths, order, element), tmp_path)
    assert found
    assert not any("local" in name for name in found)


def test_the_register_transpose_is_portable_too(tmp_path):
    found = accesses(transpose("f32"), tmp_path)
    assert {in_bytes(name) for name in found} == {16}
    assert "shared" not in " ".join(found)


def test_matrix_kernels_are_refused():
    assert cuda_source(permute((64, 64), (1, 0)).text)
    with refused(LayoutError, "__builtin_amdgcn_mfma_f32_32x32x8f16"):
        cuda_source(gemm().text)


def test_a_comment_may_name_what_code_must_not():
    commented = "// __builtin_amdgcn_s_barrier would do\n__syncthreads();"
    assert cuda_source(commented) == commented
    with refused(LayoutError, "2", "4", "8", "16"):
        cuda_source("typedef float float_x8 __attribute__((ext_vector_type(8)));")


@pytest.mark.slow
def test_the_benchmark_has_configurations_and_a_table():
    for size in ((2560, 32), (4096, 4096)):
        assert len(list(itertools.islice(candidates(size), 50))) == 50
    run_ = {"64x64": {name: {"seconds": t} for name, t in (("copy", 1e-6), ("torch", 3e-6), ("ours", 2e-6))}}
    assert "0.500     1.50  ours" in table(medians([run_, run_, run_]))

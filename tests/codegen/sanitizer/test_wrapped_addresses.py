"""Addresses made of sums that left 32 bits are told; those of 64 bits and of remainders are not."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.executors import Output
from tests.codegen.sanitizer.test_orders_of_workgroups import found_in


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("index", "wraps"),
    [
        ("row * pitch", True),
        ("(long)row * pitch", False),
        ("(row << 20) * 4", True),
        ("(int)((unsigned)row * (unsigned)pitch % 64u)", False),
        ("row * 4", False),
    ],
)
@pytest.mark.parametrize("target", ["gfx90a", "gfx942"])
def test_an_address_of_a_wrapped_product_is_told(target, index, wraps, tmp_path):
    source = f"""#include <hip/hip_runtime.h>
extern "C" __global__ void at(const int* rows, const int* x, int* y, int pitch, long n) {{
    const int row = rows[threadIdx.x];
    const long i = {index};
    y[threadIdx.x] = i >= 0 && i < n ? x[i] : 0;
}}
"""
    rows, output = np.arange(64, dtype=np.int32) * 4096, Output(np.zeros(64, np.int32))
    size = 1 << 20  # of x; a row times the pitch is a multiple of 2**32
    arguments = [rows, np.zeros(size, np.int32), output, 1 << 20, np.int64(size)]
    assert ("address-overflow" in found_in(tmp_path, source, target, 1, 64, arguments)) == wraps


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("kind", "last"),
    [
        ("s", ""),
        ("s", "v_readlane_b32 %0, %3, 1"),
        ("v", ""),
        ("v", "ds_swizzle_b32 %0, %3 offset:0x8000\\n s_waitcnt lgkmcnt(0)"),
        ("v", "ds_bpermute_b32 %0, %3, %3\\n s_waitcnt lgkmcnt(0)"),
    ],
)
def test_a_register_that_is_written_anew_is_no_wrapped_product(kind, last, tmp_path):
    product = {"s": "s_mul_i32", "v": "v_mul_lo_u32"}[kind]
    source = f"""#include <hip/hip_runtime.h>
extern "C" __global__ void at(const int* x, int* y, int pitch) {{
    const int lane = threadIdx.x;
    int i;
    asm volatile("{product} %0, %1, %2\\n {last}" : "=&{kind}"(i) : "{kind}"(pitch), "s"(pitch), "v"(lane));
    y[lane] = x[i];
}}
"""
    arguments = [np.zeros(64, np.int32), Output(np.zeros(64, np.int32)), 1 << 16]
    assert ("address-overflow" in found_in(tmp_path, source, "gfx942", 1, 64, arguments)) == (not last)

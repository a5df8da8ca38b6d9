"""The GEMM of CK Tile's tutorial at its own sizes: the tile program on NumPy, compiled, and CK Tile's kernel.

A is 3328 x 4096 and B 4096 x 4096, both of f16: 416 workgroups, of which the first, one in the middle and the
last are run. Elements are whole numbers from -4 to 4, so that sums are exact in any order.

The sources of 01_naive_gemm do not come with the headers that are fetched. CK Tile's kernel is its GEMM
pipeline V1 instead, as ``ck_tile_gemm.hip`` composes it: the same C = A * B^T in tiles of 256 x 128 x 32 by
four waves, workgroups in the same order; but waves 2 x 2, warp tiles 32 x 32 x 16, and C stored in f16. No
sum of these inputs is too large to be exact in f16.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from layoutalg.codegen.compile import compile_source
from layoutalg.codegen.executors import Output, run_code_object
from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.gemm.builder import gemm
from layoutalg.codegen.kernels.gemm.ladder import configured
from layoutalg.codegen.tile_programs import kernel_of_program
from layoutalg.tile import TileProgram
from tests.codegen.strangers.ck_tile_kernels import GEMMS
from tests.codegen.strangers.ck_tile_launches import argument_values
from tests.codegen.tile_programs.test_examples import integers, module
from tests.golden.ck_import import has_headers

M, N, K = 3328, 4096, 4096
TILE_M, TILE_N, TILE_K = 256, 128, 32
GRID = (M // TILE_M * (N // TILE_N),)
WORKGROUPS = (0, GRID[0] // 2, GRID[0] - 1)
THREADS = (256,)
WAVES = 4
ONE_TO_ONE = 2**11  # whole numbers up to here have an f16 each


@cache
def operands() -> tuple[NDArray[Any], NDArray[Any]]:
    return integers(1, M, K).astype(np.float16), integers(2, N, K).astype(np.float16)


def untouched(kind: type) -> NDArray[Any]:
    """C before the launch: what nobody writes stays NaN."""
    return np.full((M, N), np.nan, kind)


@cache
def wanted() -> NDArray[Any]:
    """The tiles of the workgroups that are run, and NaN around them."""
    a, b = (one.astype(np.float32) for one in operands())
    found = untouched(np.float32)
    for workgroup in WORKGROUPS:
        row, column = TILE_M * (workgroup // (N // TILE_N)), TILE_N * (workgroup % (N // TILE_N))
        rows, columns = slice(row, row + TILE_M), slice(column, column + TILE_N)
        found[rows, columns] = a[rows] @ b[columns].T
    return found


def require_wanted(found: NDArray[Any]) -> None:
    """Those tiles are equal, and nothing else was written."""
    assert np.array_equal(found.reshape(M, N).astype(np.float32), wanted(), equal_nan=True)


def transposed_c() -> TileProgram:
    return module("naive_gemm").transposed_c


@pytest.mark.long
def test_the_run_on_numpy_is_exact_at_the_tutorial_s_sizes():
    a, b = operands()
    done = transposed_c().run(a=a, b=b, c=untouched(np.float32), M=M, N=N, K=K, workgroups=WORKGROUPS)
    require_wanted(done["c"])


@pytest.mark.long
def test_compiled_code_does_what_the_run_on_numpy_does_at_the_tutorial_s_sizes():
    kernel = kernel_of_program(transposed_c(), "gfx942")
    assert kernel.grid_for({"M": M, "N": N, "K": K}) == GRID
    code = compile_source(kernel.text, "gfx942").code_object
    arguments = [*operands(), Output(untouched(np.float32)), *map(np.int32, (M, N, K))]
    done = run_code_object(code, GRID, kernel.block, arguments, workgroups=WORKGROUPS)
    (found,) = done.outputs.values()
    require_wanted(found)


@pytest.mark.long
@pytest.mark.skipif(not has_headers(), reason="no CK headers: layoutalg ck fetch")
def test_ck_tile_s_own_kernel_does_what_the_run_on_numpy_does_at_the_tutorial_s_sizes():
    own = GEMMS["V1"]
    assert dict(own.macros)["TILE"] == f"{TILE_M},{TILE_N},{TILE_K}"
    assert np.nanmax(np.abs(wanted())) <= ONE_TO_ONE
    code = own.code_object("gfx942")
    sizes_strides_and_batches = map(np.int32, (M, N, K, K, K, N, 1))
    members = [*operands(), Output(untouched(np.float16)), *sizes_strides_and_batches]
    name, values = argument_values(code, members)
    done = run_code_object(code, GRID, THREADS, values, kernel=name, workgroups=WORKGROUPS)
    (found,) = done.outputs.values()
    require_wanted(found)


def instructions_of_a_step(kernel: Kernel, target: str) -> int:
    """What a wave executes for one more tile along K: what a run of three has more than a run of two."""
    code, counted = compile_source(kernel.text, target).code_object, []
    for k in (2 * TILE_K, 3 * TILE_K):
        a, b = integers(1, TILE_M, k), integers(2, TILE_N, k)
        sizes = {"M": TILE_M, "N": TILE_N, "K": k}
        c = Output(np.full((TILE_M, TILE_N), np.nan, np.float32))
        numbers = [np.int32(sizes[one.name]) for one in kernel.scalars]
        arguments = [a.astype(np.float16), b.astype(np.float16), c, *numbers]
        done = run_code_object(code, kernel.grid_for(sizes), kernel.block, arguments)
        (found,) = done.outputs.values()
        assert np.array_equal(found.reshape(TILE_M, TILE_N), a @ b.T)
        counted.append(done.counters["instructions"])
    step, rest = divmod(counted[1] - counted[0], WAVES)
    assert rest == 0
    return step


@pytest.mark.slow_sample(99)
@pytest.mark.parametrize("target", ["gfx942", pytest.param("gfx90a", marks=pytest.mark.slow)])
@pytest.mark.parametrize("variant", ["transposed_c", "standard_c"])
def test_a_step_along_k_takes_no_more_instructions_than_in_the_naive_rung_built_by_hand(variant, target):
    emitted = kernel_of_program(getattr(module("naive_gemm"), variant), target)
    by_hand = gemm(configured("naive", target=target, output="f32"))
    assert instructions_of_a_step(emitted, target) <= instructions_of_a_step(by_hand, target)

"""Products with block scales as Triton compiles them for gfx950, against numbers that ml_dtypes decodes."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from layoutalg.codegen.executors import run_code_object
from tests.codegen.strangers import triton_functions as of
from tests.codegen.strangers.triton_kernels import TritonKernel

SIZES = [(64, 64, 256), pytest.param((128, 128, 256), marks=pytest.mark.slow)]  # more loads than are counted
KINDS: dict[str, tuple[Any, int]] = {  # Triton's names; the numbers of a byte
    "e2m1": (ml_dtypes.float4_e2m1fn, 2),
    "e4m3": (ml_dtypes.float8_e4m3fn, 1),
    "e5m2": (ml_dtypes.float8_e5m2, 1),
}
SIGNATURE = {"a": "*u8", "b": "*u8", "out": "*fp32", "sa": "*u8", "sb": "*u8"}


def operand(random, rows, length, kind, packed):
    """Bytes as Triton wants them, scales, and the numbers that both mean."""
    patterns = random.integers(0, 256 >> 4 * (packed - 1), (rows, length)).astype(np.uint8)
    patterns[~np.isfinite(patterns.view(kind).astype(np.float64))] = 0
    scales = random.integers(124, 131, (rows, length // 32)).astype(np.uint8)
    powers = scales.view(ml_dtypes.float8_e8m0fnu).astype(np.float64)
    numbers = patterns.view(kind).astype(np.float64) * np.repeat(powers, 32, axis=1)
    return (patterns[:, ::2] | patterns[:, 1::2] << 4 if packed == 2 else patterns), scales, numbers


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("name", KINDS)
def test_triton_and_the_tables_place_scales_alike(name, sizes):
    kind, packed = KINDS[name]
    m, n, k = sizes
    random = np.random.default_rng(3)
    (a, of_a, left), (b, of_b, right) = (operand(random, rows, k, kind, packed) for rows in (m, n))
    constants = {"M": m, "N": n, "BYTES": k // packed, "K": k, "KIND": name}
    kernel = TritonKernel(
        of.scaled_product,
        SIGNATURE,
        constants,
        (1,),
        lambda _: {"a": a, "b": b, "out": np.zeros((m, n), np.float32), "sa": of_a, "sb": of_b},
        lambda **_: {"out": left @ right.T},
    )
    compiled = kernel.compiled("gfx950")
    assert "v_mfma_scale_f32_" in compiled.asm["amdgcn"]
    arguments, wanted = kernel.arguments()
    (found,) = run_code_object(compiled, kernel.grid, None, arguments).outputs.values()
    allowed = 4e-7 * (np.abs(left) @ np.abs(right).T)
    assert (np.abs(found - wanted["out"]) <= allowed).all()

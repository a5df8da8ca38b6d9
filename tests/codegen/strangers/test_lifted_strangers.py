"""Kernels of Triton and CK Tile lifted: no address differs from the executor's, nearly all are formulas."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.executors import Output
from layoutalg.codegen.executors.code_object_run import prepared_launch
from layoutalg.codegen.gfx9.lifting import Assumed
from layoutalg.domain import Domain
from tests.codegen.gfx9.lifting.agreement import compared
from tests.codegen.strangers.ck_tile_kernels import GEMMS
from tests.codegen.strangers.test_ck_tile import THREADS, loaded
from tests.golden.ck_import import has_headers

triton_kernels = pytest.importorskip(
    "tests.codegen.strangers.triton_kernels", reason="Triton is not installed", exc_type=ImportError
)
CASES = [
    pytest.param(name, target, id=f"{name}-{target}")
    for name, kernel in triton_kernels.KERNELS.items()
    for target in kernel.targets
]
LARGEST = 65536  # a size that is declared
SHARE = 0.6  # of the instructions of a kernel, formulas: the rest are named
BY_EXCHANGE = {("matmul_f32", "gfx950"): 0.35}  # addresses that lanes get from other lanes


def prepared(name, target):
    kernel = triton_kernels.KERNELS[name]
    arrays = kernel.arrays(np.random.default_rng(1))
    wanted = kernel.wanted(**{key: array.copy() for key, array in arrays.items()})
    values = [
        Output(arrays[key], is_initialised=True) if key in wanted else {**arrays, **kernel.scalars}[key]
        for key in kernel.signature
    ]
    made = prepared_launch(kernel.compiled(target), kernel.grid, None, values)
    named = {place.name for place in made.places}
    sizes = {
        name: (0, LARGEST)
        for name, value in kernel.scalars.items()
        if name in named and isinstance(value, int) and value >= 0
    }
    return made, Domain.of({}, sizes)


@pytest.mark.sample(5)
@pytest.mark.parametrize(("name", "target"), CASES)
def test_no_address_of_triton_differs(name, target):
    made, sizes = prepared(name, target)
    found = compared(made, Assumed(sizes, (), tuple(made.dispatch.threads)))
    assert not found.differing
    assert len(found.opaque) <= (1 - BY_EXCHANGE.get((name, target), SHARE)) * found.places


@pytest.mark.long
@pytest.mark.skipif(not has_headers(), reason="no CK headers: layoutalg ck fetch")
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
@pytest.mark.parametrize("name", GEMMS)
def test_no_address_of_ck_tile_differs(name, target):
    content, kernel, places = loaded(GEMMS[name], target, 10)
    m, n, k = 512, 256, 160 if name == "V4" else 256
    generator = np.random.default_rng(2)
    a, b = (generator.integers(-4, 5, shape).astype(np.float16) for shape in ((m, k), (n, k)))
    a_at, b_at, c_at, m_at, n_at, k_at, lda, ldb, ldc, batch = places
    sizes = {m_at: m, n_at: n, k_at: k, lda: k, ldb: k, ldc: n, batch: 1}
    members = {a_at: a, b_at: b, c_at: Output(np.zeros((m, n), np.float16))}
    members |= {at: np.int32(size) for at, size in sizes.items()}
    tile_m, tile_n = map(int, dict(GEMMS[name].macros)["TILE"].split(",")[:2])
    grid = (-(-m // tile_m) * -(-n // tile_n),)
    made = prepared_launch(content, grid, THREADS, [members], kernel=kernel)
    found = compared(made, Assumed(Domain(), (), THREADS))
    assert not found.differing
    assert found.agreeing > 0

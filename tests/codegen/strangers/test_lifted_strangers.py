"""Kernels of Triton and CK Tile lifted: no address differs from the executor's, nearly all are formulas."""

from __future__ import annotations

import numpy as np
import pytest
from sympy import Integer

from layoutalg.codegen.executors import Output
from layoutalg.codegen.executors.code_object_run import prepared_launch
from layoutalg.codegen.gfx9.lifting import Assumed, facts_of, lift
from layoutalg.domain import Domain
from layoutalg.proofs import prove
from tests.codegen.gfx9.lifting.agreement import compared
from tests.codegen.strangers.aiter_objects import code_object
from tests.codegen.strangers.ck_tile_kernels import GEMMS, OPERATIONS
from tests.codegen.strangers.ck_tile_launches import LAUNCHES, argument_values
from tests.codegen.strangers.test_ck_tile import TARGETS, THREADS, loaded
from tests.golden.ck_import import has_headers

triton_kernels = pytest.importorskip(
    "tests.codegen.strangers.triton_kernels", reason="Triton is not installed", exc_type=ImportError
)
LARGEST = 65536  # a size that is declared
SHARE = 0.95  # of the instructions of a kernel, formulas: the rest are named
BY_DATA = {"scatter_add": 0.8}  # addresses that data decide
VECTOR = 8  # elements of f16
# of CK Tile's operations, by name: so many instructions at most have an address that is no formula
OPAQUE = {
    "reduce": 1,  # a merge of run-time lengths, moved on in a loop
    "elementwise": 12,  # every one: merges of run-time lengths, their magic numbers made in the kernel
    "image to column": 8,  # likewise, 64 bits wide
    "attention straight into the LDS": 8,  # K, moved on in a loop
    "permute": 2,  # division by magic numbers that are arguments
}


def prepared(name, target):
    kernel = triton_kernels.KERNELS[name]
    values, _ = kernel.arguments()
    made = prepared_launch(kernel.compiled(target), kernel.grid, None, values)
    named = {place.name for place in made.places}
    sizes = {
        name: (0, LARGEST)
        for name, value in kernel.scalars.items()
        if name in named and isinstance(value, int) and value >= 0
    }
    return made, Domain.of({}, sizes)


@pytest.mark.slow_sample(72)
@pytest.mark.parametrize(("name", "target"), triton_kernels.CASES)
def test_no_address_of_triton_differs(name, target):
    made, sizes = prepared(name, target)
    found = compared(made, Assumed(sizes, (), tuple(made.dispatch.threads)))
    assert not found.differing
    assert len(found.opaque) <= (1 - BY_DATA.get(name, SHARE)) * found.places


@pytest.mark.slow
def test_what_triton_compiles_is_lifted_as_it_is():
    kernel = triton_kernels.KERNELS["matmul_f16"]
    sizes = {name: [1, 4096] for name in kernel.scalars}
    found = lift(kernel.compiled("gfx942"), facts_of({"sizes": sizes}))
    in_lds = [one for one in found.accesses if one.space == "lds" and one.is_understood]
    assert in_lds
    assert all(one.bounds.is_shown for one in in_lds)
    assert {one.buffer for one in found.accesses if one.space == "global"} & set(kernel.signature)


@pytest.mark.long
def test_all_of_amds_layer_norm_is_lifted_and_its_last_odd_row_is_unguarded():
    """Two rows of N numbers in bf16 a workgroup: with an odd number of rows the last one reads beyond."""
    content = code_object("gfx942/layer_norm.co")
    known = {
        "sizes": {"M": [1, 65536], "N": [8192, 8192]},
        "launch": {"block": [256], "grid": ["(M + 1)//2"]},
    }
    whole, odd = (
        lift(content, facts_of(known | {"extents": {"InBuffer": extent}}), prove=prove)
        for extent in ("4*((M + 1)//2)*N", "2*M*N")
    )
    vectors = [one for one in whole.accesses if one.space != "scalar"]
    assert len(vectors) == 74
    assert all(one.is_understood for one in vectors)
    assert all(one.bounds.is_shown for one in vectors if one.buffer == "InBuffer")
    refuted = [one.bounds.refuted for one in odd.accesses if one.buffer == "InBuffer"]
    assert {point.point["M"] % 2 for point in refuted if point is not None} == {1}


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


def known_sizes(made, grid):
    """What is known of a launch for all sizes: what is a multiple of a vector stays one, 0 and 1 stay."""
    sizes = {}
    for place, value in zip(made.places, made.values, strict=False):
        if isinstance(value, int) and value <= LARGEST:
            step = 1 if value % VECTOR else VECTOR
            ends = (value, value) if value <= 1 else (step, LARGEST, step)
            sizes[f"given_{place.offset:#x}"] = ends
    return Assumed(Domain.of({}, sizes), tuple(map(Integer, grid)), THREADS)


@pytest.mark.long
@pytest.mark.skipif(not has_headers(), reason="no CK headers: layoutalg ck fetch")
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_no_address_of_ck_tiles_other_operations_differs(name, target):
    content, launch = OPERATIONS[name].code_object(target), LAUNCHES[name]()
    kernel, values = argument_values(content, launch.members)
    made = prepared_launch(content, launch.grid, THREADS, values, kernel=kernel)
    names = [f"given_{place.offset:#x}" for place in made.places]
    found = compared(made, known_sizes(made, launch.grid), names)
    assert not found.differing
    assert len(found.opaque) <= OPAQUE.get(name, 0)
    assert found.agreeing > 0 or name == "elementwise"

"""Kernels that are right are called clean: ours, Triton's, CK Tile's; of AMD's the mistakes they have."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import Launch, Output
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.kernel_matrix import choices
from layoutalg.codegen.sanitizer import sanitize, sanitize_launch
from layoutalg.machine import Target
from tests.golden.ck_import import has_headers

TARGETS = ("gfx90a", "gfx942", "gfx950")
OURS = [c for target in TARGETS for c in choices(target) if not c.refusal]
QUICK = [c for t in ("gfx942", "gfx950") for c in choices(t, is_quick=True) if not c.refusal]
QUICK = QUICK[::4]


def told(found):
    return [str(one) for one in found.findings] + [found.stopped] * bool(found.stopped)


def run_ours(choice):
    kernel = choice.kernel()
    sizes = choice.sizes_for(kernel, is_large=False)
    compiled = compile_hip(kernel.text, Target.named(choice.target))
    return sanitize_launch(Launch(kernel, compiled, sizes, inputs_of(kernel, sizes, "integers", 0)))


@pytest.mark.sample(5)
@pytest.mark.parametrize("choice", QUICK, ids=str)
def test_our_kernels_are_clean(choice):
    assert told(run_ours(choice)) == []


@pytest.mark.slow_sample(3)
@pytest.mark.parametrize("choice", OURS[::18], ids=str)
def test_a_sample_of_the_matrix_is_clean(choice):
    assert told(run_ours(choice)) == []


@pytest.mark.long
@pytest.mark.parametrize("choice", OURS, ids=str)
def test_the_whole_matrix_is_clean(choice):
    assert told(run_ours(choice)) == []


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_kernels_of_triton_are_clean(target):
    reason = "Triton is not installed"
    kernels = pytest.importorskip(
        "tests.codegen.strangers.triton_kernels", reason=reason, exc_type=ImportError
    ).KERNELS
    for name, kernel in kernels.items():
        if target not in kernel.targets:
            continue
        arrays = kernel.arrays(np.random.default_rng(1))
        wanted = kernel.wanted(**{key: array.copy() for key, array in arrays.items()})
        given = {**arrays, **kernel.scalars}
        arguments = [
            Output(given[key], is_initialised=True) if key in wanted else given[key]
            for key in kernel.signature
        ]
        found = sanitize(kernel.compiled(target), kernel.grid, *arguments)
        assert told(found) == [], name


@pytest.mark.long
@pytest.mark.skipif(not has_headers(), reason="no CK headers: layoutalg ck fetch")
@pytest.mark.parametrize(("name", "target"), [*itertools.product(["V1", "V3", "V4"], TARGETS)])
def test_gemms_of_ck_tile_are_clean(name, target, monkeypatch):
    from tests.codegen.strangers import test_ck_tile  # noqa: PLC0415  compiles CK's headers

    runs = []

    def run(content, grid, threads, arguments, *, kernel, native=None):  # noqa: ARG001  as run_code_object
        found = sanitize(content, grid, *arguments, block=threads, name=kernel)
        runs.append(found)
        return found

    monkeypatch.setattr(test_ck_tile, "run_code_object", run)
    found, wanted, _ = test_ck_tile.gemm(name, target, 512, 256, 160 if name == "V4" else 256)
    assert (found == wanted).all()
    assert told(runs[0]) == []

"""Kernels that are right are called clean: ours, Triton's, CK Tile's; of AMD's the mistakes they have."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from layoutalg.codegen.executors import Output
from layoutalg.codegen.matrix.kernel_matrix import choices
from layoutalg.codegen.sanitizer import sanitize, sanitize_launch
from tests.codegen.matrix_launches import EVERY, TARGETS, launch_called
from tests.golden.ck_import import has_headers

QUICK = [str(c) for t in ("gfx942", "gfx950") for c in choices(t, is_quick=True) if not c.refusal][::4]


def told(found):
    return [str(one) for one in found.findings] + [found.stopped] * bool(found.stopped)


@pytest.mark.sample(10, slow=4)
@pytest.mark.parametrize("kernel_name", QUICK)
def test_our_kernels_are_clean(kernel_name):
    assert told(sanitize_launch(launch_called(kernel_name))) == []


@pytest.mark.slow_sample(216)
@pytest.mark.parametrize("kernel_name", EVERY)
def test_the_whole_matrix_is_clean(kernel_name):
    assert told(sanitize_launch(launch_called(kernel_name))) == []


@pytest.mark.slow_sample(3)
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

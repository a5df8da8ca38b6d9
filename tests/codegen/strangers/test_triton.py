"""Kernels compiled by Triton's wheel run as they are: in C and in Python alike, and equal to NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.executors import run_code_object

triton_kernels = pytest.importorskip(
    "tests.codegen.strangers.triton_kernels", reason="Triton is not installed", exc_type=ImportError
)
WAITS = {  # loops that wait for other waves: how often they turn depends on who runs when
    ("scatter_add", "gfx90a"),
    ("atomic_extremes", "gfx90a"),
}


def run(name, target, *, native):
    kernel = triton_kernels.KERNELS[name]
    arguments, wanted = kernel.arguments()
    done = run_code_object(kernel.compiled(target), kernel.grid, None, arguments, native=native)
    outputs = dict(
        zip((key for key in kernel.signature if key in wanted), done.outputs.values(), strict=True)
    )
    return done, outputs, wanted


@pytest.mark.sample(28, slow=4)
@pytest.mark.parametrize(("name", "target"), triton_kernels.CASES)
def test_a_kernel_gives_what_numpy_gives(name, target):
    done, outputs, wanted = run(name, target, native=True)
    for key, array in wanted.items():
        found, right = (values.astype(np.float64) for values in (outputs[key], array))
        allowed = triton_kernels.KERNELS[name].tolerance * np.abs(right).max()
        assert np.abs(found - right).max() <= allowed, key
    in_python, same, _ = run(name, target, native=False)
    for key, array in outputs.items():
        assert (array.view(np.uint8) == same[key].view(np.uint8)).all(), key
    if (name, target) not in WAITS:
        assert done.counters == in_python.counters

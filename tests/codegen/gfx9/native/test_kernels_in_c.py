"""Whole kernels in compiled C against the machine in Python: outputs, counters and trace, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.codegen.matrix.kernel_matrix import choices
from layoutalg.machine import Target

KERNELS = [
    choice for target in ("gfx942", "gfx950", "gfx90a") for choice in choices(target) if not choice.refusal
]


@pytest.mark.sample(40, slow=2)
@pytest.mark.parametrize("choice", KERNELS[::16], ids=str)
def test_a_kernel_does_the_same_in_both(choice):
    require_same(choice)


@pytest.mark.long
@pytest.mark.parametrize("choice", KERNELS, ids=str)
def test_every_kernel_does_the_same_in_both(choice):
    require_same(choice)


def require_same(choice):
    kernel = choice.kernel()
    compiled = compile_hip(kernel.text, Target.named(choice.target))
    sizes = choice.sizes_for(kernel, is_large=False)
    task = Launch(kernel, compiled, sizes, inputs_of(kernel, sizes, "random", 1))
    in_c, in_python = (CpuExecutor(native=native).run(task) for native in (True, False))
    for name, wanted in in_python.outputs.items():
        assert (in_c.outputs[name].view(np.uint8) == wanted.view(np.uint8)).all()
    assert in_c.counters == in_python.counters
    assert in_c.trace == in_python.trace

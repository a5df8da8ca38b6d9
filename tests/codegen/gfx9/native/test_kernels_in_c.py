"""Whole kernels in compiled C against the machine in Python: outputs, counters and trace, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from layoutalg.codegen.executors import CpuExecutor
from tests.codegen.matrix_launches import EVERY, launch_called


@pytest.mark.sample(640, slow=256)
@pytest.mark.parametrize("kernel_name", EVERY)
def test_a_kernel_does_the_same_in_both(kernel_name):
    task = launch_called(kernel_name, "random", seed=1)
    in_c, in_python = (CpuExecutor(native=native).run(task) for native in (True, False))
    for name, wanted in in_python.outputs.items():
        assert (in_c.outputs[name].view(np.uint8) == wanted.view(np.uint8)).all()
    assert in_c.counters == in_python.counters
    assert in_c.trace == in_python.trace

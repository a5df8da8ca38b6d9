"""Rows with padding between them on a device: laid out there, and the padding read back and looked at."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import Launch
from layoutalg.codegen.executors.guard_bytes import GUARD_BYTES
from layoutalg.codegen.executors.hip import HipExecutor
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.codegen.kernels import transpose
from layoutalg.codegen.matrix.inputs import inputs_of
from tests.codegen.executors.fake_hip import FakeHip
from tests.refusals import refused

SIZES = {"M": 64, "K": 32, "ld_in": 36, "ld_out": 72}


@pytest.fixture(scope="module")
def task():
    kernel = transpose(has_leading_dimensions=True)
    return Launch(kernel, compile_hip(kernel.text, "gfx942"), SIZES, inputs_of(kernel, SIZES))


@pytest.fixture
def hip(monkeypatch, task):
    fake = FakeHip(task.compiled.assembly, outputs=(1,))
    monkeypatch.setitem(sys.modules, "hip", SimpleNamespace(hip=fake))
    return fake


def test_the_rows_alone_come_back(hip, task):
    found = HipExecutor(repeats=1).run(task).outputs["out"]
    assert np.array_equal(found, task.inputs["in"].T)
    assert np.frombuffer(hip.launches[0][16:], np.int32).tolist() == [64, 32, 36, 72]


@pytest.mark.parametrize(("place", "is_padding"), [(64, True), (71, True), (63, False)])
def test_a_write_between_rows_is_a_fault(hip, task, place, is_padding):
    def spoil(memory):
        memory[sorted(memory)[1]][GUARD_BYTES + 4 * place] ^= 1

    hip.after_launch = spoil
    if not is_padding:
        assert not np.array_equal(HipExecutor(repeats=1).run(task).outputs["out"], task.inputs["in"].T)
        return
    with refused(ExecutionFaultError, "1", "out"):
        HipExecutor(repeats=1).run(task)

"""PyTorch beside our kernels: asked only where it is, for what it can do; a stand-in notes the calls."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

from layoutalg.codegen.matrix.kernel_matrix import FAMILIES
from layoutalg.codegen.matrix.torch_baseline import TIMED, WARM_UP, torch_baseline


class Tensor:
    def __init__(self, log, shape):
        self.log, self.shape = log, shape

    def to(self, kind):
        self.log.append(kind)
        return self

    def t(self):
        return Tensor(self.log, self.shape[::-1])

    def transpose(self, one, other):
        shape = list(self.shape)
        shape[one], shape[other] = shape[other], shape[one]
        return Tensor(self.log, tuple(shape))

    def contiguous(self):
        self.log.append(("contiguous", self.shape))
        return self


class Event:
    times: Iterator[float] = iter(())

    def __init__(self, *, enable_timing):
        assert enable_timing

    def record(self):
        pass

    def elapsed_time(self, _):
        return next(Event.times)


@pytest.fixture
def torch(monkeypatch):
    log: list[object] = []
    Event.times = iter([3.0, 1.0, 2.0] * TIMED)
    cuda = SimpleNamespace(is_available=lambda: True, Event=Event, synchronize=lambda: None)
    fake = SimpleNamespace(log=log, cuda=cuda, version=SimpleNamespace(hip="6.3"), __version__="2.9")
    fake.float16, fake.float32 = "half", "single"
    fake.randn = lambda *shape, device: Tensor(log, shape)
    fake.matmul = lambda a, b: log.append(("matmul", a.shape, b.shape))
    monkeypatch.setitem(sys.modules, "torch", fake)
    return fake


def test_a_gemm_is_a_matmul_with_b_by_columns(torch):
    found = torch_baseline(FAMILIES["gemm"], "f16", {"M": 8, "N": 4, "K": 2})
    assert found is not None
    assert found.name == "PyTorch 2.9 matmul (rocBLAS or hipBLASLt)"
    assert np.isclose(found.seconds, 2e-3)
    assert torch.log[:2] == ["half", "half"]
    assert torch.log[2:] == [("matmul", (8, 2), (2, 4))] * (WARM_UP + TIMED)


def test_a_batch_is_a_matmul_of_batches(torch):
    assert torch_baseline(FAMILIES["gemm"], "f16", {"M": 8, "N": 4, "K": 2, "batch_count": 3})
    assert torch.log[2] == ("matmul", (3, 8, 2), (3, 2, 4))


def test_a_transpose_is_made_contiguous(torch):
    found = torch_baseline(FAMILIES["transpose"], "f32", {"M": 8, "K": 2})
    assert found is not None
    assert found.name == "PyTorch 2.9 t().contiguous()"
    assert torch.log[1:] == [("contiguous", (2, 8))] * (WARM_UP + TIMED)


def test_there_is_none_for_other_types_without_a_gpu_or_without_pytorch(torch, monkeypatch):
    sizes = {"M": 8, "N": 4, "K": 2}
    assert torch_baseline(FAMILIES["gemm"], "i8", sizes) is None
    assert torch_baseline(FAMILIES["permute"], "f16", sizes) is None
    torch.cuda.is_available = lambda: False
    assert torch_baseline(FAMILIES["gemm"], "f16", sizes) is None
    monkeypatch.setitem(sys.modules, "torch", None)
    assert torch_baseline(FAMILIES["gemm"], "f16", sizes) is None

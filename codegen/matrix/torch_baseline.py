"""The time that PyTorch takes for the same, where it is installed and sees a GPU.

What it calls is a row's ``torch_call``: a matrix product by a BLAS, or a contiguous transpose.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from layoutalg.codegen.kernels.kernel_family import KernelFamily

__all__ = ["Baseline", "torch_baseline"]

TYPES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
WARM_UP, TIMED = 3, 10


@dataclass(frozen=True)
class Baseline:
    """What was timed, and the median time of one call."""

    name: str
    seconds: float


def torch_baseline(family: KernelFamily, element: str, sizes: Mapping[str, int]) -> Baseline | None:
    """PyTorch's time for the same sizes; None where it has no such call, no such type, or no GPU."""
    torch = _torch()
    if torch is None or element not in TYPES or family.torch_call is None:
        return None
    name, call = family.torch_call(torch, getattr(torch, TYPES[element]), sizes)
    return Baseline(f"PyTorch {torch.__version__} {name}", _median_seconds(torch, call))


def _torch() -> Any:
    try:
        import torch  # noqa: PLC0415  large, and rarely there
    except ImportError:
        return None
    return torch if torch.cuda.is_available() else None  # ROCm's PyTorch calls its GPUs so, too


def _median_seconds(torch: Any, call: Callable[[], Any]) -> float:
    times = []
    for number in range(WARM_UP + TIMED):
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        call()
        stop.record()
        torch.cuda.synchronize()
        if number >= WARM_UP:
            times.append(start.elapsed_time(stop) / 1000)
    return statistics.median(times)

"""How fast PyTorch does the same: rocBLAS or hipBLASLt on AMD GPUs, and a contiguous transpose.

Only where PyTorch is installed and sees a GPU; nothing else here needs it.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Baseline", "torch_baseline"]

TYPES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
WARM_UP, TIMED = 3, 10


@dataclass(frozen=True)
class Baseline:
    """What was timed, and the median time of one call."""

    name: str
    seconds: float


def torch_baseline(family: str, element: str, sizes: Mapping[str, int]) -> Baseline | None:
    """PyTorch's time for the same sizes; None without it, without a GPU, or for types it cannot multiply."""
    torch = _torch()
    if torch is None or element not in TYPES or family not in CALLS:
        return None
    name, call = CALLS[family](torch, getattr(torch, TYPES[element]), sizes)
    return Baseline(f"PyTorch {torch.__version__} {name}", _median_seconds(torch, call))


def _torch() -> Any:
    try:
        import torch  # noqa: PLC0415  large, and rarely there
    except ImportError:
        return None
    return torch if torch.cuda.is_available() else None  # ROCm's PyTorch calls its GPUs so, too


def _gemm(torch: Any, kind: Any, sizes: Mapping[str, int]) -> tuple[str, Callable[[], Any]]:
    a = torch.randn(sizes["M"], sizes["K"], device="cuda").to(kind)
    b = torch.randn(sizes["N"], sizes["K"], device="cuda").to(kind)
    library = "rocBLAS or hipBLASLt" if torch.version.hip else "cuBLAS"
    return f"matmul ({library})", lambda: torch.matmul(a, b.t())


def _transpose(torch: Any, kind: Any, sizes: Mapping[str, int]) -> tuple[str, Callable[[], Any]]:
    matrix = torch.randn(sizes["M"], sizes["K"], device="cuda").to(kind)
    return "t().contiguous()", lambda: matrix.t().contiguous()


CALLS: Mapping[str, Callable[..., tuple[str, Callable[[], Any]]]] = {"gemm": _gemm, "transpose": _transpose}


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

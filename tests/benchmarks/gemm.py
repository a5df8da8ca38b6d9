"""GEMM kernels measured: loops beside CK Tile's and Triton's, the ladder, times of emission; one run.

    python -m tests.benchmarks.gemm [TARGET ...]

No GPU is needed: what a loop costs is a model of one wave a SIMD (``codegen/gfx9/issue_timing.py``), or of
all waves that fit (``compute_unit_timing.py``). The first run compiles CK Tile's kernels, a minute in all,
by the wheel's clang, whatever ``LAYOUTALG_CLANG`` names for ours.
Times are of this machine, everything in one process.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from rich.console import Console
from rich.table import Table

from layoutalg.codegen.compile import Compiled, compile_hip
from layoutalg.codegen.emit import emit
from layoutalg.codegen.executors import CpuExecutor, Launch, RunResult
from layoutalg.codegen.executors.loop_time import loop_time
from layoutalg.codegen.gfx9.issue_timing import LATENCIES, Latencies
from layoutalg.codegen.kernel import Kernel
from layoutalg.codegen.kernels.gemm import RUNGS, GemmConfig, configured, gemm
from layoutalg.codegen.kernels.gemm.candidate import PLANNED_FOR
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.errors import ToolError
from layoutalg.machine import Target
from layoutalg.proofs import prove
from tests.benchmarks.loop_kernels import OTHERS, MainLoop, settled

TARGET = "gfx942"
PLANNED: dict[str, dict[str, Any]] = {
    "f16 rcr": {},
    "f16 rcr, tails": {"has_tails": True},
    "f16 rcr, odd": {"size_multiples": (1, 1, 1)},
    "f16 rcr, odd, K split by 4": {"size_multiples": (1, 1, 1), "split_k": 4},
    "i8 rrr, odd": {"element": "i8", "layouts": "rrr", "size_multiples": (1, 1, 1)},
    **{f"f16 {layouts}": {"layouts": layouts} for layouts in ("rrr", "ccr", "crr")},
    **{kind: {"element": kind} for kind in ("bf16", "f8", "i8", "f32", "f64")},
    "i8 rrr": {"element": "i8", "layouts": "rrr"},
}
OF_GFX950: dict[str, dict[str, Any]] = {
    **{kind: {"element": kind} for kind in ("f6_word", "bf6_word")},
    "f6_word, block scales": {"element": "f6_word", "has_block_scales": True},
    "f4x2": {"element": "f4x2"},
    "f4x2, block scales": {"element": "f4x2", "has_block_scales": True},
    "f8, block scales": {"element": "f8", "has_block_scales": True},
}
MODELS = {
    "usual": LATENCIES,
    "near": Latencies(lds=64, memory=320, barrier=16),
    "far": Latencies(lds=256, memory=1200, barrier=64),
}
TUTORIAL = {"M": 3328, "N": 4096, "K": 4096}
LARGEST: dict[str, Any] = {
    "has_tails": True,
    "has_scale": True,
    "stages_result": True,
    "group_m": 4,
}


def main() -> None:
    """Print the tables."""
    console = Console(width=140)
    for target in sys.argv[1:] or ("gfx942", "gfx950"):
        console.print(_beside(target))
    console.print(_ladder(), _emission())


def _beside(target: str) -> Table:
    """What a user gets who names no rung, beside others' kernels that the same compiler made."""
    table = Table(title=f"Main loops on {target}, all waves that fit: share of cycles in which MFMA works")
    for title in (
        "kernel",
        *PLANNED_FOR,
        "with conflicts",
        "VGPR+AGPR",
        "waves",
        "lines loaded, stored",
        "of 64 bytes",
    ):
        table.add_column(title)
    kernels: dict[str, Callable[[], MainLoop]] = {
        f"planned {name}": partial(settled, target, **fields)
        for name, fields in (PLANNED | (OF_GFX950 if target == "gfx950" else {})).items()
        if "f8" not in fields.values() or target != "gfx90a"
    }
    kernels |= {name: partial(make, target) for name, make in OTHERS.items()}
    for name, make in kernels.items():
        try:
            loop = make()
        except (ImportError, ToolError) as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        needs = loop.resources
        table.add_row(
            name,
            *(f"{loop.share(model):.3f}" for model in PLANNED_FOR.values()),
            f"{loop.share(PLANNED_FOR['usual'], conflicts=True):.3f}",
            f"{needs.vgprs - needs.agprs}+{needs.agprs}",
            str(loop.occupancy.waves),
            *(", ".join(f"{one:.2f}" for one in loop.touched(p)) for p in ("segments", "transactions")),
        )
    return table


def _compiled(config: GemmConfig) -> tuple[Kernel, Compiled]:
    kernel = gemm(config)
    return kernel, compile_hip(kernel.text, Target.named(config.target))


def _run(kernel: Kernel, compiled: Compiled, sizes: dict[str, int], some: Any = None) -> RunResult:
    task = Launch(kernel, compiled, sizes, inputs_of(kernel, sizes, "integers", 0))
    result = CpuExecutor(some).run(task)
    found = compare_outputs(task, result.outputs, written=result.written)["c"]
    assert found.is_good, found
    return result


def _ladder() -> Table:
    """The main loop of every rung: what the model says, and what was counted."""
    table = Table(title=f"Main loops, f16 on {TARGET}: share of cycles in which the matrix cores work")
    for title in (
        "rung",
        *MODELS,
        "VALU/MFMA",
        "LDS conflict cycles read, write",
        "loads",
        "VGPRs",
        "spills",
    ):
        table.add_column(title)
    for rung in RUNGS:
        config = configured(rung, target=TARGET)
        kernel, compiled = _compiled(config)
        m, n, k = config.tile
        runs = [_run(kernel, compiled, {"M": m, "N": n, "K": turns * k}) for turns in (8, 16)]
        loops = [loop_time(compiled, runs[0], runs[1], model) for model in MODELS.values()]
        seen = runs[1].counters
        widths = [name.split("_")[3] for name in seen if name.startswith("global_loads_of_")]
        table.add_row(
            rung,
            *(f"{loop.mfma_share:.3f}" for loop in loops),
            f"{loops[0].valu / loops[0].mfma:.3f}",
            f"{seen['lds_read_conflict_cycles']}, {seen['lds_write_conflict_cycles']}",
            f"{', '.join(widths)} bytes",
            str(compiled.resources.vgprs),
            str(compiled.resources.spills),
        )
    return table


def _emission() -> Table:
    """The kernels with most claims, and how long each stage takes."""
    table = Table(title="Emission with all proofs, and compilation (seconds)")
    for title in ("kernel", "claims", "text", "proofs", "compile"):
        table.add_column(title)
    for name, fields in (("pipelined", {}), ("pipelined, all options", LARGEST)):
        for element in ("f16", "f32", "i8"):
            chosen = {key: value for key, value in fields.items() if (key, element) != ("has_scale", "i8")}
            config = configured("pipelined", target=TARGET, element=element, **chosen)
            kernel, text = _timed(gemm, config)
            _, proofs = _timed(emit, kernel, prove)
            _, compiling = _timed(compile_hip, kernel.text, Target.named(TARGET))
            times = (f"{seconds:.2f}" for seconds in (text, proofs, compiling))
            table.add_row(f"{name}, {element}", str(len(kernel.claims)), *times)
    return table


def _timed(action: Callable[..., Any], *arguments: Any) -> tuple[Any, float]:
    start = time.perf_counter()
    found = action(*arguments)
    return found, time.perf_counter() - start


if __name__ == "__main__":
    main()

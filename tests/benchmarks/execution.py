"""How long the CPU executor takes with all its checks: each rung in Python and in compiled C, whole problems.

``python -m tests.benchmarks.execution`` prints the table; ``--large`` adds 2048 and 4096 (about a minute).
The first run of a kernel (decoding, translation, compilation) and later ones stand apart. Seconds, on this
machine, one after the other in one process; memory is the most that the process ever held.
"""

from __future__ import annotations

import argparse
import resource

import numpy as np
from rich.console import Console
from rich.table import Table

from layoutalg.codegen.compile import compile_hip
from layoutalg.codegen.executors import CpuExecutor, Launch
from layoutalg.codegen.kernels.gemm import configured, gemm
from layoutalg.codegen.matrix.comparison import compare_outputs
from layoutalg.codegen.matrix.inputs import inputs_of
from layoutalg.machine import Target

TARGET = "gfx942"
RUNGS = ("naive", "xor", "pipelined")
SIZES, LARGE = (512, 1024), (2048, 4096)
IN_PYTHON = 1024  # larger problems are run in C alone


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--large", action="store_true", help="2048 and 4096 too")
    sizes = SIZES + (LARGE if parser.parse_args().large else ())
    table = Table(title=f"CPU executor, f16 on {TARGET}, all checks, all workgroups, exact results (seconds)")
    for title in ("rung", "size", "in Python", "in C, first", "in C", "GiB"):
        table.add_column(title)
    for rung in RUNGS:
        for size in sizes if rung == "pipelined" else SIZES:
            table.add_row(rung, str(size), *_row(rung, size))
    Console(width=100).print(table)


def _row(rung: str, size: int) -> list[str]:
    kernel = gemm(configured(rung, target=TARGET))
    compiled = compile_hip(kernel.text, Target.named(TARGET))
    sizes = {"M": size, "N": size, "K": size}
    task = Launch(kernel, compiled, sizes, inputs_of(kernel, sizes, "integers", 0))
    first, again = (CpuExecutor(native=True).run(task) for _ in range(2))
    found = compare_outputs(task, again.outputs)["c"]
    assert found.is_good, found
    seconds = "-"
    if size <= IN_PYTHON:
        in_python = CpuExecutor(native=False).run(task)
        assert (in_python.outputs["c"].view(np.uint8) == again.outputs["c"].view(np.uint8)).all()
        assert in_python.counters == again.counters
        seconds = f"{in_python.seconds:.2f}"
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return [seconds, f"{first.seconds:.2f}", f"{again.seconds:.2f}", f"{held:.2f}"]


if __name__ == "__main__":
    main()

"""``layoutalg run FILE --launch launch.toml``: anybody's code object, assembly or source, on the CPU."""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import typer

from layoutalg.cli.columns import columns
from layoutalg.cli.run_report import counted
from layoutalg.codegen.executors.launch_file import read_launch
from layoutalg.codegen.kernel import ExecutionFaultError
from layoutalg.files import write_bytes

if TYPE_CHECKING:
    from layoutalg.codegen.executors import CodeObjectRun
    from layoutalg.codegen.executors.launch_file import LaunchFile

__all__ = ["run_launch"]

DIGEST = 16  # hexadecimal digits shown of an output's SHA-256


def run_launch(what: str, launch: Path, kernel: str | None, target: str | None, outputs: Path | None) -> None:
    """Run a file as a launch file says, write the outputs if asked, and report."""
    told = read_launch(launch)
    try:
        done = told.run(Path(what), kernel=kernel, target=target)
    except ExecutionFaultError as error:
        typer.echo(f"layoutalg: the kernel is faulty: {error.message}", err=True)
        raise typer.Exit(1) from None
    differences = told.differences(done)
    for line in columns(_rows(told, done, differences)):
        typer.echo(line)
    if outputs is not None:
        content = io.BytesIO()
        np.savez_compressed(content, **dict(done.outputs))  # type: ignore[arg-type]
        typer.echo(f"outputs in {write_bytes(outputs, content.getvalue())}")
    if any(wrong for wrong, _ in differences.values()):
        raise typer.Exit(1)


def _rows(
    told: LaunchFile, done: CodeObjectRun, differences: dict[str, tuple[int, float]]
) -> Iterator[tuple[str, str]]:
    kernel, content = done.kernel, told.content
    grid = "x".join(map(str, content["grid"]))
    yield "kernel", f"{kernel.name} for {kernel.target}"
    yield "launch", f"{grid} workgroups of {math.prod(content['block'])}"
    yield "device", "CPU, executing the code object"
    for name, array in done.outputs.items():
        yield name, _output(array, done.unwritten.get(name, 0))
        if name in differences:
            wrong, largest = differences[name]
            verdict = "agree" if not wrong else f"{wrong} are WRONG"
            yield "", f"{array.size} elements compared: {verdict}; largest error {largest:.3g}"
    yield "time", f"{done.seconds:.2f} s to execute on the CPU; that is not device time"
    yield from counted(done.counters)


def _output(array: Any, unwritten: int) -> str:
    digest = hashlib.sha256(array.tobytes()).hexdigest()[:DIGEST]
    low, high = array.min(), array.max()
    text = f"{array.dtype} {list(array.shape)}: {low:.6g} to {high:.6g}, sha256 {digest}"
    return text + (f"; {unwritten} elements never written" if unwritten else "")
